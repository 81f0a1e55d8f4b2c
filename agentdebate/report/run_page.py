"""A run as it is shown: how it was held, how far it came, its verdicts by item and score, its failures, and what it cost."""

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from itertools import islice
from statistics import fmean
from typing import Any

from agentdebate.debates.outcome import ABSTAINED, FAILURE, OutcomeCounts, outcome_of
from agentdebate.debates.record import offline_note
from agentdebate.errors import StoreError
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.run_rows import about_of, aspect_order, choice_of, judged
from agentdebate.meta.talk import grouped
from agentdebate.meta.talks import first_talks
from agentdebate.models.prices import prices
from agentdebate.report.coverage import coverage_record, coverage_told, nothing_judged
from agentdebate.report.data_lines import as_json
from agentdebate.report.grid import Block, Columns, Grid, cell_text, money
from agentdebate.report.prose import counted
from agentdebate.report.transcript_text import readings_told
from agentdebate.store.crew import Crew
from agentdebate.store.reader import Reader, state_of
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import Costs
from agentdebate.store.stored_run import costs_of
from agentdebate.studies.panel_worth import PanelWorth, panel_lines, panels_of_agents
from agentdebate.studies.worth import Worth, worth_lines, worth_of
from agentdebate.visible import one_line

Row = Mapping[str, Any]
"""A record as Record.row() gives it."""

MOST = 20
"""Items that a table shows before it says how many more there are."""

_SCORES: Columns = {
    "score": lambda one: one[0],
    "verdicts": lambda one: len(one[1]),
    "mean": lambda one: _mean(one[1]),
    "lowest": lambda one: min(one[1], default=None),
    "highest": lambda one: max(one[1], default=None),
}
"""Columns of a score."""
_PEOPLE: Columns = {"people": lambda one: _mean(one[2]), "n": lambda one: len(one[2])}
"""Columns of people's scores, where there are some."""
_FAILURES: Columns = {
    "count": len,
    "failure": lambda rows: rows[0]["failure"]["error"],
    "for example": lambda rows: rows[0]["debate"],
}


