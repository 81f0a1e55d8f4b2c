"""The queue of a run and its crew: which debates are left, which worker holds each, how far the workers are, and whether they are to stop.

A worker says every second that it is there. A debate that it takes is leased to it until the debate has ended, the worker leaves, or
the worker has not been heard of for as long as its leases last: then others may take the debate. Each taking has a token that no other
taking has had; what a debate writes is entered in a transaction that first looks whether the debate still has the token, and keeps it from
being taken until the commit. So a process that slept, or whose network was gone, enters nothing after another one took its debates.

All workers go by one clock: that of the database server, or for a file the clock of the one machine on which it is used that counts from
the machine's start and that no one can set.
"""

import json
import secrets
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from operator import attrgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import AgentDebateError, LeaseLost
from agentdebate.store.database import SERVER
from agentdebate.store.debate_writer import Entry, forget_messages
from agentdebate.store.schema import IN_FLIGHT, LEASES, QUEUES, RUNS, WORKERS, Condition

SECONDS = 60.0
"""Seconds that a lease lasts after its worker's last heartbeat."""

_BY_INDEX = "SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off; SET LOCAL enable_sort = off"
"""Setting that has the server look up leases by their index. A queue that was just entered has no statistics, and without them each taking
would sort the whole of it."""


def database_clock(connection: sa.Connection) -> "sa.ColumnElement[float]":
    """The clock that all workers of a run share: the server's, or for a file the machine's since it started."""
    if connection.dialect.name == SERVER:
        return sa.literal_column("extract(epoch FROM clock_timestamp())", sa.Double())
    return sa.literal(time.monotonic(), sa.Double())


def is_here(now: "sa.ColumnElement[float]") -> Condition:
    """A worker that has not left, and was heard of lately. One that was seen later than now worked before its machine was restarted."""
    return sa.and_(WORKERS.c.departed.is_(None), WORKERS.c.seen <= now, WORKERS.c.until > now)


def open_queue(connection: sa.Connection, number: int, code: Mapping[str, Any]) -> None:
    """Make the queue of a new run."""
    connection.execute(QUEUES.insert(), {"run": number, "entered": False, "code": json.dumps(code)})


def close_queue(connection: sa.Connection, number: int) -> None:
    """Say that all debates of a run have been entered."""
    connection.execute(QUEUES.update().where(QUEUES.c.run == number).values(entered=True))


def queue_of(connection: sa.Connection, run: str) -> Any:
    """The row of a run's queue; None where the run is worked on by one process alone."""
    query = sa.select(QUEUES).join(RUNS, RUNS.c.number == QUEUES.c.run).where(RUNS.c.id == run)
    return connection.execute(query).first()


def lease_entry(debate: str, *, place: int, item: str, item_number: int, aspects: Sequence[str]) -> Entry:
    """The row of a debate that any process may take."""
    row = {"debate": debate, "place": place, "item": item, "item_number": item_number}
    return Entry(LEASES, {**row, "aspects": json.dumps(aspects), "taken": 0, "worker": None, "token": 0})


class Taken(NamedTuple):
    """A debate that was taken."""

    debate: str
    item: str
    item_number: int
    aspects: tuple[str, ...]
    place: int
    again: bool
    """True if it was taken before, so that calls of it may be on disk."""
    token: int
    """Fencing token of its writes."""


@dataclass(frozen=True)
class Tally:
    """Work that a worker has done so far."""

    debates: int = 0
    """Debates that it has held to their end."""
    lost: int = 0
    """Leases that it lost."""
    tokens: int = 0
    """Tokens that it has spent of the budget."""
    units: int = 0
    """Money that it has spent of the budget, in trillionths."""


@dataclass(frozen=True)
class Told:
    """Answer to a worker's heartbeat."""

    stop: bool
    """True if the worker has to stop."""
    tokens: int
    """Tokens that all other workers have spent of the budget."""
    units: int
    """Money that they have spent of it, in trillionths."""
    lost: frozenset[str] = frozenset()
    """The debates that others have taken, since this worker was not heard of for so long."""


