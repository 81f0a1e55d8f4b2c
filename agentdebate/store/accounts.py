"""What the processes that work on a run draw from together, in blocks: limits a minute, a budget; and what one tells all."""

from collections.abc import Mapping
from dataclasses import dataclass

import sqlalchemy as sa

from agentdebate.store.driver import SERVER
from agentdebate.store.leases import Clock, begin, database_clock
from agentdebate.store.schema import ACCOUNTS, BLOCKS, FOUND, LEASES
from agentdebate.store.statements import insert_rows

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


class Accounts:
    """The accounts of a run. Every method works within the transaction of the connection."""

    def __init__(self, run: int, worker: str, *, clock: Clock = database_clock) -> None:
        self._run, self._worker, self._clock = run, worker, clock

    def __repr__(self) -> str:
        return f"<Accounts of run {self._run} for {self._worker!r}>"

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

    def _lock(self, connection: sa.Connection, name: str) -> int:
        """What has been drawn of an account, which nobody else changes until the transaction ends."""
        row = {"run": self._run, "name": name, "drawn": 0, "until": 0.0, "worker": None}
        insert_rows(connection, ACCOUNTS, [row], again=True)
        query = sa.select(ACCOUNTS.c.drawn).where(ACCOUNTS.c.run == self._run, ACCOUNTS.c.name == name)
        if connection.dialect.name == SERVER:
            query = query.with_for_update()
        return int(connection.execute(query).scalar_one())

    def _change(self, name: str) -> "sa.Update":
        return ACCOUNTS.update().where(ACCOUNTS.c.run == self._run, ACCOUNTS.c.name == name)

    def _enter(self, connection: sa.Connection, name: str, amount: float) -> None:
        values = {"run": self._run, "name": name, "at": self._clock(connection), "amount": amount}
        connection.execute(BLOCKS.insert().values(**values))

    def _now(self, connection: sa.Connection) -> float:
        return float(connection.execute(sa.select(self._clock(connection))).scalar_one())