@dataclass(frozen=True)
class RunResults:
    """The records of a run, item by item; `aspects` is their order as far as it is known."""

    rows: Sequence[Row]
    aspects: Sequence[str] = ()

    @property
    def ended(self) -> OutcomeCounts:
        """Numbers of debates by their ending."""
        return OutcomeCounts(Counter(outcome_of(row).name for row in self.rows))

    @cached_property
    def coverages(self) -> list[Coverage]:
        """Coverage, aspect by aspect."""
        return [replace(coverage(one), judge="") for one in judged(self.rows, "judge")]

    @property
    def note(self) -> str | None:
        """Note beside verdicts of the offline judge."""
        return offline_note(model for row in self.rows for model in row["models"])

    @property
    def short(self) -> list[Row]:
        """The verdicts without some of their ballots, samples or agents."""
        return [row for row in self.rows if row["missing"] or row["lost"]]

    def blocks(self, *, see: str) -> Iterator[Block]:
        """The items, what they come to together, and what has to be said beside them. `see` is the command that prints all."""
        yield from (*self.items(see=see), "", self._of_scores())
        won = Counter((about_of(row), choice_of(row)) for row in self.rows if choice_of(row))
        if won:
            lines = [(*pair, count) for pair, count in won.items()]
            yield from ("", Grid("Winners", ["aspect", "winner", "verdicts"], lines, ["verdicts"]))
        yield coverage_told(self.coverages)
        if self.short:
            yield f"{counted(len(self.short), 'verdict')} without some of the ballots, samples or agents; {see} says which"
        unsent = Counter(what for row in self.rows for what in row.get("unsent") or ())
        for what, count in unsent.items():
            yield one_line(
                f"not sent, since the model does not take it: {what}, in {counted(count, 'debate')}"
            )
        if self.note:
            yield from ("", self.note)

    def items(self, *, see: str = "") -> Iterator[Block]:
        """A line an item: its scores, who won where texts are compared, and the rounds of its debates."""
        columns: dict[str, Any] = {"item": lambda rows: rows[0]["id"]}
        columns |= {name: partial(_score, name=name) for name in self._names}
        compared = dict.fromkeys(about_of(row) for row in self.rows if row["candidates"])
        columns |= {f"winner, {about}": partial(_winner, about=about) for about in compared}
        columns["rounds"] = lambda rows: sum(row["rounds"] or 0 for row in rows)
        unsettled = any(row["settled"] is False and row["scores"] for row in self.rows)
        notes = ["* not settled: the debate ended without agreement"] * unsettled
        shown = list(grouped(self.rows, lambda row: row["id"]).values())
        yield Grid.of("Verdicts", shown[:MOST], columns, notes=notes)
        if len(shown) > MOST:
            yield f"... and {counted(len(shown) - MOST, 'more item')}; {see} prints all of them"

    def failure_blocks(self, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """A line a kind of failure, the most frequent first, with an example; `worded` puts its reason into the reader's words."""
        failed = [row for row in self.rows if outcome_of(row) is FAILURE]
        kinds = sorted(grouped(failed, lambda row: row["failure"]["error"]).values(), key=len, reverse=True)
        columns = {**_FAILURES, "reason": lambda rows: one_line(worded(str(rows[0]["failure"]["reason"])))}
        if kinds:
            yield from ("", Grid.of("Failures", kinds, columns, numeric=["count"]))

    @cached_property
    def _names(self) -> list[str]:
        """The names of the scores, those of the aspects whose order is known first."""
        names = dict.fromkeys(name for row in self.rows for name in score_names(row))
        order = {name: place for place, name in enumerate(self.aspects)}
        return sorted(names, key=lambda name: order.get(name.partition(".")[0], len(order)))

    def _of_scores(self) -> Grid:
        """A line a score: how many verdicts have it, its mean and ends, and the mean of people's scores if there are any."""
        found = [(name, *self._values(name)) for name in self._names]
        known = any(people for *_, people in found)
        notes = ["people: the mean of people's n scores of the same debates"] * known
        return Grid.of("Scores", found, {**_SCORES, **(_PEOPLE if known else {})}, notes=notes)

    def _values(self, name: str) -> tuple[list[float], list[float]]:
        """The scores of that name, and people's of the same debates."""
        pairs = [(row["scores"][name], row["human"].get(name)) for row in self.rows if name in row["scores"]]
        return [score for score, _ in pairs], [human for _, human in pairs if human is not None]


def ended_words(ended: OutcomeCounts, *, beside_verdicts: str = "") -> str:
    """Say in which ways debates ended, and how many; `beside_verdicts` stands behind the verdicts."""
    verdicts, *others = (counted(count, noun) for count, noun in ended.nouns)
    return ", ".join([f"{verdicts}{beside_verdicts}", *others])


def usage_line(row: Mapping[str, Any]) -> str:
    """Calls and tokens in words."""
    calls = counted(row["calls"], "call")
    return f"{calls}, {row['prompt_tokens']} prompt and {row['completion_tokens']} completion tokens"


def score_names(row: Row) -> list[str]:
    """The scores that a debate can have: of its aspects, or of each candidate ("overall.answer_1")."""
    if not row["candidates"]:
        return list(row["aspects"])
    return [f"{aspect}.{name}" for aspect in row["aspects"] for name in row["candidates"]]


def _mean(values: Sequence[float]) -> str | None:
    return f"{fmean(values):.3f}" if values else None


def _score(rows: Sequence[Row], name: str) -> str:
    """A score of an item, or why there is none."""
    for row in rows:
        if name in row["scores"]:
            return cell_text(float(row["scores"][name])) + ("*" if row["settled"] is False else "")
    return next((outcome_of(row).cell or "none" for row in rows if name in score_names(row)), "")


def _winner(rows: Sequence[Row], about: str) -> str | None:
    """The text that won, "tie", or why there is none."""
    return next((choice_of(row) or outcome_of(row).cell for row in rows if about_of(row) == about), "")


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
    worth: Worth | None = None
    """Worth of its talk; None where no agent heard another, or a call is damaged."""
    panels: tuple[PanelWorth, ...] = ()
    """The agents as panels."""
    part: str = ""
    """The part of the run that panels and worth are of; empty where it is all of it."""
    damage: tuple[str, ...] = ()

    @classmethod
    def read(cls, reader: Reader, head: RunHead) -> "RunPage":
        """The page of a run in a store. Raises StoreError."""
        crew = reader.crew(head.id)
        rows = list(islice(reader.rows(head.id), WHOLE))
        said = () if head.ended_debates > WHOLE else reader.said(head.id, ("verdict",))
        page = cls(
            head,
            state_of(reader, head.id, crew),
            reader.not_ended(head),
            crew,
            RunResults(rows, aspect_order(head)),
            readings_told(one for _, one in said),
        )
        try:
            known, talk = prices(), first_talks(reader, head)
            return replace(
                page,
                costs=costs_of(reader, head, known),
                worth=worth_of(reader, head, known, talk),
                panels=panels_of_agents(talk.talks),
                part=talk.part,
            )
        except StoreError as error:
            return replace(page, damage=(one_line(f"what the run cost is not known: {error}"),))

    def record(self) -> dict[str, Any]:
        """The page as JSON has it, but for the rows."""
        told = {
            **vars(self.head),
            "state": self.state,
            "not_ended": self.not_ended,
            "coverage": [
                coverage_record(replace(one, judge=self.head.strategy)) for one in self.results.coverages
            ],
            "costs": self.costs
            and {"total": self.costs.total.row(), "by_agent": [one.row() for one in self.costs]},
            "worth": self.worth and self.worth.row(),
            "panels": list(map(asdict, self.panels)),
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
        yield from (*worth_lines({self.head.id: self.worth}), *panel_lines(self.panels, self.part))

    def _opening(self) -> Iterator[str]:
        head = self.head
        yield f"run {head.id}: strategy {head.title}, task {head.task}, model {', '.join(head.models)}"
        left = f", {counted(self.not_ended, 'debate')} not ended" if self.not_ended else ""
        begun = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(head.created))
        yield f"begun {begun}, {self.state}: {ended_words(OutcomeCounts(head.outcomes))}{left}"
        if head.replaced:
            yield head.replaced_told
        for name in ("strategy", "sampling", "aspects", "data", "sweep"):
            if told := head.configuration.get(name):
                yield f"{name}: {as_json(told)}"

    @property
    def nothing_read(self) -> str | None:
        """Message if the run has no verdict, and not since it abstained throughout, and will not get one by itself."""
        head = self.head
        if self.state not in _OVER or head.verdicts or {*head.outcomes} == {ABSTAINED.name}:
            return None
        debates = counted(head.ended_debates, "debate")
        return one_line(f"nothing read: no verdict came of {debates} of run {head.id}")

    @property
    def lacking(self) -> bool:
        """True if the run, or an aspect of it, has no verdict and will not get one by itself."""
        return self.nothing_read is not None or (
            self.state in _OVER and nothing_judged(self.results.coverages)
        )


def crew_record(crew: Crew) -> dict[str, Any]:
    """The queue of a run and its workers, for JSON."""
    workers = [{**asdict(one), "rate": one.rate} for one in crew.workers]
    return {name: getattr(crew, name) for name in ("state", "left", "held", "rate", "lost")} | {
        "workers": workers
    }


def _workers(crew: Crew) -> Iterator[Block]:
    """A line on the queue, and a line a worker."""
    yield f"queue: {counted(crew.left, 'debate')} left, {crew.held} of them held"
    columns = {name: name for name in ("name", "state", "debates", "held", "lost")}
    if crew.workers:
        yield Grid.of("Workers", crew.workers, columns, numeric=list(columns)[2:])


_COSTS: Columns = {
    "agent": "agent",
    "model": "model",
    "calls": "usage.calls",
    "prompt": "usage.prompt_tokens",
    "cached there": "usage.cached_tokens",
    "completion": "usage.completion_tokens",
    "cached calls": "saved.calls",
    "money": lambda one: f"{money(one.money)} {one.currency or ''}".strip(),
}


def _cost_grid(costs: Costs) -> Grid:
    """A line for each agent and model, and one for all of them."""
    found = list(costs)
    more = len(found) - _AGENTS
    notes = [f"... and {counted(more, 'more agent')}, in the line of all"] if more > 0 else []
    if unknown := [one.model for one in found if one.money is None]:
        notes.append(f"unknown: no price is known of {unknown[0]}; a prices.toml in your project has yours")
    lines = [*found[:_AGENTS], replace(costs.total, agent="all", model="")]
    return Grid.of("Costs", lines, _COSTS, numeric=list(_COSTS)[2:], notes=notes)
