"""Reads what a store holds."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Literal, TypeVar

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE, OutcomeCounts
from agentdebate.errors import UsageError, nearest
from agentdebate.store.crew import Crew, crew_of
from agentdebate.store.damage import DamageLog, RecordDamaged, naming
from agentdebate.store.database import Database
from agentdebate.store.debate_writer import cost_rows
from agentdebate.store.engine import open_database
from agentdebate.store.rows import (
    call_of,
    debate_row,
    document_lines,
    found_of,
    head_values,
    item_of,
    message_of,
    stored_text,
)
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import RunCall, Share, item_of_debate, models_of
from agentdebate.store.schema import (
    COSTS,
    COUNTS,
    DEBATES,
    DOCUMENTS,
    FOUND,
    IN_FLIGHT,
    ITEMS,
    RUNS,
    SAME_ITEM,
    SCORES,
    Condition,
)
from agentdebate.store.session import is_held
from agentdebate.talk.messages import Brief, Message
from agentdebate.tasks import Item
from agentdebate.usage import Usage

LAST = "last"
"""Stands for the newest run."""

DOCUMENTS_AT_ONCE = 25
"""Documents that are fetched at once: they may be long."""

_BY_AGE = (RUNS.c.created, RUNS.c.id)
_ITEM = (ITEMS.c.id, ITEMS.c.data)
_LINE = (IN_FLIGHT.c.debate, IN_FLIGHT.c.place, IN_FLIGHT.c.entry)

_Entry = TypeVar("_Entry")
_Line = tuple[int, str]
"""The place of a line of a document, and the line."""


class Reader:
    """Reads a store. Debates that have not ended have messages and calls and no row.

    A record that cannot be read is left out where there are others, noted in `damage` and logged as a warning; where it alone
    is asked for, or nothing can be said without it, StoreError says what is wrong with it.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        """The store's database."""
        self.damage = DamageLog(database.place)
        """The damaged records that were met so far."""

    @property
    def place(self) -> str:
        """Name of the store in messages."""
        return self.database.place

    # Runs.

    def runs(self) -> list[RunHead]:
        """Every run that can be read, the newest last."""
        return [run for run in self.listed() if isinstance(run, RunHead)]

    def listed(self, *, counted: bool = True) -> list[RunHead | str]:
        """Every run, the newest last; of one that is damaged, its name. Where debates are not `counted`, their number does not matter."""
        outcomes, found = self._outcomes() if counted else {}, list[RunHead | str]()
        for row in self.database.stream(sa.select(RUNS).order_by(*_BY_AGE)):
            found += list(self.damage.kept(partial(_head, row, outcomes))) or [str(row["id"])]
        return found

    def run(self, name: str, *, counted: bool = True) -> RunHead:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError."""
        run = self.run_name(name)
        outcomes = self._outcomes(of_run(DEBATES, run)) if counted else {}
        for row in self.database.stream(sa.select(RUNS).where(RUNS.c.id == run)):
            return _head(row, outcomes)
        raise RecordDamaged(run, "the run itself", "it is listed, and its record is not there")

    def run_name(self, name: str) -> str:
        """The whole name of the run that a name, the beginning of one, or "last" means; its record is not read. Raises UsageError."""
        ids = self._texts(sa.select(RUNS.c.id).order_by(*_BY_AGE))
        if not ids:
            raise UsageError("the store holds no run yet")
        if not name:
            raise UsageError(f"name a run: {LAST!r}, its name, or the beginning of it")
        if name == LAST:
            return ids[-1]
        found = [name] if name in ids else [run for run in ids if run.startswith(name)]
        if len(found) > 1:
            raise UsageError(f"{name!r} begins {len(found)} runs: {', '.join(found)}")
        if not found:
            raise UsageError(f"there is no run {name!r}. {nearest(name, [LAST, *ids[-5:]])}")
        return found[0]

    def ended(self, run: str) -> bool:
        """Tell whether a run has come to its end."""
        return self.database.scalar(sa.select(RUNS.c.ended).where(RUNS.c.id == run)) is not None

    def crew(self, run: str) -> Crew | None:
        """The workers of a run, and how much of it is left; None for a run that has no queue."""
        return self.database.look(partial(crew_of, run=run))

    def found(self, run: str, name: str) -> tuple[str, Message] | None:
        """Finding that serves all debates of a run, behind the debate that made it; None where there is none yet. Raises StoreError."""
        query = selected(run, FOUND.c.debate, FOUND.c.data).where(FOUND.c.name == name)
        for debate, data in self.database.rows(query):
            return debate, found_of(run, name, debate, data)
        return None

    # Items.

    def items(self, run: str) -> Iterator[Item]:
        """The items of a run, in their order."""
        for row in self.database.stream(selected(run, *_ITEM).order_by(ITEMS.c.number, ITEMS.c.id)):
            yield from self.damage.kept(partial(item_of, run, *row.values()))

    def items_of(self, run: str, names: Iterable[str]) -> dict[str, Item]:
        """The items of these ids, as far as they are there. Raises StoreError for one that is damaged."""
        rows = self.database.rows(selected(run, *_ITEM).where(ITEMS.c.id.in_(list(names))))
        return {name: item_of(run, name, data) for name, data in rows}

    def item(self, run: str, item: str) -> Item:
        """An item of a run. Raises UsageError and StoreError."""
        found = self.items_of(run, [item])
        if not found:
            raise UsageError(f"run {run} has no item {item!r}")
        return found[item]

    def item_ids(self, run: str) -> frozenset[str]:
        """The ids of a run's items, of damaged ones too."""
        return frozenset(self._texts(selected(run, ITEMS.c.id)))

    # Debates.

    def count(self, run: str, table: sa.Table) -> int:
        """Count a run's rows in a table: its items, or its debates that have ended."""
        return int(self.database.scalar(selected(run, sa.func.count(), table=table)))

    def rows(self, run: str, *, first: int | None = None) -> Iterator[dict[str, Any]]:
        """Every debate of a run that has ended, as Record.row() gave it, in the order of the items; or the `first` ones by their ids."""
        query = sa.select(DEBATES.c.id, DEBATES.c.row)
        if first is not None:
            return self.rows_of(run, query.order_by(DEBATES.c.id).limit(first))
        query = query.select_from(DEBATES.outerjoin(ITEMS, SAME_ITEM))
        return self.rows_of(run, query.order_by(ITEMS.c.number, DEBATES.c.item, DEBATES.c.id))

    def rows_of(self, run: str, query: "sa.Select[Any]") -> Iterator[dict[str, Any]]:
        """The debates of a run whose id and row a query selects, as Record.row() gave them, with what else it selects."""
        for row in self.database.stream(query.where(of_run(DEBATES, run))):
            more = {name: value for name, value in row.items() if name not in ("id", "row")}
            for found in self.damage.kept(partial(debate_row, run, row["id"], row["row"])):
                yield {**found, **more}

    def row(self, run: str, debate: str) -> dict[str, Any] | None:
        """A debate of a run as Record.row() gave it; None where it has not ended."""
        text = self.database.scalar(selected(run, DEBATES.c.row).where(DEBATES.c.id == debate))
        return None if text is None else debate_row(run, debate, text)

    def ended_ids(self, run: str) -> list[str]:
        """The ids of the debates that have ended."""
        return self._texts(selected(run, DEBATES.c.id))

    def not_ended(self, head: RunHead) -> int:
        """Count the debates of a run that have not ended, with those that have not begun where their number is known."""
        debates = head.configuration.get("debates")
        return debates - head.ended_debates if isinstance(debates, int) else len(self.going_on(head.id))

    def going_on(self, run: str) -> list[str]:
        """The debates that have not ended in which something was said, in the order in which they were begun."""
        query = selected(run, IN_FLIGHT.c.debate).where(~IN_FLIGHT.c.call).group_by(IN_FLIGHT.c.debate)
        return self._texts(query.order_by(sa.func.min(IN_FLIGHT.c.number)))

    def named(self, run: str, name: str) -> list[str]:
        """The debate of that name, or all debates about the item of that name, as far as they have begun."""
        query, going_on = selected(run, DEBATES.c.id), self.going_on(run)
        if name in going_on or self._texts(query.where(DEBATES.c.id == name)):
            return [name]
        about = self._texts(query.where(DEBATES.c.item == name))
        return sorted({*about, *(one for one in going_on if item_of_debate(one) == name)})

    def unknown(self, run: str, name: str) -> UsageError:
        """The error that no debate, and no item, goes by a name."""
        return UsageError(
            f"run {run} has no debate or item {name!r} that could be read; look at agentdebate show {run}"
        )

    def score_names(self, run: str) -> dict[str, bool]:
        """The names of a run's scores, aspects or aspects of candidates, each with whether people have scored it too."""
        query = selected(run, SCORES.c.name, sa.func.count(SCORES.c.human)).group_by(SCORES.c.name)
        return {str(name): people > 0 for name, people in self.database.rows(query.order_by(SCORES.c.name))}

    # Costs.

    def shares(self, run: str, *, ended: bool = False) -> list[Share]:
        """Costs of a run's calls, added up by the database; those of debates that are being held come last, unless `ended`.

        Raises StoreError where such a call is damaged.
        """
        group = (COSTS.c.agent, COSTS.c.model, COSTS.c.served, COSTS.c.round, COSTS.c.cached)
        sums = [sa.func.sum(COSTS.c[name]).label(name) for name in (*COUNTS, "seconds")]
        rows = list(map(dict, self.database.stream(selected(run, *group, *sums).group_by(*group))))
        if not ended:
            rows += cost_rows(((one.agent, one.round, one.completion) for one in self.paid_calls(run)), {})
        return list(map(_share, rows))

    # Messages and calls.

    def messages(self, run: str, debate: str) -> tuple[Message, ...]:
        """A debate's transcript, as far as it came."""
        return tuple(one for _, one in self.said(run, debate=debate))

    def said(
        self, run: str, kinds: Sequence[str] = (), *, debate: str | None = None
    ) -> Iterator[tuple[str, Message]]:
        """Every message of a run or a debate, or those of these kinds, with the id of its debate, in the order of each debate."""
        # A line that is known to be of another kind is not decoded.
        begin = tuple(f'{{"kind":"{kind}"' for kind in kinds) or ""
        for name, (lines,) in self._documents(run, debate, "talk"):
            wanted = ((place, line) for place, line in lines if line.startswith(begin))
            for message in self._decoded(message_of, run, name, wanted):
                yield name, message

    def calls(self, run: str, debate: str) -> tuple[RunCall, ...]:
        """A debate's model calls, in order."""
        return tuple(self.asked(run, debate))

    def asked(self, run: str, debate: str | None = None) -> Iterator[RunCall]:
        """Every model call of a run, or of a debate, in the order of each debate."""
        for name, (talk, calls) in self._documents(run, debate, "talk", "calls"):
            said = list(self._decoded(message_of, run, name, talk))
            briefs = [one for one in said if isinstance(one, Brief)]
            models = models_of(said)
            for call in self._decoded(call_of, run, name, calls):
                model = models.get(call.agent.partition("#")[0]) or call.completion.model
                yield replace(call, model=model, brief=_brief_of(call.agent, briefs))

    def paid_calls(self, run: str, debate: str | None = None) -> list[RunCall]:
        """The calls on disk of debates that have not ended, or of one of them; one without an `ask` cannot be given again.

        Raises StoreError where one is damaged.
        """
        query = selected(run, *_LINE).where(IN_FLIGHT.c.call, *_is(IN_FLIGHT.c.debate, debate))
        return [call_of(run, *line) for line in self.database.rows(query.order_by(*_LINE[:2]))]

    def _documents(
        self, run: str, debate: str | None, *wanted: Literal["talk", "calls"]
    ) -> Iterator[tuple[str, list[list[_Line]]]]:
        """The lines of the documents that are wanted, debate by debate: those that have ended by their ids, then those in flight."""
        columns = [DOCUMENTS.c[name] for one in wanted for name in (one, f"{one}_sum")]
        query = selected(run, DEBATES.c.id, *columns, ITEMS.c.data).where(*_is(DEBATES.c.id, debate))
        query = query.outerjoin(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number).outerjoin(ITEMS, SAME_ITEM)
        for row in self.database.stream(query.order_by(DEBATES.c.id), DOCUMENTS_AT_ONCE):
            yield row["id"], [self._lines(run, row, one) for one in wanted]
        flight = selected(run, *_LINE, IN_FLIGHT.c.call).where(*_is(IN_FLIGHT.c.debate, debate))
        rows = self.database.stream(flight.order_by(*_LINE[:2]))
        for name, of_debate in groupby(rows, key=itemgetter("debate")):
            lines: dict[str, list[_Line]] = {"talk": [], "calls": []}
            for row in of_debate:
                found = self.damage.kept(partial(stored_text, run, name, row["place"], row["entry"]))
                lines["calls" if row["call"] else "talk"] += [
                    line for text in found for line in enumerate(text.split("\n"), row["place"])
                ]
            yield name, [lines[one] for one in wanted]

    def _lines(self, run: str, row: sa.RowMapping, name: str) -> list[_Line]:
        """The lines of a document with their places; none where it is damaged."""
        found = self.damage.kept(partial(document_lines, run, row, name))
        return [(place, line) for lines in found for place, line in enumerate(lines, 1)]

    def _decoded(
        self, decode: Callable[[str, str, int, str], _Entry], run: str, debate: str, lines: Iterable[_Line]
    ) -> Iterator[_Entry]:
        """Decode lines; one that is damaged is noted."""
        for place, line in lines:
            yield from self.damage.kept(partial(decode, run, debate, place, line))

    def _texts(self, query: "sa.Select[Any]") -> list[str]:
        return list(map(str, self.database.scalars(query)))

    def _outcomes(self, *where: Condition) -> dict[int, dict[str, int]]:
        """Count debates by the number of their run and by outcome."""
        query = sa.select(DEBATES.c.run, DEBATES.c.outcome, sa.func.count()).where(*where)
        found: dict[int, dict[str, int]] = {}
        for number, outcome, count in self.database.rows(query.group_by(DEBATES.c.run, DEBATES.c.outcome)):
            found.setdefault(number, {})[outcome] = count
        return found


