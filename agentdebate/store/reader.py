"""Reads what a store holds."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, Literal, TypeVar

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE, OutcomeCounts
from agentdebate.errors import UsageError, nearest
from agentdebate.store._debates import COSTS, COUNTS, DEBATES, SCORES
from agentdebate.store._in_flight import DOCUMENTS, IN_FLIGHT
from agentdebate.store._runs import FOUND, ITEMS, RUNS
from agentdebate.store.crew import QUEUES, Crew, crew_of
from agentdebate.store.damage import DamageLog, RecordDamaged, naming
from agentdebate.store.database import PAGE, Database, Unread
from agentdebate.store.engine import open_database
from agentdebate.store.lock import is_held, state
from agentdebate.store.rows import (
    call_of,
    debate_row,
    document_lines,
    found_of,
    head_values,
    item_of,
    message_of,
    overall_scale_of,
    ranges_of,
    tasks_of,
)
from agentdebate.store.run_tables import RunCall, Share
from agentdebate.store.schema import batches
from agentdebate.talk.messages import Brief, Message, Reply
from agentdebate.tasks import Item, Scale, Task
from agentdebate.usage import Usage

LAST = "last"
"""Stands for the newest run."""

_NONE = -1
"""A number that no run has."""
_DOCUMENTS = 25
"""Documents that are fetched at once: they may be long."""

_BY_AGE = (RUNS.c.created, RUNS.c.id)
_PLACE = (IN_FLIGHT.c.debate, IN_FLIGHT.c.place)

_Entry = TypeVar("_Entry")
Document = Literal["talk", "calls"]
Line = tuple[str, int, str | bytes]
"""The id of a debate, the place of the line, and the line; bytes where the debate is being held."""


@dataclass(frozen=True)
class RunHead:
    """A run and how far it came. `ended` is None while it runs and where it was stopped."""

    id: str
    created: float
    ended: float | None
    strategy: str
    task: str
    """The tasks of the items that have been begun, with commas between them."""
    model: str
    configuration: Mapping[str, Any]
    verdicts: int
    failures: int
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """How many debates ended in which way, by the outcome's name; a verdict that was curtailed is one of the verdicts."""

    @property
    def ended_debates(self) -> int:
        """How many debates have ended, in whatever way."""
        return sum(self.outcomes.values())

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that may be asked in it, that of most agents first."""
        names = dict.fromkeys(one["name"] for one in self.configuration.get("models", ())) or (self.model,)
        return tuple(sorted(names, key=lambda name: name != self.model))

    @property
    def replaced(self) -> tuple[str, ...]:
        """The files that stood in the place of built-in ones when it was begun, by their paths in the project."""
        return tuple(self.configuration.get("replaced") or ())

    @property
    def replaced_told(self) -> str:
        """The same in a sentence; empty where there were none."""
        return replaced_told(self.replaced)

    def tasks(self) -> dict[str, Task]:
        """The run's tasks by name, as they were when it began. Raises StoreError where they are damaged."""
        return tasks_of(self.id, self.configuration)

    def ranges(self) -> dict[str, tuple[float, float]]:
        """The ranges of evaluators' scores that the run's strategy was told. Raises StoreError where they are damaged."""
        return ranges_of(self.id, self.configuration)

    def overall_scale(self) -> Scale | None:
        """The scale of the score for the text as a whole that the run's strategy adds. Raises StoreError where it is damaged."""
        return overall_scale_of(self.id, self.configuration)

    def asked_as(self, agent: str) -> str:
        """The name under which an agent's model was asked for."""
        models = (self.configuration.get("strategy") or {}).get("models") or {}
        return str(models.get(agent, self.model))


def replaced_told(files: Sequence[str]) -> str:
    """The files that stand in the place of built-in ones, in a sentence; empty where there are none."""
    if not files:
        return ""
    verb = "stands" if len(files) == 1 else "stand"
    return f"{', '.join(files)} of the project {verb} in the place of the built-in: this is not the method as it is built in and published"


def data_files(heads: Iterable[RunHead]) -> list[Path]:
    """The files that the items of runs came from, as far as the runs were begun with files."""
    found = (head.configuration.get("data") for head in heads)
    named = (data.get("path") for data in found if isinstance(data, Mapping))
    return [Path(path) for path in named if isinstance(path, str)]


