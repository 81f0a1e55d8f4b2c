"""Cases to aggregate: the evaluators' scores in the debates of a run; and such cases from files of rows."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from agentdebate.datasets.named_values import free_pairs
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.aggregation import Aggregate, Case, EvaluatorScore
from agentdebate.meta.talk import grouped
from agentdebate.prompts.foreign_text import line
from agentdebate.store.reader import Reader, RunHead
from agentdebate.talk.messages import Evidence, Finding, Message, Plan, Verdict
from agentdebate.tasks import Scale

JUDGE = "judge"
"""Name of the run's own verdict among the evaluators."""

Ends = tuple[float, float]
"""The least and the greatest score that an evaluator can give."""

_NUMBER = r"\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)\s*"
_RANGE = re.compile(rf"{_NUMBER}(?:-|to){_NUMBER}")


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
    said: dict[str, list[Message]] = {}
    for debate, message in reader.said(head.id, ("evidence", "plan", "verdict")):
        said.setdefault(debate, []).append(message)
    debates = [Ended.of(row, said.get(row["debate"], [])) for row in reader.rows(head.id)]
    if not any(one.findings for one in debates):
        raise UsageError(
            f"no debate of run {head.id} has the scores of evaluators: hold it by a strategy that asks for them, such as avg or fusion"
        )
    return debates


def cases(debates: Sequence[Ended], ranges: Mapping[str, Ends], head: RunHead, *, judge: bool) -> list[Case]:
    """Every aspect of every text that was judged.

    With `judge`, the verdict is one more evaluator, on the scale of the aspect. Raises UsageError without a judge, and
    for an aspect whose numbers are places.
    """
    if judge and not any(one.judged for one in debates):
        raise UsageError(
            f"with_judge=...: there is no judge in run {head.id}; its strategy is {head.strategy}"
        )
    if judge and any(name == JUDGE for one in debates for name, _ in one.findings):
        raise UsageError(f"with_judge=...: an evaluator of the run is called {JUDGE!r} already")
    return [case for one in debates for case in _of_debate(one, ranges, head, judge=judge)]


def _of_debate(debate: Ended, ranges: Mapping[str, Ends], head: RunHead, *, judge: bool) -> Iterator[Case]:
    row = debate.row
    names = dict.fromkeys(name for name, _ in debate.findings)
    for aspect, candidate in product(row["aspects"], row["candidates"] or (None,)):
        scale = _scale(row, aspect, head)
        case = Case(
            id=row["id"],
            aspect=aspect,
            scores=tuple(_score(name, debate.findings.get((name, candidate)), ranges) for name in names),
            group=row["group"],
            system=row["system"],
            candidate=candidate,
            selected=None if debate.selected is None else debate.selected.get(aspect, ()),
        )
        verdict = EvaluatorScore(JUDGE, (debate.judged or {}).get(case.name), scale.low, scale.high)
        scores = (*case.scores, verdict) if judge else case.scores
        yield replace(case, scores=scores, human=row["human"].get(case.name))


def _scale(row: Mapping[str, Any], name: str, head: RunHead) -> Scale:
    """The scale of an aspect. One that the strategy adds to the task's own has the scale that it says, else that of the first."""
    task, whole = head.tasks().get(row["task"]), head.overall_scale()
    known = {aspect.name: aspect for aspect in task.aspects} if task else {}
    if name not in known and whole is not None:
        return whole
    aspect = known.get(name) or known.get(row["aspects"][0])
    if aspect is None or aspect.rank:
        why = "is a place among the texts, which is no score" if aspect else "has no scale that the run says"
        raise UsageError(f"{name!r} of the task {row['task']!r} {why}: hold the run on another aspect")
    return aspect.scale


def _score(name: str, finding: Finding | None, ranges: Mapping[str, Ends]) -> EvaluatorScore:
    if finding is None or finding.score is None:
        return EvaluatorScore(name, None, *ranges.get(name, ()))
    return EvaluatorScore(name, finding.score, *ranges[name], lower=finding.better == "lower")


def ranges_of(texts: Iterable[str]) -> dict[str, Ends]:
    """NAME=LOW-HIGH arguments, where the ends may be negative ("gptscore=-10-0"). Raises UsageError."""
    return {name: _ends(name, text) for name, text in free_pairs(texts, "range=...").items()}


def _ends(name: str, text: str) -> Ends:
    match = _RANGE.fullmatch(text)
    low, high = (float(match[1]), float(match[2])) if match else (math.nan, math.nan)
    if not (low < high and math.isfinite(high - low)):
        raise UsageError(f"range=...: {text!r} is not a range; write the lower end first: {name}=0-100")
    return low, high


def known_ranges(debates: Sequence[Ended], given: Mapping[str, Ends], head: RunHead) -> dict[str, Ends]:
    """The range of every evaluator that has a score: as it is given, as the strategy was told, or its own.

    Raises UsageError for an unknown evaluator and for an unknown range.
    """
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


def row_of(aggregate: Aggregate) -> dict[str, Any]:
    """An aggregated case as a row."""
    case = aggregate.case
    return {
        "id": case.id,
        "group": case.group,
        "system": case.system,
        "aspect": case.name,
        "score": aggregate.score,
        "human": case.human,
        "evaluators": list(aggregate.used),
        "shares": {one.evaluator: one.share for one in case.scores},
    }
