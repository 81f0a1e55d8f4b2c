"""A run as it is shown: how it was held, how far it came, its results, and what it cost."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from typing import Any

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.errors import StoreError
from agentdebate.meta.coverage import Coverage
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import aspect_order
from agentdebate.models.prices import prices
from agentdebate.report.ballot_table import readings_told
from agentdebate.report.coverage import coverage_record, nothing_judged
from agentdebate.report.grid import Block, Columns, Grid
from agentdebate.report.run_results import RunResults, ended_words
from agentdebate.store.crew import Crew
from agentdebate.store.reader import Reader, RunHead, state_of
from agentdebate.store.run_tables import Costs
from agentdebate.store.stored_run import costs_of
from agentdebate.visible import one_line

WHOLE = 10_000
"""Debates of a run that are read; the page of a larger one says that its tables are of the first of them."""
_AGENTS = 20
"""Lines of agents before it is said how many more there are: recruits are new ones for each text."""
_OVER = ("ended", "stopped")
"""The states of a run that goes no further by itself."""


@dataclass(frozen=True)
class RunPage:
    """A run, read once."""

    head: RunHead
    state: str
    not_ended: int
    crew: Crew | None
    results: RunResults
    """The records; of a large run the first ones."""
    readings: str
    """Sentence on the rules by which its debates' ballots were read."""
    costs: Costs | None = None
    """Costs of the run; None where a call is damaged: the sum would be too small."""
    damage: tuple[str, ...] = ()

    @classmethod
    def read(cls, reader: Reader, head: RunHead) -> "RunPage":
        """The page of a run in a store. Raises StoreError."""
        crew = reader.crew(head.id)
        rows = list(islice(reader.rows(head.id), WHOLE))
        large = head.ended_debates > WHOLE
        readings = "" if large else readings_told(said for _, said in reader.said(head.id, ("verdict",)))
        page = cls(
            head,
            state_of(reader, head.id, crew),
            _not_ended(reader, head),
            crew,
            RunResults(rows, aspect_order(head)),
            readings,
        )
        try:
            return replace(page, costs=costs_of(reader, head, prices()))
        except StoreError as error:
            return replace(page, damage=(one_line(f"what the run cost is not known: {error}"),))

    @property
    def coverages(self) -> Sequence[Coverage]:
        """Coverage, aspect by aspect."""
        return self.results.coverages

    def record(self) -> dict[str, Any]:
        """All of it as JSON has it, but for the rows."""
        told = {
            **vars(self.head),
            "state": self.state,
            "not_ended": self.not_ended,
            "coverage": [coverage_record(replace(one, judge=self.head.strategy)) for one in self.coverages],
            "costs": _priced(self.costs),
        }
        return told | ({"crew": crew_record(self.crew)} if self.crew else {})

    def blocks(self, *, see: str, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """Return the printed blocks. `see` is the command that prints all rows; `worded` puts reasons of failures into the reader's words."""
        yield from map(one_line, self._opening())
        if self.crew is not None:
            yield from _workers(self.crew)
        yield ""
        yield from self.result_blocks(see=see)
        yield from self.results.failure_blocks(worded)
        if self.readings:
            yield self.readings
        if self.costs:
            yield from ("", _cost_grid(self.costs))

    def result_blocks(self, *, see: str) -> Iterator[Block]:
        """The verdicts, and what they come to."""
        if self.head.ended_debates > WHOLE:
            yield f"the first {WHOLE:,} debates of {self.head.ended_debates:,}; {see} prints all of them"
        if self.results.rows:
            yield from self.results.blocks(see=see)

    def _opening(self) -> Iterator[str]:
        head = self.head
        yield f"run {head.id}: strategy {head.strategy}, task {head.task}, model {', '.join(head.models)}"
        left = f", {number_of(self.not_ended, 'debate')} not ended" if self.not_ended else ""
        begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created))
        yield f"begun {begun}, {self.state}: {ended_words(OutcomeCounts(head.outcomes))}{left}"
        if head.replaced:
            yield head.replaced_told
        for name in ("strategy", "sampling", "aspects", "data", "sweep"):
            if told := _word(head.configuration.get(name)):
                yield f"{name}: {told}"

    @property
    def nothing_read(self) -> str | None:
        """Message if the run has no verdict and will not get one by itself."""
        if self.state not in _OVER or self.head.verdicts:
            return None
        debates = number_of(self.head.ended_debates, "debate")
        return one_line(f"nothing read: no verdict came of {debates} of run {self.head.id}")

    @property
    def lacking(self) -> bool:
        """True if the run, or an aspect of it, has no verdict and will not get one by itself."""
        return self.nothing_read is not None or (self.state in _OVER and nothing_judged(self.coverages))


def _not_ended(reader: Reader, head: RunHead) -> int:
    """Count the debates that have not ended, with those that have not begun where their number is known."""
    debates = head.configuration.get("debates")
    return debates - head.ended_debates if isinstance(debates, int) else reader.not_ended(head.id)


def crew_record(crew: Crew) -> dict[str, Any]:
    """The queue of a run and its workers, for JSON."""
    workers = [{**asdict(one), "rate": one.rate} for one in crew.workers]
    together = {"left": crew.left, "held": crew.held, "rate": crew.rate, "lost": crew.lost}
    return {"state": crew.state, **together, "workers": workers}


def _workers(crew: Crew) -> Iterator[Block]:
    """A line on the queue, and a line a worker."""
    yield f"queue: {number_of(crew.left, 'debate')} left, {crew.held} of them held"
    columns = {name: name for name in ("name", "state", "debates", "held", "lost")}
    if crew.workers:
        yield Grid.of("Workers", crew.workers, columns, numeric=list(columns)[2:])


def _word(value: object) -> str:
    """A value of a configuration in words; what is nested and empty is left out."""
    if isinstance(value, Mapping):
        pairs = {name: _word(one) for name, one in value.items()}
        return ", ".join(f"{name}={text}" for name, text in pairs.items() if text)
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


_COSTS: Columns = {
    "agent": "agent",
    "model": "model",
    "calls": lambda one: one.usage.calls,
    "prompt": lambda one: one.usage.prompt_tokens,
    "cached there": lambda one: one.usage.cached_tokens,
    "completion": lambda one: one.usage.completion_tokens,
    "cached calls": lambda one: one.saved.calls,
    "money": lambda one: "?" if one.money is None else f"{one.money:.4f} {one.currency or ''}".strip(),
}


def _cost_grid(costs: Costs) -> Grid:
    """A line for each agent and model, and one for all of them."""
    found = list(costs)
    more = len(found) - _AGENTS
    notes = [f"... and {number_of(more, 'more agent')}, in the line of all"] if more > 0 else []
    if unknown := [one.model for one in found if one.money is None]:
        notes.append(f"?: no price is known of {unknown[0]}; a prices.toml in your project has yours")
    lines = [*found[:_AGENTS], replace(costs.total, agent="all", model="")]
    return Grid.of("Costs", lines, _COSTS, numeric=list(_COSTS)[2:], notes=notes)


def _priced(costs: Costs | None) -> dict[str, Any] | None:
    """Record a run's cost for JSON: by agent and model, and all together."""
    if costs is None:
        return None
    whole = {name: value for name, value in costs.total.row().items() if name not in ("agent", "model")}
    return {"total": whole, "by_agent": [one.row() for one in costs]}
