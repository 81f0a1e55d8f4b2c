"""A store that is opened to be read: its runs, and of each its items, records, transcripts, ballots, calls, costs and failures.

Nothing is kept in memory: a run is read when it is asked for.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property, partial
from itertools import groupby
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar
from weakref import finalize

from agentdebate.debates.outcome import FAILURE, Outcome, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.models.prices import PriceTable, cost
from agentdebate.models.prices import prices as usual_prices
from agentdebate.store.damage import DamageLog, naming
from agentdebate.store.database import Database
from agentdebate.store.engine import open_database
from agentdebate.store.lock import state
from agentdebate.store.reader import LAST, Reader, RunHead
from agentdebate.store.run_tables import (
    BALLOTS,
    CALLS,
    MESSAGES,
    BallotRating,
    Cost,
    Costs,
    RunCall,
    RunMessage,
    Share,
    columns,
    ratings_of,
)
from agentdebate.tables.column import Column
from agentdebate.tables.drawing import html_of
from agentdebate.tables.table import Table
from agentdebate.talk.messages import Failure, Message, Verdict
from agentdebate.talk.transcript import Transcript
from agentdebate.tasks import Item
from agentdebate.usage import Usage, total
from agentdebate.visible import shortened

FEW = 5
"""Debates that an error message names as examples."""

COMPARED = 5000
"""Debates whose names are compared with one that is not there."""


def costs_of(reader: Reader, head: RunHead, prices: PriceTable) -> Costs:
    """The costs of a run so far, at these prices, the most expensive first. Raises StoreError where a call is damaged."""
    names, groups = reader.spoken_models(head.id), dict[tuple[str, str], list[Share]]()
    for share in reader.shares(head.id):
        groups.setdefault((share.agent, share.served), []).append(share)
    found = []
    for (agent, served), shares in groups.items():
        paid, saved = (total(one.usage for one in shares if one.cached is cached) for cached in (False, True))
        price = prices.price_served(served, names.get(agent) or head.asked_as(agent))
        money = 0.0 if not paid.tokens else None if price is None else cost(paid, price)
        currency = None if price is None else price.currency
        found.append(Cost(agent, names.get(agent) or served, served, paid, saved, money, currency))
    found.sort(key=lambda one: (-(one.money or 0.0), -one.usage.tokens, one.agent, one.served))
    return Costs(f"costs of {head.id}", found)


def named(reader: Reader, run: str, name: str) -> list[str]:
    """The debate of that name, or all debates about the item of that name. Raises UsageError."""
    found = begun(reader, run, name)
    if not found:
        raise UsageError(f"run {run} has no debate or item {name!r}. {_instead(reader, run, name)}".strip())
    return found


def begun(reader: Reader, run: str, name: str) -> list[str]:
    """The debates that a name means so far."""
    return [name] if reader.has(run, name) else reader.debates(run, item=name)


def _instead(reader: Reader, run: str, name: str) -> str:
    """A hint at what the user may have meant: of a large run the first debates are looked at, for comparing takes its time."""
    known = reader.debates(run, most=COMPARED)
    hint = nearest(name, [*known, *(debate.rpartition("/")[0] for debate in known)])
    if not hint.startswith("Known"):
        return hint
    number = f"{len(known)} debate{'' if len(known) == 1 else 's'}"
    count = number if len(known) < COMPARED else f"{COMPARED} debates and more"
    examples = ", ".join(shortened(one, 100) for one in known[:FEW])
    return f"It has {count}, such as {examples}." if known else ""


_LONGEST = 70
"""Characters of an id, and of what a record says, in its `repr`."""


class StoredRecord:
    """One debate of a stored run that has ended, with the names that a `Record` has.

    Scores, outcome and counts are at hand. Item, transcript, verdict and calls are read from the store when they are first
    looked at; the store must be open then.
    """

    def __init__(self, reader: Reader, run: str, row: Mapping[str, Any]) -> None:
        self._reader, self._run, self._row = reader, run, row

    def __repr__(self) -> str:
        said = ", ".join(f"{name} {score:g}" for name, score in self.scores.items() if score is not None)
        failed = self._row["failure"]
        why = f"{failed['error']}: {failed['reason']}" if failed else said
        name = shortened(self.id, _LONGEST)
        return f"<StoredRecord {name}: {self.outcome.name}, {shortened(why, _LONGEST)}>"

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def id(self) -> str:
        """The debate's id within its run."""
        return str(self._row["debate"])

    @property
    def task(self) -> str:
        """The task's name."""
        return str(self._row["task"])

    @property
    def strategy(self) -> str:
        """The strategy's title."""
        return str(self._row["strategy"])

    @property
    def aspects(self) -> tuple[str, ...]:
        """What was judged."""
        return tuple(self._row["aspects"])

    @property
    def outcome(self) -> Outcome:
        """How the debate ended."""
        return outcome_of(self._row)

    @property
    def scores(self) -> Mapping[str, float]:
        """The verdict's scores; none where the debate failed or abstained."""
        return dict(self._row["scores"])

    @property
    def human(self) -> Mapping[str, float | None]:
        """People's scores of what was judged."""
        return dict(self._row["human"])

    @property
    def candidates(self) -> tuple[str, ...]:
        """Where texts were compared: their fields, in the task's order."""
        return tuple(self._row.get("candidates") or ())

    @property
    def seconds(self) -> float:
        """How long the debate took; 0 where that is not known."""
        return float(self._row.get("seconds") or 0.0)

    @cached_property
    def item(self) -> Item:
        """The item that was judged. Raises StoreError where it is damaged."""
        with naming(self._reader.place):
            return self._reader.item(self._run, self._row["id"])

    @cached_property
    def transcript(self) -> Transcript[Message]:
        """Everything that was said."""
        with naming(self._reader.place):
            return Transcript(self._reader.messages(self._run, self.id), debate=self.id)

    @cached_property
    def calls(self) -> tuple[RunCall, ...]:
        """The model calls, with their prompts."""
        with naming(self._reader.place):
            return self._reader.calls(self._run, self.id)

    @property
    def verdict(self) -> Verdict | None:
        """The verdict; None where the debate failed."""
        said = next((one for one in reversed(self.transcript) if isinstance(one, Verdict)), None)
        return said.after(self.transcript) if said is not None and self.outcome is not FAILURE else None

    @property
    def failure(self) -> Failure | None:
        """Why the debate failed; None where it did not."""
        failed = self._row["failure"]
        return (
            None if failed is None else Failure(**{key: failed[key] for key in ("error", "reason", "agent")})
        )

    @property
    def usage(self) -> Usage:
        """The calls that were paid for and their tokens; `calls` has them one by one."""
        names = ("calls", "prompt_tokens", "completion_tokens")
        return Usage(**{name: self._row[name] for name in names})

    def row(self) -> dict[str, Any]:
        """The record as one flat row, as `Record.row()` gives it, with the debate's id."""
        return dict(self._row)

    def cells(self) -> dict[str, Any]:
        """The record as a table has it."""
        row, failed = self._row, self._row["failure"] or {}
        return {
            **{name: value for name, value in row.items() if name not in ("agent", "reason", "error")},
            **failed,
            "item": row["id"],
            "lost": [lost["agent"] for lost in row.get("lost") or ()],
            **{f"score_{name}": score for name, score in row["scores"].items()},
            **{f"human_{name}": score for name, score in row["human"].items()},
        }


