"""One score out of those of several evaluators, without a judge (Fusion-Eval, Section 3.2: AVG, LLMSel and CorrW), and an account of them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
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
class Weighted:
    """Cases aggregated by CorrW, the weights, and how many folds and sources these are over."""

    rows: tuple[Aggregate, ...]
    weights: Mapping[tuple[str, str, int], float]
    """The weight of each aspect, evaluator and fold: the correlation with people in the rows of all other folds, or 0 where that is
    negative or not defined.
    """
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
    rated = [case for case in cases if case.human is not None]
    weights: dict[tuple[str, str, int], float] = {}
    for aspect, name in dict.fromkeys((case.aspect, name) for case in cases for name in case.shares):
        points = [
            (fold[case.source], case.shares[name], case.human)
            for case in rated
            if case.aspect == aspect and name in case.shares
        ]
        place, share, human = np.array(points, dtype=float).reshape(-1, 3).T
        for number in range(max(fold.values()) + 1):
            others = place != number
            correlation = Measure(statistic).of(human[others], share[others])
            weights[aspect, name, number] = correlation if correlation > 0 else 0.0
    rows = tuple(
        _mean(case, {name: weights[case.aspect, name, fold[case.source]] for name in case.shares})
        for case in cases
    )
    return Weighted(rows, weights, max(fold.values()) + 1, len(fold))


def _mean(case: Case, weights: Mapping[str, float]) -> Aggregate:
    """The weighted mean over the evaluators that have a score and a positive weight."""
    shares = {name: share for name, share in case.shares.items() if weights.get(name, 0.0) > 0}
    mean = fmean(shares.values(), [weights[name] for name in shares]) if shares else None
    return Aggregate(case, mean, tuple(shares))


def _dealt(sources: Collection[tuple[str, str]], folds: int | None) -> dict[tuple[str, str], int]:
    """The fold of each source. Raises UsageError where there are too few sources."""
    count = len(sources) if folds is None else folds
    if not 2 <= count <= len(sources):  # noqa: PLR2004 - one part is scored, another learnt from
        raise UsageError(
            f"weights are learnt from other sources: at least 2 folds and as many sources are needed, not {count} of {len(sources)}"
        )
    dealt = sorted(sources, key=_digest if folds else None)
    return {source: number % count for number, source in enumerate(dealt)}


def _digest(source: tuple[str, str]) -> bytes:
    return sha256("\0".join(source).encode("utf-8", "surrogatepass")).digest()


def coverages(rows: Sequence[Aggregate]) -> list[Coverage]:
    """Count the rows with a score, aspect by aspect, with people's judgements of those and of the others."""
    return [
        coverage(
            Judgements("", name, [Judged(row.case.id, "", "", row.case.human, row.score) for row in some])
        )
        for name, some in grouped(rows, lambda row: row.case.name).items()
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


def weights_over_folds(weights: Mapping[tuple[str, str, int], float]) -> list[dict[str, Any]]:
    """A line an aspect and evaluator: its mean weight over the folds."""
    return [
        {"aspect": aspect, "evaluator": evaluator, "mean": fmean(value for _, value in some)}
        for (aspect, evaluator), some in grouped(weights.items(), lambda one: one[0][:2]).items()
    ]
