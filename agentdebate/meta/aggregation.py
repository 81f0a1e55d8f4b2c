"""One score out of those of several evaluators, without a judge (Fusion-Eval, Section 3.2: AVG, LLMSel and CorrW), and an account of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum
from statistics import fmean
from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import np
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.measures import Measure
from agentdebate.meta.talk import grouped

Statistic = Literal["pearson", "spearman"]
"""Correlation with people's scores an evaluator is weighted by."""

SOURCE = "source"
"""Way in which rows that weights are learnt from are told from rows that are scored: each source by itself, or folds of sources."""


@dataclass(frozen=True, slots=True)
class EvaluatorScore:
    """One evaluator's score of a text, None where that is missing, and the scores that it can give."""

    evaluator: str
    score: float | None
    low: float = 0.0
    high: float = 1.0
    lower: bool = False
    """True if the lower score is the better one."""

    @property
    def share(self) -> float | None:
        """The score as a share of its range, from 0 to 1; one outside counts as the nearer end."""
        if self.score is None:
            return None
        share = min(max((self.score - self.low) / (self.high - self.low), 0.0), 1.0)
        return 1.0 - share if self.lower else share

    @property
    def outside(self) -> bool:
        """Tell whether the score lies outside its range."""
        return self.score is not None and not self.low <= self.score <= self.high


@dataclass(frozen=True, slots=True)
class Case:
    """One aspect of one text, with the evaluators' scores of it and people's."""

    id: str
    """The item's id."""
    aspect: str
    scores: tuple[EvaluatorScore, ...]
    group: str | None = None
    system: str | None = None
    candidate: str | None = None
    """The field of the item that holds the text, where several are compared."""
    human: float | None = None
    selected: tuple[str, ...] | None = None
    """The evaluators that the plan selects for the aspect; None where there is no plan."""

    @property
    def name(self) -> str:
        """The aspect, with the candidate behind it where there are several ("overall.answer_1")."""
        return self.aspect if self.candidate is None else f"{self.aspect}.{self.candidate}"

    @property
    def source(self) -> tuple[str, str]:
        """The name that the case shares with all others of its source: the group, or else the item."""
        return ("item", self.id) if self.group is None else ("group", self.group)

    @property
    def shares(self) -> dict[str, float]:
        """The scores that there are, each as a share of its range."""
        return {one.evaluator: share for one in self.scores if (share := one.share) is not None}


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A case with its score from 0 to 1, None where it has none, and the evaluators that it was made of."""

    case: Case
    score: float | None
    used: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Weight:
    """The weight of an evaluator for an aspect in one fold: its correlation with people in the rows of all others.

    0 where that is negative or not defined.
    """

    aspect: str
    evaluator: str
    fold: int
    value: float


@dataclass(frozen=True, slots=True)
class Weighted:
    """Cases aggregated by CorrW, the weights, and how many folds and sources these are over."""

    rows: tuple[Aggregate, ...]
    weights: tuple[Weight, ...]
    folds: int
    sources: int


def average(cases: Iterable[Case]) -> tuple[Aggregate, ...]:
    """The mean of all evaluators' scores (AVG)."""
    return tuple(_mean(case, dict.fromkeys(case.shares, 1.0)) for case in cases)


def select(cases: Iterable[Case], *, always: Collection[str] = ()) -> tuple[Aggregate, ...]:
    """The mean of the evaluators that the plan selects for the aspect, and of those in `always` (LLMSel).

    Where the plan selects none there is no score, whatever `always` names: the paper's tables have none either.
    """
    return tuple(
        _mean(case, dict.fromkeys([*case.selected, *always] if case.selected else [], 1.0)) for case in cases
    )


