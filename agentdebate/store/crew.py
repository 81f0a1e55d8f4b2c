"""The queue of a run and its crew: which processes work on it, who holds which debate, how far they are, and whether they were told to stop.

A lease is the right of one process to hold one debate for a while. All times are the database's own, so that the clocks of machines need
not agree. A taking has a token that no other taking has had; what a debate writes is entered in a transaction that first looks whether
the debate's lease still has the token and has not run out, and keeps it from being taken until the commit. So a process that slept, or
whose network was gone, enters nothing after another one may have taken its debates.
"""

import json
import secrets
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import sqlalchemy as sa

from agentdebate.errors import AgentDebateError, LeaseLost
from agentdebate.store._in_flight import forget_messages
from agentdebate.store._runs import RUNS
from agentdebate.store.driver import SERVER
from agentdebate.store.schema import METADATA, Entry, among, run_column

LEASES = sa.Table(
    "leases",
    METADATA,
    run_column(),
    sa.Column("debate", sa.Text, primary_key=True),
    sa.Column("place", sa.Integer, nullable=False),  # of the debate within its run, from 0
    sa.Column("item", sa.Text, nullable=False),
    sa.Column("item_number", sa.Integer, nullable=False),
    sa.Column("aspects", sa.Text, nullable=False),  # JSON
    sa.Column("worker", sa.Text),  # who holds it; null where nobody does
    sa.Column("token", sa.BigInteger, nullable=False),  # the fencing token, new for each taking
    sa.Column(
        "until",
        sa.Double,
        nullable=False,  # when it may be taken over, by the database's clock
    ),
    sa.Column("taken", sa.Integer, nullable=False),  # how often it was taken
)
"""The debates of queues that have not ended, and who holds them until when."""

sa.Index("leases_place", LEASES.c.run, LEASES.c.place)
sa.Index("leases_worker", LEASES.c.run, LEASES.c.worker)

SECONDS = 60.0
"""How long a lease lasts that is not renewed."""

LANE = 1 << 22
"""What a taking adds to the place of a debate: where its worker dies, others take it after all that were not taken so often. So kills
that follow each other do not meet the same calls again and again.
"""
_LANES = 500
"""More than these are not added, or a place would not fit its column."""

Clock = Callable[[sa.Connection], "sa.ColumnElement[float]"]
"""The time in seconds since 1970, as an expression of the database."""

_ON_SERVER: "sa.ColumnElement[float]" = sa.literal_column(
    "extract(epoch FROM clock_timestamp())", sa.Double()
)
_ON_FILE: "sa.ColumnElement[float]" = sa.literal_column(
    "(julianday('now') - 2440587.5) * 86400.0", sa.Double()
)


def database_clock(connection: sa.Connection) -> "sa.ColumnElement[float]":
    """The clock of the database: the server's, or for a file that of the one machine on which it is used."""
    return _ON_SERVER if connection.dialect.name == SERVER else _ON_FILE


def begin(connection: sa.Connection) -> None:
    """See to it that what is read now still holds when the transaction writes: SQLite is told so, a server locks rows."""
    if connection.dialect.name == "sqlite":
        driven = connection.connection.driver_connection
        if not getattr(driven, "in_transaction", False):
            connection.exec_driver_sql("BEGIN IMMEDIATE")


class Taken(NamedTuple):
    """A debate that was taken."""

    debate: str
    item: str
    item_number: int
    aspects: tuple[str, ...]
    place: int
    again: bool
    """Whether it was taken before, so that calls of it may be on disk."""
    token: int
    """What guards its writes."""


def lease_entry(debate: str, *, place: int, item: str, item_number: int, aspects: Sequence[str]) -> Entry:
    """The row of a debate that any process may take."""
    row = {
        "debate": debate,
        "place": place,
        "item": item,
        "item_number": item_number,
        "aspects": json.dumps(aspects),
    }
    return Entry(LEASES, {**row, "worker": None, "token": 0, "until": 0.0, "taken": 0})


