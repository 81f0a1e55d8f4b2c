"""Scores on disk: kept between runs, shared between processes, and honest about a file that is none of theirs."""

import subprocess
import sys
from pathlib import Path

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.errors import StoreError, UsageError
from agentdebate.evaluators.base import Pair
from agentdebate.evaluators.score_cache import ScoreCache, score_key

TEXT = st.text(max_size=4)
KEY = st.tuples(TEXT, TEXT, st.builds(Pair, st.lists(TEXT, min_size=1, max_size=3).map(tuple), TEXT))


@given(KEY, KEY)
def test_keys_are_equal_where_everything_is(one: tuple[str, str, Pair], other: tuple[str, str, Pair]) -> None:
    assert (score_key(*one) == score_key(*other)) == (one == other)


def test_half_a_character_has_a_key() -> None:
    assert score_key("n", "1", Pair(("\ud800",), "x")) != score_key("n", "1", Pair(("\ud801",), "x"))


def test_a_key_stays_what_it_is() -> None:
    """Or caches of earlier runs are of no use."""
    key = score_key("rouge-l", "rouge-score 0.1.2", Pair(("one", "two"), "text"))
    assert key.hex().startswith("e3406b3e362d271a")


async def test_what_was_put_is_there_when_the_file_is_opened_again(tmp_path: Path) -> None:
    scores = {bytes([number]) * 32: number / 3 for number in range(50)}
    cache = ScoreCache(tmp_path / "scores.db")
    await cache.put_many(scores)
    await cache.put_many({b"0": 1.0})
    await cache.aclose()
    await cache.aclose()
    again = ScoreCache(tmp_path / "scores.db")
    assert await again.get_many([*scores, b"unknown"]) == scores
    await again.aclose()


async def test_a_later_score_goes_before_an_earlier(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.db")
    await cache.put_many({b"k": 1.0})
    await cache.put_many({b"k": 2.0})
    assert await cache.get_many([b"k"]) == {b"k": 2.0}
    await cache.aclose()


async def test_nothing_is_opened_before_it_is_needed(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "no folder" / "scores.db")
    await cache.aclose()
    assert repr(cache).endswith("scores.db'>")


@pytest.mark.parametrize(
    "content", [b"not a database, but a text file " * 40, b"SQLite format 3\0" + b"\0" * 200]
)
async def test_a_file_that_is_no_cache_is_an_error_that_names_it(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "scores.db"
    path.write_bytes(content)
    for work in (ScoreCache(path).get_many([b"k"]), ScoreCache(path).put_many({b"k": 1.0})):
        with pytest.raises(
            StoreError, match=r"the cache of scores .*scores\.db cannot be used: .*Move it away"
        ):
            await work
    assert path.read_bytes() == content


async def test_a_file_that_is_spoiled_later_on_is_an_error_that_names_it(tmp_path: Path) -> None:
    path = tmp_path / "scores.db"
    cache = ScoreCache(path)
    await cache.put_many({number.to_bytes(32, "big"): 1.0 for number in range(5000)})
    await cache.aclose()
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:4096] + b"\xff" * (size - 4096))
    with pytest.raises(StoreError, match=r"scores\.db"):
        await cache.get_many([number.to_bytes(32, "big") for number in range(5000)])
    await cache.aclose()


async def test_a_folder_that_is_not_there_is_an_error_that_names_it(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no folder"):
        await ScoreCache(tmp_path / "no folder" / "scores.db").get_many([b"k"])


async def test_many_tasks_may_use_it_at_once(tmp_path: Path) -> None:
    cache = ScoreCache(tmp_path / "scores.db")

    async def use(number: int) -> None:
        await cache.put_many({bytes([number]): float(number)})
        assert await cache.get_many([bytes([number])]) == {bytes([number]): float(number)}

    async with anyio.create_task_group() as group:
        for number in range(20):
            group.start_soon(use, number)
    assert len(await cache.get_many([bytes([number]) for number in range(20)])) == 20
    await cache.aclose()


WRITER = """
import sys, anyio
from agentdebate.evaluators.score_cache import ScoreCache

async def main(path, first):
    cache = ScoreCache(path)
    print("ready", flush=True)
    sys.stdin.readline()
    for number in range(first, first + 60):
        await cache.put_many({number.to_bytes(2, "big"): float(number), b"both": 1.0})
        assert (await cache.get_many([b"both"]))[b"both"] == 1.0
    await cache.aclose()

anyio.run(main, sys.argv[1], int(sys.argv[2]))
"""


def test_two_processes_may_write_at_once(tmp_path: Path) -> None:
    """They open the file, which is not there yet, at the same moment."""
    path = tmp_path / "scores.db"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), str(first)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for first in (0, 100)
    ]
    for writer in writers:
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin
        writer.stdin.write("go\n")
        writer.stdin.flush()
    for writer in writers:
        _, errors = writer.communicate(timeout=60)
        assert (writer.returncode, errors) == (0, "")
    keys = [number.to_bytes(2, "big") for first in (0, 100) for number in range(first, first + 60)]
    assert len(anyio.run(read, path, keys)) == 120


async def read(path: Path, keys: list[bytes]) -> dict[bytes, float]:
    cache = ScoreCache(path)
    try:
        return await cache.get_many(keys)
    finally:
        await cache.aclose()