class Leases:
    """One worker of a run, and the debates that are leased to it. Every method works within the transaction of the connection.

    `seconds` is how long its leases last after it was last heard of.
    """

    def __init__(self, run: int, worker: str, *, seconds: float = SECONDS) -> None:
        self.run, self.worker, self.seconds = run, worker, seconds
        self.tokens: dict[str, int] = {}
        """The token of each debate that is held, as far as is known here."""
        self._me = (WORKERS.c.run == run, WORKERS.c.name == worker)

    def join(self, connection: sa.Connection) -> bool:
        """Enter the worker. Whether it is the first of the run comes back."""
        connection.execute(sa.select(QUEUES.c.run).where(QUEUES.c.run == self.run).with_for_update())
        others = sa.select(WORKERS.c.name).where(WORKERS.c.run == self.run)
        first = connection.execute(others.limit(1)).first() is None
        now = database_clock(connection)
        row = {"run": self.run, "name": self.worker, "begun": now, "seen": now, "until": now + self.seconds}
        connection.execute(WORKERS.insert().values(**row, told=False, **asdict(Tally())))
        return first

    def report(self, connection: sa.Connection, tally: Tally) -> Told:
        """Say that the worker is there and what it has done, and hear what it is to do.

        A worker that is not on the list any more, since its run was deleted, is to stop.
        """
        stop = connection.execute(sa.select(WORKERS.c.told).where(*self._me)).scalar()
        now = database_clock(connection)
        seen = {"seen": now, "until": now + self.seconds, **asdict(tally)}
        connection.execute(WORKERS.update().where(*self._me).values(**seen))
        sums = (sa.func.sum(WORKERS.c[name]) for name in ("tokens", "units"))
        others = sa.select(*sums).where(WORKERS.c.run == self.run, WORKERS.c.name != self.worker)
        tokens, units = (int(spent or 0) for spent in connection.execute(others).one())
        kept = sa.select(LEASES.c.debate).where(*self._mine(self.tokens))
        lost = frozenset(self.tokens).difference(connection.execute(kept).scalars())
        return Told(stop is not False, tokens, units, lost)

    def leave(self, connection: sa.Connection, tally: Tally, why: str) -> None:
        """Say that the worker leaves, and why. Others may take at once what it held."""
        now = database_clock(connection)
        connection.execute(WORKERS.update().where(*self._me).values(seen=now, departed=why, **asdict(tally)))

    def take(self, connection: sa.Connection, most: int) -> list[Taken]:
        """Take debates that no worker holds, those first that were taken least often. What was said in one that is taken over is cleared away.

        Calls are kept: they are paid for. Debates are held from `hold` on, once the transaction is known to have ended; those of
        a taking of which the worker never heard it takes again. None is among them that is held here already, as far as is known: a
        server that crashed may have forgotten that, and two holdings of a debate in one process would write the same rows.
        """
        if connection.dialect.name == SERVER:
            connection.exec_driver_sql(_BY_INDEX)
        others = sa.select(WORKERS.c.name).where(
            WORKERS.c.run == self.run, WORKERS.c.name != self.worker, is_here(database_clock(connection))
        )
        # Coalesced, so that rows are gone through in the order of takings, and not by the index of workers and sorted.
        free = sa.func.coalesce(LEASES.c.worker, "").not_in(others)
        queue = sa.select(LEASES.c.debate).where(
            LEASES.c.run == self.run, free, LEASES.c.debate.not_in(list(self.tokens))
        )
        queue = queue.order_by(LEASES.c.taken, LEASES.c.place).limit(most)
        # A server passes by the rows that another process is taking at the moment.
        first = queue.with_for_update(skip_locked=True, of=LEASES).cte("first")
        token = secrets.randbits(62) + 1
        take = LEASES.update().values(worker=self.worker, token=token, taken=LEASES.c.taken + 1)
        take = take.where(LEASES.c.run == self.run, LEASES.c.debate.in_(sa.select(first.c.debate)))
        rows = connection.execute(take.returning(LEASES)).all()
        taken = [
            Taken(
                row.debate,
                row.item,
                row.item_number,
                tuple(json.loads(row.aspects)),
                row.place,
                row.taken > 1,
                token,
            )
            for row in sorted(rows, key=attrgetter("taken", "place"))
        ]
        if again := [one.debate for one in taken if one.again]:
            forget_messages(connection, self.run, IN_FLIGHT.c.debate.in_(again))
        return taken

    def hold(self, taken: Iterable[Taken]) -> None:
        """Take note of debates whose taking is entered: from now on they are written here."""
        self.tokens.update((one.debate, one.token) for one in taken)

    def guard(
        self, connection: sa.Connection, debates: Collection[str], *, ending: Collection[str] = ()
    ) -> Mapping[str, AgentDebateError]:
        """Say which debates this worker does not hold any more. No worker can take the others until the transaction ends.

        Those that are `ending`, and are held, are taken from the queue by the same statement: how they ended is entered in the
        same transaction.
        """
        held = set[str]()
        known = set(debates) & self.tokens.keys()
        if over := known.intersection(ending):
            ended = LEASES.delete().where(*self._mine(over)).returning(LEASES.c.debate)
            held.update(connection.execute(ended).scalars())
        if going_on := known.difference(ending):
            kept = sa.select(LEASES.c.debate).where(*self._mine(going_on))
            held.update(connection.execute(kept.with_for_update(read=True)).scalars())
        lost = "the worker {} does not hold the debate {} any more: another one has taken it, and nothing more of it is written here"
        return {one: LeaseLost(lost.format(self.worker, one)) for one in debates if one not in held}

    def _mine(self, debates: Iterable[str]) -> tuple[Condition, ...]:
        """The condition of the rows of these debates that have the tokens of this worker."""
        tokens = {debate: self.tokens[debate] for debate in debates}
        return (
            LEASES.c.run == self.run,
            LEASES.c.debate.in_(tokens),
            LEASES.c.token.in_(set(tokens.values())),
        )

    def forget(self, debates: Iterable[str]) -> None:
        """Release debates that have ended, or that were lost: from now on nothing of them is entered."""
        for debate in debates:
            self.tokens.pop(debate, None)

    def left(self, connection: sa.Connection) -> bool:
        """Tell whether there are debates that have not ended, held or not."""
        query = sa.select(LEASES.c.debate).where(LEASES.c.run == self.run).limit(1)
        return connection.execute(query).first() is not None


