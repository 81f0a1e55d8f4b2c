"""What a store holds, read back."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError, nearest
from agentdebate.messages import Message, decode
from agentdebate.models.base import Completion
from agentdebate.store.address import shown
from agentdebate.store.news import News
from agentdebate.store.schema import CALLS, DEBATES, ITEMS, MESSAGES, RUNS, open_engine
from agentdebate.tasks import Item
from agentdebate.usage import Usage

LAST = "last"
"""Stands for the newest run."""


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
    """Reads a store. Debates that have not ended have messages and calls and no row."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine

    def runs(self) -> list[RunHead]:
        """Every run, the newest last."""
        return self._heads(sa.select(RUNS), sa.select(DEBATES.c.run, DEBATES.c.state, sa.func.count()))

    def run(self, name: str) -> RunHead:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError."""
        with self._engine.connect() as connection:
            ids = connection.execute(sa.select(RUNS.c.id).order_by(RUNS.c.created, RUNS.c.id)).scalars().all()
        run = _named(name, ids)
        counted = sa.select(DEBATES.c.run, DEBATES.c.state, sa.func.count()).where(DEBATES.c.run == run)
        (head,) = self._heads(sa.select(RUNS).where(RUNS.c.id == run), counted)
        return head

    def ended(self, run: str) -> bool:
        """Whether a run has come to its end."""
        with self._engine.connect() as connection:
            return connection.execute(sa.select(RUNS.c.ended).where(RUNS.c.id == run)).scalar() is not None

    def configuration(self, run: str) -> dict[str, Any]:
        """How a run is held, with what was found out since it began."""
        with self._engine.connect() as connection:
            told = connection.execute(sa.select(RUNS.c.configuration).where(RUNS.c.id == run)).scalar()
        return dict(json.loads(told or "{}"))

    def rows(self, run: str) -> Iterator[dict[str, Any]]:
        """Every debate of a run that has ended, as Record.row() gave it, in the order of the items."""
        same = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
        query = (
            sa.select(DEBATES.c.id, DEBATES.c.row)
            .select_from(DEBATES.outerjoin(ITEMS, same))
            .where(DEBATES.c.run == run)
            .order_by(ITEMS.c.number, DEBATES.c.item, DEBATES.c.id)
        )
        with self._engine.connect() as connection:
            for debate, row in connection.execution_options(yield_per=500).execute(query):
                yield {"debate": debate, **json.loads(row)}

    def row(self, run: str, debate: str) -> dict[str, Any] | None:
        """A debate of a run as Record.row() gave it; None where it has not ended."""
        query = sa.select(DEBATES.c.row).where(DEBATES.c.run == run, DEBATES.c.id == debate)
        with self._engine.connect() as connection:
            row = connection.execute(query).scalar()
        return None if row is None else {"debate": debate, **json.loads(row)}

    def not_ended(self, run: str) -> int:
        """How many debates of a run have been begun and have not ended."""
        over = sa.select(DEBATES.c.id).where(DEBATES.c.run == run)
        query = sa.select(sa.func.count(sa.distinct(MESSAGES.c.debate))).where(
            MESSAGES.c.run == run, MESSAGES.c.debate.not_in(over)
        )
        with self._engine.connect() as connection:
            return connection.execute(query).scalar() or 0

    def has(self, run: str, debate: str) -> bool:
        """Whether a debate of a run has been begun."""
        begun = sa.select(MESSAGES.c.seq).where(MESSAGES.c.run == run, MESSAGES.c.debate == debate).limit(1)
        with self._engine.connect() as connection:
            said = connection.execute(begun).first() is not None
        return said or self.row(run, debate) is not None

    def debates(self, run: str, *, item: str | None = None, most: int | None = None) -> list[str]:
        """The ids of a run's debates, those that have not ended included: all, or those about an item, but no more than `most`."""
        begun = sa.select(MESSAGES.c.debate).where(
            MESSAGES.c.run == run, *self._about(MESSAGES.c.debate, item)
        )
        ended = sa.select(DEBATES.c.id).where(DEBATES.c.run == run, *self._about(DEBATES.c.id, item))
        parts = [sa.select(part.distinct().limit(most).subquery()) for part in (begun, ended)]
        with self._engine.connect() as connection:
            found = sorted(connection.execute(sa.union(*parts)).scalars())[:most]
        return [debate for debate in found if item is None or debate.rpartition("/")[0] == item]

    def spent(self, run: str) -> dict[str, Usage]:
        """What the calls of a run did cost, by the name that the model goes by at its endpoint; what a cache gave cost nothing."""
        spent: dict[str, Usage] = {}
        query = sa.select(CALLS.c.completion).where(CALLS.c.run == run)
        with self._engine.connect() as connection:
            for text in connection.execution_options(yield_per=500).execute(query).scalars():
                said = json.loads(text)
                if not said.get("cached"):
                    usage = Usage.model_validate(said["usage"])
                    spent[said["model"]] = spent.get(said["model"], Usage()) + usage
        return spent

    def news(self, run: str) -> News:
        """The debates of a run as they end while another process is at work on it."""
        return News(self._engine, run)

    def item(self, run: str, item: str) -> Item:
        """An item of a run. Raises UsageError."""
        query = sa.select(ITEMS.c.data).where(ITEMS.c.run == run, ITEMS.c.id == item)
        with self._engine.connect() as connection:
            data = connection.execute(query).scalar()
        if data is None:
            raise UsageError(f"run {run} has no item {item!r}")
        return Item.model_validate(json.loads(data))

    def items(self, run: str) -> Iterator[Item]:
        """The items of a run, in their order."""
        query = sa.select(ITEMS.c.data).where(ITEMS.c.run == run).order_by(ITEMS.c.number)
        with self._engine.connect() as connection:
            for data in connection.execution_options(yield_per=500).execute(query).scalars():
                yield Item.model_validate(json.loads(data))

    def messages(self, run: str, debate: str, *, after: int = -1) -> tuple[Message, ...]:
        """A debate's transcript, as far as it came, or what came `after` the message of that number."""
        query = sa.select(MESSAGES.c.data).where(
            MESSAGES.c.run == run, MESSAGES.c.debate == debate, MESSAGES.c.seq > after
        )
        with self._engine.connect() as connection:
            return tuple(
                decode(data) for data in connection.execute(query.order_by(MESSAGES.c.seq)).scalars()
            )

    def said(self, run: str, kinds: Sequence[str] | None = None) -> Iterator[tuple[str, Message]]:
        """Every message of a run, or those of these kinds, with the id of its debate, in the order of each debate."""
        wanted = sa.true() if kinds is None else MESSAGES.c.kind.in_(kinds)
        query = sa.select(MESSAGES.c.debate, MESSAGES.c.data).where(MESSAGES.c.run == run, wanted)
        with self._engine.connect() as connection:
            streamed = connection.execution_options(yield_per=500)
            for debate, data in streamed.execute(query.order_by(MESSAGES.c.debate, MESSAGES.c.seq)):
                yield debate, decode(data)

    def calls(self, run: str, debate: str) -> tuple[StoredCall, ...]:
        """A debate's model calls, in order."""
        query = sa.select(CALLS).where(CALLS.c.run == run, CALLS.c.debate == debate).order_by(CALLS.c.number)
        with self._engine.connect() as connection:
            return tuple(_call(row) for row in connection.execute(query).mappings())

    def completions(self, run: str) -> Iterator[tuple[str, int, Completion]]:
        """Every completion of a run, with the id of its debate and the number of the Ask that it is for."""
        query = sa.select(CALLS.c.debate, CALLS.c.ask, CALLS.c.completion).where(CALLS.c.run == run)
        with self._engine.connect() as connection:
            for debate, ask, data in connection.execution_options(yield_per=500).execute(query):
                yield debate, ask, Completion.model_validate(json.loads(data))

    def asked(self, run: str) -> Iterator[tuple[str, StoredCall]]:
        """Every model call of a run, with the id of its debate, in the order of each debate."""
        query = sa.select(CALLS).where(CALLS.c.run == run).order_by(CALLS.c.debate, CALLS.c.number)
        with self._engine.connect() as connection:
            streamed = connection.execution_options(yield_per=500)
            for row in streamed.execute(query).mappings():
                yield row["debate"], _call(row)

    def _about(self, debate: sa.Column[str], item: str | None) -> list[sa.ColumnElement[bool]]:
        """What holds of the ids of debates about an item, and of few others."""
        if item is None:
            return []
        if self._engine.dialect.name == "sqlite":  # compares bytes, so that the table's key leads there
            return [debate >= f"{item}/", debate < f"{item}0"]  # 0 comes after /
        return [sa.func.substr(debate, 1, len(item) + 1) == f"{item}/"]

    def _heads(self, runs: sa.Select[Any], counted: "sa.Select[Any]") -> list[RunHead]:
        with self._engine.connect() as connection:
            rows = connection.execute(runs.order_by(RUNS.c.created, RUNS.c.id)).mappings().all()
            counts = {
                (run, state): count
                for run, state, count in connection.execute(counted.group_by(DEBATES.c.run, DEBATES.c.state))
            }
        return [_head(row, counts) for row in rows]


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
        raise UsageError(f"there is no run {name!r}. {nearest(name, list(ids[-5:]))}")
    return found[0]


