"""Completions that were paid for once, on disk: a table of a store, which several runs and processes may share."""

import time
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Self

import sqlalchemy as sa
from anyio import CancelScope
from anyio.to_thread import run_sync

from agentdebate.codec import read
from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.models.base import Completion
from agentdebate.store.damage import mapping
from agentdebate.store.database import Database
from agentdebate.store.documents import completion_json
from agentdebate.store.engine import open_database
from agentdebate.store.place import shown
from agentdebate.store.schema import COMPLETIONS, batches, insert_rows


class CompletionCache:
    """Completions in a store of their own, for `agentdebate.models.cache.Cached`, in any event loop.

    Completions that wait for a commit share the next one. The store is opened at the first use, or by `async with`, which shows at
    once what is wrong with it. Every method raises StoreError where it cannot be used, and UsageError where it is none of ours; both
    name it.
    """

    def __init__(self, path: str | Path) -> None:
        self.place = shown(path)
        """The file."""
        self._path = path
        self._database: Database | None = None
        self._lock, self._writing = Lock(), Lock()
        self._waiting = dict[str, dict[str, Any]]()
        """Rows that wait for a commit, by their keys."""
        self._closed = False

    async def __aenter__(self) -> Self:
        try:
            await run_sync(self._opened)
        except BaseException:
            await self.aclose()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def get(self, key: str) -> Completion | None:
        """The completion that is kept under a key, if there is one."""
        query = sa.select(COMPLETIONS.c.completion).where(COMPLETIONS.c.key == key)
        found = await run_sync(lambda: self._opened().scalar(query))
        try:
            return None if found is None else read(Completion, mapping(found))
        except (ValueError, TypeError) as error:
            raise StoreError(
                f"the cache {self.place}: a completion in it is damaged, or was written by a newer agentdebate. Move it away, "
                "and what was in it is asked for again"
            ) from error

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        """Keep a completion, in the place of an earlier one; it is on disk when this returns."""
        row = {"key": key, "completion": completion_json(completion), "model": model, "created": time.time()}
        await run_sync(self._put, row)

    async def aclose(self) -> None:
        """Do what is waiting and close it. Safe to call twice."""
        with CancelScope(shield=True):
            await run_sync(self._close)

    # From here on: in threads.

    def _opened(self) -> Database:
        with self._lock:
            if self._closed:
                raise UsageError(f"the cache {self.place} was closed; open it again to use it")
            if self._database is None:
                self._database = open_database(self._path, create=True)
            return self._database

    def _close(self) -> None:
        with self._writing, self._lock:
            self._closed = True
            if self._database is not None:
                self._database.close()

    def _put(self, row: dict[str, Any]) -> None:
        """Write a row with all that wait meanwhile."""
        database = self._opened()
        with self._lock:
            self._waiting[row["key"]] = row
        with self._writing:
            with self._lock:
                if row["key"] not in self._waiting:
                    return  # another one has written it
                rows, self._waiting = self._waiting, {}
            try:
                database.change(partial(_replace, rows=rows))
            except AgentDebateError:
                with self._lock:  # each of them tries for itself
                    self._waiting = rows | self._waiting
                raise


def _replace(connection: sa.Connection, *, rows: dict[str, dict[str, Any]]) -> None:
    for keys in batches(rows):
        connection.execute(COMPLETIONS.delete().where(COMPLETIONS.c.key.in_(keys)))
    insert_rows(connection, COMPLETIONS, [*rows.values()], again=True)
