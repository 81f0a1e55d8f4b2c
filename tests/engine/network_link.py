"""A network link to a server on this machine, which tests cut."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.abc import SocketAttribute, SocketStream


class Link:
    """A network link to a server. While it is cut nothing goes through, and what was sent arrives when it is there again."""

    def __init__(self, port: int) -> None:
        self._server, self.port = port, 0
        self._up = anyio.Event()
        self._up.set()

    async def cut(self) -> None:
        self._up = anyio.Event()

    async def mend(self) -> None:
        self._up.set()

    async def serve(self, client: SocketStream) -> None:
        async with (
            client,
            await anyio.connect_tcp("127.0.0.1", self._server) as server,
            anyio.create_task_group() as group,
        ):
            group.start_soon(self._pump, client, server, group)
            await self._pump(server, client, group)

    async def _pump(self, source: SocketStream, target: SocketStream, group: Any) -> None:
        try:
            while True:
                data = await source.receive()
                await self._up.wait()
                await target.send(data)
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            group.cancel_scope.cancel()


@asynccontextmanager
async def linked(port: int) -> AsyncIterator[Link]:
    """A link to the server at a port."""
    link = Link(port)
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    link.port = listener.extra(SocketAttribute.local_port)
    async with listener, anyio.create_task_group() as group:
        group.start_soon(listener.serve, link.serve)
        yield link
        group.cancel_scope.cancel()
