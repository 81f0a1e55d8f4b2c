"""Things that all debates of an evaluation share: made by the first that needs one, closed after the last."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import partial
from typing import Any, TypeVar

from anyio.to_thread import run_sync

from agentdebate.errors import NothingRead
from agentdebate.models.single_flight import SingleFlight
from agentdebate.talk.messages import Reply, Statement
from agentdebate.visible import shortened

Made = TypeVar("Made")

Search = Callable[[str, str, Callable[[], Awaitable[Any]]], Awaitable[tuple[str, Any]]]
"""Finds something out where other processes may do so too: by its name, in a debate. Says which debate found it, and what it is."""

TURNS = 20
"""Turns without a reply that can be read after which the run stops."""
_LONGEST = 400
"""Characters of a reply that the error shows."""


class FirstReading:
    """Count the turns of a run that end without a reply that can be read: where many have, and none before, the run stops.

    A run whose replies cannot be read would otherwise be paid in full, every turn as often as its agent has patience. Talk can nearly always
    be read, and says nothing of the ballots that follow. Once a ballot has been read, or a debate has come to a verdict, nothing is
    counted any more.
    """

    def __init__(self) -> None:
        self.done = False
        """True if a ballot of the run has been read."""
        self._failed, self._talk_read = 0, False
        self._stop: Callable[[], NothingRead] | None = None

    def check(self) -> None:
        """Raise NothingRead where the run has to stop: what is asked now would be paid for in vain, too."""
        if self._stop is not None and not self.done:
            raise self._stop()

    def end(self) -> None:
        """Say that replies can be read: there is a verdict."""
        self.done = True

    def read(self, kind: type[Reply]) -> None:
        """Take note that a reply of a kind was read."""
        self.done |= _carries(kind)
        self._talk_read = True

    def fail(self, kind: type[Reply], model: str, problem: str, reply: str) -> None:
        """Take note that a turn has ended without one. Its own debate fails by it; the others are told."""
        if self.done or (self._talk_read and not _carries(kind)):
            return
        self._failed += 1
        if self._failed == TURNS:
            said = (
                f'no reply of this run could be read, and {TURNS} turns have ended so. One of them: "{shortened(reply, _LONGEST)}". '
                f"{problem} Change the model, max_tokens=..., form=... or the prompts and begin again, or, after a fault of the "
                "endpoint, go on (retry_failed=True)"
            )
            self._stop = partial(NothingRead, said, model=model, turns=TURNS, reply=reply)


def _carries(kind: type[Reply]) -> bool:
    """Tell replies that are there for a ballot."""
    return kind.carried is not Reply.carried and not issubclass(kind, Statement)


class Common:
    """Things by name. Each is made once, in a worker thread, since some take seconds to load."""

    def __init__(self) -> None:
        self.first = FirstReading()
        """First reading of replies, which shows whether they can be read."""
        self._made: dict[str, Any] = {}
        self._trials = SingleFlight[str, None]()
        self._finders: dict[str, str] = {}
        """Debates that found something out before, and have yet to find it again."""
        self.search: Search | None = None
        """Finds out together with other processes: what one of them has found is found for all."""

    def read_anew(self) -> None:
        """Let debates that begin now find out anew whether replies can be read, where those before could not."""
        if not self.first.done:
            self.first = FirstReading()

    async def get(self, name: str, make: Callable[[], Made]) -> Made:
        """The thing of that name. What `make` raises reaches everyone who waits for it; later callers try again."""
        return await self._once(name, partial(run_sync, make))

    async def once(self, name: str, debate: str, find: Callable[[], Awaitable[Made]]) -> Made:
        """Find something out in one debate for all of them, or take what was found out earlier. Failures are as in `get`.

        The debate that found it out finds it out again where it is held again, from what was paid for then, so that it is
        the same debate. In its further sittings it is known, as it was the first time.
        """
        made: Made = await self._once(name, partial(self._found, name, debate, find))
        if self._finders.get(name) == debate:
            del self._finders[name]
            made = self._made[name] = await find()
        return made

    async def _found(self, name: str, debate: str, find: Callable[[], Awaitable[Any]]) -> Any:
        """Find something out, here or in another process."""
        if self.search is None:
            return await find()
        finder, found = await self.search(name, debate, find)
        if finder != debate:
            self._finders[name] = finder
        return found

    async def _once(self, name: str, make: Callable[[], Awaitable[Made]]) -> Made:
        async def make_once() -> None:
            if name not in self._made:  # by the one before, where somebody takes over
                self._made[name] = await make()

        if name not in self._made:
            await self._trials.run(name, make_once)
        made: Made = self._made[name]
        return made

    async def aclose(self) -> None:
        """Close what can be closed, latest first; what one of them raises keeps none of the others open."""
        async with AsyncExitStack() as stack:
            for made in self._made.values():
                if hasattr(made, "aclose"):
                    stack.push_async_callback(made.aclose)
            self._made.clear()
