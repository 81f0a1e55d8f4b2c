"""Items for a run: all at hand, or read while it goes on, so that a file may have more lines than fit into memory."""

import asyncio
import hashlib
import threading
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread

from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.files import LONGEST_LINE
from agentdebate.tasks import Item, Task

AHEAD = 64
"""Items that are read before they are asked for."""


@dataclass(frozen=True)
class Supply:
    """The items of a source, as a run takes them."""

    items: Sequence[Item] | AsyncGenerator[Item]
    task: Task
    record: Mapping[str, Any]
    """Record of where they came from, for the run."""
    taken: Taken | None = None
    """Rows that they came out of, where all are at hand; else they are read while the run goes on."""
    count: int | None = None
    """Number of items, where it is known."""


async def streamed(items: Iterator[Item]) -> AsyncGenerator[Item]:
    """Items that are read while the run goes on. Raises DataError at once for what is wrong with the first."""
    reading = _read(items)
    first = await anext(reading)

    async def every() -> AsyncGenerator[Item]:
        async with aclosing(reading):
            yield first
            async for item in reading:
                yield item

    return every()


async def _read(items: Iterator[Item]) -> AsyncGenerator[Item]:
    """The items, read in a thread of their own: debates go on while the next line has not come.

    A thread of anyio's would keep the process alive until that line comes; this one does not.
    """
    loop, arrived = asyncio.get_running_loop(), asyncio.Queue[Item | Exception | None]()
    room, left = threading.Semaphore(AHEAD), threading.Event()

    def hand_over(one: Item | Exception | None) -> None:
        with suppress(RuntimeError):  # the loop has ended, and nobody wants any more
            loop.call_soon_threadsafe(arrived.put_nowait, one)

    def read() -> None:
        try:
            for item in items:
                hand_over(item)
                room.acquire()
                if left.is_set():
                    return
            hand_over(None)
        except Exception as error:  # noqa: BLE001 - raised again where the items are asked for
            hand_over(error)

    threading.Thread(target=read, name="items", daemon=True).start()
    try:
        while (one := await arrived.get()) is not None:
            if isinstance(one, Exception):
                raise one
            room.release()
            yield one
    finally:
        left.set()
        room.release()


async def look_through(path: str | Path) -> tuple[str, int]:
    """The digest of a file, which tells it from one that was changed, and how many lines with something in them it has.

    Reading holds nothing up, and can be called off: the thread that reads then ends by itself.
    """
    left = threading.Event()

    def read() -> tuple[str, int]:
        digest, lines = hashlib.sha256(), 0
        with Path(path).open("rb") as file:
            for line in iter(partial(file.readline, LONGEST_LINE), b""):
                if left.is_set():
                    break
                digest.update(line)
                lines += bool(line.strip())
        return digest.hexdigest(), lines

    try:
        return await anyio.to_thread.run_sync(read, abandon_on_cancel=True)
    finally:
        left.set()
