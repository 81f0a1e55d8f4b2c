"""A run of a store, to be read: its items, records, transcripts, ballots, calls, costs and failures. Nothing is kept in memory."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.models.prices import PriceTable
from agentdebate.models.prices import prices as usual_prices
from agentdebate.store import stored_ballot, stored_call, stored_message
from agentdebate.store.costs import Costs, costs_of
from agentdebate.store.damage import naming
from agentdebate.store.lock import state
from agentdebate.store.reader import Reader, RunHead
from agentdebate.store.stored_ballot import BallotRating
from agentdebate.store.stored_call import RunCall, calls_of
from agentdebate.store.stored_message import RunMessage
from agentdebate.store.stored_record import StoredRecord, record_columns
from agentdebate.store.stored_transcripts import Transcripts
from agentdebate.tables.column import Column
from agentdebate.tables.drawing import html_of
from agentdebate.tables.table import Table
from agentdebate.talk.messages import Message, Verdict
from agentdebate.talk.transcript import Transcript
from agentdebate.tasks import Item
from agentdebate.visible import shortened

COLUMNS = (
    *(Column("run"), Column("strategy"), Column("task"), Column("model")),
    *(Column("begun", "time"), Column("ended", "time"), Column("state")),
    *(Column("debates", "integer"), Column("verdicts", "integer"), Column("failures", "integer")),
)
"""The columns of a table of runs."""

_NAMES = ("item", "task", "group", "system")
_COMPARED = 5000
"""Debates whose names are compared with one that is not there."""
_LONGEST = 40
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
        names = (shortened(one, _LONGEST) for one in (head.id, head.strategy, head.task))
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
        return {
            **{
                name: getattr(self.head, name)
                for name in ("strategy", "task", "model", "verdicts", "failures")
            },
            "run": self.id,
            "begun": self.head.created,
            "ended": self.head.ended,
            "state": self.state,
            "debates": self.head.ended_debates,
        }

    def items(self) -> Table[Item]:
        """The items, in their order: a row an item, a column a field, people's score (`human_`) and evidence (`evidence_`)."""
        return Table(
            f"items of {self.id}",
            self._item_columns,
            lambda: self._read(self.reader.items(self.id)),
            _item_cells,
            count=lambda: self.reader.count(self.id, "items"),
        )

    def item(self, name: str) -> Item:
        """An item by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            return self.reader.item(self.id, name)

    def records(self) -> Table[StoredRecord]:
        """The debates that have ended, in the order of the items: a row a debate, as `export` writes them."""
        return self._table_of_records(
            "records", lambda _row: True, count=lambda: self.reader.count(self.id, "debates")
        )

    def failures(self) -> Table[StoredRecord]:
        """The debates that failed, with the kind of error, whose turn it was, and why."""
        return self._table_of_records("failures", lambda row: outcome_of(row) is FAILURE)

    def record(self, debate: str) -> StoredRecord:
        """A debate that has ended, by its id. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            row = self.reader.row(self.id, debate)
        if row is None:
            raise self._unknown(debate)
        return StoredRecord(self.reader, self.id, row)

    def transcripts(self) -> Transcripts:
        """What was said in each debate, also in those that have not ended; `debate` is the debate's id."""
        return Transcripts(self.reader, self.id)

    def transcript(self, debate: str) -> Transcript[Message]:
        """What was said in a debate, as far as it came. Raises UsageError where there is none, and StoreError."""
        with naming(self.reader.place):
            if not self.reader.has(self.id, debate):
                raise self._unknown(debate)
            return Transcript(self.reader.messages(self.id, debate), debate=debate)

    def messages(self) -> Table[RunMessage]:
        """Every message of every debate, in order: a row a message."""

        def objects() -> Iterator[RunMessage]:
            said = self._read(self.reader.said(self.id))
            return (RunMessage(debate, message) for debate, message in said)

        return Table(f"messages of {self.id}", stored_message.COLUMNS, objects, RunMessage.row)

    def ballots(self) -> Table[BallotRating]:
        """The ballots of the debates that came to a verdict: a row a rating."""
        return Table(
            f"ballots of {self.id}",
            stored_ballot.COLUMNS,
            lambda: self._read(self._ratings()),
            BallotRating.row,
        )

    def calls(self) -> Table[RunCall]:
        """The model calls in the order of each debate, with prompts and replies: a row a call."""
        return Table(
            f"calls of {self.id}",
            stored_call.COLUMNS,
            lambda: self._read(calls_of(self.reader, self.id, self.reader.asked(self.id))),
            RunCall.row,
            count=lambda: self.reader.count(self.id, "calls"),
        )

    def costs(self, prices: PriceTable | None = None) -> Costs:
        """What the run cost so far, in tokens and in money, by agent and model; `total` is all of it together.

        `prices` goes before the project's `prices.toml` and the built-in table. Money is None where no price is known. Raises
        StoreError where a call is damaged: a sum without it would be too small.
        """
        table = usual_prices() if prices is None else prices.over(usual_prices())
        with naming(self.reader.place):
            return costs_of(self.reader, self.head, table)

    def _table_of_records(
        self,
        title: str,
        wanted: Callable[[Mapping[str, Any]], bool],
        count: Callable[[], int] | None = None,
    ) -> Table[StoredRecord]:
        def objects() -> Iterator[StoredRecord]:
            rows = self._read(self.reader.rows(self.id))
            return (StoredRecord(self.reader, self.id, row) for row in rows if wanted(row))

        columns = self._record_columns
        return Table(f"{title} of {self.id}", columns, objects, StoredRecord.cells, count=count)

    def _record_columns(self) -> tuple[Column, ...]:
        names = self.reader.score_names(self.id)
        given = self.configuration.get("aspects") or []
        order = [given] if isinstance(given, str) else list(given)

        def place(named: tuple[str, bool]) -> int:
            aspect = named[0].partition(".")[0]
            return order.index(aspect) if aspect in order else len(order)

        return record_columns(sorted(names, key=place))

    def _ratings(self) -> Iterator[BallotRating]:
        for debate, verdict in self.reader.said(self.id, ["verdict"]):
            if isinstance(verdict, Verdict):
                yield from stored_ballot.ratings_of(debate, verdict)

    def _item_columns(self) -> tuple[Column, ...]:
        fields, human, evidence = (dict[str, None]() for _ in range(3))
        for item in self._read(self.reader.items(self.id)):
            fields.update(dict.fromkeys(item.fields))
            human.update(dict.fromkeys(item.human))
            evidence.update(dict.fromkeys(item.evidence))
        names = [*(f"human_{name}" for name in human), *(f"evidence_{name}" for name in evidence)]
        return (
            *(Column(name) for name in _NAMES),
            *(Column(_field(name)) for name in fields),
            *(Column(name, "number") for name in names),
        )

    def _read(self, rows: Iterable[_Row]) -> Iterator[_Row]:
        """The rows; damage that ends everything says in which store it is."""
        with naming(self.reader.place):
            yield from rows

    def _unknown(self, debate: str) -> UsageError:
        known = self.reader.debates(self.id, most=_COMPARED)
        return UsageError(
            f"run {self.id} has no debate {debate!r} that could be read. {nearest(debate, known)}"
        )


def _field(name: str) -> str:
    """The column of a field; one that goes by the name of another column has `field_` before it."""
    return f"field_{name}" if name in _NAMES or name.startswith(("human_", "evidence_")) else name


def _item_cells(item: Item) -> dict[str, Any]:
    return {
        **{_field(name): text for name, text in item.fields.items()},
        **{f"human_{name}": score for name, score in item.human.items()},
        **{f"evidence_{name}": score for name, score in item.evidence.items()},
        "item": item.id,
        "task": item.task,
        "group": item.group,
        "system": item.system,
    }
