"""A run as it is shown: how it was held, how far it came, its results, and what it cost."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import Any

from agentdebate.debates.outcome import FAILURE, OutcomeCounts
from agentdebate.errors import StoreError
from agentdebate.meta.coverage import Coverage, People
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import aspect_order
from agentdebate.models.families import families_of
from agentdebate.models.prices import prices
from agentdebate.report.ballot_table import ENDINGS, readings_told
from agentdebate.report.coverage import coverage_record, nothing_judged
from agentdebate.report.grid import Block, Grid
from agentdebate.report.run_results import MOST, RunResults, ended_words
from agentdebate.store.crew import Crew
from agentdebate.store.debate_list import DebateFilter, DebateList, ScoreMeans
from agentdebate.store.reader import Reader, RunHead, state_of
from agentdebate.store.run_tables import Cost, Costs
from agentdebate.store.stored_run import costs_of
from agentdebate.visible import one_line

WHOLE = 10_000
"""Debates up to which each debate of a run is read."""
_FAILURES = 1_000
"""Failures of a larger run that are counted by kind."""
_AGENTS = 20
"""Lines of agents before it is said how many more there are: recruits are new ones for each text."""
_OVER = ("ended", "stopped")
"""The states of a run that goes no further by itself."""


@dataclass(frozen=True)
class LargeRun:
    """A run of which the first items and failures are read, and all scores are added up by the database."""

    items: int
    scores: Sequence[ScoreMeans]
    failed: RunResults
    """The first failures."""

    @property
    def coverages(self) -> list[Coverage]:
        """How much has been judged, score by score, of the texts that the judge or people have scored."""
        return [
            Coverage("", it.name, max(it.scores, it.people), max(it.people - it.scores, 0), People(it.people, it.people_mean))
            for it in self.scores
        ]  # fmt: skip

    def blocks(self, *, see: str, failures: int) -> Iterator[Block]:
        """What is not read debate by debate."""
        head = ["score", "verdicts", "mean", "lowest", "highest", "people", "n"]
        lines = [
            [one.name, one.scores, one.mean, one.lowest, one.highest, one.people_mean, one.people]
            for one in self.scores
        ]
        yield f"... and {number_of(self.items - MOST, 'more item')}; {see} prints all of them"
        yield from ("", Grid("Scores", head, lines))
        if failures > len(self.failed.rows):
            yield f"below are the first {len(self.failed.rows):,} of {number_of(failures, 'failure')}"


@dataclass(frozen=True)
class RunPage:
    """A run, read once."""

    head: RunHead
    state: str
    not_ended: int
    crew: Crew | None
    results: RunResults
    """The records; those of the first items where the run is large."""
    costs: Costs | None = None
    """None where a call is damaged: the sum would be too small."""
    readings: str = ""
    """By what the ballots of its debates were read, in a sentence."""
    damage: tuple[str, ...] = ()
    large: LargeRun | None = None

    @classmethod
    def read(cls, reader: Reader, head: RunHead, store: str, *, whole: bool = False) -> "RunPage":
        """The page of a run in a store; with `whole` each debate of a large one is read too. Raises StoreError."""
        left, crew, order = reader.not_ended(head.id), reader.crew(head.id), aspect_order(head)
        state = state_of(reader, store, head.id, crew)
        if head.ended_debates > WHOLE and not whole:
            debates = DebateList(reader, head.id)
            first = debates.of_items(debates.items(most=MOST))
            failed = debates.part(DebateFilter(outcome=FAILURE.name), most=_FAILURES)
            large = LargeRun(debates.count_items(), debates.means(), RunResults(failed))
            page = cls(head, state, left, crew, RunResults(first, order), large=large)
        else:
            readings = readings_told(message for _, message in reader.said(head.id, ENDINGS))
            page = cls(
                head, state, left, crew, RunResults(list(reader.rows(head.id)), order), readings=readings
            )
        try:
            return replace(page, costs=costs_of(reader, head, prices()))
        except StoreError as error:
            return replace(page, damage=(one_line(f"what the run cost is not known: {error}"),))

    @cached_property
    def coverages(self) -> Sequence[Coverage]:
        """How much has been judged, aspect by aspect."""
        return self.large.coverages if self.large else self.results.coverages

    @property
    def failures(self) -> RunResults:
        """The records among which failures are counted by kind."""
        return self.large.failed if self.large else self.results

    def record(self) -> dict[str, Any]:
        """All of it as JSON has it, but for the rows."""
        told = {
            **vars(self.head),
            "state": self.state,
            "not_ended": self.not_ended,
            "families": families(self.head.configuration),
            "coverage": [coverage_record(replace(one, judge=self.head.strategy)) for one in self.coverages],
            "costs": _priced(self.costs),
        }
        return told | ({"crew": crew_record(self.crew)} if self.crew else {})

    def blocks(self, *, see: str, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """What is printed. `see` is the command that prints all rows; `worded` puts reasons of failures into the reader's words."""
        yield from map(one_line, self._opening())
        if self.crew is not None:
            yield from _workers(self.crew)
        yield ""
        yield from self.result_blocks(see=see)
        yield from self.failures.failure_blocks(worded)
        if self.readings:
            yield self.readings
        if self.costs:
            yield from ("", _cost_grid(self.costs))

    def result_blocks(self, *, see: str) -> Iterator[Block]:
        """The verdicts, and what they come to."""
        if self.large:
            results = self.results
            yield from results.comparisons() if results.compared else results.items()
            yield from self.large.blocks(see=see, failures=self.head.failures)
        elif self.results.rows:
            yield from self.results.blocks(see=see)

    def _opening(self) -> Iterator[str]:
        head = self.head
        yield f"run {head.id}: strategy {head.strategy}, task {head.task}, model {', '.join(head.models)}"
        left = f", {number_of(self.not_ended, 'debate')} not ended" if self.not_ended else ""
        begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created))
        yield f"begun {begun}, {self.state}: {ended_words(OutcomeCounts(head.outcomes))}{left}"
        if head.replaced:
            yield head.replaced_told
        yield from _held_with(head.configuration)

    @property
    def nothing_read(self) -> str | None:
        """In words where the run came to no verdict, and will not by itself."""
        if self.state not in _OVER or self.head.verdicts:
            return None
        debates = self.head.ended_debates
        ended = f"not one of {number_of(debates, 'debate')}" if debates else "no debate"
        return one_line(f"nothing read: {ended} of run {self.head.id} came to a verdict")

    @property
    def untold(self) -> Sequence[Coverage]:
        """What is missing beside what `nothing_read` says."""
        if self.nothing_read is None:
            return self.coverages
        return [one for one in self.coverages if not one.empty or one.of_missing.n]

    @property
    def lacking(self) -> bool:
        """Whether the run, or an aspect of it, has no verdict and will not get one by itself."""
        return self.nothing_read is not None or (self.state in _OVER and nothing_judged(self.coverages))


