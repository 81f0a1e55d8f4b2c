"""What a store holds, read back."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from agentdebate.store.call_sums import spent_by_sums
from agentdebate.store.crew import Crew, crew_of
from agentdebate.store.damage import Damage, DamageLog, RecordDamaged, naming
from agentdebate.store.database import PAGE, Database, Unread
from agentdebate.store.engine import open_database
from agentdebate.store.news import News
from agentdebate.store.piece_table import PieceShelf
from agentdebate.store.rows import (
    call_values,
    completion_of,
    configuration_of,
    debate_row,
    found_of,
    head_values,
    item_of,
    listed_pieces,
    message_of,
    overall_scale_of,
    ranges_of,
    spent_on,
    tasks_of,
)
from agentdebate.store.schema import (
    CALLS,
    DEBATES,
    FOUND,
    ITEMS,
    MESSAGES,
    QUEUES,
    RUNS,
    SCORES,
    SORTED,
    TALKS,
)
from agentdebate.store.spending import Spending
from agentdebate.store.statements import batches
from agentdebate.store.whole_lists import with_lists
from agentdebate.talk.messages import Brief, Message, Reply
from agentdebate.tasks import Item, Scale, Task
from agentdebate.usage import Usage

LAST = "last"
"""Stands for the newest run."""

_MESSAGE = (TALKS.c.debate, MESSAGES.c.seq)
MOST_AGENTS = 400
"""Agents whose models are looked up in what they said."""
_CALL = (TALKS.c.debate, CALLS.c.number)
"""What names a message or a call within its run, and orders them."""

_NONE = -1
"""A number that no run has."""
_LATELY = 500
"""Debates among which those are looked for that are going on."""


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


class Reader:
    """Reads a store. Debates that have not ended have messages and calls and no row.

    A record that cannot be read is left out where there are others, noted in `damage` and logged as a warning; where it alone
    is asked for, or nothing can be said without it, StoreError says what is wrong with it.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._shelf = PieceShelf(database)
        self._numbers: dict[str, int] = {}
        self._spoken: dict[str, Mapping[str, str]] = {}
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
        order = SCORES.c[by] if by in ("score", "human") else _column(by)
        source = DEBATES if name is None else DEBATES.join(SCORES, SCORES.c.talk == DEBATES.c.talk)
        query = sa.select(DEBATES.c.id, DEBATES.c.row).select_from(source)
        if order.table is SCORES and name is None:
            raise UsageError(f"to sort by {by!r}, name the aspect")
        wanted = [_column(column).is_not_distinct_from(value) for column, value in (where or {}).items()]
        named = [] if name is None else [SCORES.c.name == name]
        query = query.where(DEBATES.c.run == self._number(run), *wanted, *named)
        direction = order.desc() if descending else order.asc()
        query = query.order_by(direction.nulls_last(), DEBATES.c.id).limit(most)
        rows = islice(self._stream(run, query, DEBATES.c.id, start=start), most)
        return [row for one in rows for row in self.damage.kept(partial(debate_row, run, *one.values()))]

    def row(self, run: str, debate: str) -> dict[str, Any] | None:
        """A debate of a run as Record.row() gave it; None where it has not ended."""
        query = sa.select(DEBATES.c.row).where(DEBATES.c.run == self._number(run), DEBATES.c.id == debate)
        found = self._database.rows(query)
        return debate_row(run, debate, found[0][0]) if found else None

    def not_ended(self, run: str) -> int:
        """How many debates of a run have been begun and have not ended."""
        number = self._number(run)
        over = sa.select(DEBATES.c.id).where(DEBATES.c.run == number)
        query = sa.select(sa.func.count()).select_from(TALKS)
        return self._database.scalar(query.where(_begun(number), TALKS.c.debate.not_in(over))) or 0

    def going_on(self, run: str, most: int = 12) -> list[str]:
        """Debates of a run that were begun lately and have not ended, in the order in which they were begun."""
        number = self._number(run)
        late = sa.select(TALKS.c.number, TALKS.c.debate).where(_begun(number))
        some = late.order_by(TALKS.c.number.desc()).limit(_LATELY).subquery()
        over = sa.exists().where(DEBATES.c.run == number, DEBATES.c.id == some.c.debate)
        query = sa.select(some.c.debate).where(~over).order_by(some.c.number).limit(most)
        return list(map(str, self._database.scalars(query)))

    def has(self, run: str, debate: str) -> bool:
        """Whether a debate of a run has been begun."""
        number = self._number(run)
        said = sa.select(TALKS.c.number).where(_begun(number), TALKS.c.debate == debate)
        ended = sa.select(DEBATES.c.id).where(DEBATES.c.run == number, DEBATES.c.id == debate)
        return any(self._database.rows(query) for query in (said, ended))

    def debates(self, run: str, *, item: str | None = None, most: int | None = None) -> list[str]:
        """The ids of a run's debates, those that have not ended included: all, or those about an item, but no more than `most`."""
        number = self._number(run)
        begun = sa.select(TALKS.c.debate).where(_begun(number), *self._about(TALKS.c.debate, item))
        ended = sa.select(DEBATES.c.id).where(DEBATES.c.run == number, *self._about(DEBATES.c.id, item))
        parts = [sa.select(part.limit(most).subquery()) for part in (begun, ended)]
        found = sorted(map(str, self._database.scalars(sa.union(*parts))))[:most]
        return [debate for debate in found if item is None or debate.rpartition("/")[0] == item]

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
        """What the calls of a run took, by agent and by the name that the model goes by at its endpoint, as they first came.

        An agent that sits in several sittings is one. Raises StoreError where a call is damaged.
        """
        summed = spent_by_sums(self._database, self._number(run))
        if summed is not None:
            return summed
        found: dict[tuple[str, str], Spending] = {}
        query = self._of_talks(run, CALLS.c.number, CALLS.c.agent, CALLS.c.completion)
        for row in self._stream(run, query.order_by(*_CALL), *_CALL, strict=True):
            agent, model, usage, cached = spent_on(run, row)
            found.setdefault((agent.partition("#")[0], model), Spending()).add(usage, cached=cached)
        return found

    def spoken_models(self, run: str) -> Mapping[str, str]:
        """By agent, the name of its model as its replies and ballots have it; an endpoint may call that model otherwise.

        Each is taken from the first debate or the last in which the agent was asked. An agent whose replies were not used there is
        missing, and so are recruits beyond the first few hundred.
        """
        if run in self._spoken:
            return self._spoken[run]
        agents = self._of_talks(run, CALLS.c.agent).with_only_columns(
            sa.func.min(CALLS.c.talk), sa.func.max(CALLS.c.talk)
        )
        ends = self._database.rows(agents.group_by(CALLS.c.agent).limit(MOST_AGENTS))
        found = self.spoken_in(run, {talk for pair in ends for talk in pair})
        if self.run(run).ended is not None:  # until then others may speak
            self._spoken[run] = found
        return found

    def spoken_in(self, run: str, talks: Collection[int]) -> dict[str, str]:
        """By agent, the name of its model as its replies have it in these debates, which are named by the numbers of their talks."""
        said = (one for _, one in self._messages(run, MESSAGES.c.talk.in_(talks)) if isinstance(one, Reply))
        return {one.sender.partition("#")[0]: one.model for one in said if one.model}

    def score_names(self, run: str) -> tuple[tuple[str, bool], ...]:
        """What a run has scores of, aspects or aspects of candidates, each with whether people have scored it too."""
        people = sa.func.count(SCORES.c.human)
        query = sa.select(SCORES.c.name, people).where(SCORES.c.run == self._number(run))
        rows = self._database.rows(query.group_by(SCORES.c.name).order_by(SCORES.c.name))
        return tuple((str(name), bool(count)) for name, count in rows)

    def count(self, run: str, what: Literal["items", "debates", "calls"]) -> int:
        """How many items a run has, how many debates that have ended, or how many calls."""
        number = self._number(run)
        source = {
            "items": ITEMS,
            "debates": DEBATES,
            "calls": TALKS.join(CALLS, TALKS.c.number == CALLS.c.talk),
        }[what]
        of_run = {"items": ITEMS.c.run, "debates": DEBATES.c.run, "calls": TALKS.c.run}[what]
        return int(
            self._database.scalar(sa.select(sa.func.count()).select_from(source).where(of_run == number))
        )

    def news(self, run: str) -> News:
        """The debates of a run as they end while another process is at work on it."""
        return News(self._database, run, self._number(run), self.damage)

    def item(self, run: str, item: str) -> Item:
        """An item of a run. Raises UsageError and StoreError."""
        query = sa.select(ITEMS).where(ITEMS.c.run == self._number(run), ITEMS.c.id == item)
        for row in self._stream(run, query, ITEMS.c.id, strict=True):
            return item_of(run, row, self._shelf)
        raise UsageError(f"run {run} has no item {item!r}")

    def items_of(self, run: str, names: Iterable[str]) -> dict[str, Item]:
        """The items of these ids, as far as they are there. Raises StoreError for one that is damaged."""
        found: dict[str, Item] = {}
        for some in batches(list(names)):
            query = sa.select(ITEMS).where(ITEMS.c.run == self._number(run), ITEMS.c.id.in_(some))
            for row in self._with_pieces(self._stream(run, query, ITEMS.c.id, strict=True), "texts"):
                found[row["id"]] = item_of(run, row, self._shelf)
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
        for row in self._with_pieces(self._stream(run, query, ITEMS.c.id), "texts"):
            yield from self.damage.kept(partial(item_of, run, row, self._shelf))

    def messages(self, run: str, debate: str, *, after: int = -1) -> tuple[Message, ...]:
        """A debate's transcript, as far as it came, or what came `after` the message of that number."""
        wanted = sa.and_(TALKS.c.debate == debate, MESSAGES.c.seq > after)
        return tuple(message for _, message in self._messages(run, wanted))

    def said(self, run: str, kinds: Sequence[str] | None = None) -> Iterator[tuple[str, Message]]:
        """Every message of a run, or those of these kinds, with the id of its debate, in the order of each debate."""
        return self._messages(run, sa.true() if kinds is None else MESSAGES.c.kind.in_(kinds))

    def briefs(self, run: str, debates: Sequence[str]) -> dict[str, list[Brief]]:
        """What agents of these debates were shown first, in the order in which it was sent."""
        found: dict[str, list[Brief]] = {}
        wanted = sa.and_(MESSAGES.c.kind == "brief", TALKS.c.debate.in_(debates))
        for debate, message in self._messages(run, wanted):
            if isinstance(message, Brief):
                found.setdefault(debate, []).append(message)
        return found

    def calls(self, run: str, debate: str) -> tuple[StoredCall, ...]:
        """A debate's model calls, in order."""
        return tuple(call for _, call in self._calls(run, TALKS.c.debate == debate))

    def completions(self, run: str) -> Iterator[tuple[str, int, Completion]]:
        """Every completion of a run, with the id of its debate and the number of the Ask that it is for."""
        columns = (CALLS.c.number, CALLS.c.ask, CALLS.c.completion, CALLS.c.texts)
        rows = self._stream(run, self._of_talks(run, *columns).order_by(*_CALL), *_CALL)
        for row in self._with_pieces(rows, "texts"):
            for completion in self.damage.kept(partial(completion_of, run, row, self._shelf)):
                yield row["debate"], row["ask"], completion

    def asked(self, run: str) -> Iterator[tuple[str, StoredCall]]:
        """Every model call of a run, with the id of its debate, in the order of each debate."""
        return self._calls(run, sa.true())

    def _messages(self, run: str, where: "sa.ColumnElement[bool]") -> Iterator[tuple[str, Message]]:
        query = self._of_talks(run, *MESSAGES.c).where(where).order_by(*_MESSAGE)
        for row in self._with_pieces(self._stream(run, query, *_MESSAGE), "texts"):
            for message in self.damage.kept(partial(message_of, run, row["debate"], row, self._shelf)):
                yield row["debate"], message

    def _calls(self, run: str, where: "sa.ColumnElement[bool]") -> Iterator[tuple[str, StoredCall]]:
        query = self._of_talks(run, *CALLS.c).where(where).order_by(*_CALL)
        rows = self._with_pieces(self._stream(run, query, *_CALL), "texts", "prompt", "sampling")
        for row, lists in with_lists(rows):
            for values in self.damage.kept(partial(call_values, run, row, self._shelf, lists)):
                yield row["debate"], StoredCall(**values)

    def _of_talks(self, run: str, *columns: "sa.Column[Any]") -> "sa.Select[Any]":
        """These columns of the messages, or of the calls, of a run, with the ids of their debates."""
        same = TALKS.c.number == columns[0].table.c.talk
        query = sa.select(TALKS.c.debate, *columns).select_from(TALKS.join(columns[0].table, same))
        return query.where(TALKS.c.run == self._number(run))

    def _with_pieces(self, rows: Iterator[sa.RowMapping], *columns: str) -> Iterator[sa.RowMapping]:
        """The rows, once the pieces are at hand that they list in these columns."""
        while some := list(islice(rows, PAGE)):
            self._shelf.fetch(number for row in some for number in listed_pieces(row, columns))
            yield from some

    def _number(self, run: str) -> int:
        """The number of a run; _NONE where there is no such run."""
        if run not in self._numbers:
            found = self._database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
            if not isinstance(found, int):
                return _NONE
            self._numbers[run] = found
        return self._numbers[run]

    def _stream(
        self, run: str, query: "sa.Select[Any]", *key: "sa.Column[Any]", strict: bool = False, start: int = 0
    ) -> Iterator[sa.RowMapping]:
        """The rows of a query from `start` on but those with a value that is too large to read, which are noted, or raised where it is `strict`."""
        for row in self._database.stream(query, key, start):
            if not isinstance(row, Unread):
                yield row
                continue
            what = f"the {key[-1].table.name[:-1]} {', '.join(map(repr, row.key))}"
            damage = Damage(run, what, row.problem)
            if strict:
                raise RecordDamaged(damage)
            self.damage.note(str(damage))

    def _about(self, debate: sa.Column[str], item: str | None) -> list[sa.ColumnElement[bool]]:
        """What holds of the ids of debates about an item, and of few others."""
        if item is None:
            return []
        if self._database.dialect == "sqlite":  # compares bytes, so that the table's key leads there
            return [debate >= f"{item}/", debate < f"{item}0"]  # 0 comes after /
        return [sa.func.substr(debate, 1, len(item) + 1) == f"{item}/"]

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


def _begun(number: int) -> "sa.ColumnElement[bool]":
    """What holds of the talks of a run in which something was said."""
    said = sa.exists().where(MESSAGES.c.talk == TALKS.c.number)
    return sa.and_(TALKS.c.run == number, said)


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
