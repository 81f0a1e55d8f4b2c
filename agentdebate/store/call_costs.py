"""What the calls of a run cost, by agent, round and model: counted a stretch of debates at a time, so that nobody waits for all."""

import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import sqlalchemy as sa

from agentdebate.store.damage import UNREADABLE, mapping
from agentdebate.store.database import Database, Unread
from agentdebate.store.reader import MOST_AGENTS
from agentdebate.store.schema import CALLS, RUNS, TALKS
from agentdebate.usage import Usage

_STRETCH = 100
"""Debates that are counted between two looks at the clock."""


@dataclass
class Share:
    """What some of the calls cost together. What came out of our own cache cost nothing, and is counted apart."""

    usage: Usage = field(default_factory=Usage)
    cached_calls: int = 0
    """Calls that our own cache answered."""
    seconds: float = 0.0
    """Of waiting for the model."""

    def add(self, usage: Usage, *, cached: bool, seconds: float) -> None:
        """Take in a call."""
        if cached:
            self.cached_calls += 1
        else:
            self.usage += usage
            self.seconds += seconds


class CallCosts:
    """Counts on whenever it is told to, from where it stopped; it keeps sums, and no call."""

    def __init__(self, database: Database, run: str) -> None:
        self._database = database
        number = database.scalar(sa.select(RUNS.c.number).where(RUNS.c.id == run))
        self._run: int = -1 if number is None else number
        self._last, self._lock = 0, Lock()
        self.debates, self.unread = 0, 0
        """The debates that were counted, and the calls in them that cannot be read."""
        self.complete = False
        """Whether there was nothing left the last time."""
        self.shares: dict[tuple[str, int, str], Share] = {}
        """By agent (without the number of its sitting), round and model, as the endpoint calls it."""
        self._ends: dict[str, tuple[int, int]] = {}

    def __repr__(self) -> str:
        return f"<CallCosts of {self.debates} debates>"

    @property
    def ends(self) -> frozenset[int]:
        """The talks in which an agent was asked first and last, so far: who looks there finds what its model is called."""
        return frozenset(talk for pair in list(self._ends.values()) for talk in pair)

    def count(self, seconds: float | None = None) -> None:
        """Count on, for about so many seconds; to the end where that is None."""
        until = None if seconds is None else time.monotonic() + seconds
        with self._lock:  # two pages may ask at once
            self.complete = not self._stretch()
            while not self.complete and (until is None or time.monotonic() < until):
                self.complete = not self._stretch()

    def _stretch(self) -> bool:
        """Count a few debates; whether there were any."""
        following = sa.select(TALKS.c.number).where(TALKS.c.run == self._run, TALKS.c.number > self._last)
        talks = self._database.scalars(following.order_by(TALKS.c.number).limit(_STRETCH))
        if not talks:
            return False
        query = sa.select(CALLS.c.talk, CALLS.c.number, CALLS.c.agent, CALLS.c.round, CALLS.c.completion)
        query = query.where(CALLS.c.talk.in_(talks)).order_by(CALLS.c.talk, CALLS.c.number)
        for row in self._database.stream(query, (CALLS.c.talk, CALLS.c.number)):
            self._take(row)
        self._last, self.debates = talks[-1], self.debates + len(talks)
        return True

    def _take(self, row: Mapping[Any, Any] | Unread) -> None:
        if not isinstance(row, Unread):
            with suppress(*UNREADABLE):
                said = mapping(row["completion"])
                usage = Usage.model_validate(said["usage"])
                key = str(row["agent"]).partition("#")[0], int(row["round"]), str(said["model"])
                self._meet(str(row["agent"]), int(row["talk"]))
                share = self.shares.setdefault(key, Share())
                share.add(usage, cached=bool(said.get("cached")), seconds=float(said.get("latency", 0)))
                return
        self.unread += 1

    def _meet(self, agent: str, talk: int) -> None:
        if agent in self._ends or len(self._ends) < MOST_AGENTS:
            self._ends[agent] = self._ends.get(agent, (talk, talk))[0], talk
