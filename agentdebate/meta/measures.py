"""The statistics of two columns of numbers by name, each as its library computes it."""

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from math import isfinite, nan
from typing import Any, Literal, get_args

from agentdebate.errors import UsageError, nearest
from agentdebate.meta import pairs
from agentdebate.meta.arrays import Array, inter_rater, np, stats

Statistic = Literal[
    "pearson",
    "spearman",
    "kendall-b",
    "kendall-c",
    "pairwise-accuracy",
    "alpha",
    "alpha-ordinal",
    "alpha-nominal",
    "bias",
    "mean-absolute-error",
    "root-mean-square-error",
]
"""What can be asked of scores. "alpha" is Krippendorff's with interval distances; it and the errors take both scores to be on
the same scale. "bias" is the mean of the judge's score less people's.
"""

ChoiceStatistic = Literal[
    "accuracy", "kappa", "kappa-linear", "kappa-quadratic", "alpha-nominal", "alpha-ordinal", "alpha"
]
"""What can be asked of choices. "kappa" is Cohen's; "kappa-linear" and "kappa-quadratic" weigh how many labels apart two
choices are, and they, "alpha-ordinal" and "alpha" (Krippendorff's with interval distances) take the labels in their order.
"""

OF_SCORES: tuple[str, ...] = get_args(Statistic)
OF_CHOICES: tuple[str, ...] = get_args(ChoiceStatistic)
STATISTICS = tuple(dict.fromkeys((*OF_SCORES, *OF_CHOICES)))
"""Every statistic that can be asked for."""

CORRELATIONS = frozenset({"pearson", "spearman", "kendall-b", "kendall-c"})
"""Those that are not defined where one side is constant."""
RANKED = frozenset({"spearman", "kendall-b", "kendall-c", "pairwise-accuracy"})
"""Those that only ask which score is the higher, or nearly so."""
ERRORS = frozenset({"bias", "mean-absolute-error", "root-mean-square-error"})
ON_ONE_SCALE = frozenset({*ERRORS, "alpha"})
"""The statistics that take judge and people to score on one scale."""
ORDERED = frozenset({"kappa-linear", "kappa-quadratic", "alpha-ordinal", "alpha"})
"""Statistics of choices that ask how far apart two labels are."""
KAPPAS: Mapping[str, str | None] = {"kappa": None, "kappa-linear": "linear", "kappa-quadratic": "quadratic"}
"""Cohen's kappas, with their weights."""

TOO_FEW = "fewer than two rows"
CONSTANT_HUMAN = "constant human scores"
CONSTANT_SCORE = "constant predicted scores"
CONSTANT_BOTH = "constant human and predicted scores"
ALL_EQUAL = "all scores equal"
"""Why a statistic is not defined."""

Distance = Literal["interval", "ordinal", "nominal"]
"""How far apart two ratings are: by their values, by their ranks, or by whether they differ."""

_CONSTANT = {
    (False, False): None,
    (True, False): CONSTANT_HUMAN,
    (False, True): CONSTANT_SCORE,
    (True, True): CONSTANT_BOTH,
}
_FEW = 2


@dataclass(frozen=True)
class Measure:
    """One statistic of people's scores and the judge's; `epsilon` is that of pairwise accuracy."""

    name: str
    epsilon: float = 0.0

    def undefined(self, human: Array, score: Array) -> str | None:
        """Why the statistic has no value; None where it has one."""
        if self.name in ERRORS or self.name == "accuracy":
            return None if len(human) else TOO_FEW
        if len(human) < _FEW and (self.name in CORRELATIONS or self.name == "pairwise-accuracy"):
            return TOO_FEW
        if self.name in CORRELATIONS:
            return _CONSTANT[_constant(human), _constant(score)]
        if self.name != "pairwise-accuracy" and _constant(np.concatenate([human, score])):
            return ALL_EQUAL if len(human) else TOO_FEW
        return None

    def of(self, human: Array, score: Array) -> float:
        """The value of n scores each; NaN where it is not defined."""
        if self.undefined(human, score):
            return nan
        if self.name == "pairwise-accuracy":
            return pairs.accuracy(human, score, self.epsilon)
        value = float(_VALUES[self.name](human, score))
        return value if isfinite(value) else nan

    def drawn(self, human: Array, score: Array) -> Callable[[Array], float]:
        """The value over rows that were drawn, by their numbers."""
        if self.name == "pairwise-accuracy":
            return pairs.drawn_accuracy(human, score, self.epsilon)
        return lambda rows: self.of(human[rows], score[rows])


