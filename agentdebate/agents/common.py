"""What all debates of an evaluation share: made by the first that needs it, closed after the last."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from typing import Any, TypeVar

from anyio.to_thread import run_sync

from agentdebate.agents.first_reading import FirstReading
from agentdebate.models.single_flight import SingleFlight

Made = TypeVar("Made")

Keep = Callable[[str, str, Any], Awaitable[None]]
"""Takes note of what was found: its name, the debate, and what it is."""

Search = Callable[[str, str, Callable[[], Awaitable[Any]]], Awaitable[tuple[str, Any]]]
"""Finds something out where other processes may do so too: by its name, in a debate. Says which debate found it, and what it is."""


class Common:
    """Things by name. Each is made once, in a worker thread, since some take seconds to load."""

    def __init__(self) -> None:
        self.first = FirstReading()
        """Whether replies can be read."""
        self._made: dict[str, Any] = {}
        self._trials = SingleFlight[str, Any]()
        self._found: dict[str, tuple[str, Any]] = {}
        self._anew: set[str] = set()
        self._keep: Keep | None = None
        self._search: Search | None = None

    def __repr__(self) -> str:
        return f"<Common {', '.join(self._made) or 'nothing yet'}>"

    def remember(self, found: Mapping[str, tuple[str, Any]], keep: Keep) -> None:
        """Start from what was found out earlier, each with the debate that did; `keep` takes note of what is found now."""
        self._found, self._keep = dict(found), keep

    def search(self, search: Search) -> None:
        """Find out together with other processes: what one of them has found is found for all."""
        self._search = search

    def read_anew(self) -> None:
        """Let debates that begin now find out anew whether replies can be read, where those before could not."""
        if self.first.stopped:
            self.first = FirstReading()

    async def get(self, name: str, make: Callable[[], Made]) -> Made:
        """The thing of that name. What `make` raises reaches everyone who waits for it; whoever comes later tries again."""
        made: Made = await self._once(name, lambda: run_sync(make))
        return made

    async def once(self, name: str, debate: str, find: Callable[[], Awaitable[Made]]) -> Made:
        """What is found out in one debate for all of them, or was found out earlier. Failures are as in `get`.

        The debate that found it out finds it out again where it is held again, from what was paid for then, so that it is
        the same debate.
        """
        finder, earlier = self._found.get(name, (None, None))
        if finder == debate and name not in self._anew:
            self._anew.add(name)  # in its further sittings it is known, as it was the first time
            self._made[name] = await find()
        elif finder is not None:
            self._made.setdefault(name, earlier)
        made: Made = await self._once(name, lambda: self._kept(name, debate, find))
        return made

    async def aclose(self) -> None:
        """Close what can be closed, latest first; what one of them raises keeps none of the others open."""
        async with AsyncExitStack() as stack:
            for made in self._made.values():
                if hasattr(made, "aclose"):
                    stack.push_async_callback(made.aclose)
            self._made.clear()

    async def _kept(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> Any:
        """What is found out, once it has been taken note of."""
        if self._search is not None:
            self._found[name] = await self._search(name, debate, find)
            return self._found[name][1]
        found = await find()
        if self._keep is not None:
            await self._keep(name, debate, found)
        return found

    async def _once(self, name: str, make: Callable[[], Awaitable[Any]]) -> Any:
        async def make_once() -> Any:
            if name not in self._made:  # by the one before, where somebody takes over
                self._made[name] = await make()
            return self._made[name]

        return self._made[name] if name in self._made else (await self._trials.run(name, make_once)).found