class News:
    """The debates of a run as they end, each once.

    Each look at the store is a short one, since a writer's log grows while it is read.
    """

    def __init__(self, reader: "Reader", run: str) -> None:
        self._reader, self._run = reader, run
        self._seen = set[int]()

    def __repr__(self) -> str:
        return f"<News of {self._run!r}>"

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """The new debates, as Record.row() gave them, in parts that may be empty."""
        if self._reader.count(self._run, "debates") > len(self._seen):
            new = [number for number in self._reader.numbers(self._run) if number not in self._seen]
            for some in batches(new):
                self._seen.update(some)
                yield self._reader.rows_of(self._run, some)


class Reader:
    """Reads a store. Debates that have not ended have messages and calls and no row.

    A record that cannot be read is left out where there are others, noted in `damage` and logged as a warning; where it alone
    is asked for, or nothing can be said without it, StoreError says what is wrong with it.
    """

    def __init__(self, database: Database) -> None:
        self.database = database
        """The store's database."""
        self._numbers: dict[str, int] = {}
        self.damage = DamageLog(database.place)
        """The damaged records that were met so far."""

    def __repr__(self) -> str:
        return f"<Reader of {self.database.place!r}>"

    @property
    def place(self) -> str:
        """How the store is called in messages."""
        return self.database.place

    # Runs.

    def runs(self) -> list[RunHead]:
        """Every run that can be read, the newest last."""
        return [run for run in self.listed() if isinstance(run, RunHead)]

    def listed(self) -> list[RunHead | str]:
        """Every run, the newest last; of one that is damaged, its name."""
        outcomes, found = self._outcomes(), list[RunHead | str]()
        for row in self.database.stream(sa.select(RUNS).order_by(*_BY_AGE), (RUNS.c.id,)):
            name = row.key[0] if isinstance(row, Unread) else row["id"]
            found += list(self.damage.kept(partial(_head, row, outcomes))) or [str(name)]
        for number in set(outcomes).difference(self.database.scalars(sa.select(RUNS.c.number))):
            problem = "it has debates, and is not among the runs"
            self.damage.note(str(RecordDamaged(f"number {number}", "the run itself", problem)))
        return found

    def names(self) -> dict[str, str]:
        """The strategy of every run by its name, the newest last; nothing else is read of it, or counted."""
        query = sa.select(RUNS.c.id, RUNS.c.strategy).order_by(*_BY_AGE)
        rows = self.database.stream(query, (RUNS.c.id,))
        return {row["id"]: row["strategy"] for row in rows if not isinstance(row, Unread)}

    def run(self, name: str, *, counted: bool = True) -> RunHead:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError.

        Where its debates are not `counted`, that takes as long however many there are.
        """
        run = self.run_name(name)
        outcomes = self._outcomes(run) if counted else {}
        for row in self.database.stream(sa.select(RUNS).where(RUNS.c.id == run), (RUNS.c.id,)):
            return _head(row, outcomes)
        raise RecordDamaged(run, "the run itself", "it is listed, and its record is not there")

    def run_name(self, name: str) -> str:
        """The whole name of the run that a name, the beginning of one, or "last" means; its record is not read. Raises UsageError."""
        if not isinstance(name, str):
            raise UsageError(f"a run is known by its name, or as 'last', not {name!r:.80}")
        return _named(name, list(map(str, self.database.scalars(sa.select(RUNS.c.id).order_by(*_BY_AGE)))))

    def ended(self, run: str) -> bool:
        """Whether a run has come to its end."""
        return self.database.scalar(sa.select(RUNS.c.ended).where(RUNS.c.id == run)) is not None

    def queued(self) -> list[str]:
        """The runs that have a queue, from which several processes may take debates."""
        query = sa.select(RUNS.c.id).join(QUEUES, QUEUES.c.run == RUNS.c.number)
        return list(map(str, self.database.scalars(query)))

    def crew(self, run: str) -> Crew | None:
        """The workers of a run, and how much of it is left; None for a run that has no queue."""
        return self.database.look(partial(crew_of, run=run))

    def found(self, run: str, name: str) -> tuple[str, Message] | None:
        """What was found out once for all debates of a run, and in which debate; None where it was not yet. Raises StoreError."""
        query = sa.select(FOUND.c.debate, FOUND.c.data)
        for debate, data in self.database.rows(query.where(self._of(FOUND, run), FOUND.c.name == name)):
            return debate, found_of(run, name, debate, data)
        return None

    # Items.

    def items(self, run: str) -> Iterator[Item]:
        """The items of a run, in their order."""
        query = sa.select(ITEMS.c.id, ITEMS.c.data).where(self._of(ITEMS, run))
        for row in self._stream(run, query.order_by(ITEMS.c.number, ITEMS.c.id), ITEMS.c.id):
            yield from self.damage.kept(partial(item_of, run, row["id"], row["data"]))

    def items_of(self, run: str, names: Iterable[str]) -> dict[str, Item]:
        """The items of these ids, as far as they are there. Raises StoreError for one that is damaged."""
        found: dict[str, Item] = {}
        for some in batches(list(names)):
            query = sa.select(ITEMS.c.id, ITEMS.c.data).where(self._of(ITEMS, run), ITEMS.c.id.in_(some))
            found |= {name: item_of(run, name, data) for name, data in self.database.rows(query)}
        return found

    def item(self, run: str, item: str) -> Item:
        """An item of a run. Raises UsageError and StoreError."""
        found = self.items_of(run, [item])
        if not found:
            raise UsageError(f"run {run} has no item {item!r}")
        return found[item]

    def item_ids(self, run: str) -> frozenset[str]:
        """The ids of a run's items, of damaged ones too."""
        return frozenset(map(str, self.database.scalars(sa.select(ITEMS.c.id).where(self._of(ITEMS, run)))))

    # Debates.

    def count(self, run: str, what: Literal["items", "debates", "calls"]) -> int:
        """How many items a run has, how many debates that have ended, or how many calls."""
        if what == "calls":
            ended = self.database.scalar(
                sa.select(sa.func.sum(DEBATES.c.asked)).where(self._of(DEBATES, run))
            )
            return int(ended or 0) + self._count(IN_FLIGHT, run, IN_FLIGHT.c.call == sa.true())
        return self._count(ITEMS if what == "items" else DEBATES, run)

    def rows(self, run: str) -> Iterator[dict[str, Any]]:
        """Every debate of a run that has ended, as Record.row() gave it, in the order of the items."""
        same = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
        query = sa.select(DEBATES.c.id, DEBATES.c.row).select_from(DEBATES.outerjoin(ITEMS, same))
        query = query.where(self._of(DEBATES, run)).order_by(ITEMS.c.number, DEBATES.c.item, DEBATES.c.id)
        for row in self._stream(run, query, DEBATES.c.id):
            yield from self.damage.kept(partial(debate_row, run, row["id"], row["row"]))

    def rows_of(self, run: str, numbers: Sequence[int]) -> list[dict[str, Any]]:
        """The debates with these numbers."""
        query = sa.select(DEBATES.c.id, DEBATES.c.row).where(DEBATES.c.number.in_(numbers))
        rows = self._stream(run, query.order_by(DEBATES.c.number), DEBATES.c.id)
        return [
            one for row in rows for one in self.damage.kept(partial(debate_row, run, row["id"], row["row"]))
        ]

    def priced_rows(self, run: str, where: "sa.ColumnElement[bool]") -> Iterator[dict[str, Any]]:
        """Some debates, in the order of their ids, with "money" beside what Record.row() gave."""
        query = sa.select(DEBATES.c.id, DEBATES.c.row, DEBATES.c.money).where(self._of(DEBATES, run), where)
        for row in self._stream(run, query.order_by(DEBATES.c.id), DEBATES.c.id):
            for one in self.damage.kept(partial(debate_row, run, row["id"], row["row"])):
                yield {**one, "money": row["money"]}

    def numbers(self, run: str) -> Sequence[int]:
        """The numbers of the debates that have ended."""
        return self.database.scalars(sa.select(DEBATES.c.number).where(self._of(DEBATES, run)))

    def row(self, run: str, debate: str) -> dict[str, Any] | None:
        """A debate of a run as Record.row() gave it; None where it has not ended."""
        query = sa.select(DEBATES.c.row).where(self._of(DEBATES, run), DEBATES.c.id == debate)
        text = self.database.scalar(query)
        return None if text is None else debate_row(run, debate, text)

    def news(self, run: str) -> News:
        """The debates of a run as they end while another process is at work on it."""
        return News(self, run)

    def going_on(self, run: str) -> list[str]:
        """The debates that have not ended in which something was said, in the order in which they were begun."""
        query = sa.select(IN_FLIGHT.c.debate).where(self._of(IN_FLIGHT, run), IN_FLIGHT.c.call == sa.false())
        query = query.group_by(IN_FLIGHT.c.debate).order_by(sa.func.min(IN_FLIGHT.c.number))
        return list(map(str, self.database.scalars(query)))

    def not_ended(self, run: str) -> int:
        """How many debates of a run have been begun and have not ended."""
        return len(self.going_on(run))

    def has(self, run: str, debate: str) -> bool:
        """Whether a debate of a run has been begun."""
        return bool(self._count(DEBATES, run, DEBATES.c.id == debate)) or debate in self.going_on(run)

    def debates(self, run: str, *, item: str | None = None, most: int | None = None) -> list[str]:
        """The ids of a run's debates, those that have not ended included: all, or those about an item, but no more than `most`."""
        query = sa.select(DEBATES.c.id).where(self._of(DEBATES, run)).order_by(DEBATES.c.id).limit(most)
        if item is not None:
            query = query.where(about_items([item], self.database.dialect))
        found = sorted({*map(str, self.database.scalars(query)), *self.going_on(run)})
        return [one for one in found if item is None or one.rpartition("/")[0] == item][:most]

    def score_names(self, run: str) -> dict[str, bool]:
        """The names of a run's scores, aspects or aspects of candidates, each with whether people have scored it too."""
        of_run = self._of(SCORES, run)
        names = distinct(self.database, SCORES.c.name, of_run)
        people = sa.select(sa.func.max(SCORES.c.human))
        return {
            name: self.database.scalar(people.where(of_run, SCORES.c.name == name)) is not None
            for name in names
        }

    # Costs.

    def shares(self, run: str) -> list[Share]:
        """What the calls of a run took, added up by the database; those of debates that are being held come last, one by one.

        Raises StoreError where such a call is damaged.
        """
        group = (COSTS.c.agent, COSTS.c.model, COSTS.c.served, COSTS.c.round, COSTS.c.cached)
        sums = [sa.func.sum(COSTS.c[name]) for name in (*COUNTS, "seconds")]
        rows = self.database.rows(sa.select(*group, *sums).where(self._of(COSTS, run)).group_by(*group))
        ended = list[Share]()
        for agent, model, served, round_, cached, *counts, seconds in rows:
            usage = Usage(**dict(zip(COUNTS, map(int, counts), strict=True)))
            ended.append(Share(agent, model, served, round_, bool(cached), usage, seconds))
        calls = [call_of(run, *line) for line in self.database.rows(self._in_flight(run, "calls"))]
        return ended + [
            Share(
                one.agent.partition("#")[0],
                "",
                one.completion.model,
                one.round,
                one.cached,
                one.usage,
                one.seconds,
            )
            for one in calls
        ]

    def spent(self, run: str) -> dict[str, Usage]:
        """What the calls of a run did cost, by the name that the model goes by at its endpoint; what a cache gave cost nothing.

        Raises StoreError where a call is damaged: a sum without it would be too small.
        """
        spent: dict[str, Usage] = {}
        for share in self.shares(run):
            if not share.cached:
                spent[share.served] = spent.get(share.served, Usage()) + share.usage
        return spent

    def spoken_models(self, run: str) -> Mapping[str, str]:
        """By agent, the name of its model as its replies have it; an endpoint may call that model otherwise.

        An agent whose replies were never used is missing.
        """
        of_run, name = self._of(COSTS, run), sa.select(sa.func.max(COSTS.c.model))
        agents = distinct(self.database, COSTS.c.agent, of_run)
        found = {agent: self.database.scalar(name.where(of_run, COSTS.c.agent == agent)) for agent in agents}
        for _, said in self._read(run, message_of, self._lines_in_flight(run, "talk")):
            if isinstance(said, Reply) and said.model:
                found[said.sender.partition("#")[0]] = said.model
        return {agent: model for agent, model in found.items() if model}

    # Messages and calls.

    def messages(self, run: str, debate: str, *, after: int = -1) -> tuple[Message, ...]:
        """A debate's transcript, as far as it came, or what came `after` the message of that number."""
        return tuple(one for _, one in self._said(run, debate) if one.seq > after)

    def said(self, run: str, kinds: Sequence[str] = ()) -> Iterator[tuple[str, Message]]:
        """Every message of a run, or those of these kinds, with the id of its debate, in the order of each debate."""
        return self._said(run, None, kinds)

    def calls(self, run: str, debate: str) -> tuple[RunCall, ...]:
        """A debate's model calls, in order."""
        return tuple(self.asked(run, debate))

    def asked(self, run: str, debate: str | None = None) -> Iterator[RunCall]:
        """Every model call of a run, or of a debate, in the order of each debate."""
        models = self.spoken_models(run)
        for name, lines in groupby(self._lines(run, "calls", debate), key=lambda line: line[0]):
            briefs = [one for _, one in self._said(run, name, ("brief",)) if isinstance(one, Brief)]
            for _, call in self._read(run, call_of, lines):
                model = models.get(call.agent.partition("#")[0]) or call.completion.model
                yield replace(call, model=model, brief=_brief_of(call.agent, briefs))

    def _said(self, run: str, debate: str | None, kinds: Sequence[str] = ()) -> Iterator[tuple[str, Message]]:
        begin = tuple(f'{{"kind":"{kind}"' for kind in kinds) or ""
        # A line that is known to be of another kind is not decoded.
        wanted = (
            line
            for line in self._lines(run, "talk", debate)
            if isinstance(line[2], bytes) or line[2].startswith(begin)
        )
        found = self._read(run, message_of, wanted)
        return (one for one in found if not kinds or one[1].kind in kinds)

    def _read(
        self, run: str, decode: Callable[[str, str, int, str | bytes], _Entry], lines: Iterable[Line]
    ) -> Iterator[tuple[str, _Entry]]:
        """What stands in lines; one that is damaged is noted."""
        for debate, place, line in lines:
            for one in self.damage.kept(partial(decode, run, debate, place, line)):
                yield debate, one

    def _lines(self, run: str, document: Document, debate: str | None) -> Iterator[Line]:
        """The lines of debates that have ended, in the order of their ids, or of one, with their places; then those in flight."""
        text, checksum = DOCUMENTS.c[document], DOCUMENTS.c[f"{document}_sum"]
        query = sa.select(DEBATES.c.id, text, checksum)
        query = query.select_from(DEBATES.outerjoin(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number))
        query = query.where(self._of(DEBATES, run), *([] if debate is None else [DEBATES.c.id == debate]))
        for row in self._stream(run, query.order_by(DEBATES.c.id), DEBATES.c.id, page=_DOCUMENTS):
            for lines in self.damage.kept(partial(document_lines, run, *row.values())):
                yield from ((row["id"], place, line) for place, line in enumerate(lines, 1))
        yield from self._lines_in_flight(run, document, debate)

    def _lines_in_flight(self, run: str, document: Document, debate: str | None = None) -> Iterator[Line]:
        for row in self._stream(run, self._in_flight(run, document, debate), *_PLACE):
            yield row["debate"], row["place"], row["entry"]

    def _in_flight(self, run: str, document: Document, debate: str | None = None) -> "sa.Select[Any]":
        """Selects what will be the lines of documents when debates end."""
        query = sa.select(*_PLACE, IN_FLIGHT.c.entry).order_by(*_PLACE)
        query = query.where(self._of(IN_FLIGHT, run), IN_FLIGHT.c.call == (document == "calls"))
        return query if debate is None else query.where(IN_FLIGHT.c.debate == debate)

    def _stream(
        self, run: str, query: "sa.Select[Any]", *key: "sa.Column[Any]", page: int = PAGE
    ) -> Iterator[sa.RowMapping]:
        """The rows of a query but those with a value that cannot be read, which are noted."""
        for row in self.database.stream(query, key, page):
            if isinstance(row, Unread):
                what = f"the {key[-1].table.name[:-1]} {', '.join(map(repr, row.key))}"
                self.damage.note(str(RecordDamaged(run, what, row.problem)))
            else:
                yield row

    def number(self, run: str) -> int:
        """The number of a run; _NONE where there is no such run."""
        if run not in self._numbers:
            found = self.database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
            if found is None:
                return _NONE
            self._numbers[run] = int(found)
        return self._numbers[run]

    def _of(self, table: sa.Table, run: str) -> "sa.ColumnElement[bool]":
        of_run: sa.ColumnElement[bool] = table.c.run == self.number(run)
        return of_run

    def _count(self, table: sa.Table, run: str, *where: "sa.ColumnElement[bool]") -> int:
        query = sa.select(sa.func.count()).select_from(table)
        return int(self.database.scalar(query.where(self._of(table, run), *where)))

    def _outcomes(self, run: str | None = None) -> dict[int, dict[str, int]]:
        """How many debates there are, by the number of the run and by outcome."""
        query = sa.select(DEBATES.c.run, DEBATES.c.outcome, sa.func.count())
        if run is not None:
            query = query.where(self._of(DEBATES, run))
        found: dict[int, dict[str, int]] = {}
        for number, outcome, count in self.database.rows(query.group_by(DEBATES.c.run, DEBATES.c.outcome)):
            found.setdefault(number, {})[outcome] = count
        return found


