"""Room for so many at once. Where there is some, it is taken without a wait, which is what most calls meet."""

import asyncio
from collections import deque


class Room:
    """Places for `most` at once; further ones wait, first come first served."""

    __slots__ = ("_free", "_waiting")

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: deque[asyncio.Future[None]] = deque()

    def __repr__(self) -> str:
        return f"<Room {self._free} free, {len(self._waiting)} waiting>"

    def take(self) -> bool:
        """Take a place; whether there was one. Who gets none may wait for one."""
        if not self._free:
            return False
        self._free -= 1
        return True

    async def wait(self) -> None:
        """Take a place as soon as there is one."""
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.cancelled():
                if turn in self._waiting:  # else a place that came free has passed over it already
                    self._waiting.remove(turn)
            else:  # it was given a place just before
                self.give()
            raise

    def give(self) -> None:
        """Give a place back: to who waits for it, where somebody does."""
        while self._waiting:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1
