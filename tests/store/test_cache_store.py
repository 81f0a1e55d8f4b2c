"""Completions on disk: durable when they are said to be, shared between processes, and honest about what is no cache."""

import asyncio
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio.lowlevel
import pytest
import sqlalchemy as sa

from agentdebate.errors import StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store.cache import CompletionCache
from agentdebate.usage import Usage

FILE = Path("completions.db")


def said(text: str) -> Completion:
    return Completion(text=text, model="m-1", usage=Usage(calls=1, prompt_tokens=9), request_id="r")


def rows(statement: str) -> list[tuple[object, ...]]:
    """Return what another reader finds in the file."""
    connection = sqlite3.connect(FILE)
    try:
        with connection:
            return connection.execute(statement).fetchall()
    finally:
        connection.close()


async def test_what_was_put_is_there_when_the_file_is_opened_again() -> None:
    async with CompletionCache(FILE) as cache:
        await cache.put("a", said("one"), model="openai/m")
        await cache.put("b", said("two"), model="openai/m")
        assert rows("select key from completions order by key") == [("a",), ("b",)], "once it returns"
    async with CompletionCache(str(FILE)) as again:
        assert await again.get("a") == said("one")
        assert await again.get("b") == said("two")
        assert await again.get("c") is None
    assert rows("select distinct model from completions") == [("openai/m",)]


@contextmanager
def held_commits() -> Iterator[tuple[list[None], threading.Event]]:
    """Commits are counted, and wait until they may go on."""
    commits, free = list[None](), threading.Event()

    def held(_: sa.Connection) -> None:
        commits.append(None)
        free.wait()

    sa.event.listen(sa.Engine, "commit", held)
    try:
        yield commits, free
    finally:
        sa.event.remove(sa.Engine, "commit", held)


class Queue:
    """A lock that says how many wait for it."""

    def __init__(self) -> None:
        self.lock, self.waiting = threading.Lock(), list[None]()

    def __enter__(self) -> None:
        self.waiting.append(None)
        self.lock.acquire()
        self.waiting.pop()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


async def test_what_waits_for_a_commit_shares_it(monkeypatch: pytest.MonkeyPatch) -> None:
    locks = [Queue(), Queue()]
    monkeypatch.setattr("agentdebate.store.cache.Lock", iter(locks).__next__)
    async with CompletionCache(FILE) as cache:
        with held_commits() as (commits, free):
            puts = [asyncio.create_task(cache.put(str(n), said(str(n)), model="m")) for n in range(30)]
            while max(len(lock.waiting) for lock in locks) < 29:
                await anyio.lowlevel.checkpoint()
            free.set()
            await asyncio.gather(*puts)
        assert len(commits) == 2
        gets = await asyncio.gather(*(cache.get(str(n)) for n in range(30)))
        assert [one.text for one in gets if one] == [str(n) for n in range(30)]


def test_one_cache_may_be_used_in_several_event_loops() -> None:
    """Though one of them ended before it had its answer."""
    cache = CompletionCache(FILE)
    assert asyncio.run(cache.get("a")) is None

    async def leave() -> None:
        task = asyncio.create_task(cache.put("a", said("one"), model="m"))
        while not commits:
            await anyio.lowlevel.checkpoint()
        task.cancel()

    async def come_back() -> Completion | None:
        await cache.put("b", said("two"), model="m")
        found = await cache.get("a")
        await cache.aclose()
        return found

    with held_commits() as (commits, free):
        asyncio.run(leave())
        free.set()
        assert asyncio.run(come_back()) == said("one")


async def refused(url: str | Path, kind: type[Exception], message: str) -> None:
    """Whatever is done with it is an error of that kind, and opening it is one too."""
    cache = CompletionCache(url)
    with pytest.raises(kind, match=message):
        await cache.__aenter__()
    with pytest.raises(UsageError, match="was closed"):
        await cache.get("a")
    cache = CompletionCache(url)
    for work in (cache.get("a"), cache.put("a", said("x"), model="m")):
        with pytest.raises(kind, match=message):
            await work
    await cache.aclose()


@pytest.mark.parametrize("data", [b"my notes " * 200, b"SQLite format 3\0" + b"\0" * 200])
def test_a_file_that_is_no_database_is_refused_and_left_alone(data: bytes) -> None:
    FILE.write_bytes(data)
    asyncio.run(refused(FILE, UsageError, r"completions\.db is not a store; name another file"))
    assert FILE.read_bytes() == data


@pytest.mark.parametrize(
    "damaged", ['{"text": 1, "new": 2}', '{"text": "other", "text": "fine", "model": "m"}', "[1]", "{oh"]
)
async def test_one_damaged_completion_is_an_error_for_its_own_key_alone(damaged: str) -> None:
    async with CompletionCache(FILE) as cache:
        await cache.put("good", said("fine"), model="m")
        await cache.put("bad", said("fine"), model="m")
    connection = sqlite3.connect(FILE)
    with connection:
        connection.execute("update completions set completion = ? where key = 'bad'", (damaged,))
    connection.close()
    async with CompletionCache(FILE) as cache:
        good, bad = await asyncio.gather(cache.get("good"), cache.get("bad"), return_exceptions=True)
    assert good == said("fine")
    assert isinstance(bad, StoreError)
    assert "completions.db: a completion in it is damaged" in str(bad)


async def test_a_cache_of_an_earlier_version_is_used() -> None:
    rows("create table completions (key text primary key, completion text, model text, created real)")
    rows("""insert into completions values ('a', '{"text": "one", "model": "m"}', 'm', 1.5)""")
    async with CompletionCache(FILE) as cache:
        assert await cache.get("a") == Completion(text="one", model="m")
