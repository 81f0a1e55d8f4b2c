"""The queue of a run and its crew: which processes work on it, how far they are, and whether they were told to stop."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from agentdebate.store._runs import RUNS
from agentdebate.store.leases import LEASES, Clock, begin, database_clock
from agentdebate.store.schema import METADATA, run_column

QUEUES = sa.Table(
    "queues",
    METADATA,
    run_column(),
    sa.Column(
        "entered", sa.Boolean, nullable=False, comment="whether all of the run's debates have been entered"
    ),
    sa.Column("stopped", sa.Double, comment="when the workers were told to stop, by the database's clock"),
    sa.Column(
        "drain", sa.Boolean, nullable=False, comment="whether they were told to end the debates they hold"
    ),
    sa.Column("code", sa.Text, nullable=False, comment="the code that the workers need to have, JSON"),
)
"""The runs that any number of processes may work on."""

WORKERS = sa.Table(
    "workers",
    METADATA,
    run_column(),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("begun", sa.Double, nullable=False, comment="by the database's clock"),
    sa.Column("seen", sa.Double, nullable=False, comment="by the database's clock"),
    sa.Column("until", sa.Double, nullable=False, comment="from when on it counts as gone"),
    sa.Column("departed", sa.Text, comment="why it left; null while it works, and where it was killed"),
    sa.Column("debates", sa.Integer, nullable=False, comment="that it has held to their end"),
    sa.Column("calls", sa.BigInteger, nullable=False),
    sa.Column("tokens", sa.BigInteger, nullable=False),
    sa.Column("lost", sa.Integer, nullable=False, comment="leases that it lost"),
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
