"""What the processes that work on a run draw from together, in blocks: limits a minute, a budget; and what one tells all."""

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from agentdebate.store._runs import FOUND
from agentdebate.store.crew import LEASES, WORKERS, Clock, begin, database_clock
from agentdebate.store.driver import SERVER
from agentdebate.store.schema import METADATA, NUMBER, insert_rows, run_column

ACCOUNTS = sa.Table(
    "accounts",
    METADATA,
    run_column(),
    sa.Column("name", sa.Text, primary_key=True),  # of what is drawn from, or waited for
    sa.Column("drawn", sa.BigInteger, nullable=False),  # of a budget, by all workers
    sa.Column("until", sa.Double, nullable=False),  # when a pause or a search is over
    sa.Column("worker", sa.Text),  # who is searching
)
"""What the workers of a run share: budgets, pauses of models, and who is finding out what all of them need."""

BLOCKS = sa.Table(
    "blocks",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("name", sa.Text, nullable=False),  # of the limit
    sa.Column("at", sa.Double, nullable=False),  # by the database's clock
    sa.Column("amount", sa.Double, nullable=False),
)
"""What was drawn of limits a minute in the last minute."""

sa.Index("blocks_at", BLOCKS.c.run, BLOCKS.c.name, BLOCKS.c.at)

MINUTE = 60.0

LATEST = 1.0
"""Seconds after which it is looked again whether a limit leaves room: others may have given back."""

_SOONEST = 0.02
_SEARCH = "search:"
_PAUSE = "pause:"


@dataclass(frozen=True, slots=True)
class Want:
    """What is wanted of a limit a minute: at least so much, better more."""

    least: float
    most: float
    limit: float


class _Rows:
    """The accounts of a run as one worker enters and locks them."""

    def __init__(self, run: int, worker: str, *, clock: Clock = database_clock) -> None:
        self._run, self._worker, self._clock = run, worker, clock

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of run {self._run} for {self._worker!r}>"

    def _lock(self, connection: sa.Connection, name: str) -> int:
        """What has been drawn of an account, which nobody else changes until the transaction ends."""
        self._there(connection, name)
        query = sa.select(ACCOUNTS.c.drawn).where(ACCOUNTS.c.run == self._run, ACCOUNTS.c.name == name)
        if connection.dialect.name == SERVER:
            query = query.with_for_update()
        return int(connection.execute(query).scalar_one())

    def _there(self, connection: sa.Connection, name: str, worker: str | None = None) -> None:
        """See that there is such an account."""
        row = {"run": self._run, "name": name, "drawn": 0, "until": 0.0, "worker": worker}
        insert_rows(connection, ACCOUNTS, [row], again=True)

    def _change(self, name: str) -> "sa.Update":
        return ACCOUNTS.update().where(ACCOUNTS.c.run == self._run, ACCOUNTS.c.name == name)