class Leases:
    """The leases that one worker has of a run. Every method works within the transaction of the connection.

    `seconds` is how long a lease lasts that is not renewed.
    """

    def __init__(
        self, run: int, worker: str, *, seconds: float = SECONDS, clock: Clock = database_clock
    ) -> None:
        self.run, self.worker, self.seconds, self.clock = run, worker, seconds, clock
        self.tokens: dict[str, int] = {}
        """The token of each debate that is held, as far as is known here."""

    def __repr__(self) -> str:
        return f"<Leases of {self.worker!r}: {len(self.tokens)} held>"

    def take(self, connection: sa.Connection, most: int) -> list[Taken]:
        """Take debates that nobody holds, those first that were taken least often. What was said in one that is taken over is cleared away.

        Calls are kept: they are paid for. They are held from `hold` on, once the transaction is known to have ended. None is among
        them that is held here already, as far as is known: a server that crashed may have forgotten that, and two holdings of a
        debate in one process would write the same rows.
        """
        begin(connection)
        now = self.clock(connection)
        token = secrets.randbits(62) + 1
        free = sa.select(LEASES.c.debate).where(LEASES.c.run == self.run, LEASES.c.until <= now)
        if held := list(self.tokens):
            free = free.where(sa.not_(among(connection, LEASES.c.debate, held)))
        free = free.order_by(LEASES.c.place).limit(most)
        take = LEASES.update().values(
            worker=self.worker,
            token=token,
            until=now + self.seconds,
            taken=LEASES.c.taken + 1,
            place=LEASES.c.place + sa.case((LEASES.c.place < _LANES * LANE, LANE), else_=0),
        )
        rows = connection.execute(_among_free(connection, take, free, self.run).returning(*_TAKEN)).all()
        taken = [
            Taken(row[0], row[1], row[2], _aspects(row[3]), row[4] % LANE, again=row[5] > 1, token=token)
            for row in sorted(rows, key=itemgetter(4))
        ]
        if again := [one.debate for one in taken if one.again]:
            forget_messages(connection, self.run, again)
        return taken

    def hold(self, taken: Iterable[Taken]) -> None:
        """Take note of debates whose taking is entered: from now on they are renewed, and written here."""
        self.tokens.update((one.debate, one.token) for one in taken)

    def renew(self, connection: sa.Connection) -> frozenset[str]:
        """Renew every lease that is held and has not run out, in one statement. The debates that were lost come back.

        Those of debates that this worker has let go of run out. What is taken after this is none of those that come back: the
        next taking may be under way in another thread before the caller goes on.
        """
        now, tokens = self.clock(connection), dict(self.tokens)
        renewed = (
            LEASES.update()
            .where(LEASES.c.run == self.run, LEASES.c.worker == self.worker, LEASES.c.until > now)
            .where(among(connection, LEASES.c.debate, tokens))
            .values(until=now + self.seconds)
            .returning(LEASES.c.debate, LEASES.c.token)
        )
        held = {row.debate: row.token for row in connection.execute(renewed)}
        return frozenset(debate for debate, token in tokens.items() if held.get(debate) != token)

    def guard(
        self, connection: sa.Connection, debates: Sequence[str], *, ending: Collection[str] = ()
    ) -> Mapping[str, AgentDebateError]:
        """Say which debates this worker does not hold any more. The others nobody can take until the transaction ends.

        Those that are `ending`, and are held, are taken from the queue by the same statement: how they ended is entered in the
        same transaction.
        """
        begin(connection)
        known = [debate for debate in debates if debate in self.tokens]
        over = [debate for debate in known if debate in ending]
        going_on = [debate for debate in known if debate not in ending]
        held: set[str] = set()
        if over:
            ended = LEASES.delete().where(*self._held(connection, over))
            held.update(connection.execute(ended.returning(LEASES.c.debate)).scalars())
        if going_on:
            query = sa.select(LEASES.c.debate).where(*self._held(connection, going_on))
            if connection.dialect.name == SERVER:
                query = query.with_for_update(read=True)
            held.update(connection.execute(query).scalars())
        return {debate: lost(debate, self.worker) for debate in debates if debate not in held}

    def _held(
        self, connection: sa.Connection, debates: Sequence[str]
    ) -> "tuple[sa.ColumnElement[bool], ...]":
        """Whether a row is of one of these debates, in a taking of this worker's that has not run out."""
        tokens = {self.tokens[debate] for debate in debates}
        return (
            LEASES.c.run == self.run,
            among(connection, LEASES.c.debate, debates),
            LEASES.c.token.in_(tokens),
            LEASES.c.until > self.clock(connection),
        )

    def forget(self, debates: Iterable[str]) -> None:
        """Let go of debates that have ended, or that were lost: from now on nothing of them is entered."""
        for debate in debates:
            self.tokens.pop(debate, None)

    def give_back(self, connection: sa.Connection, debates: Sequence[str] | None = None) -> None:
        """Let others take at once, and as early as before, what this worker still holds, or these debates of it."""
        mine = LEASES.update().where(LEASES.c.run == self.run, LEASES.c.worker == self.worker)
        if debates is not None:
            mine = mine.where(among(connection, LEASES.c.debate, debates))
        before = LEASES.c.place - sa.case((LEASES.c.place >= LANE, LANE), else_=0)
        connection.execute(mine.values(worker=None, until=0.0, place=before))
        self.forget(list(self.tokens) if debates is None else debates)

    def left(self, connection: sa.Connection) -> bool:
        """Whether there are debates that have not ended, whoever holds them."""
        query = sa.select(LEASES.c.debate).where(LEASES.c.run == self.run).limit(1)
        return connection.execute(query).first() is not None


