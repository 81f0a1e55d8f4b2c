"""What all debates of an evaluation share: made by the first that needs it, closed after the last."""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, TypeVar

import anyio
from anyio.to_thread import run_sync

Made = TypeVar("Made")

Keep = Callable[[str, str, Any], Awaitable[None]]
"""Takes note of what was found: its name, the debate, and what it is."""


class Common:
    """Things by name. Each is made once, in a worker thread, since some take seconds to load."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}
        self._locks: dict[str, anyio.Lock] = {}
        self._found: Mapping[str, tuple[str, Any]] = {}
        self._keep: Keep | None = None

    def remember(self, found: Mapping[str, tuple[str, Any]], keep: Keep) -> None:
        """Start from what was found out earlier, each with the debate that did; `keep` takes note of what is found now."""
        self._found, self._keep = found, keep

    def __repr__(self) -> str:
        return f"<Common {', '.join(self._made) or 'nothing yet'}>"

    async def get(self, name: str, make: Callable[[], Made]) -> Made:
        """The thing of that name. What `make` raises reaches everyone who asks, and the next one tries again."""
        async with self._locks.setdefault(name, anyio.Lock()):
            if name not in self._made:
                self._made[name] = await run_sync(make)
        made: Made = self._made[name]
        return made

    async def once(self, name: str, debate: str, find: Callable[[], Awaitable[Made]]) -> Made:
        """What is found out in one debate for all of them, or was found out earlier.

        The debate that found it out finds it out again where it is held again, from what was paid for then, so that it is
        the same debate.
        """
        async with self._locks.setdefault(name, anyio.Lock()):
            finder, earlier = self._found.get(name, ("", None))
            if finder == debate or name not in self._made:
                self._made[name] = earlier if finder not in ("", debate) else await find()
                if not finder and self._keep is not None:
                    await self._keep(name, debate, self._made[name])
        made: Made = self._made[name]
        return made

    async def aclose(self) -> None:
        """Close what can be closed, latest first."""
        while self._made:
            _, made = self._made.popitem()
            if hasattr(made, "aclose"):
                await made.aclose()