def _head(row: sa.RowMapping | Unread, outcomes: Mapping[int, Mapping[str, int]]) -> RunHead:
    if isinstance(row, Unread):
        raise RecordDamaged(row.key[0], "the run itself", row.problem)
    ended = OutcomeCounts(outcomes.get(row["number"]))
    values = head_values(row)
    return RunHead(**values, verdicts=ended.verdicts, failures=ended[FAILURE], outcomes=ended.by_name)


def _named(name: str, ids: Sequence[str]) -> str:
    """The one of the runs, the newest last, that a name means. Raises UsageError."""
    if not ids:
        raise UsageError("the store holds no run yet")
    if name == LAST:
        return ids[-1]
    found = [name] if name in ids else [run for run in ids if run.startswith(name)]
    if len(found) > 1:
        raise UsageError(f"{name!r} begins {len(found)} runs: {', '.join(found)}")
    if not found:
        raise UsageError(f"there is no run {name!r}. {nearest(name, [LAST, *ids[-5:]])}")
    return found[0]


def _brief_of(agent: str, briefs: Sequence[Brief]) -> str:
    """The brief of the agent's sitting. An agent that sat down later has the brief of the others."""
    sitting = agent.partition("#")[2]
    own = [one.text for one in briefs if any(name.partition("#")[2] == sitting for name in one.to)]
    return own[-1] if own else next((one.text for one in briefs), "")


