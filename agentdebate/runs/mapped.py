"""Records of many items, in the items' order, while a few debates are held ahead of whoever reads them."""

import asyncio
from collections import deque
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Generator,
    Iterable,
    Iterator,
    Mapping,
)
from concurrent.futures import Future
from contextlib import aclosing
from itertools import islice

from agentdebate.debates.record import Record
from agentdebate.errors import UsageError
from agentdebate.tasks import Item

Given = Item | Mapping[str, str]
"""An item, or its fields."""


class Mapped:
    """Iterate over it for the records, with `for` or `async for`. Who stops before the end has the rest called off."""

    def __init__(
        self,
        items: Iterable[Given] | AsyncIterable[Given],
        submit: Callable[[Given], "Future[Record]"],
        waited: Callable[["Future[Record]"], Record],
        opened: Callable[[], Awaitable[None]],
        ahead: int,
    ) -> None:
        if isinstance(items, str | bytes | Mapping) or not isinstance(items, Iterable | AsyncIterable):
            raise UsageError(
                f"items are several, as in judge.map([Item(...), Item(...)]), not one {type(items).__name__}"
            )
        self._items, self._submit, self._waited, self._ahead = items, submit, waited, ahead
        self._opened = opened

    def __repr__(self) -> str:
        return f"<Mapped {self._items!r:.60}>"

    def __iter__(self) -> Iterator[Record]:
        if not isinstance(self._items, Iterable):
            raise UsageError(
                "these items come from an asynchronous source: async for record in judge.map(items)"
            )
        return self._in_order(iter(self._items))

    def __aiter__(self) -> AsyncIterator[Record]:
        return self._awaited(_each(self._items))

    def _in_order(self, items: Iterator[Given]) -> Generator[Record]:
        held: deque[Future[Record]] = deque()
        try:
            held.extend(map(self._submit, islice(items, self._ahead)))
            while held:
                yield self._waited(held.popleft())
                held.extend(map(self._submit, islice(items, 1)))
        finally:
            _call_off(held)

    async def _awaited(self, items: AsyncGenerator[Given]) -> AsyncGenerator[Record]:
        held: deque[Future[Record]] = deque()
        async with aclosing(items):
            try:
                await self._opened()
                async for item in items:
                    held.append(self._submit(item))
                    while held and (held[0].done() or len(held) >= self._ahead):
                        yield await asyncio.wrap_future(held.popleft())
                while held:
                    yield await asyncio.wrap_future(held.popleft())
            finally:
                _call_off(held)


def _call_off(futures: Iterable["Future[Record]"]) -> None:
    for future in futures:
        future.cancel()


async def _each(items: Iterable[Given] | AsyncIterable[Given]) -> AsyncGenerator[Given]:
    if isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item
