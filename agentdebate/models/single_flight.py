"""Work that several ask for at the same time is done once: the first does it, and the others wait for how it ends."""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, NamedTuple, TypeVar

import anyio

from agentdebate.errors import own_copy

Key = TypeVar("Key", bound=Hashable)
Found = TypeVar("Found")


class Landed(NamedTuple, Generic[Found]):
    """Result of the work."""

    found: Found
    first: bool
    """Tell whether this caller did the work: False for those who waited for it."""


class _Flight(Generic[Found]):
    """Work that is being done."""

    def __init__(self) -> None:
        self.landed: anyio.Event | None = None
        """Set when it is done; None as long as no caller waits for it."""
        self.outcome: tuple[Found] | Exception | None = None
        """Result for those who wait; None where they see to it themselves."""


class SingleFlight(Generic[Key, Found]):
    """Work that is done once for all who ask for it by the same key while it is being done. Nothing is remembered afterwards.

    What the work raises reaches everyone who waits for it, each as an error of their own. Where the caller that does
    it is cancelled, the next of those who wait does it; so it is with what is not `shared`.
    """

    def __init__(self, shared: Callable[[Found | Exception], bool] = lambda _: True) -> None:
        self._shared = shared
        self._flights: dict[Key, _Flight[Found]] = {}

    def __repr__(self) -> str:
        return f"<SingleFlight {len(self._flights)} under way>"

    def __len__(self) -> int:
        return len(self._flights)

    async def run(self, key: Key, work: Callable[[], Awaitable[Found]]) -> Landed[Found]:
        """Await `work`, or the same work of somebody who asked before. Raises what it raises."""
        while flight := self._flights.get(key):
            flight.landed = flight.landed or anyio.Event()
            await flight.landed.wait()
            if isinstance(flight.outcome, Exception):
                raise own_copy(flight.outcome) from flight.outcome.__cause__
            if flight.outcome is not None:
                return Landed(flight.outcome[0], first=False)
        return Landed(await self._lead(key, work), first=True)

    def abandon(self) -> None:
        """Wait no more for work that was begun in an event loop that has ended."""
        self._flights.clear()

    async def _lead(self, key: Key, work: Callable[[], Awaitable[Found]]) -> Found:
        flight = self._flights[key] = _Flight[Found]()
        try:
            found = await work()
        except Exception as error:
            flight.outcome = error if self._shared(error) else None
            raise
        else:
            flight.outcome = (found,) if self._shared(found) else None
            return found
        finally:
            if self._flights.get(key) is flight:  # and was not abandoned
                del self._flights[key]
            if flight.landed is not None:
                flight.landed.set()