def _among_free(
    connection: sa.Connection, change: sa.Update, free: "sa.Select[tuple[str]]", run: int
) -> sa.Update:
    """A change of the rows that a query of free debates names.

    A server is told which row it has locked, and need not look for it; and another process that is taking some at the moment is
    not waited for.
    """
    if connection.dialect.name != SERVER:
        return change.where(LEASES.c.run == run, LEASES.c.debate.in_(free))
    rows = free.with_only_columns(_ROW.label("at")).with_for_update(skip_locked=True).cte("free")
    return change.where(sa.any_(sa.func.array(sa.select(rows.c.at).scalar_subquery())) == _ROW)


_ROW = sa.literal_column("leases.ctid", sa.Text())
"""Where PostgreSQL has a row."""

_TAKEN = (
    LEASES.c.debate,
    LEASES.c.item,
    LEASES.c.item_number,
    LEASES.c.aspects,
    LEASES.c.place,
    LEASES.c.taken,
)


@lru_cache(maxsize=1024)
def _aspects(listed: str) -> tuple[str, ...]:
    """The aspects of a debate. Those of all debates of a run are a few lists."""
    return tuple(json.loads(listed))


def lost(debate: str, worker: str) -> LeaseLost:
    """The error of a debate that a worker does not hold any more."""
    return LeaseLost(
        f"the worker {worker} does not hold the debate {debate} any more: its lease ran out, and nothing more of it is written "
        "here"
    )


QUEUES = sa.Table(
    "queues",
    METADATA,
    run_column(),
    sa.Column(
        "entered",
        sa.Boolean,
        nullable=False,  # whether all of the run's debates have been entered
    ),
    sa.Column("stopped", sa.Double),  # when the workers were told to stop, by the database's clock
    sa.Column(
        "drain",
        sa.Boolean,
        nullable=False,  # whether they were told to end the debates they hold
    ),
    sa.Column("code", sa.Text, nullable=False),  # the code that the workers need to have, JSON
)
"""The runs that any number of processes may work on."""

WORKERS = sa.Table(
    "workers",
    METADATA,
    run_column(),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("begun", sa.Double, nullable=False),  # by the database's clock
    sa.Column("seen", sa.Double, nullable=False),  # by the database's clock
    sa.Column("until", sa.Double, nullable=False),  # from when on it counts as gone
    sa.Column("departed", sa.Text),  # why it left; null while it works, and where it was killed
    sa.Column("debates", sa.Integer, nullable=False),  # that it has held to their end
    sa.Column("calls", sa.BigInteger, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False),  # leases that it lost
)
"""The processes that work, or have worked, on the runs of queues."""


