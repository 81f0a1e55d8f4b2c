"""Krippendorff's alpha (Content Analysis, 2004, chapter 11; "Computing Krippendorff's Alpha-Reliability", 2011)."""

from typing import Literal

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.correlations import levels, midranks
from agentdebate.meta.weighted import varied

Measure = Literal["interval", "ordinal", "nominal"]
"""What the distance of two ratings is: of their values, of their ranks, or whether they differ."""


def alpha(ratings: Array, w: Array, measure: Measure) -> Array:
    """Krippendorff's alpha of many resamples at once: b values, NaN where all ratings are the same.

    `ratings` has a row a unit and a column a rater, NaN where there is none: u x r, or b x u x r where each resample has
    its own. `w` says how often each unit was drawn, b x u. Units with fewer than two ratings have no say.
    """
    present = ~np.isnan(ratings)
    size = present.sum(axis=-1)
    weight = _each_rating(w * (size > 1), present)
    values = _flat(np.where(present, ratings, 0.0))
    if measure == "nominal":
        observed, expected = _unlike(np.where(present, ratings, np.nan)), _unlike_by_chance(values, weight)
    else:
        # The distance of two ordinal values, as Krippendorff defines it, is the difference of their mean ranks.
        points = midranks(values, weight) if measure == "ordinal" else values - _middle(values)
        observed = _apart(points.reshape(*points.shape[:-1], *ratings.shape[-2:]), present)
        expected = _apart_by_chance(points, weight)
    total = weight.sum(axis=1)
    within = (w * (size > 1) * observed).sum(axis=1) / np.maximum(total, 1)
    sound = varied(values, weight) & (expected > 0)
    return np.where(sound, 1 - within / np.where(sound, expected, 1), np.nan)


def _apart(points: Array, present: Array) -> Array:
    """The squared differences of all pairs of ratings of each unit, over one less than their number."""
    size = present.sum(axis=-1)
    mean = (points * present).sum(axis=-1) / np.maximum(size, 1)
    squares = (((points - mean[..., None]) * present) ** 2).sum(axis=-1)
    return 2 * size * squares / np.maximum(size - 1, 1)


def _apart_by_chance(points: Array, weight: Array) -> Array:
    """The mean squared difference of two ratings of any units."""
    total = weight.sum(axis=1)
    mean = (weight * points).sum(axis=1) / np.maximum(total, 1)
    squares = (weight * (points - mean[:, None]) ** 2).sum(axis=1)
    return 2 * squares / np.maximum(total - 1, 1)


def _unlike(ratings: Array) -> Array:
    """The pairs of unlike ratings of each unit, over one less than their number. NaN is like nothing."""
    size = (~np.isnan(ratings)).sum(axis=-1)
    like = (ratings[..., :, None] == ratings[..., None, :]).sum(axis=(-2, -1))
    return (size**2 - like) / np.maximum(size - 1, 1)


def _unlike_by_chance(values: Array, weight: Array) -> Array:
    """How likely two ratings of any units are unlike."""
    total = weight.sum(axis=1)
    like = (weight * levels(values, weight)[1]).sum(axis=1)
    return (total**2 - like) / np.maximum(total * (total - 1), 1)


def _each_rating(w: Array, present: Array) -> Array:
    """The weight of each rating, b x ur: its unit's, or nothing where it is missing."""
    return _flat(w[..., None] * present)


def _flat(ratings: Array) -> Array:
    return ratings.reshape(*ratings.shape[:-2], -1)


def _middle(values: Array) -> Array:
    return (values.max() + values.min()) / 2 if values.size else 0.0
