"""Scores of assistant evaluators for the item of a debate (Fusion-Eval, Section 2)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from typing import Annotated, Any, Literal

import anyio
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.ballots.lineup import lineup
from agentdebate.errors import raise_only
from agentdebate.evaluators.base import Evaluator
from agentdebate.evaluators.measuring import Measuring
from agentdebate.evaluators.model_options import ReadRange
from agentdebate.evaluators.pairing import pair_of
from agentdebate.evaluators.registry import abouts, evaluators
from agentdebate.prompts.foreign_text import line
from agentdebate.strategies.evidence_check import ColumnCheck, check_columns
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Evidence, Finding
from agentdebate.tasks import Item, Task


def _as_specs(value: object) -> object:
    return (value,) if isinstance(value, str) else value


class EvidenceColumn(BaseModel):
    """A column of scores that came with the items: a judge cannot tell what a bare number means."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    about: str = Field(min_length=1)
    """Sentence on what it measures."""
    better: Literal["higher", "lower"]
    """Direction of the scale: the higher or the lower score is the better one."""
    range: ReadRange | None = None
    """The scores that there can be: "0-1", "-1..1"."""
    premise: str = ""
    """Text or field that it was compared with, such as "source"."""


Columns = Mapping[str, EvidenceColumn]
"""Columns of scores by their names."""
NOTHING: Mapping[str, Any] = {}

Specs = Annotated[tuple[str, ...], BeforeValidator(_as_specs)]
"""Evaluators as they are written, or one of them: "rouge-l", "nli/PATH:label=entailment"."""

OPENING = "Evaluators that take no part in the talk have scored the text:"


class Bench:
    """Evaluators in the hands of all debates of an evaluation."""

    def __init__(self, specs: Sequence[str]) -> None:
        self.measuring = [Measuring(one) for one in evaluators(specs)]

    async def aclose(self) -> None:
        """Close the evaluators."""
        for one in self.measuring:
            await one.aclose()


async def gather(
    floor: Floor,
    specs: Sequence[str],
    *,
    about: Mapping[str, str] = NOTHING,
    columns: Columns = NOTHING,
    check: ColumnCheck | None = None,
) -> Evidence:
    """Collect the evaluators' findings on the text, or on each that is compared, and the scores that came with the item.

    `about` says what an evaluator is in the place of what it says of itself, `columns` what a column of scores is. Raises
    DataError where the item lacks what an evaluator compares with, EvaluatorFailed, and StrategyError for columns that cannot be
    used: `check` says what is wrong with them for the strategy.
    """
    bench = await floor.shared(f"evaluators {specs}", lambda: Bench(specs))
    check_columns(floor.task, floor.item, [one.evaluator.name for one in bench.measuring], check)
    measured = await _measured(floor, bench.measuring)
    found, seconds = [finding for finding, _ in measured], sum(each for _, each in measured)
    said = {**abouts(specs), **about}
    own = [_told(one, said.get(one.evaluator, one.about)) for one in found]
    findings = (*own, *given_scores(floor.task, floor.item, columns, about, order=floor.order))
    labels = {one.field: one.label for one in lineup(floor.task, floor.item, floor.order or None)}
    text = "\n".join([OPENING, *(f"- {_line(one, labels)}" for one in findings)])
    return Evidence(findings=findings, text=text, seconds=seconds)


async def _measured(floor: Floor, several: Sequence[Measuring]) -> list[tuple[Finding, float]]:
    """Run all evaluators at the same time; return their findings on each text, in order, and the seconds each took."""
    found: dict[int, tuple[Finding, float]] = {}

    async def measure(place: int, measuring: Measuring, candidate: str | None) -> None:
        found[place] = await _finding(floor, measuring, candidate)

    pairs = [(one, candidate) for one in several for candidate in floor.order or (None,)]
    try:
        async with anyio.create_task_group() as group:
            for place, (one, candidate) in enumerate(pairs):
                group.start_soon(measure, place, one, candidate)
    except ExceptionGroup as error:
        raise_only(error)
    return [found[place] for place in sorted(found)]


async def _finding(floor: Floor, measuring: Measuring, candidate: str | None) -> tuple[Finding, float]:
    one: Evaluator = measuring.evaluator
    pair = pair_of(floor.item, floor.task, one, candidate)
    score, seconds = (0.0, 0.0) if floor.rehearsal else await measuring.timed(pair)
    finding = Finding(
        evaluator=one.name,
        score=score,
        low=_finite(one.range.low),
        high=_finite(one.range.high),
        premise=one.premise,
        candidate=candidate,
        version="" if floor.rehearsal else one.version,
        better="higher",  # which an evaluator promises
    )
    return finding, seconds


def _told(finding: Finding, about: str) -> Finding:
    """A finding with its evaluator's name, and with what that is, in one line each."""
    return replace(finding, evaluator=line(finding.evaluator), about=line(about))


def given_scores(
    task: Task,
    item: Item,
    columns: Columns = NOTHING,
    about: Mapping[str, str] = NOTHING,
    *,
    order: Sequence[str] | None = None,
) -> list[Finding]:
    """The scores that came with an item, with what is said of each column; those of texts are of the ones in `order` [all]."""
    shown = [one.field for one in lineup(task, item)] if order is None else order
    given = _given(item.evidence, task.candidates, shown, columns)
    return [_told(one, about.get(one.evaluator, one.about)) for one in given]


def _given(
    evidence: Mapping[str, float | None], candidates: Sequence[str], order: Sequence[str], columns: Columns
) -> Iterator[Finding]:
    """Scores that came with the item; behind the last dot may be the candidate that one is of.

    Those of candidates that the item does not have, empty columns of a table mostly, are left out.
    """
    for name, score in evidence.items():
        head, _, last = name.rpartition(".")
        if last not in candidates:
            yield _column(Finding(evaluator=name, score=score), columns)
        elif last in order:
            yield _column(Finding(evaluator=head, score=score, candidate=last), columns)


def _column(finding: Finding, columns: Columns) -> Finding:
    """A score of a column, with what is said of the column."""
    said = columns.get(finding.evaluator)
    if said is None:
        return finding
    finding = replace(finding, about=said.about, better=said.better, premise=said.premise)
    return replace(finding, low=said.range.low, high=said.range.high) if said.range else finding


def _finite(end: float) -> float | None:
    return end if isfinite(end) else None


def _line(finding: Finding, labels: Mapping[str, str]) -> str:
    of = f" of {labels.get(finding.candidate, finding.candidate)}" if finding.candidate else ""
    name = f"{finding.evaluator}{of}"
    score = "no score" if finding.score is None else f"{finding.score:.4g}"
    within = (
        f", on a range from {finding.low:g} to {finding.high:g}"
        if finding.low is not None and finding.high is not None
        else ""
    )
    beside = f"; compared with the {finding.premise}" if finding.premise else ""
    better = f"; {finding.better} is better" if finding.better else ""
    about = f"; {finding.about}" if finding.about else ""
    return f"{name}: {score}{within}{beside}{better}{about}"