@dataclass(frozen=True)
class Worker:
    """A process that works, or has worked, on a run."""

    name: str
    """Its machine, its process number and a word that tells it from all others."""
    state: str
    """`working`, `lost` where it was killed or cannot reach the database, or why it left."""
    seconds: float
    """How long it has worked."""
    seen: float
    """Seconds since it was last heard of."""
    debates: int
    """That it has held to their end."""
    calls: int
    tokens: int
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
    """Whether all of its debates have been entered."""
    left: int
    """Debates that have not ended."""
    held: int
    """Those of them that a worker holds."""
    stopping: bool
    """Whether the workers that are there were told to stop."""
    workers: Sequence[Worker]

    @property
    def working(self) -> list[Worker]:
        """Those who work at the moment."""
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
    def state(self) -> str:
        """`queued` where nobody has begun, `running`, `stopping` or `stopped`."""
        if self.working:
            return "stopping" if self.stopping else "running"
        return "stopped" if self.workers or not self.entered else "queued"


def crew_of(connection: sa.Connection, run: str, *, clock: Clock = database_clock) -> Crew | None:
    """The crew of a run; None where the run has no queue."""
    query = (
        sa.select(RUNS.c.number, QUEUES).join(QUEUES, QUEUES.c.run == RUNS.c.number).where(RUNS.c.id == run)
    )
    queue = connection.execute(query).mappings().first()
    if queue is None:
        return None
    now = clock(connection)
    held = _held(connection, queue["run"], now)
    rows = (
        connection.execute(
            sa.select(WORKERS, now.label("now"))
            .where(WORKERS.c.run == queue["run"])
            .order_by(WORKERS.c.begun)
        )
        .mappings()
        .all()
    )
    workers = tuple(_worker(row, held.get(row["name"], 0)) for row in rows)
    left = sa.select(sa.func.count()).select_from(LEASES).where(LEASES.c.run == queue["run"])
    told = queue["stopped"]  # who begins after that goes on with the run
    stopping = told is not None and any(
        row["begun"] <= told for row, one in zip(rows, workers, strict=True) if one.state == "working"
    )
    return Crew(
        run,
        queue["entered"],
        int(connection.execute(left).scalar_one()),
        sum(held.values()),
        stopping,
        workers,
    )


def _held(connection: sa.Connection, number: int, now: "sa.ColumnElement[float]") -> dict[str, int]:
    held = (LEASES.c.run == number, LEASES.c.worker.is_not(None), LEASES.c.until > now)
    query = sa.select(LEASES.c.worker, sa.func.count()).where(*held)
    rows = connection.execute(query.group_by(LEASES.c.worker)).all()
    return {str(worker): count for worker, count in rows}


def _worker(row: sa.RowMapping, held: int) -> Worker:
    gone = row["until"] <= row["now"]
    state = row["departed"] or ("lost" if gone else "working")
    seconds = max((row["seen"] if row["departed"] or gone else row["now"]) - row["begun"], 0.0)
    return Worker(
        row["name"], state, seconds, max(row["now"] - row["seen"], 0.0), row["debates"], row["calls"], row["tokens"], held, row["lost"]
    )  # fmt: skip


def is_worked(connection: sa.Connection, run: str, *, clock: Clock = database_clock) -> bool:
    """Whether a worker is at work on a run."""
    query = (
        sa.select(WORKERS.c.name)
        .join(RUNS, RUNS.c.number == WORKERS.c.run)
        .where(RUNS.c.id == run, WORKERS.c.departed.is_(None), WORKERS.c.until > clock(connection))
        .limit(1)
    )
    return connection.execute(query).first() is not None


def has_queue(connection: sa.Connection, run: str) -> bool:
    """Whether a run is worked on by leases."""
    query = sa.select(QUEUES.c.run).join(RUNS, RUNS.c.number == QUEUES.c.run).where(RUNS.c.id == run)
    return connection.execute(query).first() is not None


def open_queue(connection: sa.Connection, number: int, code: Mapping[str, Any]) -> None:
    """Make the queue of a new run."""
    connection.execute(
        QUEUES.insert(),
        {"run": number, "entered": False, "stopped": None, "drain": False, "code": json.dumps(code)},
    )


def close_queue(connection: sa.Connection, number: int) -> None:
    """Say that all debates of a run have been entered."""
    connection.execute(QUEUES.update().where(QUEUES.c.run == number).values(entered=True))


