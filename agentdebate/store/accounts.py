"""The accounts that the processes of a run share: limits a minute and a budget, drawn in blocks, and searches made once for all."""

from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa

from agentdebate.store._runs import FOUND
from agentdebate.store.crew import LEASES, WORKERS, Leases, is_here, lock_queue
from agentdebate.store.schema import METADATA, NUMBER, insert, run_column

BUDGETS = sa.Table(
    "accounts",
    METADATA,
    run_column(),
    sa.Column("name", sa.Text, primary_key=True),  # of the limit
    sa.Column("worker", sa.Text, primary_key=True),  # empty for what was spent before
    sa.Column("drawn", sa.BigInteger, nullable=False, default=0),
    sa.Column("spent", sa.BigInteger, nullable=False, default=0),
)
"""The part of each worker in the budget: what it has drawn and spent in all."""

BLOCKS = sa.Table(
    "blocks",
    METADATA,
    sa.Column("number", NUMBER, primary_key=True),
    sa.Column("run", NUMBER, nullable=False),
    sa.Column("name", sa.Text, nullable=False),  # of the limit
    sa.Column("at", sa.Double, nullable=False),  # by the clock of the workers
    sa.Column("amount", sa.Double, nullable=False),
)
"""What was drawn of limits a minute in the last minute."""

sa.Index("blocks_at", BLOCKS.c.run, BLOCKS.c.name, BLOCKS.c.at)

SEARCHES = sa.Table(
    "searches",
    METADATA,
    run_column(),
    sa.Column("name", sa.Text, primary_key=True),  # of what is found out once for all debates
    sa.Column("debate", sa.Text, nullable=False),  # which finds it out, as long as its lease has the token
    sa.Column("token", sa.BigInteger, nullable=False),
)
"""What debates are finding out for all."""

SHARED = (BUDGETS, BLOCKS, SEARCHES)
"""The tables of what workers share: nothing in them is of use to anybody else."""

MINUTE = 60.0

LATEST = 1.0
"""Seconds after which it is looked again whether a limit leaves room: others may have given back."""

_SOONEST = 0.02

SHARE = 4
"""A block of a budget is one part in so many times the workers of what is left, so that no worker holds much that others need."""


