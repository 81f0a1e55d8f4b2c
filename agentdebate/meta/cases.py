"""Cases to aggregate: the evaluators' scores in the debates of a run; and such cases from files of rows."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from agentdebate.datasets.named_values import free_pairs
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.aggregation import Aggregate, Case, EvaluatorScore
from agentdebate.prompts.foreign_text import line
from agentdebate.store.reader import Reader, RunHead
from agentdebate.talk.messages import Evidence, Finding, Message, Plan, Verdict
from agentdebate.tasks import Aspect, Scale, Task

JUDGE = "judge"
"""Name of the run's own verdict among the evaluators."""

Ends = tuple[float, float]
"""The least and the greatest score that an evaluator can give."""

_NUMBER = r"\s*([-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?)\s*"
_RANGE = re.compile(rf"{_NUMBER}(?:-|to){_NUMBER}")


@dataclass(frozen=True)
class Said:
    """Result of one debate without its messages."""

    findings: Mapping[tuple[str, str | None], Finding] = field(default_factory=dict)
    """Findings by evaluator and candidate; where one is there twice, the later counts."""
    selected: Mapping[str, tuple[str, ...]] | None = None
    """The evaluators that the plan selects, by aspect; None where there is no plan."""
    judged: Mapping[str, float] | None = None
    """The scores of a verdict that is made of ballots; None without a judge."""

    def hear(self, message: Message) -> "Said":
        """The same with one more message."""
        if isinstance(message, Evidence):
            found = {(one.evaluator, one.candidate): one for one in message.findings}
            return replace(self, findings={**self.findings, **found})
        if isinstance(message, Plan):
            return replace(self, selected={one.aspect: one.evaluators for one in message.chosen})
        if isinstance(message, Verdict) and message.ballots:
            return replace(self, judged=message.scores)
        return self


@dataclass(frozen=True)
class Ended:
    """A debate that has ended: its row as the store has it, and what was said."""

    row: Mapping[str, Any]
    said: Said


def ended(reader: Reader, head: RunHead) -> list[Ended]:
    """The debates of a run that have ended, in the order of the items. Raises UsageError where none has any evidence."""
    found: dict[str, Said] = {}
    for debate, message in reader.said(head.id, ("evidence", "plan", "verdict")):
        found[debate] = found.get(debate, Said()).hear(message)
    debates = [Ended(row, found.get(row["debate"], Said())) for row in reader.rows(head.id)]
    if not any(one.said.findings for one in debates):
        raise UsageError(
            f"no debate of run {head.id} has the scores of evaluators: hold it by a strategy that asks for them, such as "
            "avg or fusion"
        )
    return debates


def cases(debates: Sequence[Ended], ranges: Mapping[str, Ends], head: RunHead, *, judge: bool) -> list[Case]:
    """Every aspect of every text that was judged.

    With `judge`, the verdict is one more evaluator, on the scale of the aspect. Raises UsageError without a judge, and
    for an aspect whose numbers are places.
    """
    if judge:
        _check_judge(debates, head)
    tasks = head.tasks()
    whole = head.overall_scale()
    return [case for one in debates for case in _of_debate(one, ranges, tasks, whole, judge=judge)]


def _check_judge(debates: Sequence[Ended], head: RunHead) -> None:
    if not any(one.said.judged for one in debates):
        raise UsageError(
            f"with_judge=...: there is no judge in run {head.id}; its strategy is {head.strategy}"
        )
    if any(name == JUDGE for one in debates for name, _ in one.said.findings):
        raise UsageError(f"with_judge=...: an evaluator of the run is called {JUDGE!r} already")


def _of_debate(
    debate: Ended, ranges: Mapping[str, Ends], tasks: Mapping[str, Task], whole: Scale | None, *, judge: bool
) -> Iterator[Case]:
    row, said = debate.row, debate.said
    known = tasks[row["task"]].aspects if row["task"] in tasks else ()
    names = dict.fromkeys(name for name, _ in said.findings)
    for aspect in row["aspects"]:
        scale = _scale(row, aspect, known, whole)
        for candidate in row["candidates"] or (None,):
            case = _bare_case(debate, aspect, candidate)
            scores = [_score(name, said.findings.get((name, candidate)), ranges) for name in names]
            if judge:
                score = (said.judged or {}).get(case.name)
                scores.append(EvaluatorScore(JUDGE, score, scale.low, scale.high))
            yield replace(case, scores=tuple(scores))


def _bare_case(debate: Ended, aspect: str, candidate: str | None) -> Case:
    row, selected = debate.row, debate.said.selected
    case = Case(
        id=row["id"],
        aspect=aspect,
        scores=(),
        group=row["group"],
        system=row["system"],
        candidate=candidate,
        selected=None if selected is None else selected.get(aspect, ()),
    )
    return replace(case, human=row["human"].get(case.name))


def _scale(row: Mapping[str, Any], name: str, known: Sequence[Aspect], whole: Scale | None) -> Scale:
    """The scale of an aspect. One that the strategy adds to the task's own has the scale that it says, else that of the first."""
    by_name = {aspect.name: aspect for aspect in known}
    if name not in by_name and whole is not None:
        return whole
    aspect = by_name.get(name) or by_name.get(row["aspects"][0])
    if aspect is None:
        raise UsageError(
            f"the run does not say on which scale {name!r} of the task {row['task']!r} was judged"
        )
    if aspect.rank:
        raise UsageError(
            f"{name!r} of the task {row['task']!r} is a place among the texts, and a score is not a place: hold the run on "
            "another aspect"
        )
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
    try:
        low, high = (float(match[1]), float(match[2])) if match else (math.nan, math.nan)
    except ValueError:
        low = high = math.nan
    if not (low < high and math.isfinite(high - low)):
        raise UsageError(f"range=...: {text!r} is not a range; write the lower end first: {name}=0-100")
    return low, high


def known_ranges(debates: Sequence[Ended], given: Mapping[str, Ends], head: RunHead) -> dict[str, Ends]:
    """The range of every evaluator that has a score: as it is given, as the strategy was told, or its own.

    Raises UsageError for an unknown evaluator and for an unknown range.
    """
    findings = [one for debate in debates for one in debate.said.findings.values()]
    names = dict.fromkeys(one.evaluator for one in findings)
    for name in given:
        if name not in names:
            raise UsageError(f"range=...: the run has no evaluator {name!r}. {nearest(name, names)}")
    own = {one.evaluator: (one.low, one.high) for one in findings}
    found = {**own, **{line(name): ends for name, ends in head.ranges().items()}, **given}
    return {name: _checked(name, *found[name], findings) for name in names}


def _checked(name: str, low: float | None, high: float | None, findings: Sequence[Finding]) -> Ends:
    if low is not None and high is not None:
        return low, high
    scores = [one.score for one in findings if one.evaluator == name and one.score is not None]
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
