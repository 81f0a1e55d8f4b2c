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
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(RUNS).order_by(RUNS.c.created, RUNS.c.id)).mappings().all()
            counts = {
                (run, state): count
                for run, state, count in connection.execute(
                    sa.select(DEBATES.c.run, DEBATES.c.state, sa.func.count()).group_by(
                        DEBATES.c.run, DEBATES.c.state
                    )
                )
            }
        return [_head(row, counts) for row in rows]

    def run(self, name: str) -> RunHead:
        """The run of that name, or of the one name that begins so; "last" is the newest. Raises UsageError."""
        runs = self.runs()
        if not runs:
            raise UsageError("the store holds no run yet")
        if name == LAST:
            return runs[-1]
        exact = [run for run in runs if run.id == name]
        found = exact or [run for run in runs if run.id.startswith(name)]
        if len(found) > 1:
            raise UsageError(f"{name!r} begins {len(found)} runs: {', '.join(run.id for run in found)}")
        if not found:
            raise UsageError(f"there is no run {name!r}. {nearest(name, [run.id for run in runs[-5:]])}")
        return found[0]

    def rows(self, run: str) -> Iterator[dict[str, Any]]:
        """Every debate of a run that has ended, as Record.row() gave it, in the order of the items."""
        same = sa.and_(ITEMS.c.run == DEBATES.c.run, ITEMS.c.id == DEBATES.c.item)
        query = (
            sa.select(DEBATES.c.id, DEBATES.c.row)
            .select_from(DEBATES.outerjoin(ITEMS, same))
            .where(DEBATES.c.run == run)
            .order_by(ITEMS.c.number, DEBATES.c.id)
        )
        with self._engine.connect() as connection:
            for debate, row in connection.execution_options(yield_per=500).execute(query):
                yield {"debate": debate, **json.loads(row)}

    def debates(self, run: str) -> list[str]:
        """The ids of a run's debates, those that have not ended included."""
        begun = sa.select(MESSAGES.c.debate).where(MESSAGES.c.run == run)
        ended = sa.select(DEBATES.c.id).where(DEBATES.c.run == run)
        with self._engine.connect() as connection:
            return sorted(connection.execute(sa.union(begun, ended)).scalars())

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

    def messages(self, run: str, debate: str) -> tuple[Message, ...]:
        """A debate's transcript, as far as it came."""
        query = sa.select(MESSAGES.c.data).where(MESSAGES.c.run == run, MESSAGES.c.debate == debate)
        with self._engine.connect() as connection:
            return tuple(
                decode(data) for data in connection.execute(query.order_by(MESSAGES.c.seq)).scalars()
            )

    def said(self, run: str, kinds: Sequence[str]) -> Iterator[tuple[str, Message]]:
        """Every message of these kinds in a run, with the id of its debate, in the order of each debate."""
        query = sa.select(MESSAGES.c.debate, MESSAGES.c.data).where(
            MESSAGES.c.run == run, MESSAGES.c.kind.in_(kinds)
        )
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


@contextmanager
def read_store(url: str | Path) -> Iterator[Reader]:
    """The store at a path or URL, for reading. Raises UsageError where there is none, StoreError where it cannot be read."""
    engine = open_engine(url, create=False)
    try:
        yield Reader(engine)
    except sa.exc.DBAPIError as error:
        raise StoreError(f"the store {url} cannot be read: {error.orig}") from error
    finally:
        engine.dispose()


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
