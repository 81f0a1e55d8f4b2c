"""Scores that were computed once, on disk: what any run has computed, no other computes again."""

import hashlib
import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TypeVar

import anyio.to_thread

from agentdebate.errors import StoreError
from agentdebate.evaluators.base import Pair

Result = TypeVar("Result")

_BUSY = 60.0
"""Seconds to wait for another process's write."""

_TABLE = "CREATE TABLE IF NOT EXISTS scores (key BLOB PRIMARY KEY, score REAL NOT NULL) WITHOUT ROWID"
_GET = "SELECT score FROM scores WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO scores (key, score) VALUES (?, ?)"


def score_key(name: str, version: str, pair: Pair) -> bytes:
    """What a score is kept under: a digest of the evaluator, its version, and the texts."""
    parts = json.dumps(
        [name, version, pair.premise, pair.hypothesis]
    )  # escaped: half a character is a text too
    return hashlib.sha256(parts.encode()).digest()


class ScoreCache:
    """Scores in an SQLite file, which several evaluators, runs and processes may share.

    It is opened when it is first needed. Its journal is SQLite's plain one and no WAL: several processes may write here,
    and until 3.51.3 SQLite can spoil a WAL that two of them begin anew at once. Every method raises StoreError, which
    names the file, where the file cannot be used.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._connection: sqlite3.Connection | None = None
        self._lock = Lock()

    def __repr__(self) -> str:
        return f"<ScoreCache {str(self.path)!r}>"

    async def get_many(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """The scores that are there, by key."""
        return await self._in_thread(partial(_get_many, keys=keys))

    async def put_many(self, scores: Mapping[bytes, float]) -> None:
        """Write scores; they are on disk when this returns."""
        await self._in_thread(partial(_put_many, scores=dict(scores)))

    async def aclose(self) -> None:
        """Close the file. Safe to call twice; what is asked for afterwards opens it again."""
        await anyio.to_thread.run_sync(self._close)

    async def _in_thread(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        return await anyio.to_thread.run_sync(self._with_connection, work)

    def _with_connection(self, work: Callable[[sqlite3.Connection], Result]) -> Result:
        try:
            with self._lock:
                if self._connection is None:
                    self._connection = self._open()
                return work(self._connection)
        except sqlite3.Error as error:
            raise StoreError(
                f"the cache of scores {self.path} cannot be used: {error}. Move it away, and scores are computed again"
            ) from error

    def _open(self) -> sqlite3.Connection:
        # Any worker thread may be the one that uses it; the lock lets in one at a time.
        connection = sqlite3.connect(self.path, timeout=_BUSY, check_same_thread=False)
        try:
            connection.execute(_TABLE)
        except BaseException:
            connection.close()
            raise
        return connection

    def _close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None


def _get_many(connection: sqlite3.Connection, keys: Sequence[bytes]) -> dict[bytes, float]:
    found = ((key, connection.execute(_GET, (key,)).fetchone()) for key in keys)
    return {key: float(row[0]) for key, row in found if row}


def _put_many(connection: sqlite3.Connection, scores: Mapping[bytes, float]) -> None:
    with connection:
        connection.executemany(_PUT, scores.items())
