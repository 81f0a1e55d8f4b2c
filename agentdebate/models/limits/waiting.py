"""Calls that wait for their turn."""

import asyncio
import heapq
from dataclasses import dataclass, field
from typing import Generic, TypeVar

Turn = TypeVar("Turn")


@dataclass(order=True, slots=True)
class Waiter(Generic[Turn]):
    """A waiting call: who goes first has the lower order, then the lower number."""

    order: int
    number: int
    need: float = field(compare=False)
    """Tokens."""
    turn: asyncio.Future[Turn] = field(compare=False)


class Waiting(Generic[Turn]):
    """Waiting calls in their order; those that were cancelled are not among them."""

    def __init__(self) -> None:
        self.calls: list[Waiter[Turn]] = []
        """A heap of those that wait, and of some that were cancelled. It is empty where none waits."""
        self._gone = self._number = 0

    def __len__(self) -> int:
        return len(self.calls) - self._gone

    def add(self, order: int, need: float, turn: asyncio.Future[Turn]) -> Waiter[Turn]:
        """A call begins to wait, behind those of the same order."""
        self._number += 1
        waiter = Waiter(order, self._number, need, turn)
        heapq.heappush(self.calls, waiter)
        return waiter

    def first(self) -> Waiter[Turn] | None:
        """Whose turn is next."""
        while self.calls and self.calls[0].turn.done():
            heapq.heappop(self.calls)
            self._gone -= 1
        return self.calls[0] if self.calls else None

    def pop(self) -> Waiter[Turn]:
        """Take out the one whose turn is next, which `first` has shown."""
        return heapq.heappop(self.calls)

    def cancelled(self) -> None:
        """One of the waiting calls was cancelled, and its future with it."""
        self._gone += 1
        # Taking each out where it stands would walk the heap for every one; half of it at a time costs next to nothing.
        if 2 * self._gone >= len(self.calls):
            kept = [waiter for waiter in self.calls if not waiter.turn.done()]
            self._gone -= len(self.calls) - len(kept)  # below 0 while some have yet to say that they go
            heapq.heapify(kept)
            self.calls = kept