def _head(row: sa.RowMapping, outcomes: Mapping[int, Mapping[str, int]]) -> RunHead:
    ended = OutcomeCounts(outcomes.get(row["number"]))
    return RunHead(
        **head_values(row), verdicts=ended.verdicts, failures=ended[FAILURE], outcomes=ended.by_name
    )


def _share(row: Mapping[str, Any]) -> Share:
    usage = Usage(**{name: int(row[name]) for name in COUNTS})
    same = {name: row[name] for name in ("agent", "model", "served", "round", "seconds")}
    return Share(**same, cached=bool(row["cached"]), usage=usage)


def _brief_of(agent: str, briefs: Sequence[Brief]) -> str:
    """The brief of the agent's sitting. An agent that sat down later has the brief of the others."""
    sitting = agent.partition("#")[2]
    own = [one.text for one in briefs if any(name.partition("#")[2] == sitting for name in one.to)]
    return own[-1] if own else next((one.text for one in briefs), "")


def of_run(table: "sa.FromClause", run: str) -> Condition:
    """Condition that a row is of the run of that name."""
    number = sa.select(RUNS.c.number).where(RUNS.c.id == run).scalar_subquery()
    same: Condition = table.c.run == number
    return same


def selected(run: str, *columns: Any, table: sa.Table | None = None) -> "sa.Select[Any]":
    """Select columns of the rows of a run, in the table of the first of them."""
    table = columns[0].table if table is None else table
    return sa.select(*columns).select_from(table).where(of_run(table, run))


def _is(column: "sa.Column[str]", wanted: str | None) -> list[Condition]:
    return [] if wanted is None else [column == wanted]


@contextmanager
def read_store(url: str | Path) -> Iterator[Reader]:
    """The store at a path or URL, for reading. Raises UsageError where there is none, StoreError where it cannot be read.

    What is damaged in it is logged as a warning, record by record, and in `Reader.damage`.
    """
    reader = Reader(open_database(url, reading=True))
    with closing(reader.database), naming(reader.place):
        yield reader


def state_of(reader: Reader, run: str, crew: Crew | None = None) -> str:
    """`ended`, `running` or `stopped`; of a run of a queue also `queued` or `stopping`.

    `crew` is that of the run, where it is at hand.
    """
    if reader.ended(run):
        return "ended"
    crew = crew or reader.crew(run)
    if crew is not None and crew.entered:
        return crew.state
    return "running" if is_held(reader.database, run) else "stopped"