@dataclass(frozen=True)
class Worker:
    """A process that works, or has worked, on a run."""

    name: str
    """Machine, process number and a word that tells it from all others."""
    state: str
    """`working`, `lost` where it was killed or cannot reach the database, or why it left."""
    seconds: float
    """Seconds that it has worked."""
    seen: float
    """Seconds since it was last heard of."""
    expires: float
    """Seconds until its leases run out, unless it is heard of again; below 0 where they have."""
    debates: int
    """Debates that it has held to their end."""
    held: int
    """Debates that it holds at the moment."""
    lost: int
    """Leases that it lost."""

    @property
    def rate(self) -> float:
        """Debates a second."""
        return self.debates / self.seconds if self.seconds > 0 else 0.0


@dataclass(frozen=True)
class Crew:
    """The queue of a run, and everyone who works or has worked on it."""

    run: str
    entered: bool
    """True if all of its debates have been entered."""
    left: int
    """Debates that have not ended."""
    stopping: bool
    """True if the running workers were told to stop."""
    workers: Sequence[Worker]

    @property
    def working(self) -> list[Worker]:
        """Workers that work at the moment."""
        return [one for one in self.workers if one.state == "working"]

    @property
    def rate(self) -> float:
        """Debates a second, of all who work at the moment."""
        return sum(one.rate for one in self.working)

    @property
    def lost(self) -> int:
        """Leases that were lost, by anybody."""
        return sum(one.lost for one in self.workers)

    @property
    def held(self) -> int:
        """Debates left that a worker holds."""
        return sum(one.held for one in self.workers)

    @property
    def state(self) -> str:
        """`queued` where no worker has begun, `running`, `stopping` or `stopped`."""
        if self.working:
            return "stopping" if self.stopping else "running"
        return "stopped" if self.workers or not self.entered else "queued"


def crew_of(connection: sa.Connection, run: str) -> Crew | None:
    """The crew of a run; None where the run has no queue."""
    queue = queue_of(connection, run)
    if queue is None:
        return None
    now = database_clock(connection)
    counts = sa.select(LEASES.c.worker, sa.func.count()).where(LEASES.c.run == queue.run)
    held = dict(map(tuple, connection.execute(counts.group_by(LEASES.c.worker))))
    here = is_here(now).label("here")
    of_run = sa.select(WORKERS, now.label("now"), here).where(WORKERS.c.run == queue.run)
    rows = connection.execute(of_run.order_by(WORKERS.c.begun)).all()
    workers = tuple(_worker(row, held.get(row.name, 0) if row.here else 0) for row in rows)
    stopping = any(row.here and row.told for row in rows)
    return Crew(run, queue.entered, sum(held.values()), stopping, workers)


def _worker(row: Any, held: int) -> Worker:
    state = row.departed or ("working" if row.here else "lost")
    seconds = max((row.now if row.here else row.seen) - row.begun, 0.0)
    seen = max(row.now - row.seen, 0.0)
    return Worker(row.name, state, seconds, seen, row.until - row.now, row.debates, held, row.lost)


def tell_to_stop(connection: sa.Connection, run: str) -> int:
    """Tell the workers of a run to stop; how many there are comes back. Those who begin later are not meant."""
    number = sa.select(RUNS.c.number).where(RUNS.c.id == run).scalar_subquery()
    there = (WORKERS.c.run == number, WORKERS.c.departed.is_(None))
    connection.execute(WORKERS.update().where(*there).values(told=True))
    here = sa.select(sa.func.count()).select_from(WORKERS).where(*there, is_here(database_clock(connection)))
    return int(connection.execute(here).scalar_one())
