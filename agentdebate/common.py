"""What all debates of an evaluation share: made by the first that needs it, closed after the last."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import anyio
from anyio.to_thread import run_sync

Made = TypeVar("Made")


class Common:
    """Things by name. Each is made once, in a worker thread, since some take seconds to load."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}
        self._locks: dict[str, anyio.Lock] = {}

    def __repr__(self) -> str:
        return f"<Common {', '.join(self._made) or 'nothing yet'}>"

    async def get(self, name: str, make: Callable[[], Made]) -> Made:
        """The thing of that name. What `make` raises reaches everyone who asks, and the next one tries again."""
        return await self.once(name, lambda: run_sync(make))

    async def once(self, name: str, find: Callable[[], Awaitable[Made]]) -> Made:
        """As `get`, of what is found out without a thread."""
        async with self._locks.setdefault(name, anyio.Lock()):
            if name not in self._made:
                self._made[name] = await find()
        made: Made = self._made[name]
        return made

    async def aclose(self) -> None:
        """Close what can be closed, latest first."""
        while self._made:
            _, made = self._made.popitem()
            if hasattr(made, "aclose"):
                await made.aclose()