class Accounts(_Rows):
    """The accounts of a run. Every method works within the transaction of the connection."""

    def draw_of_minute(
        self, connection: sa.Connection, wants: Mapping[str, Want]
    ) -> tuple[Mapping[str, float], float]:
        """Draw blocks of limits a minute, by name; where one leaves no room, nothing, and how many seconds to wait.

        What is drawn counts for a minute: within any minute no more is drawn than the limit.
        """
        begin(connection)
        granted: dict[str, float] = {}
        for name, want in sorted(wants.items()):
            self._lock(connection, name)
            now = self._now(connection)
            of_name = (BLOCKS.c.run == self._run, BLOCKS.c.name == name)
            connection.execute(BLOCKS.delete().where(*of_name, BLOCKS.c.at <= now - MINUTE))
            query = sa.select(sa.func.coalesce(sa.func.sum(BLOCKS.c.amount), 0.0), sa.func.min(BLOCKS.c.at))
            spent, oldest = connection.execute(query.where(*of_name)).one()
            room = want.limit - spent
            if room < min(want.least, want.limit):
                wait = LATEST if oldest is None else oldest + MINUTE - now
                return {}, min(max(wait, _SOONEST), LATEST)
            granted[name] = min(want.most, max(room, want.least))
        for name, amount in granted.items():
            self._enter(connection, name, amount)
        return granted, 0.0

    def correct(self, connection: sa.Connection, amounts: Mapping[str, float]) -> None:
        """Enter by how much more, or less, was spent of limits a minute than was drawn."""
        for name, amount in amounts.items():
            if amount:
                self._enter(connection, name, amount)

    def pause(self, connection: sa.Connection, seconds: Mapping[str, float]) -> None:
        """Tell all that calls of models have to wait for so many seconds, by the model's name."""
        for name, wait in sorted(seconds.items()):
            self._lock(connection, _PAUSE + name)
            until = self._clock(connection) + wait
            connection.execute(self._change(_PAUSE + name).values(until=until, worker=self._worker))

    def pauses(self, connection: sa.Connection) -> Mapping[str, float]:
        """For how many seconds calls of models have to wait, by the model's name, as other workers say."""
        query = sa.select(ACCOUNTS.c.name, ACCOUNTS.c.until - self._clock(connection)).where(
            ACCOUNTS.c.run == self._run,
            ACCOUNTS.c.name.like(f"{_PAUSE}%"),
            ACCOUNTS.c.until > self._clock(connection),
            ACCOUNTS.c.worker != self._worker,
        )
        return {name.removeprefix(_PAUSE): seconds for name, seconds in connection.execute(query)}

    def search(self, connection: sa.Connection, name: str, debate: str, token: int) -> bool:
        """Whether a debate may find out what all need, and nobody else does so meanwhile: as long as its lease holds."""
        begin(connection)
        self._lock(connection, _SEARCH + name)
        if self.is_found(connection, name):
            return False
        searching = sa.select(LEASES.c.debate).join(
            ACCOUNTS,
            sa.and_(
                ACCOUNTS.c.run == LEASES.c.run,
                ACCOUNTS.c.worker == LEASES.c.debate,
                ACCOUNTS.c.drawn == LEASES.c.token,
            ),
        )
        of_name = (ACCOUNTS.c.run == self._run, ACCOUNTS.c.name == _SEARCH + name)
        there = searching.where(*of_name, LEASES.c.until > self._clock(connection))
        if connection.execute(there).first() is not None:
            return False
        connection.execute(self._change(_SEARCH + name).values(worker=debate, drawn=token))
        return True

    def end_search(self, connection: sa.Connection, name: str, debate: str) -> None:
        """Let others find it out, where it is not found yet."""
        mine = self._change(_SEARCH + name).where(ACCOUNTS.c.worker == debate)
        connection.execute(mine.values(worker=None, drawn=0))

    def is_found(self, connection: sa.Connection, name: str) -> bool:
        """Whether it has been found out."""
        query = sa.select(FOUND.c.name).where(FOUND.c.run == self._run, FOUND.c.name == name)
        return connection.execute(query).first() is not None

    def _enter(self, connection: sa.Connection, name: str, amount: float) -> None:
        values = {"run": self._run, "name": name, "at": self._clock(connection), "amount": amount}
        connection.execute(BLOCKS.insert().values(**values))

    def _now(self, connection: sa.Connection) -> float:
        return float(connection.execute(sa.select(self._clock(connection))).scalar_one())


SHARE = 4
"""A block is one part in so many times the workers of what is left, so that no worker holds much that others need."""

_DRAWN, _SPENT = "drawn", "spent"


@dataclass(slots=True)
class _Part:
    """One worker's part in a limit of the budget: what it has drawn in all, and spent."""

    here: bool
    drawn: int = 0
    spent: int = 0

    @property
    def taken(self) -> int:
        """What others cannot draw: a worker that is gone holds nothing."""
        return max(self.drawn, self.spent) if self.here else self.spent


