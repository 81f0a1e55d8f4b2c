"""What a store holds, read back."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import sqlalchemy as sa

from agentdebate.debates.outcome import FAILURE, OutcomeCounts
from agentdebate.errors import StoreError, UsageError, nearest
from agentdebate.models.base import Completion
from agentdebate.store._debates import COSTS, COUNTS, DEBATES, SCORES, SORTED
from agentdebate.store._in_flight import DOCUMENTS, IN_FLIGHT
from agentdebate.store._runs import FOUND, ITEMS, RUNS
from agentdebate.store.crew import QUEUES, Crew, crew_of
from agentdebate.store.damage import Damage, DamageLog, RecordDamaged, naming
from agentdebate.store.database import PAGE, Database, Unread
from agentdebate.store.engine import open_database
from agentdebate.store.lock import is_held, state
from agentdebate.store.rows import (
    call_values,
    configuration_of,
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
from agentdebate.store.schema import batches
from agentdebate.talk.messages import Brief, Message, Reply
from agentdebate.tasks import Item, Scale, Task
from agentdebate.usage import Usage

MOST = 500
"""Debates that are read at once."""

_FIRST = sa.text("SELECT min(number) FROM debates WHERE run = :run")  # the table's key leads there
_NEXT = sa.text(
    # Rows of other runs are passed by and not read; without the first two words SQLite would sort all of them.
    "SELECT number, id, CASE WHEN run = :run THEN row END FROM debates NOT INDEXED "
    "WHERE number > :last ORDER BY number LIMIT :most"
)


class News:
    """The debates of a run as they end, each once, in the order in which they were written.

    Each look at the store is a short one, since a writer's log grows while it is read. In SQLite nothing is read twice; other
    databases have no order of writing, and there the ids of what was read are kept.
    """

    def __init__(self, database: Database, run: str, number: int, damage: DamageLog) -> None:
        self._database, self._run, self._number, self._damage = database, run, number, damage
        self._last: int | None = None
        self._seen: set[str] = set()

    def __repr__(self) -> str:
        return f"<News of {self._run!r}>"

    def rows(self) -> Iterator[list[dict[str, Any]]]:
        """What is new, as Record.row() gave it, in parts that may be empty."""
        part = self._by_number if self._database.dialect == "sqlite" else self._by_id
        while (found := part()) is not None:
            yield [row for one in found for row in self._damage.kept(partial(debate_row, self._run, *one))]

    def _by_number(self) -> list[tuple[str, str]] | None:
        if self._last is None:
            first = self._database.scalar(_FIRST, {"run": self._number})
            if first is None:
                return None
            self._last = first - 1
        found = self._database.rows(_NEXT, {"run": self._number, "last": self._last, "most": MOST})
        if not found:
            return None
        self._last = found[-1][0]
        return [(debate, row) for _, debate, row in found if row is not None]

    def _by_id(self) -> Sequence[tuple[str, str]] | None:
        of_run = DEBATES.c.run == self._number
        count = self._database.scalar(sa.select(sa.func.count()).where(of_run).select_from(DEBATES))
        if count == len(self._seen):
            return None
        ids = self._database.scalars(sa.select(DEBATES.c.id).where(of_run))
        new = [debate for debate in ids if debate not in self._seen][:MOST]
        query = sa.select(DEBATES.c.id, DEBATES.c.row).where(of_run, DEBATES.c.id.in_(new))
        found = [(debate, row) for debate, row in self._database.rows(query)]
        self._seen.update(new)
        return found or None


LAST = "last"
"""Stands for the newest run."""

_NONE = -1
"""A number that no run has."""
_DOCUMENTS = 25
"""Documents that are fetched at once: they may be long."""
_SAID = IN_FLIGHT.c.call == sa.false()
"""What holds of messages of debates that are being held."""


@dataclass(frozen=True)
class RunName:
    """What a run is called."""

    id: str
    strategy: str


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
        listed = self.configuration.get("models")
        found = (
            [one.get("name") for one in listed if isinstance(one, Mapping)]
            if isinstance(listed, list)
            else []
        )
        names = dict.fromkeys(map(str, found)) or (self.model,)
        return tuple(sorted(names, key=lambda name: name != self.model))

    @property
    def replaced(self) -> tuple[str, ...]:
        """The files that stood in the place of built-in ones when it was begun, by their paths in the project."""
        listed = self.configuration.get("replaced")
        return tuple(map(str, listed)) if isinstance(listed, list) else ()

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


def replaced_told(files: Sequence[str]) -> str:
    """What stands in the place of built-in files, in a sentence; empty where nothing does."""
    if not files:
        return ""
    verb = "stands" if len(files) == 1 else "stand"
    return f"{', '.join(files)} of the project {verb} in the place of the built-in: this is not the method as it is built in and published"


def data_files(heads: Iterable[RunHead]) -> list[Path]:
    """The files that the items of runs came from, as far as the runs were begun with files."""
    found = (head.configuration.get("data") for head in heads)
    named = (data.get("path") for data in found if isinstance(data, Mapping))
    return [Path(path) for path in named if isinstance(path, str)]


@dataclass(frozen=True)
class StoredCall:
    """A model call as it was stored: what the agent was shown after the brief, and what came back."""

    number: int
    agent: str
    round: int
    ask: int
    attempt: int
    shown: tuple[int, ...]
    key: str
    sampling: Mapping[str, Any]
    """The sampling parameters of the request that are set."""
    schema: bool
    """Whether the request held the reply to a schema."""
    sample: int
    """Which of several samples of the same request it was."""
    prompt: tuple[Mapping[str, str], ...]
    completion: Completion

    @classmethod
    def of(cls, run: str, debate: str, place: int | None, line: str | bytes) -> "StoredCall":
        """The call in a line of a document. Raises StoreError where it is damaged."""
        return cls(**call_values(run, debate, place, line))

    @property
    def usage(self) -> Usage:
        """What it cost."""
        return self.completion.usage

    @property
    def cached(self) -> bool:
        """Whether our own cache gave it."""
        return self.completion.cached

    @property
    def seconds(self) -> float:
        """Of waiting for the model."""
        return self.completion.latency

    @property
    def finish(self) -> str:
        """Why the reply ends where it does."""
        return self.completion.finish


@dataclass(frozen=True)
class Share:
    """What some of the calls of a run took: by one agent, in one round, of one model, out of our own cache or not."""

    agent: str
    """Without the number of its sitting."""
    model: str
    """As its replies name it; empty where none of them was used."""
    served: str
    """As the endpoint calls it."""
    round: int
    cached: bool
    usage: Usage
    seconds: float
    """Of waiting for the model."""


class Spending:
    """Adds up what calls took. What a cache gave was paid for in another run, and is counted by itself."""

    def __init__(self) -> None:
        self._sums = {False: dict.fromkeys(COUNTS, 0), True: dict.fromkeys(COUNTS, 0)}

    def __repr__(self) -> str:
        return f"<Spending {self.paid.calls} calls, {self.paid.tokens} tokens>"

    def add(self, usage: Usage, *, cached: bool) -> None:
        """Add a call."""
        sums = self._sums[cached]
        for name in COUNTS:
            sums[name] += getattr(usage, name)

    @property
    def paid(self) -> Usage:
        """What was paid for."""
        return Usage(**self._sums[False])

    @property
    def saved(self) -> Usage:
        """What a cache gave."""
        return Usage(**self._sums[True])


class Reader:
    """Reads a store. Debates that have not ended have messages and calls and no row.

    A record that cannot be read is left out where there are others, noted in `damage` and logged as a warning; where it alone
    is asked for, or nothing can be said without it, StoreError says what is wrong with it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._numbers: dict[str, int] = {}
        self.damage = DamageLog(database.place)
        """The damaged records that were met so far."""

    def __repr__(self) -> str:
        return f"<Reader of {self._database.place!r}>"

    @property
    def place(self) -> str:
        """How the store is called in messages."""
        return self._database.place

    def runs(self) -> list[RunHead]:
        """Every run that can be read, the newest last."""
        return [run for run in self.listed() if isinstance(run, RunHead)]

    def listed(self) -> list[RunHead | str]:
        """Every run, the newest last; of one that is damaged, its name."""
        counts = self._counts(sa.true())
        found = self._heads(sa.true(), counts)
        there = set(self._database.scalars(sa.select(RUNS.c.number)))
        for run in counts:
            if run not in there:
                problem = "it has debates, and is not among the runs"
                self.damage.note(str(Damage(f"number {run}", "the run itself", problem)))
        return found

    def names(self) -> list[RunName]:
        """What every run is called, the newest last; nothing else is read of it, or counted."""
        query = sa.select(RUNS.c.id, RUNS.c.strategy).order_by(RUNS.c.created, RUNS.c.id)
        rows = self._database.stream(query, (RUNS.c.id,))
        return [RunName(row["id"], row["strategy"]) for row in rows if not isinstance(row, Unread)]

    def run(self, name: str) -> RunHead:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError."""
        run = self.run_name(name)
        counts = self._counts(DEBATES.c.run == self._number(run))
        for head in self._heads(RUNS.c.id == run, counts, strict=True):
            if isinstance(head, RunHead):
                return head
        raise RecordDamaged(Damage(run, "the run itself", "it is listed, and its record is not there"))

    def run_name(self, name: str) -> str:
        """The whole name of the run that a name, the beginning of one, or "last" means; its record is not read. Raises UsageError."""
        if not isinstance(name, str):
            raise UsageError(f"a run is known by its name, or as 'last', not {name!r:.80}")
        ids = self._database.scalars(sa.select(RUNS.c.id).order_by(RUNS.c.created, RUNS.c.id))
        return _named(name, [str(found) for found in ids])

    def ended(self, run: str) -> bool:
        """Whether a run has come to its end."""
        return self._database.scalar(sa.select(RUNS.c.ended).where(RUNS.c.id == run)) is not None

    def configuration(self, run: str) -> dict[str, Any]:
        """How a run is held, with what was found out since it began."""
        told = self._database.scalar(sa.select(RUNS.c.configuration).where(RUNS.c.id == run))
        return configuration_of(run, told or "{}")

    def rows(self, run: str) -> Iterator[dict[str, Any]]:
        """Every debate of a run that has ended, as Record.row() gave it, in the order of the items."""
        same = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
        query = (
            sa.select(DEBATES.c.id, DEBATES.c.row)
            .select_from(DEBATES.outerjoin(ITEMS, same))
            .where(DEBATES.c.run == self._number(run))
            .order_by(ITEMS.c.number, DEBATES.c.item, DEBATES.c.id)
        )
        for row in self._stream(run, query, DEBATES.c.id):
            yield from self.damage.kept(partial(debate_row, run, *row.values()))

    def find(
        self,
        run: str,
        *,
        where: Mapping[str, Any] | None = None,
        by: str = "id",
        name: str | None = None,
        descending: bool = False,
        start: int = 0,
        most: int | None = None,
    ) -> list[dict[str, Any]]:
        """The debates of a run that have ended, filtered and sorted by the database, as `rows` gives them.

        `where` has values by column (outcome, item_group, system, ended, settled, ...), `by` is a column to sort by; with the
        `name` of an aspect, or of an aspect of a candidate, it may also be "score" or "human". What has no value comes last. Of
        what is found, `most` debates from `start` on are read. Raises UsageError for an unknown column.
        """
        if by in ("score", "human") and name is None:
            raise UsageError(f"to sort by {by!r}, name the aspect")
        order = SCORES.c[by] if by in ("score", "human") else _column(by)
        same = sa.and_(SCORES.c.debate == DEBATES.c.number, SCORES.c.name == name)
        source = DEBATES if name is None else DEBATES.join(SCORES, same)
        wanted = [_column(column).is_not_distinct_from(value) for column, value in (where or {}).items()]
        query = sa.select(DEBATES.c.id, DEBATES.c.row).select_from(source)
        query = query.where(DEBATES.c.run == self._number(run), *wanted)
        query = query.order_by((order.desc() if descending else order.asc()).nulls_last(), DEBATES.c.id)
        rows = islice(self._stream(run, query, DEBATES.c.id), start, None if most is None else start + most)
        return [row for one in rows for row in self.damage.kept(partial(debate_row, run, *one.values()))]

    def row(self, run: str, debate: str) -> dict[str, Any] | None:
        """A debate of a run as Record.row() gave it; None where it has not ended."""
        query = sa.select(DEBATES.c.row).where(DEBATES.c.run == self._number(run), DEBATES.c.id == debate)
        found = self._database.rows(query)
        return debate_row(run, debate, found[0][0]) if found else None

    def not_ended(self, run: str) -> int:
        """How many debates of a run have been begun and have not ended."""
        query = sa.select(sa.func.count(IN_FLIGHT.c.debate.distinct()))
        return int(self._database.scalar(query.where(IN_FLIGHT.c.run == self._number(run), _SAID)) or 0)

    def going_on(self, run: str, most: int = 12) -> list[str]:
        """Debates of a run that were begun and have not ended, in the order in which they were begun."""
        return self._begun(run)[:most]

    def has(self, run: str, debate: str) -> bool:
        """Whether a debate of a run has been begun."""
        number = self._number(run)
        said = sa.select(IN_FLIGHT.c.number).where(
            IN_FLIGHT.c.run == number, IN_FLIGHT.c.debate == debate, _SAID
        )
        ended = sa.select(DEBATES.c.number).where(DEBATES.c.run == number, DEBATES.c.id == debate)
        return any(self._database.rows(query.limit(1)) for query in (said, ended))

    def debates(self, run: str, *, item: str | None = None, most: int | None = None) -> list[str]:
        """The ids of a run's debates, those that have not ended included: all, or those about an item, but no more than `most`."""
        where = [DEBATES.c.run == self._number(run), *self._about(item)]
        ended = self._database.scalars(
            sa.select(DEBATES.c.id).where(*where).order_by(DEBATES.c.id).limit(most)
        )
        found = sorted({*map(str, ended), *self._begun(run)})
        return [one for one in found if item is None or one.rpartition("/")[0] == item][:most]

    def _begun(self, run: str) -> list[str]:
        """The debates that have not ended in which something was said, in the order in which they were begun."""
        query = sa.select(IN_FLIGHT.c.debate).where(IN_FLIGHT.c.run == self._number(run), _SAID)
        first = sa.func.min(IN_FLIGHT.c.number)
        return list(map(str, self._database.scalars(query.group_by(IN_FLIGHT.c.debate).order_by(first))))

    def spent(self, run: str) -> dict[str, Usage]:
        """What the calls of a run did cost, by the name that the model goes by at its endpoint; what a cache gave cost nothing.

        Raises StoreError where a call is damaged: a sum without it would be too small.
        """
        spent: dict[str, Usage] = {}
        for (_, model), spending in self.spending(run).items():
            if spending.paid.calls:
                spent[model] = spent.get(model, Usage()) + spending.paid
        return spent

    def spending(self, run: str) -> dict[tuple[str, str], Spending]:
        """What the calls of a run took, by agent and by the name that the model goes by at its endpoint.

        An agent that sits in several sittings is one. Raises StoreError where a call is damaged.
        """
        found: dict[tuple[str, str], Spending] = {}
        for share in self.shares(run):
            spending = found.setdefault((share.agent, share.served), Spending())
            spending.add(share.usage, cached=share.cached)
        return found

    def shares(self, run: str) -> list[Share]:
        """What the calls of a run took, added up by the database; those of debates that are being held come last, one by one.

        Raises StoreError where such a call is damaged.
        """
        group = (COSTS.c.agent, COSTS.c.model, COSTS.c.served, COSTS.c.round, COSTS.c.cached)
        sums = [sa.func.sum(COSTS.c[name]) for name in (*COUNTS, "seconds")]
        query = sa.select(*group, *sums).where(COSTS.c.run == self._number(run)).group_by(*group)
        rows = self._database.rows(query)
        ended = list[Share]()
        for agent, model, served, round_, cached, *counts, seconds in rows:
            usage = Usage(**dict(zip(COUNTS, map(int, counts), strict=True)))
            ended.append(Share(agent, model, served, round_, bool(cached), usage, seconds))
        calls = (call for _, call in self._calls_in_flight(run, strict=True))
        going_on = [
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
        return ended + going_on

    def spoken_models(self, run: str) -> Mapping[str, str]:
        """By agent, the name of its model as its replies have it; an endpoint may call that model otherwise.

        An agent whose replies were never used is missing.
        """
        query = sa.select(COSTS.c.agent, COSTS.c.model).where(
            COSTS.c.run == self._number(run), COSTS.c.model != ""
        )
        found = {str(agent): str(model) for agent, model in self._database.rows(query.distinct())}
        for _, said in self._messages_in_flight(run):
            if isinstance(said, Reply) and said.model:
                found[said.sender.partition("#")[0]] = said.model
        return found

    def score_names(self, run: str) -> tuple[tuple[str, bool], ...]:
        """What a run has scores of, aspects or aspects of candidates, each with whether people have scored it too."""
        people = sa.func.count(SCORES.c.human)
        query = sa.select(SCORES.c.name, people).where(SCORES.c.run == self._number(run))
        rows = self._database.rows(query.group_by(SCORES.c.name).order_by(SCORES.c.name))
        return tuple((str(name), bool(count)) for name, count in rows)

    def count(self, run: str, what: Literal["items", "debates", "calls"]) -> int:
        """How many items a run has, how many debates that have ended, or how many calls."""
        number = self._number(run)
        if what == "calls":
            ended = self._database.scalar(
                sa.select(sa.func.sum(DEBATES.c.asked)).where(DEBATES.c.run == number)
            )
            calls = sa.select(sa.func.count()).where(IN_FLIGHT.c.run == number, ~_SAID)
            return int(ended or 0) + int(self._database.scalar(calls))
        table = ITEMS if what == "items" else DEBATES
        return int(self._database.scalar(sa.select(sa.func.count()).where(table.c.run == number)))

    def news(self, run: str) -> News:
        """The debates of a run as they end while another process is at work on it."""
        return News(self._database, run, self._number(run), self.damage)

    def item(self, run: str, item: str) -> Item:
        """An item of a run. Raises UsageError and StoreError."""
        query = sa.select(ITEMS).where(ITEMS.c.run == self._number(run), ITEMS.c.id == item)
        for row in self._stream(run, query, ITEMS.c.id, strict=True):
            return item_of(run, row)
        raise UsageError(f"run {run} has no item {item!r}")

    def items_of(self, run: str, names: Iterable[str]) -> dict[str, Item]:
        """The items of these ids, as far as they are there. Raises StoreError for one that is damaged."""
        found: dict[str, Item] = {}
        for some in batches(list(names)):
            query = sa.select(ITEMS).where(ITEMS.c.run == self._number(run), ITEMS.c.id.in_(some))
            for row in self._stream(run, query, ITEMS.c.id, strict=True):
                found[row["id"]] = item_of(run, row)
        return found

    def found(self, run: str, name: str) -> tuple[str, Message] | None:
        """What was found out once for all debates of a run, and in which debate; None where it was not yet. Raises StoreError."""
        query = sa.select(FOUND).where(FOUND.c.run == self._number(run), FOUND.c.name == name)
        for row in self._stream(run, query, FOUND.c.name, strict=True):
            return row["debate"], found_of(run, row)
        return None

    def queued(self) -> list[str]:
        """The runs that have a queue, from which several processes may take debates."""
        query = sa.select(RUNS.c.id).join(QUEUES, QUEUES.c.run == RUNS.c.number)
        return list(map(str, self._database.scalars(query)))

    def crew(self, run: str) -> Crew | None:
        """Who works on a run, and how much of it is left; None for a run that has no queue."""
        return self._database.look(partial(crew_of, run=run))

    def item_ids(self, run: str) -> frozenset[str]:
        """The ids of a run's items, of damaged ones too."""
        query = sa.select(ITEMS.c.id).where(ITEMS.c.run == self._number(run))
        return frozenset(map(str, self._database.scalars(query)))

    def items(self, run: str) -> Iterator[Item]:
        """The items of a run, in their order."""
        query = sa.select(ITEMS).where(ITEMS.c.run == self._number(run)).order_by(ITEMS.c.number, ITEMS.c.id)
        for row in self._stream(run, query, ITEMS.c.id):
            yield from self.damage.kept(partial(item_of, run, row))

    def messages(self, run: str, debate: str, *, after: int = -1) -> tuple[Message, ...]:
        """A debate's transcript, as far as it came, or what came `after` the message of that number."""
        return tuple(one for _, one in self._messages(run, debate) if one.seq > after)

    def said(self, run: str, kinds: Sequence[str] | None = None) -> Iterator[tuple[str, Message]]:
        """Every message of a run, or those of these kinds, with the id of its debate, in the order of each debate."""
        return (one for one in self._messages(run) if kinds is None or one[1].kind in kinds)

    def briefs(self, run: str, debates: Sequence[str]) -> dict[str, list[Brief]]:
        """What agents of these debates were shown first, in the order in which it was sent."""
        return {
            debate: [
                one for _, one in self._messages(run, debate, '{"kind":"brief"') if isinstance(one, Brief)
            ]
            for debate in debates
        }

    def calls(self, run: str, debate: str) -> tuple[StoredCall, ...]:
        """A debate's model calls, in order."""
        return tuple(call for _, call in self._calls(run, debate))

    def call(self, run: str, debate: str, number: int) -> StoredCall:
        """One model call of a debate. Raises UsageError where there is none of that number."""
        for call in self.calls(run, debate):
            if call.number == number:
                return call
        raise UsageError(f"the debate {debate!r} has no call {number}")

    def completions(self, run: str) -> Iterator[tuple[str, int, Completion]]:
        """Every completion of a run, with the id of its debate and the number of the Ask that it is for."""
        return ((debate, call.ask, call.completion) for debate, call in self._calls(run))

    def asked(self, run: str) -> Iterator[tuple[str, StoredCall]]:
        """Every model call of a run, with the id of its debate, in the order of each debate."""
        return self._calls(run)

    def _messages(
        self, run: str, debate: str | None = None, begin: str = ""
    ) -> Iterator[tuple[str, Message]]:
        for name, lines in self._documents(run, "talk", debate):
            for place, line in enumerate(lines, 1):
                if line.startswith(begin):
                    for message in self.damage.kept(partial(message_of, run, name, line, place)):
                        yield name, message
        yield from self._messages_in_flight(run, debate)

    def _calls(self, run: str, debate: str | None = None) -> Iterator[tuple[str, StoredCall]]:
        for name, lines in self._documents(run, "calls", debate):
            for place, line in enumerate(lines, 1):
                for call in self.damage.kept(partial(StoredCall.of, run, name, place, line)):
                    yield name, call
        yield from self._calls_in_flight(run, debate)

    def _documents(
        self, run: str, document: Literal["talk", "calls"], debate: str | None
    ) -> Iterator[tuple[str, list[str]]]:
        """The lines of debates that have ended, in the order of their ids, or of one. One that is damaged is noted."""
        query = sa.select(DEBATES.c.id, DOCUMENTS.c[document], DOCUMENTS.c[f"{document}_sum"])
        query = query.select_from(DEBATES.outerjoin(DOCUMENTS, DOCUMENTS.c.debate == DEBATES.c.number))
        wanted = [] if debate is None else [DEBATES.c.id == debate]
        query = query.where(DEBATES.c.run == self._number(run), *wanted).order_by(DEBATES.c.id)
        for row in self._stream(run, query, DEBATES.c.id, page=_DOCUMENTS):
            for lines in self.damage.kept(partial(document_lines, run, row["id"], row, document)):
                yield row["id"], lines

    def _messages_in_flight(self, run: str, debate: str | None = None) -> Iterator[tuple[str, Message]]:
        for row in self._in_flight(run, _SAID, debate):
            read = partial(message_of, run, row["debate"], row["entry"], row["place"])
            for message in self.damage.kept(read):
                yield row["debate"], message

    def _calls_in_flight(
        self, run: str, debate: str | None = None, *, strict: bool = False
    ) -> Iterator[tuple[str, StoredCall]]:
        for row in self._in_flight(run, ~_SAID, debate, strict=strict):
            read = partial(StoredCall.of, run, row["debate"], row["place"], row["entry"])
            for call in [read()] if strict else self.damage.kept(read):
                yield row["debate"], call

    def _in_flight(
        self, run: str, kind: "sa.ColumnElement[bool]", debate: str | None, *, strict: bool = False
    ) -> Iterator[sa.RowMapping]:
        wanted = [] if debate is None else [IN_FLIGHT.c.debate == debate]
        query = sa.select(IN_FLIGHT.c.debate, IN_FLIGHT.c.place, IN_FLIGHT.c.entry)
        query = query.where(IN_FLIGHT.c.run == self._number(run), kind, *wanted)
        key = (IN_FLIGHT.c.debate, IN_FLIGHT.c.place)
        return self._stream(run, query.order_by(*key), *key, strict=strict)

    def _number(self, run: str) -> int:
        """The number of a run; _NONE where there is no such run."""
        if run not in self._numbers:
            found = self._database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
            if not isinstance(found, int):
                return _NONE
            self._numbers[run] = found
        return self._numbers[run]

    def _stream(
        self,
        run: str,
        query: "sa.Select[Any]",
        *key: "sa.Column[Any]",
        strict: bool = False,
        page: int = PAGE,
    ) -> Iterator[sa.RowMapping]:
        """The rows of a query but those with a value that is too large to read, which are noted, or raised where it is `strict`."""
        for row in self._database.stream(query, key, page):
            if not isinstance(row, Unread):
                yield row
                continue
            what = f"the {key[-1].table.name[:-1]} {', '.join(map(repr, row.key))}"
            damage = Damage(run, what, row.problem)
            if strict:
                raise RecordDamaged(damage)
            self.damage.note(str(damage))

    def _about(self, item: str | None) -> list[sa.ColumnElement[bool]]:
        """What holds of the ids of debates about an item, and of few others."""
        if item is None:
            return []
        if self._database.dialect == "sqlite":  # compares bytes, so that the index leads there
            return [DEBATES.c.id >= f"{item}/", DEBATES.c.id < f"{item}0"]  # 0 comes after /
        return [sa.func.substr(DEBATES.c.id, 1, len(item) + 1) == f"{item}/"]

    def _counts(self, where: "sa.ColumnElement[bool]") -> dict[int, dict[str, int]]:
        """How many debates there are, by the number of the run and by outcome."""
        query = sa.select(DEBATES.c.run, DEBATES.c.outcome, sa.func.count()).where(where)
        rows = self._database.rows(query.group_by(DEBATES.c.run, DEBATES.c.outcome))
        found: dict[int, dict[str, int]] = {}
        for run, outcome, count in rows:
            found.setdefault(run, {})[outcome] = count
        return found

    def _heads(
        self,
        where: "sa.ColumnElement[bool]",
        counts: Mapping[int, Mapping[str, int]],
        *,
        strict: bool = False,
    ) -> list[RunHead | str]:
        """The runs; of one that is damaged its name, or the error where it is `strict`."""
        heads = list[RunHead | str]()
        query = sa.select(RUNS).where(where).order_by(RUNS.c.created, RUNS.c.id)
        for row in self._database.stream(query, (RUNS.c.id,)):
            name = row.key[0] if isinstance(row, Unread) else row["id"]
            try:
                heads.append(_head(row, counts))
            except StoreError as error:
                if strict:
                    raise
                self.damage.note(str(error))
                heads.append(str(name))
        return heads


def _head(row: sa.RowMapping | Unread, counts: Mapping[int, Mapping[str, int]]) -> RunHead:
    if isinstance(row, Unread):
        raise RecordDamaged(Damage(row.key[0], "the run itself", row.problem))
    ended = OutcomeCounts(counts.get(row["number"]))
    return RunHead(
        **head_values(row), verdicts=ended.verdicts, failures=ended[FAILURE], outcomes=ended.by_name
    )


def _column(name: str) -> "sa.Column[Any]":
    if name not in ("id", "item", *SORTED):
        raise UsageError(f"debates have no column {name!r}. {nearest(name, ['id', 'item', *SORTED])}")
    return DEBATES.c[name]


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
