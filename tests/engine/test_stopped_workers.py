"""Workers that are stopped, or cut off, in the middle of a transaction hold up no other for longer than a lease and 10 seconds."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any

import anyio
import pytest
import sqlalchemy as sa
import worker_nursery
from anyio.from_thread import start_blocking_portal
from postgres_cluster import Cluster
from resume_cases import rows, summaries

import agentdebate as ad
from agentdebate.store.engine import engine_for
from agentdebate.store.reader import read_store

HANGS = 120
"""Seconds after which something hangs; what is waited for comes in a few."""
LEASE = 3.0
COUNT = 1000
SLOWLY = 1_200
"""Calls a minute of all workers, so that the debates last as long as the test on any machine."""
PLACES = ("FOR SHARE", "FOR UPDATE", "UPDATE leases", "UPDATE workers", "INSERT INTO in_flight")
"""Where workers are stopped: each of these statements locks what others may need."""


def until(true: Callable[[], bool], what: str) -> float:
    """Wait until something is so; the seconds that it took come back."""
    begun = time.monotonic()
    while not true():
        assert time.monotonic() < begun + HANGS, f"this hangs: {what}"
        time.sleep(0.05)
    return time.monotonic() - begun


class Nursery:
    """Starts workers of a run, and kills those that are left."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self.workers: list[int] = []

    def begin(self, store: str, stop: str = "", **limits: int) -> int:
        """Begin a worker that stops itself after a statement with these words; its process number comes back."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        wish = {"store": store, "stop": stop, "lease": LEASE, **limits}
        self._process.stdin.write(f"{json.dumps(wish)}\n")
        self._process.stdin.flush()
        self.workers.append(int(self._process.stdout.readline()))
        return self.workers[-1]

    def begin_stopped(self, store: str, sessions: "Sessions") -> list[int]:
        """Begin ten workers, and wait until each has been seen stopped within a transaction."""
        stopped = [self.begin(store, place, limit=SLOWLY) for place in (*PLACES, *PLACES)]
        until(lambda: sessions.stopped(stopped), "the workers stop")
        return stopped

    def wake(self, stopped: Sequence[int], store: str) -> None:
        """Wake workers, wait until all of them work again, and kill them."""
        self.send(signal.SIGCONT, stopped)
        until(lambda: working(store) == len(stopped) + 1, "those that were woken go on")
        self.send(signal.SIGKILL, stopped)

    def send(self, sent: signal.Signals, workers: Sequence[int]) -> None:
        """Send a signal to workers, of which some may have ended: their numbers are theirs as long as the nursery is there."""
        for worker in workers:
            os.kill(worker, sent)


@contextmanager
def nursery(run: str) -> Iterator[Nursery]:
    command = [sys.executable, worker_nursery.__file__, run]
    with (
        Path("workers.log").open("w", encoding="utf-8") as log,
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        made = Nursery(process)
        try:
            yield made
        finally:
            made.send(signal.SIGKILL, made.workers)
            process.kill()


class Sessions:
    """What a server says of the sessions in which workers stopped themselves."""

    def __init__(self, store: str) -> None:
        self._engine = engine_for(sa.make_url(store))

    def stopped(self, workers: Sequence[int]) -> bool:
        """Tell whether all workers stand still within a transaction, as the server has seen it."""
        return all(
            ") T " in Path(f"/proc/{worker}/stat").read_text(encoding="utf-8")
            and Path(str(worker)).read_text(encoding="ascii").endswith(" idle in transaction")
            for worker in workers
        )

    def ended(self, workers: Sequence[int]) -> bool:
        """Tell whether the server has ended their sessions."""
        numbers = [int(Path(str(worker)).read_text(encoding="ascii").split()[0]) for worker in workers]
        with self._engine.connect() as connection:
            return not any(connection.execute(worker_nursery.STATE, {"pid": one}).scalar() for one in numbers)

    def close(self) -> None:
        self._engine.dispose()


class Link:
    """A network link to a server. While it is cut nothing goes through, and what was sent arrives when it is there again."""

    def __init__(self, server: int) -> None:
        self._server, self.port, self._up = server, 0, asyncio.Event()
        self._up.set()
        self._ends: list[asyncio.StreamWriter] = []

    def cut(self) -> None:
        self._up.clear()

    def mend(self) -> None:
        self._up.set()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._server)
        self._ends += [writer, to_server]
        await asyncio.gather(self._pump(reader, to_server), self._pump(from_server, writer))

    def close(self) -> None:
        """Close every connection, whatever it has not sent."""
        for end in self._ends:
            end.transport.abort()

    async def _pump(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await source.read(65_536):
                await self._up.wait()
                target.write(data)
        target.close()


@asynccontextmanager
async def linked(port: int) -> AsyncIterator[Link]:
    """A link to the server at a port."""
    link = Link(port)
    server = await asyncio.start_server(link.serve, "127.0.0.1", 0)
    link.port = server.sockets[0].getsockname()[1]
    try:
        yield link
    finally:
        server.close()
        link.close()


def ended(store: str) -> int:
    with read_store(store) as reader:
        return reader.run("last").ended_debates


async def entered(store: str, count: int) -> str:
    return await ad.enqueue(
        summaries(count), "debate", store=store, model=worker_nursery.Slow(), aspects="coherence"
    )


async def undisturbed(some: list[ad.Item]) -> dict[str, Any]:
    """Return what the debates about some items come to where one process holds them."""
    async with ad.evaluate(
        some, "debate", model=worker_nursery.Slow(seconds=0.0), aspects="coherence", store="alone.db"
    ) as run:
        assert len([record async for record in run]) == len(some)
    return rows("alone.db")


@pytest.mark.postgres
def test_workers_that_are_stopped_or_cut_off_in_a_transaction_hold_up_no_other(cluster: Cluster) -> None:
    """10 are stopped and woken, 10 lose their network; the debates come to what undisturbed ones come to."""
    store = cluster.new_database()
    run = anyio.run(entered, store, COUNT)
    with ExitStack() as stack:
        sessions = Sessions(store)
        stack.callback(sessions.close)
        portal = stack.enter_context(start_blocking_portal())
        link = stack.enter_context(portal.wrap_async_context_manager(linked(cluster.port)))
        away = store.replace(f":{cluster.port}/", f":{link.port}/")
        workers = stack.enter_context(nursery(run))
        workers.begin(store, limit=SLOWLY)
        until(lambda: ended(store) > 0, "the first worker")

        first = workers.begin_stopped(store, sessions)
        assert held_up_for(first, sessions, store) < LEASE + 10
        workers.wake(first, store)

        cut = workers.begin_stopped(away, sessions)
        portal.call(link.cut)
        workers.send(signal.SIGCONT, cut)
        assert held_up_for(cut, sessions, store) < LEASE + 10
        portal.call(link.mend)
        workers.wake(cut, store)
    found = rows(store)
    about = [item for item in summaries(COUNT) if f"{item.id}/coherence" in found]
    assert found == anyio.run(undisturbed, about)


def held_up_for(stopped: Sequence[int], sessions: Sessions, store: str) -> float:
    """The seconds until the server has ended the sessions of stopped workers, and another worker goes on."""
    before = ended(store)
    took = until(lambda: sessions.ended(stopped), "the sessions end")
    return took + until(lambda: ended(store) >= before + 3, "the other goes on")


def working(store: str) -> int:
    """How many workers have been heard of within the time of a lease."""
    found = ad.crew(store=store)
    assert found is not None
    return sum(one.state == "working" and one.seen < LEASE for one in found.workers)
