"""Strategies with assistant evaluators: what they share (Fusion-Eval, Section 2)."""

from abc import ABC
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from math import isfinite

import anyio

from agentdebate.ballots.lineup import lineup
from agentdebate.errors import DataError, StrategyError, raise_only
from agentdebate.evaluators.base import Evaluator, pair_of
from agentdebate.evaluators.measuring import Measuring
from agentdebate.evaluators.registry import abouts, evaluators
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.evidence import EvidenceColumn, Specs, described, evidence, given_scores
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Evidence, Finding
from agentdebate.tasks import Aspect, Item, Task


class Bench:
    """Evaluators in the hands of all debates of an evaluation."""

    def __init__(self, specs: Sequence[str]) -> None:
        self.measuring = [Measuring(one) for one in evaluators(specs)]

    async def aclose(self) -> None:
        """Close the evaluators."""
        for one in self.measuring:
            await one.aclose()


class WithAssistants(Strategy, ABC):
    """A strategy that has evaluators score the text. A class of it that goes around another strategy names this one first."""

    evaluators: Specs = ("rouge-1", "rouge-2", "rouge-l", "bleu", "chrf")
    """Evaluators as they are written: "rouge-l", "nli/PATH:label=entailment"."""
    columns: Mapping[str, EvidenceColumn] = {}
    """Columns of scores that come with the items, by name, with what each measures and which score is better:
    `{bleurt = {about = "...", better = "higher", range = "0-1", premise = "source"}}`. An evaluator's own words can be replaced so, too."""

    async def measure(self, floor: Floor) -> Evidence:
        """The evaluators' findings on the text, or on each that is compared, and the scores that came with the item.

        Raises DataError where the item lacks what an evaluator compares with, EvaluatorFailed, and StrategyError for columns that
        cannot be used.
        """
        bench = await floor.shared(f"evaluators {self.evaluators}", lambda: Bench(self.evaluators))
        self._check_item(floor.task, floor.item, [one.evaluator for one in bench.measuring])
        measured, about = await _measured(floor, bench.measuring), abouts(self.evaluators)
        own = [replace(one, about=about.get(one.evaluator, "")) for one, _ in measured]
        findings = [described(one, self.columns) for one in own]
        findings += given_scores(floor.task, floor.item, self.columns, floor.order)
        labels = {one.field: one.label for one in lineup(floor.task, floor.item, floor.order or None)}
        return evidence(findings, labels, sum(seconds for _, seconds in measured))

    def check_columns(self, task: Task, item: Item) -> None:
        """Raise StrategyError where an item has a column of scores that cannot be used."""

    def check_items(self, items: Iterable[tuple[Task, Item]]) -> None:
        """Raise StrategyError for columns that cannot be used, and DataError where no item has what the evaluators compare with.

        An item that lacks it while others have it fails alone, when its turn comes.
        """
        known, several = list(items), evaluators(self.evaluators)
        for task, item in known:
            self._check_item(task, item, several)
        lacks = list(takewhile(bool, (_lack(task, item, several) for task, item in known)))
        if known and len(lacks) == len(known):
            raise DataError(
                f"no item has what the evaluators compare with: {lacks[0]}; or name evaluators that do without it "
                "(set='evaluators=[...]'; with [] the columns of scores alone count)"
            )
        super().check_items(known)

    def require(self) -> None:
        """Raise UserError for an evaluator that does not exist or is not installed."""
        super().require()
        evaluators(self.evaluators)

    def _check_item(self, task: Task, item: Item, several: Sequence[Evaluator]) -> None:
        """Raise StrategyError where a column has the name of an evaluator, so that the two are one name, or cannot be used."""
        for one in several:
            if one.name in item.evidence:
                raise StrategyError(
                    f"{one.name!r} is an evaluator, and a score that came with the item: give the evaluator another name "
                    "(as=NAME), or the column"
                )
        self.check_columns(task, item)


def check_scores(title: str, aspects: Sequence[Aspect]) -> None:
    """Raise StrategyError where places are wanted of a strategy that gives scores."""
    if any(aspect.rank for aspect in aspects):
        raise StrategyError(f"{title} gives scores, and no places: judge another aspect")


async def _measured(floor: Floor, several: Sequence[Measuring]) -> list[tuple[Finding, float]]:
    """Run all evaluators at the same time; return their findings on each text, in order, and the seconds each took."""
    found: dict[int, tuple[Finding, float]] = {}

    async def measure(place: int, measuring: Measuring, candidate: str | None) -> None:
        found[place] = await _finding(floor, measuring, candidate)

    try:
        async with anyio.create_task_group() as group:
            pairs = [(one, candidate) for one in several for candidate in floor.order or (None,)]
            for place, (one, candidate) in enumerate(pairs):
                group.start_soon(measure, place, one, candidate)
    except ExceptionGroup as error:
        raise_only(error)
    return [found[place] for place in sorted(found)]


async def _finding(floor: Floor, measuring: Measuring, candidate: str | None) -> tuple[Finding, float]:
    one = measuring.evaluator
    pair = pair_of(floor.item, floor.task, one, candidate)
    score, seconds = (0.0, 0.0) if floor.rehearsal else await measuring.timed(pair)
    finding = Finding(
        evaluator=one.name,
        score=score,
        low=one.range.low if isfinite(one.range.low) else None,
        high=one.range.high if isfinite(one.range.high) else None,
        premise=one.premise,
        candidate=candidate,
        version="" if floor.rehearsal else one.version,
        better="higher",  # which an evaluator promises
    )
    return finding, seconds


def _lack(task: Task, item: Item, several: Sequence[Evaluator]) -> DataError | None:
    """Name a field that an evaluator compares and the item lacks; None where it has them all."""
    try:
        texts: Sequence[str | None] = [one.field for one in lineup(task, item)] or [None]
        for one in several:
            for candidate in texts:
                pair_of(item, task, one, candidate)
    except DataError as error:
        return error
    return None