@contextmanager
def read_store(url: str | Path) -> Iterator[Reader]:
    """The store at a path or URL, for reading. Raises UsageError where there is none, StoreError where it cannot be read."""
    engine = open_engine(url, create=False)
    if engine.dialect.name == "sqlite":
        sa.event.listen(engine, "connect", _only_read)
        engine.dispose()  # of the connection that has brought an older store to this version's schema
    try:
        yield Reader(engine)
    except sa.exc.DBAPIError as error:
        raise StoreError(f"the store {shown(url)} cannot be read: {error.orig}") from error
    finally:
        engine.dispose()


def _only_read(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]  # the driver's own connection
    cursor.execute("PRAGMA query_only = ON")
    cursor.close()


def _head(row: Mapping[Any, Any], counts: Mapping[tuple[str, str], int]) -> RunHead:
    return RunHead(
        id=row["id"],
        created=row["created"],
        ended=row["ended"],
        strategy=row["strategy"],
        task=row["task"],
        model=row["model"],
        configuration=json.loads(row["configuration"]),
        verdicts=counts.get((row["id"], "verdict"), 0),
        failures=counts.get((row["id"], "failure"), 0),
    )


def _call(row: Mapping[Any, Any]) -> StoredCall:
    return StoredCall(
        number=row["number"],
        agent=row["agent"],
        round=row["round"],
        ask=row["ask"],
        attempt=row["attempt"],
        shown=tuple(json.loads(row["shown"])),
        key=row["key"],
        sampling=json.loads(row["sampling"]),
        schema=row["schema"],
        sample=row["sample"],
        prompt=tuple(json.loads(row["prompt"])),
        completion=Completion.model_validate(json.loads(row["completion"])),
    )
