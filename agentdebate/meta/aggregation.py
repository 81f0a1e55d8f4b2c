"""One score out of those of several evaluators, without a judge (Fusion-Eval, Section 3.2: AVG, LLMSel and CorrW), and an account of them."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from math import fsum, inf
from statistics import correlation, fmean
from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judgements import Judged, Judgements

Statistic = Literal["pearson", "spearman"]
"""Which correlation with people's scores an evaluator is weighted by."""

NO_SCORE = "no evaluator has a score"
NO_PLAN = "there is no plan"
NONE_SELECTED = "the plan selects no evaluator"
NO_PEOPLE = "no training row has both an evaluator's score and people's"
NO_WEIGHT = "no evaluator with a score correlates with people"
"""Why a case has no aggregated score."""


@dataclass(frozen=True, slots=True)
class EvaluatorScore:
    """What one evaluator says of a text, None where that is missing, and the scores that it can give."""

    evaluator: str
    score: float | None
    low: float = 0.0
    high: float = 1.0
    lower: bool = False
    """Whether the lower score is the better one."""

    @property
    def share(self) -> float | None:
        """The score as a share of its range, from 0 to 1; what lies outside counts as the nearer end."""
        if self.score is None:
            return None
        share = min(max((self.score - self.low) / (self.high - self.low), 0.0), 1.0)
        return 1.0 - share if self.lower else share

    @property
    def outside(self) -> bool:
        """Whether the score lies outside its range."""
        return self.score is not None and not self.low <= self.score <= self.high


@dataclass(frozen=True, slots=True)
class Case:
    """One aspect of one text: what the evaluators say of it, and what people do."""

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
        """What the case shares with all others of its source: the group, or else the item."""
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
    """What an evaluator weighs for an aspect in one fold, learnt from `rows` rows that are not in the fold.

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
    """Cases aggregated by CorrW, the weights, and how the training rows were told from those that are scored."""

    rows: tuple[Aggregate, ...]
    weights: tuple[Weight, ...]
    folds: int
    sources: int
    """How many sources the training rows are from."""
    left_out: int = 0
    """Training rows that were not used, as their source is among those that are scored."""


def average(cases: Iterable[Case]) -> tuple[Aggregate, ...]:
    """The mean of all evaluators' scores (AVG)."""
    return tuple(_mean(case, dict.fromkeys(case.shares, 1.0), NO_SCORE) for case in cases)


def select(cases: Iterable[Case], *, always: Collection[str] = ()) -> tuple[Aggregate, ...]:
    """The mean of the evaluators that the plan selects for the aspect, and of those in `always` (LLMSel).

    Where the plan selects none there is no score, whatever `always` names: the paper's tables have none either.
    """
    return tuple(_selected(case, always) for case in cases)


def cross_weight(
    cases: Sequence[Case], *, statistic: Statistic = "pearson", folds: int | None = None
) -> Weighted:
    """The mean weighted by each evaluator's correlation with people, learnt from rows of other sources (CorrW).

    Without `folds` each source is scored by the weights of all others. With it, sources are dealt to that many folds by a
    digest of their names, so that neither the order of the rows nor that of the names has a say. Raises UsageError where
    there are not enough sources.
    """
    sources = sorted({case.source for case in cases})
    place = _dealt(sources, folds)
    training = ((place[case.source], case) for case in cases)
    weights = _learn(training, [(place[case.source], case) for case in cases], statistic)
    rows = _weighted(((place[case.source], case) for case in cases), weights)
    return Weighted(rows, weights, len(set(place.values())), len(sources))


def train_weight(
    cases: Sequence[Case], training: Sequence[Case], *, statistic: Statistic = "pearson"
) -> Weighted:
    """The same with weights from other rows, of which those that share a source with the cases are left out.

    Raises UsageError where no training row is left.
    """
    scored = {case.source for case in cases}
    kept = [case for case in training if case.source not in scored]
    if not kept:
        raise UsageError(
            f"none of the {len(training)} training rows can be used: all are of sources (groups, or items without one) "
            "that are scored too"
        )
    weights = _learn(((1, case) for case in kept), [(0, case) for case in cases], statistic)
    rows = _weighted(((0, case) for case in cases), weights)
    return Weighted(rows, weights, 1, len({case.source for case in kept}), len(training) - len(kept))


