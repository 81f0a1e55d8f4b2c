"""One score out of those of several evaluators, without a judge (Fusion-Eval, Section 3.2: AVG, LLMSel and CorrW), and an account of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, isnan
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

NO_SCORE = "no evaluator has a score"
NO_PLAN = "there is no plan"
NONE_SELECTED = "the plan selects no evaluator"
NO_PEOPLE = "no training row has both an evaluator's score and people's"
NO_WEIGHT = "no evaluator with a score correlates with people"
"""Reason why a case has no aggregated score."""

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
    """A case with its score from 0 to 1, and the evaluators that it was made of; None, and `why` there is none."""

    case: Case
    score: float | None
    used: tuple[str, ...] = ()
    why: str = ""


@dataclass(frozen=True, slots=True)
class Weight:
    """The weight of an evaluator for an aspect in one fold, learnt from `rows` rows that are not in the fold.

    The correlation is None where it is not defined: one of the two sides is constant, or there are fewer than two rows.
    """

    aspect: str
    evaluator: str
    fold: int
    correlation: float | None
    rows: int

    @property
    def value(self) -> float:
        """The correlation, or 0 where it is negative or not defined."""
        return max(self.correlation or 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Weighted:
    """Cases aggregated by CorrW, the weights, and how many folds and sources these are over."""

    rows: tuple[Aggregate, ...]
    weights: tuple[Weight, ...]
    folds: int
    sources: int


def average(cases: Iterable[Case]) -> tuple[Aggregate, ...]:
    """The mean of all evaluators' scores (AVG)."""
    return tuple(_mean(case, dict.fromkeys(case.shares, 1.0), NO_SCORE) for case in cases)


def select(cases: Iterable[Case], *, always: Collection[str] = ()) -> tuple[Aggregate, ...]:
    """The mean of the evaluators that the plan selects for the aspect, and of those in `always` (LLMSel).

    Where the plan selects none there is no score, whatever `always` names: the paper's tables have none either.
    """
    return tuple(
        _mean(case, dict.fromkeys([*case.selected, *always], 1.0), NO_SCORE)
        if case.selected
        else Aggregate(case, None, why=NO_PLAN if case.selected is None else NONE_SELECTED)
        for case in cases
    )


def cross_weight(
    cases: Sequence[Case], *, statistic: Statistic = "pearson", folds: int | None = None
) -> Weighted:
    """The mean weighted by each evaluator's correlation with people, learnt from rows of other sources (CorrW).

    Without `folds` each source is scored by the weights of all others. With it, sources are dealt to that many folds by a
    digest of their names, so that neither the order of the rows nor that of the names has a say. Raises UsageError where
    there are not enough sources.
    """
    sources = sorted({case.source for case in cases})
    fold = _dealt(sources, folds)
    weights = {(one.aspect, one.evaluator, one.fold): one for one in _learnt(cases, fold, statistic)}
    learnt = {(one.aspect, one.fold) for one in weights.values() if one.rows}
    rows = []
    for case in cases:
        place = fold[case.source]
        own = {name: weights[case.aspect, name, place].value for name in case.shares}
        rows.append(_mean(case, own, NO_WEIGHT if (case.aspect, place) in learnt else NO_PEOPLE))
    return Weighted(tuple(rows), tuple(weights.values()), len(set(fold.values())), len(sources))


def _learnt(
    cases: Sequence[Case], fold: Mapping[tuple[str, str], int], statistic: Statistic
) -> Iterator[Weight]:
    """The weights of every evaluator in each fold, from the rows that are not in it."""
    points: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
    # Sorted, so that the order of the rows has no say, to the last digit.
    for case in sorted(cases, key=lambda case: (case.source, case.id, case.candidate or "")):
        for name, share in case.shares.items():
            if case.human is not None:
                points.setdefault((case.aspect, name), []).append((fold[case.source], share, case.human))
    wanted = {(case.aspect, one.evaluator, fold[case.source]): None for case in cases for one in case.scores}
    for aspect, name, place in wanted:
        others = [point[1:] for point in points.get((aspect, name), ()) if point[0] != place]
        yield Weight(aspect, name, place, _correlation(others, statistic), len(others))


def _correlation(points: Sequence[tuple[float, float]], statistic: Statistic) -> float | None:
    shares, people = np.array(points, dtype=float).reshape(-1, 2).T
    value = Measure(statistic).of(people, shares)
    return None if isnan(value) else value


def _mean(case: Case, weights: Mapping[str, float], why: str) -> Aggregate:
    """The weighted mean over the evaluators that have a score and a positive weight."""
    shares = {name: share for name, share in case.shares.items() if weights.get(name, 0.0) > 0}
    if not shares:
        return Aggregate(case, None, why=why if case.shares else NO_SCORE)
    total = fsum(weights[name] for name in shares)
    mean = fsum(weights[name] * share for name, share in shares.items()) / total
    kept = min(max(mean, min(shares.values())), max(shares.values()))  # a division can round past the ends
    return Aggregate(case, kept, tuple(shares))


def _dealt(sources: Sequence[tuple[str, str]], folds: int | None) -> dict[tuple[str, str], int]:
    """The fold of each source. Raises UsageError where there are too few sources."""
    needed = 2 if folds is None else folds
    if needed < 2 or len(sources) < needed:  # noqa: PLR2004 - one part is scored, another learnt from
        raise UsageError(
            f"weights are learnt from rows of other sources (groups, or items without one): at least 2 folds and as many sources are "
            f"needed, not {needed} of {len(sources)}"
        )
    order = sources if folds is None else sorted(sources, key=_digest)
    return {source: number % (folds or len(order)) for number, source in enumerate(order)}


def _digest(source: tuple[str, str]) -> bytes:
    return sha256("\0".join(source).encode("utf-8", "surrogatepass")).digest()


def counts(rows: Sequence[Aggregate]) -> dict[str, Any]:
    """Count the rows and those without a score, by reason."""
    missing = Counter(row.why for row in rows if row.score is None)
    return {"rows": len(rows), "missing": missing.total(), "reasons": dict(missing)}


def aspects(rows: Sequence[Aggregate]) -> list[dict[str, Any]]:
    """A line an aspect."""
    return [
        {
            "aspect": name,
            "rows": len(some),
            "missing": sum(row.score is None for row in some),
            **_spread([row.score for row in some if row.score is not None]),
            "people": sum(row.case.human is not None for row in some),
        }
        for name, some in grouped(rows, lambda row: row.case.name).items()
    ]


def _spread(values: Sequence[float]) -> dict[str, float | None]:
    return {
        "mean": fmean(values) if values else None,
        "lowest": min(values, default=None),
        "highest": max(values, default=None),
    }


def coverages(rows: Sequence[Aggregate]) -> list[Coverage]:
    """Count the rows with a score, aspect by aspect, with people's judgements of those and of the others."""
    return [
        coverage(Judgements("", name, tuple(map(_judged, some))))
        for name, some in grouped(rows, lambda row: row.case.name).items()
    ]


def _judged(row: Aggregate) -> Judged:
    case = row.case
    return Judged(case.id, case.group or "", case.system or "", case.human, row.score)


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
            **_spread([one.value for one in some]),
            "folds": len(some),
            "zero": sum(one.value == 0 for one in some),
        }
        for (aspect, evaluator), some in grouped(weights, lambda one: (one.aspect, one.evaluator)).items()
    ]