class BudgetAccount(_Rows):
    """The account of a run's budget, by the names of its limits. Every method works within the transaction of the connection.

    What a worker spends is entered in the transaction in which its completions are, so that of one that dies it is known what it
    had drawn and not spent: that is free as soon as its leases are.
    """

    def __init__(
        self, run: int, worker: str, allowed: Mapping[str, int], *, clock: Clock = database_clock
    ) -> None:
        super().__init__(run, worker, clock=clock)
        self.allowed = allowed
        """What all workers may spend together."""

    def open(self, connection: sa.Connection, spent: Mapping[str, int]) -> None:
        """Have the account say what was spent. No other worker is there: nothing is drawn beside it."""
        of_workers = sa.or_(*(ACCOUNTS.c.name.like(f"{kind}:%") for kind in (_DRAWN, _SPENT)))
        connection.execute(ACCOUNTS.delete().where(ACCOUNTS.c.run == self._run, of_workers))
        for name, amount in sorted(spent.items()):
            self._set(connection, name, amount)

    def draw(
        self, connection: sa.Connection, least: Mapping[str, int], *, bounded: bool = False
    ) -> Mapping[str, int] | None:
        """Draw a block, or the least that is needed where that is more. What this worker has drawn in all comes back.

        None, and nothing is drawn, where less is left, and where it is `bounded` and a block is less.
        """
        begin(connection)
        drawn = dict[str, int]()
        here = sa.select(sa.func.count()).where(WORKERS.c.run == self._run, self._here(connection))
        share = SHARE * max(int(connection.execute(here).scalar_one()), 1)
        for name in sorted(least):
            before, parts = self._lock(connection, name), self._parts(connection, name)
            left = self.allowed[name] - before - sum(part.taken for part in parts.values())
            if left < least[name] or (bounded and left // share < least[name]):
                return None
            mine = parts.get(self._worker)
            drawn[name] = (mine.drawn if mine else 0) + max(left // share, least[name])
        for name, amount in drawn.items():
            self._set(connection, f"{_DRAWN}:{name}:{self._worker}", amount)
        return drawn

    def drawn(self, connection: sa.Connection) -> Mapping[str, int]:
        """What this worker has drawn in all: less than it knows of where it was taken for gone, and others draw that."""
        parts = {name: self._parts(connection, name).get(self._worker) for name in self.allowed}
        return {name: part.drawn if part else 0 for name, part in parts.items()}

    def spend(self, connection: sa.Connection, spent: Mapping[str, int]) -> None:
        """Say what this worker has spent in all."""
        for name, amount in sorted(spent.items()):
            self._set(connection, f"{_SPENT}:{name}:{self._worker}", amount)

    def give_back(self, connection: sa.Connection, spent: Mapping[str, int]) -> Mapping[str, int]:
        """Give back what this worker has not spent. What is not spent by any worker comes back, though others hold some of it."""
        begin(connection)
        unspent = dict[str, int]()
        for name, amount in sorted(spent.items()):
            before = self._lock(connection, name)
            for kind in (_DRAWN, _SPENT):
                self._set(connection, f"{kind}:{name}:{self._worker}", amount)
            parts = self._parts(connection, name).values()
            unspent[name] = self.allowed[name] - before - sum(part.spent for part in parts)
        return unspent

    def _parts(self, connection: sa.Connection, name: str) -> dict[str, _Part]:
        """The part of each worker. From those that are gone is taken what they did not spend: they learn of it if they wake."""
        same = sa.and_(WORKERS.c.run == ACCOUNTS.c.run, WORKERS.c.name == ACCOUNTS.c.worker)
        here = self._here(connection).label("here")
        query = sa.select(ACCOUNTS.c.name, ACCOUNTS.c.drawn, ACCOUNTS.c.worker, here).join(WORKERS, same)
        of_limit = sa.or_(*(ACCOUNTS.c.name.like(f"{kind}:{name}:%") for kind in (_DRAWN, _SPENT)))
        parts = dict[str, _Part]()
        for row in connection.execute(query.where(ACCOUNTS.c.run == self._run, of_limit)):
            part = parts.setdefault(row.worker, _Part(bool(row.here)))
            setattr(part, row.name.partition(":")[0], int(row.drawn))
        for worker, part in parts.items():
            if not part.here and part.drawn > part.spent:
                self._set(connection, f"{_DRAWN}:{name}:{worker}", part.spent, worker)
        return parts

    def _here(self, connection: sa.Connection) -> "sa.ColumnElement[bool]":
        """Whether a worker is there: it has not left, and its leases have not run out."""
        return sa.and_(WORKERS.c.departed.is_(None), WORKERS.c.until > self._clock(connection))

    def _set(self, connection: sa.Connection, name: str, amount: int, worker: str | None = None) -> None:
        self._there(connection, name, worker or self._worker)
        connection.execute(self._change(name).values(drawn=amount))
