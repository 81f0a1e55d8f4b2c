"""One score out of those of several evaluators, without a judge (Fusion-Eval, Section 3.2: AVG, LLMSel and CorrW), from a run's debates."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import product
from statistics import fmean
from typing import Any, Literal

from agentdebate.datasets.named_values import free_pairs
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.arrays import np
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.measures import Measure
from agentdebate.meta.talk import grouped
from agentdebate.prompts.foreign_text import line
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead
from agentdebate.talk.messages import Evidence, Finding, Message, Plan, Verdict
from agentdebate.tasks import Scale

JUDGE = "judge"
"""Name of the run's own verdict among the evaluators."""

SOURCE = "source"
"""Way in which rows that weights are learnt from are told from rows that are scored: each source by itself, or folds of sources."""

Statistic = Literal["pearson", "spearman"]
"""Correlation with people's scores an evaluator is weighted by."""

Ends = tuple[float, float]
"""The least and the greatest score that an evaluator can give."""


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

    def row(self) -> dict[str, Any]:
        """The case as a row."""
        case = self.case
        return {
            "id": case.id,
            "group": case.group,
            "system": case.system,
            "aspect": case.name,
            "score": self.score,
            "human": case.human,
            "evaluators": list(self.used),
            "shares": {one.evaluator: one.share for one in case.scores},
        }


@dataclass(frozen=True)
class Ended:
    """A debate that has ended: its row as the store has it, and what evaluators, the plan and the judge said."""

    row: Mapping[str, Any]
    findings: Mapping[tuple[str, str | None], Finding]
    """Findings by evaluator and candidate; where one is there twice, the later counts."""
    selected: Mapping[str, tuple[str, ...]] | None = None
    """The evaluators that the plan selects, by aspect; None where there is no plan."""
    judged: Mapping[str, float] | None = None
    """The scores of a verdict that is made of ballots; None without a judge."""

    @classmethod
    def of(cls, row: Mapping[str, Any], said: Sequence[Message]) -> "Ended":
        """A debate of its row and messages."""
        evidence = (finding for one in said if isinstance(one, Evidence) for finding in one.findings)
        plans = [one.chosen for one in said if isinstance(one, Plan)]
        judged = [one.scores for one in said if isinstance(one, Verdict) and one.ballots]
        return cls(
            row,
            {(one.evaluator, one.candidate): one for one in evidence},
            {one.aspect: one.evaluators for one in plans[-1]} if plans else None,
            judged[-1] if judged else None,
        )


def ended(reader: Reader, head: RunHead) -> list[Ended]:
    """The debates of a run that have ended, in the order of the items. Raises UsageError where none has any evidence."""
    said = grouped(reader.said(head.id, ("evidence", "plan", "verdict")), lambda one: one[0])
    debates = [
        Ended.of(row, [message for _, message in said.get(row["debate"], ())]) for row in reader.rows(head.id)
    ]
    if not any(one.findings for one in debates):
        raise UsageError(
            f"no debate of run {head.id} has evaluators' scores: hold it by a strategy that asks for them, such as fusion"
        )
    return debates


def cases(
    debates: Sequence[Ended], head: RunHead, ranges: Mapping[str, Ends] = {}, *, judge: bool = False
) -> list[Case]:
    """Every aspect of every text that was judged. `ranges` go before those that the run or an evaluator says.

    With `judge`, the verdict is one more evaluator, on the scale of the aspect. Raises UsageError without a judge or a scale, for
    an unknown evaluator, and for a range that is not known.
    """
    if judge and not any(one.judged for one in debates):
        raise UsageError(
            f"with_judge=...: there is no judge in run {head.id}; its strategy is {head.strategy}"
        )
    known = _known_ranges(debates, ranges, head)
    if judge and JUDGE in known:
        raise UsageError(f"with_judge=...: an evaluator of the run is called {JUDGE!r} already")
    scales = score_scales(head) if judge else None
    return [case for one in debates for case in _of_debate(one, known, scales)]


def score_scales(head: RunHead) -> dict[str, Scale]:
    """The scale of each aspect whose numbers are scores and not places."""
    whole = head.overall_scale()
    aspects = (aspect for task in head.tasks().values() for aspect in task.aspects if not aspect.rank)
    return {**({"overall": whole} if whole else {}), **{aspect.name: aspect.scale for aspect in aspects}}


def _of_debate(
    debate: Ended, ranges: Mapping[str, Ends], scales: Mapping[str, Scale] | None
) -> Iterator[Case]:
    """The cases of a debate; where there are scales, with its verdict."""
    row = debate.row
    names = dict.fromkeys(name for name, _ in debate.findings)
    for aspect, candidate in product(row["aspects"], row["candidates"] or (None,)):
        name = f"{aspect}.{candidate}" if candidate else aspect
        scores = [_score(one, debate.findings.get((one, candidate)), ranges[one]) for one in names]
        if scales is not None:
            if aspect not in scales:
                raise UsageError(f"with_judge=...: the run says no scale of scores of {aspect!r}")
            score = (debate.judged or {}).get(name)
            scores.append(EvaluatorScore(JUDGE, score, scales[aspect].low, scales[aspect].high))
        selected = None if debate.selected is None else debate.selected.get(aspect, ())
        human = row["human"].get(name)
        yield Case(row["id"], aspect, tuple(scores), row["group"], row["system"], candidate, human, selected)