def measure(
    statistic: str, epsilon: float = 0.0, *, known: tuple[str, ...] = OF_SCORES, of: str = "scores"
) -> Measure:
    """A statistic by its name. Raises UsageError for one that is not among those that are `known` of this."""
    if statistic not in known:
        raise UsageError(f"there is no statistic {statistic!r} of {of}. {nearest(statistic, known)}")
    return Measure(statistic, epsilon)


def alpha(ratings: Array, distance: Distance) -> float:
    """Krippendorff's alpha (Content Analysis, 2004, chapter 11); NaN where all ratings are the same.

    `ratings` has a row a unit and a column a rater, NaN where there is none. Units with fewer than two ratings have no say.
    The library of that name needs a matrix of all different values, which are thousands where a judge scores in fractions.
    """
    ratings = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    there = ~np.isnan(ratings)
    known = ratings[there]
    if not known.size or _constant(known):
        return nan
    points = np.where(there, ratings, 0.0)
    if (
        distance == "ordinal"
    ):  # whose distances are the differences of mean ranks, as Krippendorff defines them
        points[there] = stats.rankdata(known)
    size, count = there.sum(axis=1), len(known)
    if distance == "nominal":
        within = size - (ratings[:, :, None] == ratings[:, None, :]).sum(axis=(1, 2)) / size
        among = count - (np.unique(known, return_counts=True)[1] ** 2).sum() / count
    else:
        points = points - points[there].mean()
        mean = (points * there).sum(axis=1) / size
        within = (((points - mean[:, None]) * there) ** 2).sum(axis=1)
        among = (points[there] ** 2).sum()
    observed = (within * size / (size - 1)).sum() / count
    return float(1 - observed * (count - 1) / among) if among > 0 else nan


def crossed(human: Array, choice: Array) -> Array:
    """How often each two labels met: people's by rows, the judge's by columns, all labels between the least and greatest."""
    low = min(human.min(), choice.min())
    rows, columns = (human - low).astype(int), (choice - low).astype(int)
    size = int(max(rows.max(), columns.max())) + 1
    return np.bincount(rows * size + columns, minlength=size**2).reshape(size, size)


def kappa(human: Array, choice: Array, weights: str | None) -> float:
    """Cohen's kappa; NaN where both always choose the same label, so that nothing is left to chance."""
    return float(inter_rater.cohens_kappa(crossed(human, choice), wt=weights, return_results=False))


def unit(x: Array) -> Array:
    """The values from 0 to 1, each row by itself, which changes no correlation: squares can be too small or too large."""
    # Halves, as the whole can be more than a number holds.
    low, high = x.min(axis=-1, keepdims=True) / 2, x.max(axis=-1, keepdims=True) / 2
    return (x / 2 - low) / np.where(high > low, high - low, 1)


def _pearson(human: Array, score: Array) -> float:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scores may be nearly constant: a value with few digits is one
        return float(stats.pearsonr(unit(human), unit(score)).statistic)


def _spearman(human: Array, score: Array) -> float:
    # As scipy's, without its p, which takes five times as long as the ranks of a source.
    return float(np.corrcoef(stats.rankdata(human), stats.rankdata(score))[0, 1])


def _rooted(human: Array, score: Array) -> float:
    return float(np.sqrt(((score - human) ** 2).mean()))


def _constant(values: Array) -> bool:
    return bool(values.min(initial=np.inf) >= values.max(initial=-np.inf))


_VALUES: Mapping[str, Callable[[Array, Array], Any]] = {
    "pearson": _pearson,
    "spearman": _spearman,
    "kendall-b": lambda human, score: stats.kendalltau(human, score).statistic,
    "kendall-c": lambda human, score: stats.kendalltau(human, score, variant="c").statistic,
    "bias": lambda human, score: (score - human).mean(),
    "mean-absolute-error": lambda human, score: np.abs(score - human).mean(),
    "root-mean-square-error": _rooted,
    "accuracy": lambda human, score: (human == score).mean(),
    **{name: partial(kappa, weights=weights) for name, weights in KAPPAS.items()},
    **{
        name: lambda human, score, distance=distance: alpha(np.stack([human, score], axis=-1), distance)  # type: ignore[misc]  # bound now
        for name, distance in (
            ("alpha", "interval"),
            ("alpha-ordinal", "ordinal"),
            ("alpha-nominal", "nominal"),
        )
    },
}