def distinct(
    database: Database, column: "sa.Column[str]", *where: "sa.ColumnElement[bool]", most: int | None = None
) -> list[str]:
    """The different values of a column, from one to the next by its index, without looking at those that are alike."""
    query = sa.select(sa.func.min(column)).where(*where, column > sa.bindparam("last"))
    found = list[str]()
    while most is None or len(found) < most:
        following = database.scalar(query, {"last": found[-1] if found else ""})
        if following is None:
            break
        found.append(str(following))
    return found


def about_items(items: Sequence[str], dialect: str) -> "sa.ColumnElement[bool]":
    """The debates about these items."""
    same = DEBATES.c.item.in_(items)
    if dialect != "sqlite":
        return same
    # SQLite compares bytes, so that the index of ids leads there, item by item; 0 comes after /.
    one = sa.func.json_each(json.dumps(list(items))).table_valued("value").c.value
    return sa.and_(same, DEBATES.c.id >= one + "/", DEBATES.c.id < one + "0")


@contextmanager
def read_store(url: str | Path) -> Iterator[Reader]:
    """The store at a path or URL, for reading. Raises UsageError where there is none, StoreError where it cannot be read.

    What is damaged in it is logged as a warning, record by record, and in `Reader.damage`.
    """
    database = open_database(url, reading=True)
    reader = Reader(database)
    try:
        with naming(database.place):
            yield reader
    finally:
        reader.damage.close()
        database.close()


def state_of(reader: Reader, store: str | Path, run: str, crew: Crew | None = None) -> str:
    """`ended`, `running` or `stopped`; of a run of a queue also `queued` or `stopping`. `running, or stopped` where nobody knows.

    `crew` is that of the run, where it is at hand.
    """
    ended = reader.ended(run)
    crew = None if ended else crew or reader.crew(run)
    if crew is None or not crew.entered:
        return state(store, run, ended=ended)
    return crew.state


def is_over(reader: Reader, store: str | Path, run: str) -> bool | None:
    """Whether nobody is at work on a run, or will be without being told; None where that cannot be known."""
    crew = None if reader.ended(run) else reader.crew(run)
    if crew is not None and crew.entered:
        return crew.state == "stopped"
    held = is_held(store, run)
    return None if held is None else not held
