"""Where the records of a run go: to their reader, as their debates end or in the order of the items."""

from typing import Self

import anyio
from anyio.streams.memory import MemoryObjectSendStream

from agentdebate.debates.record import Record

AHEAD = 4
"""How many times the debates that are held at once may end before an earlier one, where the order is kept."""


class Outlet:
    """Passes records on as they come."""

    def __init__(self, send: MemoryObjectSendStream[Record]) -> None:
        self._send = send

    async def ready(self) -> None:
        """Wait until one more debate may begin."""

    async def put(self, number: int, record: Record | None) -> None:  # noqa: ARG002 - one signature
        """Take the record of the debate of that number; None where it came to none."""
        if record is None:
            return
        try:  # without a turn of the event loop, where there is room
            self._send.send_nowait(record)
        except anyio.WouldBlock:
            await self._send.send(record)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._send.aclose()


class OrderedOutlet(Outlet):
    """Holds records back until those before them have come. Debates wait rather than be too far ahead of the slowest one."""

    def __init__(self, send: MemoryObjectSendStream[Record], concurrency: int) -> None:
        super().__init__(send)
        self._room = anyio.Semaphore(AHEAD * concurrency)
        self._held: dict[int, Record | None] = {}
        self._next = 0
        self._sending = anyio.Lock()

    async def ready(self) -> None:
        """Wait until one more debate may begin."""
        await self._room.acquire()

    async def put(self, number: int, record: Record | None) -> None:
        """Take the record of the debate of that number; None where it came to none."""
        self._held[number] = record
        async with self._sending:
            while self._next in self._held:
                await super().put(self._next, self._held.pop(self._next))
                self._next += 1
                self._room.release()