def _score(name: str, finding: Finding | None, ends: Ends) -> EvaluatorScore:
    lower = finding is not None and finding.better == "lower"
    return EvaluatorScore(name, finding.score if finding else None, *ends, lower=lower)


def ranges_of(texts: Iterable[str]) -> dict[str, Ends]:
    """NAME=LOW-HIGH arguments, where the ends may be negative ("gptscore=-10-0"). Raises UsageError."""
    scales = {name: Scale.parse(text) for name, text in free_pairs(texts, "range=...").items()}
    return {name: (scale.low, scale.high) for name, scale in scales.items()}


def _known_ranges(debates: Sequence[Ended], given: Mapping[str, Ends], head: RunHead) -> dict[str, Ends]:
    """The range of every evaluator: as it is given, as the strategy was told, or its own."""
    findings = grouped(
        (one for debate in debates for one in debate.findings.values()), lambda one: one.evaluator
    )
    for name in given:
        if name not in findings:
            raise UsageError(f"range=...: the run has no evaluator {name!r}. {nearest(name, findings)}")
    told = {**{line(name): ends for name, ends in head.ranges().items()}, **given}
    return {name: told.get(name) or _own_range(name, some) for name, some in findings.items()}


def _own_range(name: str, findings: Sequence[Finding]) -> Ends:
    low, high = findings[-1].low, findings[-1].high
    if low is not None and high is not None:
        return low, high
    scores = [one.score for one in findings if one.score is not None]
    if not scores:
        return 0.0, 1.0  # there is nothing to map
    raise UsageError(
        f"the range of {name!r} is not known: say range='{name}=LOW-HIGH' (its scores here run from {min(scores):g} to "
        f"{max(scores):g})"
    )


def average(cases: Iterable[Case]) -> tuple[Aggregate, ...]:
    """The mean of all evaluators' scores (AVG)."""
    return tuple(_mean(case, dict.fromkeys(case.shares, 1.0)) for case in cases)


def select(cases: Iterable[Case]) -> tuple[Aggregate, ...]:
    """The mean of the evaluators that the plan selects for the aspect, and of the judge (LLMSel).

    Where the plan selects none there is no score, whatever the judge says: the paper's tables have none either.
    """
    return tuple(
        _mean(case, dict.fromkeys([*case.selected, JUDGE] if case.selected else [], 1.0)) for case in cases
    )


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

    def means(self) -> list[dict[str, Any]]:
        """A line an aspect and evaluator: its mean weight over the folds."""
        return [
            {"aspect": aspect, "evaluator": evaluator, "mean": fmean(value for _, value in some)}
            for (aspect, evaluator), some in grouped(self.weights.items(), lambda one: one[0][:2]).items()
        ]


def cross_weight(
    cases: Sequence[Case], *, statistic: Statistic = "pearson", folds: int | None = None
) -> Weighted:
    """The mean weighted by each evaluator's correlation with people, learnt from rows of other sources (CorrW).

    Without `folds` each source is scored by the weights of all others. With it, sources are dealt to that many folds by a
    digest of their names, so that neither the order of the rows nor that of the names has a say. Raises UsageError where
    there are not enough sources.
    """
    sources = {case.source for case in cases}
    fold = _dealt(sources, folds)
    points = (
        (case.aspect, name, fold[case.source], share, case.human)
        for case in cases
        for name, share in case.shares.items()
    )
    weights: dict[tuple[str, str, int], float] = {}
    for (aspect, name), some in grouped(points, lambda point: point[:2]).items():
        place, share, human = np.array([point[2:] for point in some], dtype=float).T
        for number in range(max(fold.values()) + 1):
            others = (place != number) & ~np.isnan(human)
            correlation = Measure(statistic).of(human[others], share[others])
            weights[aspect, name, number] = correlation if correlation > 0 else 0.0
    rows = tuple(
        _mean(case, {name: weights[case.aspect, name, fold[case.source]] for name in case.shares})
        for case in cases
    )
    return Weighted(rows, weights, max(fold.values()) + 1, len(sources))


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
    dealt = sorted(sources)
    if folds:
        dealt.sort(key=lambda source: sha256("\0".join(source).encode("utf-8", "surrogatepass")).digest())
    return {source: number % count for number, source in enumerate(dealt)}


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
    scores = (one for case in scored for one in case.scores)
    return [
        {
            "evaluator": name,
            "low": low,
            "high": high,
            "scores": sum(one.score is not None for one in some),
            "missing": sum(one.score is None for one in some),
            "outside": sum(one.outside for one in some),
        }
        for (name, low, high), some in grouped(scores, lambda one: (one.evaluator, one.low, one.high)).items()
    ]
