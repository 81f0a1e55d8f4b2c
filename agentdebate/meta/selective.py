"""Selective figures: how right a judge is on the texts of which it is sure, and from which confidence on it can be trusted.

A judgement is wrong where a choice is not people's, or a score is farther than half a point from people's. The risk is the
share of wrong ones among those that are kept. Thresholds for a stated risk are found by fixed-sequence testing (Angelopoulos et
al. 2021, "Learn then Test", section 5): from the surest texts on, each lower threshold is taken as long as the Clopper-Pearson
upper bound of its risk is no higher than the stated one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil, log
from typing import NamedTuple, TypeVar

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import Array, np, proportion, stats
from agentdebate.meta.dynamics import HAIR, WITHIN
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.talk.messages import stands


@dataclass(frozen=True, slots=True)
class Kept:
    """The judgements whose confidence is at least a threshold."""

    threshold: float
    n: int
    coverage: float
    """The share of all judgements that they are."""
    right: float
    """The share of them that are right."""
    low: float
    """The lower end of the Clopper-Pearson interval of `right`."""
    high: float


@dataclass(frozen=True)
class Selective:
    """Accuracy of a judge by its confidence."""

    judge: str
    aspect: str
    n: int
    """Judgements with a confidence, of texts that people judged."""
    lacking: int
    """Judgements without a confidence."""
    curve: tuple[Kept, ...]
    """Risk-coverage curve, from the highest threshold to the lowest, at which all are kept, whose risk is 1 - right."""
    area: float | None
    """The area under that curve: the mean risk over all coverages, 0 at best; None without judgements."""
    risk: float
    """The stated risk."""
    confidence: float
    """Confidence that the risk above `threshold` is no higher than that."""
    threshold: float | None
    """The lowest confidence that keeps to it; None where none does."""


class StageCase(NamedTuple):
    """A stage's verdict on one text: how sure it was, and whether people say the same; None where it came to no verdict."""

    confidence: float | None
    right: bool | None


Key = TypeVar("Key")


def selective(entry: Judgements, *, risk: float = 0.1, confidence: float = 0.95) -> Selective:
    """The selective figures of one judge on one aspect."""
    judged = [(row, right) for row in entry.rows if (right := is_right(row)) is not None]
    known = [(row.confidence, right) for row, right in judged if row.confidence is not None]
    sure, right = np.array(known, dtype=float).reshape(-1, 2).T
    thresholds, kept, rights = _thresholds(sure, right)
    ends = proportion.proportion_confint(rights, kept, alpha=1 - confidence, method="beta")
    lines = np.stack([kept / len(known), rights / kept, *ends], axis=-1)
    risks = np.diff(kept, prepend=0) * (1 - rights / kept)
    return Selective(
        judge=entry.judge,
        aspect=entry.aspect,
        n=len(known),
        lacking=len(judged) - len(known),
        curve=tuple(
            Kept(*line, *shares)
            for *line, shares in zip(thresholds.tolist(), kept.tolist(), lines.tolist(), strict=True)
        ),
        area=float(risks.sum() / len(known)) if known else None,
        risk=risk,
        confidence=confidence,
        threshold=threshold_for(sure, right, risk, confidence),
    )


def of_stages(
    entries: Sequence[Judgements], *, risk: float = 0.1, confidence: float = 0.95
) -> tuple[Selective, ...]:
    """The selective figures of judges that are stages of a cascade, each over the texts that those before it leave.

    A stage leaves a text that it judges with less than its threshold of confidence, and all where it has none. An unknown confidence
    counts as 0 there. Each threshold is so sure that all of them together are as sure as `confidence` (Bonferroni).

    Raises UsageError for a risk or confidence that means nothing.
    """
    stages = [{row.key: StageCase(row.confidence, is_right(row)) for row in one.rows} for one in entries]
    found, share = [], 1 - (1 - confidence) / len(entries)
    for entry, (left, least, _) in zip(entries, thresholds_of(stages, risk, confidence), strict=True):
        rows = [row for row in entry.rows if row.key in left]
        found.append(
            replace(selective(replace(entry, rows=rows), risk=risk, confidence=share), threshold=least)
        )
    return tuple(found)


def thresholds_of(
    stages: Sequence[Mapping[Key, StageCase]], risk: float, confidence: float
) -> Iterator[tuple[Mapping[Key, StageCase], float | None, list[Key]]]:
    """Give for each stage the texts that it judged and those before it leave, its threshold as `of_stages` has it, and the texts that it decides.

    Raises UsageError for a risk or confidence that means nothing.
    """
    for name, share in {"risk": risk, "confidence": confidence}.items():
        if not 0 < share < 1:
            raise UsageError(f"{name} is between 0 and 1, not {share:g}")
    decided = set[Key]()
    for stage in stages:
        left = {key: one for key, one in stage.items() if key not in decided}
        known = {key: (sure or 0.0, right) for key, (sure, right) in left.items() if right is not None}
        sure, right = np.array([*known.values()], dtype=float).reshape(-1, 2).T
        least = threshold_for(sure, right, risk, 1 - (1 - confidence) / len(stages))
        stand = [key for key, (one, _) in known.items() if stands(one, least)]
        yield left, least, stand
        decided.update(stand)


def threshold_for(sure: Array, right: Array, risk: float, confidence: float) -> float | None:
    """The lowest confidence from which on the risk is no higher than stated; None where none can be shown to be.

    The first threshold that is tried keeps so many that no wrong one among them would show it, which does not look at
    who is right, so each test may use all of 1 - `confidence`.
    """
    thresholds, kept, rights = _thresholds(sure, right)
    tried = kept >= ceil(log(1 - confidence) / log(1 - risk))
    bounds = stats.beta.ppf(confidence, (kept - rights + 1)[tried], rights[tried])
    shown = np.cumprod(bounds <= risk).astype(bool)  # NaN where none is right
    return float(thresholds[tried][shown][-1]) if shown.any() else None


def _thresholds(sure: Array, right: Array) -> tuple[Array, Array, Array]:
    """Every threshold, the highest first, with the number of judgements that it keeps, and of those that are right."""
    thresholds, place = np.unique(-np.asarray(sure), return_inverse=True)
    counts = (np.bincount(place, weights, len(thresholds)).cumsum() for weights in (None, right))
    return (-thresholds, *counts)


def is_right(row: Judged) -> bool | None:
    """Tell whether a judgement is people's; None where either is missing."""
    if row.human is None or row.score is None:
        return None
    if isinstance(row.human, str) or isinstance(row.score, str):
        return row.human == row.score
    return abs(row.human - row.score) <= WITHIN + HAIR