def cross_weight(
    cases: Sequence[Case], *, statistic: Statistic = "pearson", folds: int | None = None
) -> Weighted:
    """The mean weighted by each evaluator's correlation with people, learnt from rows of other sources (CorrW).

    Without `folds` each source is scored by the weights of all others. With it, sources are dealt to that many folds by a
    digest of their names, so that neither the order of the rows nor that of the names has a say. Raises UsageError where
    there are not enough sources.
    """
    fold = _dealt({case.source for case in cases}, folds)
    points = grouped(
        (
            (case.aspect, name, fold[case.source], share, case.human)
            for case in cases
            for name, share in case.shares.items()
        ),
        lambda point: point[:2],
    )
    weights = {}
    for (aspect, name), some in points.items():
        place, share, human = np.array([point[2:] for point in some], dtype=float).T
        for number in dict.fromkeys(fold.values()):
            others = (place != number) & ~np.isnan(human)
            weights[aspect, name, number] = _positive(Measure(statistic).of(human[others], share[others]))
    rows = [
        _mean(case, {name: weights[case.aspect, name, fold[case.source]] for name in case.shares})
        for case in cases
    ]
    learnt = tuple(Weight(*names, value) for names, value in weights.items())
    return Weighted(tuple(rows), learnt, len(set(fold.values())), len(fold))


def _positive(correlation: float) -> float:
    return correlation if correlation > 0 else 0.0  # NaN where it is not defined


def _mean(case: Case, weights: Mapping[str, float]) -> Aggregate:
    """The weighted mean over the evaluators that have a score and a positive weight."""
    shares = {name: share for name, share in case.shares.items() if weights.get(name, 0.0) > 0}
    if not shares:
        return Aggregate(case, None)
    total = fsum(weights[name] for name in shares)
    mean = fsum(weights[name] * share for name, share in shares.items()) / total
    kept = min(max(mean, min(shares.values())), max(shares.values()))  # a division can round past the ends
    return Aggregate(case, kept, tuple(shares))


def _dealt(sources: Collection[tuple[str, str]], folds: int | None) -> dict[tuple[str, str], int]:
    """The fold of each source. Raises UsageError where there are too few sources."""
    needed = 2 if folds is None else folds
    if needed < 2 or len(sources) < needed:  # noqa: PLR2004 - one part is scored, another learnt from
        raise UsageError(
            f"weights are learnt from rows of other sources (groups, or items without one): at least 2 folds and as many sources are "
            f"needed, not {needed} of {len(sources)}"
        )
    return {
        source: number % (folds or len(sources))
        for number, source in enumerate(sorted(sources, key=_digest if folds else None))
    }


def _digest(source: tuple[str, str]) -> bytes:
    return sha256("\0".join(source).encode("utf-8", "surrogatepass")).digest()


def aspects(rows: Sequence[Aggregate]) -> list[dict[str, Any]]:
    """A line an aspect."""
    return [
        {
            "aspect": name,
            "rows": len(some),
            "missing": len(some) - len(scores),
            "mean": fmean(scores) if scores else None,
            "people": sum(row.case.human is not None for row in some),
        }
        for name, some in grouped(rows, lambda row: row.case.name).items()
        for scores in [[row.score for row in some if row.score is not None]]
    ]


def coverages(rows: Sequence[Aggregate]) -> list[Coverage]:
    """Count the rows with a score, aspect by aspect, with people's judgements of those and of the others."""
    judged = ((row.case.name, Judged(row.case.id, "", "", row.case.human, row.score)) for row in rows)
    return [
        coverage(Judgements("", name, [row for _, row in some]))
        for name, some in grouped(judged, lambda pair: pair[0]).items()
    ]


def evaluators(scored: Sequence[Case]) -> list[dict[str, Any]]:
    """A line an evaluator and range: a judge has the scale of each aspect."""
    found = (one for case in scored for one in case.scores)
    return [
        {
            "evaluator": name,
            "low": low,
            "high": high,
            "scores": sum(one.score is not None for one in some),
            "missing": sum(one.score is None for one in some),
            "outside": sum(one.outside for one in some),
        }
        for (name, low, high), some in grouped(found, lambda one: (one.evaluator, one.low, one.high)).items()
    ]


def weights_over_folds(weights: Sequence[Weight]) -> list[dict[str, Any]]:
    """A line an aspect and evaluator: its weight over the folds."""
    return [
        {
            "aspect": aspect,
            "evaluator": evaluator,
            "mean": fmean(values),
            "lowest": min(values),
            "highest": max(values),
        }
        for (aspect, evaluator), some in grouped(weights, lambda one: (one.aspect, one.evaluator)).items()
        for values in [[one.value for one in some]]
    ]