def correlate(pairs: Iterable[tuple[float, float]], statistic: Statistic) -> float | None:
    """Pearson's r, or Spearman's rho (tied values share the mean of their ranks); None where it is not defined."""
    columns = list(zip(*pairs, strict=True))
    if not columns or not all(0 < max(column) - min(column) < inf for column in columns):
        return None  # asked here, as the mean of equal numbers can differ from them in the last digit
    first, second = map(average_ranks if statistic == "spearman" else _spread, columns)
    return correlation(first, second)


def average_ranks(values: Sequence[float]) -> list[float]:
    """The rank of each value, from 1 for the least; equal values share the mean of their ranks."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    first = 0
    while first < len(order):
        last = first
        while last + 1 < len(order) and values[order[last + 1]] == values[order[first]]:
            last += 1
        for place in order[first : last + 1]:
            ranks[place] = (first + last) / 2 + 1
        first = last + 1
    return ranks


def _spread(values: Sequence[float]) -> list[float]:
    """The values from 0 to 1, which changes no correlation and keeps squares from being too small or too large."""
    low, high = min(values), max(values)
    return [(value - low) / (high - low) for value in values]


def _mean(case: Case, weights: Mapping[str, float], why: str) -> Aggregate:
    """The weighted mean over the evaluators that have a score and a positive weight."""
    shares = {name: share for name, share in case.shares.items() if weights.get(name, 0.0) > 0}
    if not shares:
        return Aggregate(case, None, why=why if case.shares else NO_SCORE)
    mean = fsum(weights[name] * share for name, share in shares.items()) / fsum(
        weights[name] for name in shares
    )
    kept = min(max(mean, min(shares.values())), max(shares.values()))  # a division can round past the ends
    return Aggregate(case, kept, tuple(shares))


def _selected(case: Case, always: Collection[str]) -> Aggregate:
    if not case.selected:
        return Aggregate(case, None, why=NO_PLAN if case.selected is None else NONE_SELECTED)
    return _mean(case, dict.fromkeys([*case.selected, *always], 1.0), NO_SCORE)


Placed = tuple[int, Case]
"""A case with the number of its fold."""


def _learn(training: Iterable[Placed], scored: Sequence[Placed], statistic: Statistic) -> tuple[Weight, ...]:
    """The weights of every evaluator of the cases in each fold, from the training rows that are not in it."""
    points: dict[tuple[str, str], list[tuple[int, float, float]]] = {}
    for fold, case in sorted(
        training, key=_identity
    ):  # that the order of the rows has no say, to the last digit
        for name, share in case.shares.items():
            if case.human is not None:
                points.setdefault((case.aspect, name), []).append((fold, share, case.human))
    wanted = {(case.aspect, one.evaluator, fold): None for fold, case in scored for one in case.scores}
    return tuple(
        _weight(aspect, name, fold, points.get((aspect, name), ()), statistic)
        for aspect, name, fold in wanted
    )


def _weight(
    aspect: str, name: str, fold: int, points: Iterable[tuple[int, float, float]], statistic: Statistic
) -> Weight:
    others = [(share, human) for place, share, human in points if place != fold]
    return Weight(aspect, name, fold, correlate(others, statistic), len(others))


def _weighted(cases: Iterable[Placed], weights: Iterable[Weight]) -> tuple[Aggregate, ...]:
    of: dict[tuple[str, int], dict[str, float]] = {}
    learnt: set[tuple[str, int]] = set()
    for weight in weights:
        of.setdefault((weight.aspect, weight.fold), {})[weight.evaluator] = weight.value
        if weight.rows:
            learnt.add((weight.aspect, weight.fold))
    return tuple(
        _mean(
            case, of.get((case.aspect, fold), {}), NO_WEIGHT if (case.aspect, fold) in learnt else NO_PEOPLE
        )
        for fold, case in cases
    )


def _identity(placed: Placed) -> tuple[tuple[str, str], str, str]:
    case = placed[1]
    return case.source, case.id, case.candidate or ""


def _dealt(sources: Sequence[tuple[str, str]], folds: int | None) -> dict[tuple[str, str], int]:
    """The fold of each source. Raises UsageError where there are too few sources."""
    if folds is not None and folds < 2:  # noqa: PLR2004 - one part is scored, another learnt from
        raise UsageError(f"at least 2 folds are needed, not {folds}")
    needed = folds or 2
    if len(sources) < needed:
        raise UsageError(
            f"weights are learnt from rows of other sources (groups, or items without one): {needed} are needed, and there "
            f"{'is' if len(sources) == 1 else 'are'} {len(sources)}"
        )
    order = sources if folds is None else sorted(sources, key=_digest)
    return {source: number % (folds or len(order)) for number, source in enumerate(order)}


def _digest(source: tuple[str, str]) -> bytes:
    return sha256("\0".join(source).encode("utf-8", "surrogatepass")).digest()


SOURCE, FOLDS, TRAINING = "source", "folds", "training rows"
"""How rows that weights are learnt from are told from rows that are scored: each source by itself, folds of sources, files."""


def counts(rows: Sequence[Aggregate]) -> dict[str, Any]:
    """How many rows there are, how many have no score, and why."""
    missing = Counter(row.why for row in rows if row.score is None)
    return {"rows": len(rows), "missing": missing.total(), "reasons": dict(missing)}


def aspects(rows: Sequence[Aggregate]) -> list[dict[str, Any]]:
    """A line an aspect."""
    lines = []
    for name in dict.fromkeys(row.case.name for row in rows):
        of_aspect = [row for row in rows if row.case.name == name]
        scores = [row.score for row in of_aspect if row.score is not None]
        lines.append(
            {
                "aspect": name,
                "rows": len(of_aspect),
                "missing": len(of_aspect) - len(scores),
                "mean": fmean(scores) if scores else None,
                "lowest": min(scores, default=None),
                "highest": max(scores, default=None),
                "people": sum(row.case.human is not None for row in of_aspect),
            }
        )
    return lines


def coverages(rows: Sequence[Aggregate]) -> list[Coverage]:
    """How many rows have a score, aspect by aspect, and what people say of those and of the others."""
    names = dict.fromkeys(row.case.name for row in rows)
    return [coverage(Judgements("", name, _judged(rows, name))) for name in names]


def _judged(rows: Sequence[Aggregate], name: str) -> tuple[Judged, ...]:
    return tuple(
        Judged(row.case.id, row.case.group or "", row.case.system or "", row.case.human, row.score)
        for row in rows
        if row.case.name == name
    )


def evaluators(scored: Sequence[Case]) -> list[dict[str, Any]]:
    """A line an evaluator and range: a judge has the scale of each aspect."""
    found = [one for case in scored for one in case.scores]
    return [
        {
            "evaluator": name,
            "low": low,
            "high": high,
            "scores": sum(one.score is not None for one in of_name),
            "missing": sum(one.score is None for one in of_name),
            "outside": sum(one.outside for one in of_name),
        }
        for name, low, high in dict.fromkeys((one.evaluator, one.low, one.high) for one in found)
        if (of_name := [one for one in found if (one.evaluator, one.low, one.high) == (name, low, high)])
    ]


def weights_over_folds(weights: Sequence[Weight]) -> list[dict[str, Any]]:
    """A line an aspect and evaluator: its weight over the folds."""
    by_name: dict[tuple[str, str], list[Weight]] = {}
    for weight in weights:
        by_name.setdefault((weight.aspect, weight.evaluator), []).append(weight)
    return [
        {
            "aspect": aspect,
            "evaluator": evaluator,
            "mean": fmean(weight.value for weight in over_folds),
            "lowest": min(weight.value for weight in over_folds),
            "highest": max(weight.value for weight in over_folds),
            "folds": len(over_folds),
            "zero": sum(weight.value == 0 for weight in over_folds),
        }
        for (aspect, evaluator), over_folds in by_name.items()
    ]