def code_of(connection: sa.Connection, run: str) -> dict[str, Any]:
    """The code that the workers of a run need to have."""
    query = sa.select(QUEUES.c.code).join(RUNS, RUNS.c.number == QUEUES.c.run).where(RUNS.c.id == run)
    found = connection.execute(query).scalar()
    code = json.loads(found or "{}")
    return code if isinstance(code, dict) else {}


def tell_to_stop(connection: sa.Connection, run: str, *, drain: bool, clock: Clock = database_clock) -> int:
    """Tell the workers of a run to stop; how many there are comes back. Those who begin later are not meant."""
    begin(connection)
    number = sa.select(RUNS.c.number).where(RUNS.c.id == run).scalar_subquery()
    now = clock(connection)
    connection.execute(QUEUES.update().where(QUEUES.c.run == number).values(stopped=now, drain=drain))
    query = (
        sa.select(sa.func.count())
        .select_from(WORKERS)
        .where(WORKERS.c.run == number, WORKERS.c.departed.is_(None), WORKERS.c.until > now)
    )
    return int(connection.execute(query).scalar_one())


@dataclass(frozen=True)
class Told:
    """What a worker is told when it says that it is there."""

    stop: bool = False
    drain: bool = False
    """Whether it is to end the debates that it holds first."""
    known: bool = True
    """Whether it is still on the list: a run that was deleted has none."""


@dataclass(frozen=True)
class Tally:
    """What a worker has done so far."""

    debates: int = 0
    calls: int = 0
    tokens: int = 0
    lost: int = 0


class Roll:
    """One worker's line on the list of those who work on a run. Every method works within a transaction."""

    def __init__(self, run: int, worker: str, *, seconds: float, clock: Clock = database_clock) -> None:
        self._run, self._worker, self._seconds, self._clock = run, worker, seconds, clock

    def __repr__(self) -> str:
        return f"<Roll {self._worker!r}>"

    def join(self, connection: sa.Connection) -> bool:
        """Enter the worker. Whether it is alone comes back."""
        begin(connection)
        now = self._clock(connection)
        if connection.dialect.name != "sqlite":  # one joins after the other
            connection.execute(sa.select(QUEUES.c.run).where(QUEUES.c.run == self._run).with_for_update())
        others = sa.select(WORKERS.c.name).where(
            WORKERS.c.run == self._run, WORKERS.c.departed.is_(None), WORKERS.c.until > now
        )
        alone = connection.execute(others.limit(1)).first() is None
        row = {
            "run": self._run,
            "name": self._worker,
            "begun": now,
            "seen": now,
            "until": now + self._seconds,
        }
        none = {"departed": None, "debates": 0, "calls": 0, "tokens": 0, "lost": 0}
        connection.execute(WORKERS.insert().values(**row, **none))
        return alone

    def report(self, connection: sa.Connection, tally: Tally) -> Told:
        """Say that the worker is there and what it has done, and learn whether it is to stop."""
        now = self._clock(connection)
        values = {"seen": now, "until": now + self._seconds, **_columns(tally)}
        here = connection.execute(self._update(**values).returning(WORKERS.c.begun)).first()
        queue = sa.select(QUEUES.c.stopped, QUEUES.c.drain).where(QUEUES.c.run == self._run)
        row = connection.execute(queue).first()
        if here is None or row is None:
            return Told(stop=True, known=False)
        stop = row.stopped is not None and row.stopped >= here.begun
        return Told(stop, stop and row.drain)

    def leave(self, connection: sa.Connection, tally: Tally, why: str) -> None:
        """Say that the worker leaves, and why."""
        now = self._clock(connection)
        connection.execute(self._update(seen=now, until=now, departed=why, **_columns(tally)))

    def _update(self, **values: Any) -> "sa.Update":
        return (
            WORKERS.update()
            .where(WORKERS.c.run == self._run, WORKERS.c.name == self._worker)
            .values(**values)
        )


def _columns(tally: Tally) -> dict[str, int]:
    return {"debates": tally.debates, "calls": tally.calls, "tokens": tally.tokens, "lost": tally.lost}
