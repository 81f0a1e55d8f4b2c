"""Python looks for cycles seldom while debates are held, and is left as it was found."""

import asyncio
import gc
import threading
from collections.abc import Iterator

import pytest
from engine_cases import ITEM, TASKS, Played, end, scoring

from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.runs.garbage import THRESHOLDS, collecting_seldom
from agentdebate.testing import replying

PYTHONS = 700, 10, 10
OTHERS = 1_000, 5, 5


@pytest.fixture(autouse=True)
def as_python_begins() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(*PYTHONS)
    yield
    gc.set_threshold(*before)


def looks_after() -> tuple[int, int]:
    """The first two thresholds; Python 3.14 has no third."""
    return gc.get_threshold()[:2]


async def hold(model: Function) -> None:
    judge = Played(play=end)
    async with evaluate([ITEM], judge, model=model, aspects="fluency", tasks=TASKS) as run:
        async for record in run:
            assert record.failure is None, record.failure


def test_cycles_are_looked_for_seldom_while_the_block_runs() -> None:
    with collecting_seldom():
        assert looks_after() == THRESHOLDS[:2]
    assert looks_after() == PYTHONS[:2]


def test_what_the_block_raises_comes_out_and_the_thresholds_are_back() -> None:
    with pytest.raises(ValueError, match="no"), collecting_seldom():
        raise ValueError("no")
    assert looks_after() == PYTHONS[:2]


def test_of_blocks_within_each_other_the_outer_one_gives_back() -> None:
    with collecting_seldom():
        with collecting_seldom():
            pass
        assert looks_after() == THRESHOLDS[:2]
    assert looks_after() == PYTHONS[:2]


def test_of_blocks_beside_each_other_the_last_to_end_gives_back() -> None:
    first, second = collecting_seldom(), collecting_seldom()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert looks_after() == THRESHOLDS[:2]
    second.__exit__(None, None, None)
    assert looks_after() == PYTHONS[:2]


def test_blocks_of_several_threads_are_counted_together() -> None:
    inside, on = threading.Barrier(5), threading.Event()

    def block() -> None:
        with collecting_seldom():
            inside.wait(60)
            on.wait(60)

    threads = [threading.Thread(target=block) for _ in range(4)]
    for thread in threads:
        thread.start()
    inside.wait(60)
    assert looks_after() == THRESHOLDS[:2]
    on.set()
    for thread in threads:
        thread.join()
    assert looks_after() == PYTHONS[:2]


def test_thresholds_that_are_set_meanwhile_stay() -> None:
    with collecting_seldom():
        gc.set_threshold(*OTHERS)
        with collecting_seldom():
            assert looks_after() == OTHERS[:2]
    assert looks_after() == OTHERS[:2]


@pytest.mark.parametrize("thresholds", [(0, 10, 10), (200_000, 10, 10)])
def test_a_collector_that_is_off_or_looks_more_seldom_still_is_left_alone(
    thresholds: tuple[int, int, int],
) -> None:
    gc.set_threshold(*thresholds)
    with collecting_seldom():
        assert looks_after() == thresholds[:2]
    assert looks_after() == thresholds[:2]


async def test_an_evaluation_looks_seldom_and_gives_back_what_was_set_before() -> None:
    seen = []

    def answer(_: ModelRequest) -> str:
        seen.append(looks_after())
        return scoring(4)

    await hold(Function("looking", answer))
    assert seen == [THRESHOLDS[:2]]
    assert looks_after() == PYTHONS[:2]


async def test_an_evaluation_that_is_cancelled_gives_back_too() -> None:
    there = asyncio.Event()

    async def wait(_: ModelRequest) -> str:
        there.set()
        await asyncio.Event().wait()
        raise AssertionError

    held = asyncio.create_task(hold(Function("waiting", wait)))
    await there.wait()
    assert looks_after() == THRESHOLDS[:2]
    held.cancel()
    with pytest.raises(asyncio.CancelledError):
        await held
    assert looks_after() == PYTHONS[:2]


async def test_of_evaluations_at_once_the_last_to_end_gives_back() -> None:
    there, on = asyncio.Event(), asyncio.Event()

    async def wait(_: ModelRequest) -> str:
        there.set()
        await on.wait()
        return scoring(4)

    long = asyncio.create_task(hold(Function("waiting", wait)))
    await there.wait()
    await hold(replying(scoring(4)))
    assert looks_after() == THRESHOLDS[:2]
    on.set()
    await long
    assert looks_after() == PYTHONS[:2]