_RECORD = columns(
    debate="text", item="text", group="text", system="text", task="text", strategy="text", aspects="texts", outcome="text"
)  # fmt: skip
_ENDING = columns(
    winner="text", winners="texts", agreed="boolean", settled="boolean", ended="text", curtailed="text", abstained="text",
    rounds="integer", missing="integer", lost="texts", models="texts", families="texts", error="text", agent="text", reason="text",
    calls="integer", prompt_tokens="integer", completion_tokens="integer", cached_calls="integer", seconds="number",
)  # fmt: skip
_ITEM = columns(item="text", task="text", group="text", system="text")
_RUN = columns(
    run="text", strategy="text", task="text", model="text", begun="time", ended="time", state="text", debates="integer",
    verdicts="integer", failures="integer",
)  # fmt: skip

_LONGEST_NAME = 40
"""Characters of a name in a `repr`."""

_Row = TypeVar("_Row")


class Run:
    """A run of a store. What it holds is read when it is asked for, row by row, so that a run may be larger than the memory.

    Tables can be iterated as often as you like, and turn into data frames: `run.records().to_pandas()`. A record that is
    damaged is left out and logged as a warning. Of a run that is still being held, each look has what is there by then.
    """

    def __init__(self, reader: Reader, head: RunHead, store: str) -> None:
        """`open_store(...).run(...)` makes it."""
        self.reader, self.head, self._store = reader, head, store

    def __repr__(self) -> str:
        head = self.head
        names = (shortened(one, _LONGEST_NAME) for one in (head.id, head.strategy, head.task))
        return "<Run {}: {} on {}, {} verdicts, {} failures>".format(*names, head.verdicts, head.failures)

    def _repr_html_(self) -> str:
        return html_of(self)

    @property
    def id(self) -> str:
        """The run's name in its store."""
        return self.head.id

    @property
    def strategy(self) -> str:
        """The strategy's title."""
        return self.head.strategy

    @property
    def task(self) -> str:
        """The tasks of its items, with commas between them."""
        return self.head.task

    @property
    def model(self) -> str:
        """The model that the run was begun with."""
        return self.head.model

    @property
    def configuration(self) -> Mapping[str, Any]:
        """How the run is held."""
        return self.head.configuration

    @property
    def begun(self) -> datetime:
        """When it began."""
        return datetime.fromtimestamp(self.head.created, UTC)

    @property
    def ended(self) -> datetime | None:
        """When it ended; None while it runs and where it was stopped."""
        return None if self.head.ended is None else datetime.fromtimestamp(self.head.ended, UTC)

    @property
    def state(self) -> str:
        """`ended`, `running` or `stopped`; `running, or stopped` where that cannot be known."""
        return state(self._store, self.id, ended=self.head.ended is not None)

    @property
    def outcomes(self) -> Mapping[str, int]:
        """How many debates had ended in which way when the run was opened."""
        return self.head.outcomes

    def row(self) -> dict[str, Any]:
        """The run as one flat row."""
        head = self.head
        return {
            **{
                name: getattr(head, name)
                for name in ("strategy", "task", "model", "ended", "verdicts", "failures")
            },
            "run": head.id,
            "begun": head.created,
            "state": self.state,
            "debates": head.ended_debates,
        }

    def items(self) -> Table[Item]:
        """The items, in their order: a row an item, a column a field, people's score (`human_`) and evidence (`evidence_`)."""
        items = partial(self.reader.items, self.id)
        return self._table(
            "items", self._item_columns, items, _item_cells, partial(self.reader.count, self.id, "items")
        )

    def item(self, name: str) -> Item:
        """An item by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            return self.reader.item(self.id, name)

    def records(self) -> Table[StoredRecord]:
        """The debates that have ended, in the order of the items: a row a debate, as `export` writes them."""
        count = partial(self.reader.count, self.id, "debates")
        return self._table("records", self._record_columns, self._records, StoredRecord.cells, count)

    def failures(self) -> Table[StoredRecord]:
        """The debates that failed, with the kind of error, whose turn it was, and why."""

        def failed() -> Iterator[StoredRecord]:
            return (one for one in self._records() if one.outcome is FAILURE)

        return self._table("failures", self._record_columns, failed, StoredRecord.cells)

    def record(self, debate: str) -> StoredRecord:
        """A debate that has ended, by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            row = self.reader.row(self.id, debate)
        if row is None:
            raise self._unknown(debate)
        return StoredRecord(self.reader, self.id, row)

    def transcripts(self) -> Table[Transcript[Message]]:
        """The talk of each debate, also of those that have not ended: a row a debate; `debate` is the debate's id."""
        shown = columns(debate="text", item="text", messages="integer")
        return self._table("transcripts", shown, self._transcripts, _transcript_cells)

    def transcript(self, debate: str) -> Transcript[Message]:
        """The talk of a debate, as far as it came. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            if not self.reader.has(self.id, debate):
                raise self._unknown(debate)
            return Transcript(self.reader.messages(self.id, debate), debate=debate)

    def messages(self) -> Table[RunMessage]:
        """Every message of every debate, in order: a row a message."""

        def said() -> Iterator[RunMessage]:
            return (RunMessage(debate, message) for debate, message in self.reader.said(self.id))

        return self._table("messages", MESSAGES, said, RunMessage.row)

    def ballots(self) -> Table[BallotRating]:
        """The ballots of the debates that came to a verdict: a row a rating."""

        def ratings() -> Iterator[BallotRating]:
            for debate, verdict in self.reader.said(self.id, ("verdict",)):
                if isinstance(verdict, Verdict):
                    yield from ratings_of(debate, verdict)

        return self._table("ballots", BALLOTS, ratings, BallotRating.row)

    def calls(self) -> Table[RunCall]:
        """The model calls in the order of each debate, with prompts and replies: a row a call."""
        count = partial(self.reader.count, self.id, "calls")
        return self._table("calls", CALLS, partial(self.reader.asked, self.id), RunCall.row, count)

    def costs(self, prices: PriceTable | None = None) -> Costs:
        """What the run cost so far, in tokens and in money, by agent and model; `total` is all of it together.

        `prices` goes before the project's `prices.toml` and the built-in table. Money is None where no price is known. Raises
        StoreError where a call is damaged: a sum without it would be too small.
        """
        table = usual_prices() if prices is None else prices.over(usual_prices())
        with naming(self.reader.place):
            return costs_of(self.reader, self.head, table)

    def _table(
        self,
        what: str,
        shown: "Sequence[Column] | Callable[[], Sequence[Column]]",
        read: Callable[[], Iterator[_Row]],
        cells: Callable[[_Row], dict[str, Any]],
        count: Callable[[], int] | None = None,
    ) -> Table[_Row]:
        def objects() -> Iterator[_Row]:
            with naming(self.reader.place):
                yield from read()

        return Table(f"{what} of {self.id}", shown, objects, cells, count=count)

    def _records(self) -> Iterator[StoredRecord]:
        return (StoredRecord(self.reader, self.id, row) for row in self.reader.rows(self.id))

    def _transcripts(self) -> Iterator[Transcript[Message]]:
        for debate, said in groupby(self.reader.said(self.id), lambda one: one[0]):
            yield Transcript((message for _, message in said), debate=debate)

    def _record_columns(self) -> Sequence[Column]:
        """The columns of records; scores stand in the order in which the run was asked for aspects."""
        given = self.configuration.get("aspects") or []
        order = [given] if isinstance(given, str) else list(given)

        def place(name: str) -> int:
            aspect = name.partition(".")[0]
            return order.index(aspect) if aspect in order else len(order)

        people = self.reader.score_names(self.id)
        names = sorted(people, key=place)
        scores = [*(f"score_{name}" for name in names), *(f"human_{name}" for name in names if people[name])]
        return (*_RECORD, *(Column(name, "number") for name in scores), *_ENDING)

    def _item_columns(self) -> Sequence[Column]:
        fields, numbers = dict[str, None](), dict[str, None]()
        for item in self.items():
            fields |= dict.fromkeys(map(_field, item.fields))
            numbers |= dict.fromkeys(_numbers(item))
        numbers = dict.fromkeys(sorted(numbers, key=lambda name: name.startswith("evidence_")))
        return (*_ITEM, *map(Column, fields), *(Column(name, "number") for name in numbers))

    def _unknown(self, debate: str) -> UsageError:
        known = self.reader.debates(self.id, most=COMPARED)
        return UsageError(
            f"run {self.id} has no debate {debate!r} that could be read. {nearest(debate, known)}"
        )


def _transcript_cells(talk: Transcript[Message]) -> dict[str, Any]:
    return {"debate": talk.debate, "item": talk.debate.rpartition("/")[0], "messages": len(talk)}


def _field(name: str) -> str:
    """The column of a field; one that goes by the name of another column has `field_` before it."""
    taken = {column.name for column in _ITEM}
    return f"field_{name}" if name in taken or name.startswith(("human_", "evidence_")) else name


def _numbers(item: Item) -> dict[str, Any]:
    """People's scores of an item and its evidence, by their columns."""
    human = {f"human_{name}": score for name, score in item.human.items()}
    return human | {f"evidence_{name}": score for name, score in item.evidence.items()}


