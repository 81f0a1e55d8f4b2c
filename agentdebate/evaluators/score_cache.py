"""Scores that were computed once, on disk: what any run has computed, no other computes again."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import anyio.to_thread

from agentdebate.errors import StoreError
from agentdebate.evaluators.base import Pair
from agentdebate.store.sqlite_file import SqliteFile

Result = TypeVar("Result")

_BUSY = 130_000
"""Milliseconds to wait for another process's write."""

_COLUMNS = "key BLOB PRIMARY KEY, score REAL NOT NULL"
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

    It is opened when it is first needed. Every method raises StoreError, which names the file, where the file cannot be used.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._file = SqliteFile(self.path, "scores", _COLUMNS, busy=_BUSY)

    def __repr__(self) -> str:
        return f"<ScoreCache {str(self.path)!r}>"

    async def get_many(self, keys: Sequence[bytes]) -> dict[bytes, float]:
        """The scores that are there, by key."""
        return await self._in_thread(partial(_get_many, self._file, keys))

    async def put_many(self, scores: Mapping[bytes, float]) -> None:
        """Write scores; they are on disk when this returns."""
        await self._in_thread(partial(self._file.write_many, _PUT, list(scores.items())))

    async def aclose(self) -> None:
        """Close the file. Safe to call twice; what is asked for afterwards opens it again."""
        await anyio.to_thread.run_sync(self._file.close)

    async def _in_thread(self, work: Callable[[], Result]) -> Result:
        try:
            return await anyio.to_thread.run_sync(work)
        except StoreError as error:
            raise StoreError(
                f"the cache of scores {self.path} cannot be used: {error}. Move it away, and scores are computed again"
            ) from error


def _get_many(file: SqliteFile, keys: Sequence[bytes]) -> dict[bytes, float]:
    found = zip(keys, file.first_of_each(_GET, [(key,) for key in keys]), strict=True)
    return {key: _score(row[0]) for key, row in found if row}


def _score(value: object) -> float:
    """A score as it was written. Raises StoreError for anything else."""
    if not isinstance(value, float):
        raise StoreError(f"there is a {type(value).__name__} where a score belongs")
    return value