class Accounts:
    """One worker's part in what all share. Every method works within the transaction of the connection.

    `allowed` is what all may spend together, by the names of the budget's limits. What a worker spends is entered in the transaction
    in which its completions are, so that of one that dies it is known what it had drawn and not spent: that is free when its leases are.
    """

    def __init__(self, leases: Leases, allowed: Mapping[str, int]) -> None:
        self._leases, self._allowed = leases, allowed
        self._mine = (BUDGETS.c.run == leases.run, BUDGETS.c.worker == leases.worker)

    def __repr__(self) -> str:
        return f"<Accounts of {self._leases.worker!r}: {dict(self._allowed)}>"

    def draw_of_minute(
        self, connection: sa.Connection, wants: Mapping[str, tuple[float, float, float]]
    ) -> tuple[Mapping[str, float], float]:
        """Draw blocks of limits a minute, for (at least, better, limit) by name; where one leaves no room, nothing, and how many seconds to wait.

        What is drawn counts for a minute: within any minute no more is drawn than the limit.
        """
        lock_queue(connection, self._leases.run)
        now = float(connection.execute(sa.select(self._leases.clock(connection))).scalar_one())
        # What is far in the future was drawn before the machine was restarted.
        old = sa.or_(BLOCKS.c.at <= now - MINUTE, BLOCKS.c.at > now + MINUTE)
        of_run = BLOCKS.c.run == self._leases.run
        connection.execute(BLOCKS.delete().where(of_run, old))
        drawn = sa.select(BLOCKS.c.name, sa.func.sum(BLOCKS.c.amount), sa.func.min(BLOCKS.c.at))
        rows = connection.execute(drawn.where(of_run).group_by(BLOCKS.c.name))
        of_minute = {name: (spent, oldest) for name, spent, oldest in rows}
        granted: dict[str, float] = {}
        for name, (least, most, limit) in wants.items():
            spent, oldest = of_minute.get(name, (0.0, now))
            room = limit - spent
            if room < min(least, limit):
                return {}, min(max(oldest + MINUTE - now, _SOONEST), LATEST)
            granted[name] = min(most, max(room, least))
        self.correct(connection, granted)
        return granted, 0.0

    def correct(self, connection: sa.Connection, amounts: Mapping[str, float]) -> None:
        """Enter by how much more, or less, was spent of limits a minute than was drawn."""
        for name, amount in amounts.items():
            block = {"run": self._leases.run, "name": name, "amount": amount}
            connection.execute(BLOCKS.insert().values(at=self._leases.clock(connection), **block))

    def search(self, connection: sa.Connection, name: str, debate: str) -> bool:
        """Whether a debate may find out what all need: nobody has found it, and no other debate that is held finds it out."""
        run = self._leases.run
        lock_queue(connection, run)
        found = sa.select(FOUND.c.name).where(FOUND.c.run == run, FOUND.c.name == name)
        held = sa.and_(*(LEASES.c[name] == SEARCHES.c[name] for name in ("run", "debate", "token")))
        others = sa.select(LEASES.c.debate).join(SEARCHES, held)
        others = others.where(LEASES.c.run == run, SEARCHES.c.name == name, LEASES.c.debate != debate)
        workers = sa.select(WORKERS.c.name).where(*self._leases.here(connection))
        searching = others.where(LEASES.c.worker.in_(workers))
        if any(connection.execute(query).first() for query in (found, searching)):
            return False
        token = self._leases.tokens.get(debate, 0)
        _put(connection, SEARCHES, {"run": run, "name": name}, debate=debate, token=token)
        return True

    def open(self, connection: sa.Connection, spent: Mapping[str, int]) -> None:
        """Have the budget's account say what was spent. No other worker is there: nothing is drawn beside it."""
        connection.execute(BUDGETS.delete().where(BUDGETS.c.run == self._leases.run))
        for name, amount in spent.items():
            key = {"run": self._leases.run, "name": name, "worker": ""}
            _put(connection, BUDGETS, key, drawn=0, spent=amount)

    def draw(
        self, connection: sa.Connection, least: Mapping[str, int], *, bounded: bool = False
    ) -> Mapping[str, int] | None:
        """Draw a block of the budget, or the least that is needed where that is more. What this worker has drawn in all comes back.

        None, and nothing is drawn, where less is left, and where it is `bounded` and a block is less.
        """
        lock_queue(connection, self._leases.run)
        here = sa.select(sa.func.count()).select_from(WORKERS).where(*self._leases.here(connection))
        share = SHARE * max(connection.execute(here).scalar_one(), 1)
        left, drawn = self._left(connection), dict(self.drawn(connection))
        for name, needed in least.items():
            if left[name] < needed or (bounded and left[name] // share < needed):
                return None
            drawn[name] += max(left[name] // share, needed)
        for name in least:
            self._set(connection, name, drawn=drawn[name])
        return drawn

    def drawn(self, connection: sa.Connection) -> Mapping[str, int]:
        """What this worker has drawn in all."""
        rows = connection.execute(sa.select(BUDGETS.c.name, BUDGETS.c.drawn).where(*self._mine))
        return dict.fromkeys(self._allowed, 0) | {name: int(drawn) for name, drawn in rows}

    def spend(self, connection: sa.Connection, spent: Mapping[str, int]) -> None:
        """Say what this worker has spent in all."""
        for name, amount in spent.items():
            self._set(connection, name, spent=amount)

    def forfeit(self, connection: sa.Connection) -> None:
        """Let go of what is drawn and not spent: others took this worker for gone, and may have drawn it."""
        connection.execute(BUDGETS.update().where(*self._mine).values(drawn=BUDGETS.c.spent))

    def give_back(self, connection: sa.Connection, spent: Mapping[str, int]) -> Mapping[str, int]:
        """Give back what this worker has not spent. What is not spent by any worker comes back, though others hold some of it."""
        lock_queue(connection, self._leases.run)
        for name, amount in spent.items():
            self._set(connection, name, drawn=amount, spent=amount)
        return self._left(connection, held=False)

    def _left(self, connection: sa.Connection, *, held: bool = True) -> Mapping[str, int]:
        """What is left of each limit beside what all have spent, and, if `held`, what workers that are here have drawn."""
        worker = sa.and_(WORKERS.c.run == BUDGETS.c.run, WORKERS.c.name == BUDGETS.c.worker)
        drawn = sa.and_(BUDGETS.c.drawn > BUDGETS.c.spent, is_here(self._leases.clock(connection)))
        part = sa.case((drawn, BUDGETS.c.drawn), else_=BUDGETS.c.spent) if held else BUDGETS.c.spent
        query = sa.select(BUDGETS.c.name, sa.func.sum(part)).outerjoin_from(BUDGETS, WORKERS, worker)
        rows = connection.execute(query.where(BUDGETS.c.run == self._leases.run).group_by(BUDGETS.c.name))
        taken = {name: int(amount) for name, amount in rows}
        return {name: allowed - taken.get(name, 0) for name, allowed in self._allowed.items()}

    def _set(self, connection: sa.Connection, name: str, **amounts: int) -> None:
        key = {"run": self._leases.run, "name": name, "worker": self._leases.worker}
        _put(connection, BUDGETS, key, **amounts)


def _put(connection: sa.Connection, table: sa.Table, key: Mapping[str, Any], **values: Any) -> None:
    """Enter a row, or change the one with its key."""
    row = insert(connection.dialect.name, table).values(**key, **values)
    connection.execute(row.on_conflict_do_update(index_elements=list(key), set_=values))