def _item_cells(item: Item) -> dict[str, Any]:
    fields = {_field(name): text for name, text in item.fields.items()}
    named = {"item": item.id, "task": item.task, "group": item.group, "system": item.system}
    return {**fields, **_numbers(item), **named}


class Store:
    """A store of runs, opened to be read. Use it as a context manager, or close it; one that is let go closes itself."""

    def __init__(self, url: str | Path) -> None:
        """`open_store` makes it."""
        database = open_database(url, reading=True)
        self._url = str(url)
        self._reader = Reader(database)
        # Whatever reads holds the reader: when it is let go, nobody reads any more.
        self._closing = finalize(self._reader, _closed, database, self._reader.damage)

    def __repr__(self) -> str:
        return f"<Store {self._reader.place[-150:]!r}>"

    def _repr_html_(self) -> str:
        return html_of(self.runs())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections. What was read stays; to read on is a StoreError. Safe to call twice."""
        self._closing()

    def runs(self) -> Table[Run]:
        """Every run that can be read, the newest last."""
        return Table(f"runs of {self._reader.place}", _RUN, self._runs, Run.row)

    def run(self, name: str = LAST) -> Run:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError and StoreError."""
        with naming(self._reader.place):
            return Run(self._reader, self._reader.run(name), self._url)

    def _runs(self) -> Iterator[Run]:
        for head in self._reader.runs():
            yield Run(self._reader, head, self._url)


def _closed(database: Database, damage: DamageLog) -> None:
    damage.close()
    database.end()


def open_store(url: str | Path) -> Store:
    """Open the store at a path or database URL to read its runs.

    It can be read while runs are written to it. Nothing is changed, except that a store of an older version is brought to this
    version's tables. Raises UsageError where there is no store, and StoreError where it cannot be read.
    """
    return Store(url)
