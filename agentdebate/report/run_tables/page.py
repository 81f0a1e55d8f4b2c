"""A run as it is shown: how it was held, how far it came, its tables, and what it cost."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import StoreError
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import aspect_order
from agentdebate.models.prices import prices
from agentdebate.report.coverage_table import coverage_record
from agentdebate.report.readings import ENDINGS, BallotReadings
from agentdebate.report.run_tables.costs import cost_blocks
from agentdebate.report.run_tables.coverage import nothing_judged
from agentdebate.report.run_tables.crew import crew_blocks, crew_record
from agentdebate.report.run_tables.heading import families, heading
from agentdebate.report.run_tables.large_run import WHOLE, LargeRun
from agentdebate.report.run_tables.outcome_words import ended_words
from agentdebate.report.run_tables.results import result_blocks
from agentdebate.report.run_tables.tally import Tally
from agentdebate.report.text_table import Block
from agentdebate.store.crew import Crew
from agentdebate.store.reader import Reader, RunHead, state_of
from agentdebate.store.run_tables import Costs
from agentdebate.store.stored_run import costs_of
from agentdebate.visible import one_line

_OVER = ("ended", "stopped")
"""The states of a run that goes no further by itself."""


@dataclass(frozen=True)
class RunPage:
    """A run, read once; `warnings` are there when it has been read."""

    head: RunHead
    state: str
    not_ended: int
    crew: Crew | None
    tally: Tally
    costs: Costs | None
    """None where a call is damaged: the sum would be too small."""
    readings: tuple[str, ...] = ()
    """By what the ballots of its debates were read, in a sentence."""
    damage: tuple[str, ...] = ()
    large: LargeRun | None = None
    """The figures of a run of which not every debate is read."""

    @classmethod
    def read(cls, reader: Reader, head: RunHead, store: str, *, whole: bool = False) -> "RunPage":
        """The page of a run in a store; with `whole` each debate of a large one is read too. Raises StoreError."""
        left, crew = reader.not_ended(head.id), reader.crew(head.id)
        page = cls(head, state_of(reader, store, head.id, crew), left, crew, Tally(), None)
        if head.ended_debates > WHOLE and not whole:
            page = replace(page, large=LargeRun.read(reader, head))
        else:
            page = replace(page, tally=_tally(reader, head), readings=_readings(reader, head))
        try:
            return replace(page, costs=costs_of(reader, head, prices()))
        except StoreError as error:
            return replace(page, damage=(one_line(f"what the run cost is not known: {error}"),))

    @cached_property
    def coverages(self) -> Sequence[Coverage]:
        """How much has been judged, aspect by aspect."""
        return self.large.coverages if self.large else self.tally.coverage.coverages

    def record(self) -> dict[str, Any]:
        """All of it as JSON has it, but for the rows."""
        covered = [coverage_record(replace(one, judge=self.head.strategy)) for one in self.coverages]
        told = {
            **vars(self.head),
            "state": self.state,
            "not_ended": self.not_ended,
            "families": families(self.head.configuration),
            "coverage": covered,
            "costs": _priced(self.costs),
        }
        return told | ({"crew": crew_record(self.crew)} if self.crew else {})

    def blocks(self, *, see: str, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """What is printed. `see` is the command that prints all rows; `worded` puts reasons of failures into the reader's words."""
        yield from self._opening()
        yield ""
        if self.large:
            yield from self.large.blocks(see=see, worded=worded)
        elif self.tally.rows:
            yield from result_blocks(self.tally, see=see)
        yield from self.tally.failures.blocks(worded)
        yield from self.readings
        if self.costs is not None:
            yield from cost_blocks(self.costs)

    def _opening(self) -> Iterator[Block]:
        head = self.head
        how = f"strategy {head.strategy}, task {head.task}, model {_models(head)}"
        yield one_line(f"run {head.id}: {how}")
        left = f", {number_of(self.not_ended, 'debate')} not ended" if self.not_ended else ""
        begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created))
        yield f"begun {begun}, {self.state}: {ended_words(OutcomeCounts(head.outcomes))}{left}"
        if head.replaced:
            yield one_line(head.replaced_told)
        yield from heading(
            head.configuration, self.tally.cost if self.costs is None else self.costs.total.row()
        )
        if self.crew is not None:
            yield from crew_blocks(self.crew)

    @property
    def nothing_read(self) -> str | None:
        """In words where the run came to no verdict, and will not by itself."""
        if self.state not in _OVER or self.head.verdicts:
            return None
        debates, run = self.head.ended_debates, f"of run {self.head.id}"
        if debates == 1:
            return one_line(f"nothing read: the only debate {run} that has ended came to no verdict")
        ended = f"not one of {number_of(debates, 'debate')}" if debates else "no debate"
        return one_line(f"nothing read: {ended} {run} came to a verdict")

    @property
    def untold(self) -> Sequence[Coverage]:
        """What is missing beside what `nothing_read` says."""
        if self.nothing_read is None:
            return self.coverages
        return [one for one in self.coverages if not one.empty or one.of_missing.n]

    @property
    def lacking(self) -> bool:
        """Whether the run, or an aspect of it, has no verdict and will not get one by itself."""
        if self.nothing_read is not None:
            return True
        return self.state in _OVER and nothing_judged(self.coverages)


def _tally(reader: Reader, head: RunHead) -> Tally:
    tally = Tally(aspects=aspect_order(head))
    for row in reader.rows(head.id):
        tally.add(row)
    return tally


def _readings(reader: Reader, head: RunHead) -> tuple[str, ...]:
    readings = BallotReadings()
    for debate, message in reader.said(head.id, ENDINGS):
        readings.take(debate, message)
    return tuple(readings.lines())


def _priced(costs: Costs | None) -> dict[str, Any] | None:
    """What a run cost as JSON: by agent and model, and all together."""
    if costs is None:
        return None
    whole = {name: value for name, value in costs.total.row().items() if name not in ("agent", "model")}
    return {"total": whole, "by_agent": [one.row() for one in costs]}


def _models(head: RunHead) -> str:
    """The models of a run, and who speaks with one that the strategy gives to some of the agents alone."""
    strategy = head.configuration.get("strategy")
    own = (strategy.get("models") if isinstance(strategy, Mapping) else None) or {}
    usual = [name for name in head.models if name == head.model or name not in own.values()]
    return ", ".join([*usual, *(f"{agent} by {model}" for agent, model in own.items())])