def families(configuration: Mapping[str, Any]) -> tuple[str, ...]:
    """The makers of the models that a run was begun with."""
    listed = configuration.get("models")
    return families_of(str(_mapping(one).get("name")) for one in listed) if isinstance(listed, list) else ()


def workers_in_words(crew: Crew) -> str:
    """How many workers a run has, how fast they are together, and how many leases were lost."""
    lost = [f"{number_of(crew.lost, 'lease')} lost"] if crew.lost else []
    working = [str(len(crew.working)), f"{crew.rate:.1f}/s"] if crew.working else []
    return ", ".join(working + lost)


def crew_record(crew: Crew) -> dict[str, Any]:
    """The queue of a run and its workers, for JSON."""
    workers = [{**asdict(one), "rate": one.rate} for one in crew.workers]
    together = {"left": crew.left, "held": crew.held, "rate": crew.rate, "lost": crew.lost}
    return {"state": crew.state, **together, "workers": workers}


def _workers(crew: Crew) -> Iterator[Block]:
    """A line on the queue, and a line a worker."""
    held = f"{crew.held} of them held by {number_of(len(crew.working), 'worker')}"
    yield f"queue: {number_of(crew.left, 'debate')} left, {held}, {number_of(crew.lost, 'lease')} lost"
    head = ["worker", "state", "debates", "a second", "held", "lost", "seconds", "seen"]
    lines: list[list[object]] = [
        [one.name, one.state, one.debates, f"{one.rate:.1f}", one.held, one.lost, round(one.seconds), f"{one.seen:.0f} s ago"]
        for one in crew.workers
    ]  # fmt: skip
    if lines:
        yield Grid("Workers", head, lines, head[2:])


def _held_with(configuration: Mapping[str, Any]) -> Iterator[str]:
    """How a run was held, as far as its configuration says: the strategy and those inside it, aspects, data and sweep."""
    strategy = _mapping(configuration.get("strategy"))
    while strategy:
        options = {
            name: value
            for name, value in strategy.items()
            if name not in ("name", "cast", "models", "around")
        }
        yield from _told(f"options of {strategy.get('name')}", options)
        yield from _told("cast", _mapping(strategy.get("cast")))
        yield from _told("own models", _mapping(strategy.get("models")))
        strategy = _mapping(strategy.get("around"))
    for name in ("sampling", "aspects", "data", "sweep"):
        yield from _told(name, configuration.get(name))


def _told(name: str, value: object) -> Iterator[str]:
    if text := _word(value):
        yield f"{name}: {text}"


def _word(value: object) -> str:
    """A value of a configuration in words; what is nested and empty is left out."""
    if isinstance(value, Mapping):
        pairs = {name: _word(one) for name, one in value.items()}
        return ", ".join(f"{name}={text}" for name, text in pairs.items() if text)
    if isinstance(value, list | tuple):
        return ",".join(str(_mapping(one).get("name") or _word(one)) for one in value)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _cost_grid(costs: Costs) -> Grid:
    """A line for each agent and model, and one for all of them; columns of caches where these were of use."""
    found = list(costs)
    lines = [*map(_cost, found[:_AGENTS]), {**_cost(costs.total), "agent": "all", "model": ""}]
    head = [name for name, whole in lines[-1].items() if whole != 0 or not name.startswith("cached")]
    notes = (
        [f"... and {number_of(len(found) - _AGENTS, 'more agent')}, in the line of all"]
        if len(found) > _AGENTS
        else []
    )
    if unknown := [one.model for one in found if one.money is None]:
        notes.append(f"?: no price is known of {unknown[0]}; a prices.toml in your project has yours")
    return Grid("Costs", head, [[line[name] for name in head] for line in lines], head[2:], notes)


def _cost(one: Cost) -> dict[str, object]:
    usage = one.usage
    return {
        "agent": one.agent,
        "model": one.model,
        "calls": usage.calls,
        "prompt": usage.prompt_tokens,
        "cached there": usage.cached_tokens,
        "completion": usage.completion_tokens,
        "cached calls": one.saved.calls,
        "money": "?" if one.money is None else f"{one.money:.4f} {one.currency or ''}".strip(),
    }


def _priced(costs: Costs | None) -> dict[str, Any] | None:
    """What a run cost as JSON: by agent and model, and all together."""
    if costs is None:
        return None
    whole = {name: value for name, value in costs.total.row().items() if name not in ("agent", "model")}
    return {"total": whole, "by_agent": [one.row() for one in costs]}
