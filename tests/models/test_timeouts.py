"""One timer for all calls interrupts those that take too long, as a timeout each would."""

import asyncio
import gc
import weakref
from collections.abc import Awaitable, Callable

import pytest

from agentdebate.models.timeouts import Timeouts
from agentdebate.testing import run_jumping

SECONDS = 10.0
EVER = 1e6


async def timed(timeouts: Timeouts, seconds: float, renewals: int = 0) -> str:
    """What comes of a call that takes so long, and so long again after each renewal."""
    call = timeouts.begin()
    try:
        await asyncio.sleep(seconds)
        for _ in range(renewals):
            timeouts.renew(call)
            await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        if timeouts.end(call):
            return "late"
        raise
    finally:
        timeouts.end(call)
    return "in time"


def with_timeouts(test: Callable[[Timeouts], Awaitable[None]]) -> None:
    """Run a test by a clock that jumps to whatever is next."""

    async def main() -> None:
        await test(Timeouts(asyncio.get_running_loop(), SECONDS))

    run_jumping(main())


def test_what_takes_too_long_is_interrupted_and_nothing_else() -> None:
    async def main(timeouts: Timeouts) -> None:
        ends = await asyncio.gather(*(timed(timeouts, seconds) for seconds in (0, EVER, 9, EVER)))
        assert ends == ["in time", "late", "in time", "late"]
        assert repr(timeouts) == "<Timeouts of 10 s: 0 running>"

    with_timeouts(main)


def test_each_call_has_its_time_from_its_own_beginning() -> None:
    async def main(timeouts: Timeouts) -> None:
        clock = asyncio.get_running_loop().time

        async def took(wait: float) -> float:
            await asyncio.sleep(wait)
            began = clock()
            assert await timed(timeouts, EVER) == "late"
            return clock() - began

        for seconds in await asyncio.gather(*(took(wait) for wait in (0, 0.5, 3, 12, 100))):
            assert seconds == pytest.approx(SECONDS)

    with_timeouts(main)


def test_a_call_that_is_renewed_has_its_whole_time_again() -> None:
    async def main(timeouts: Timeouts) -> None:
        ends = tuple(
            await asyncio.gather(timed(timeouts, 9, renewals=3), timed(timeouts, 9), timed(timeouts, 11))
        )
        assert ends == ("in time", "in time", "late")

    with_timeouts(main)


def test_an_interruption_is_taken_back_so_that_the_task_goes_on() -> None:
    async def main(timeouts: Timeouts) -> None:
        assert await timed(timeouts, EVER) == "late"
        task = asyncio.current_task()
        assert task is not None
        assert task.cancelling() == 0
        await asyncio.sleep(0)

    with_timeouts(main)


def test_whoever_cancels_a_call_gets_through() -> None:
    async def main(timeouts: Timeouts) -> None:
        task = asyncio.create_task(timed(timeouts, EVER))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    with_timeouts(main)


def test_a_cancellation_at_the_moment_of_the_timeout_gets_through() -> None:
    async def main(timeouts: Timeouts) -> None:
        task = asyncio.create_task(timed(timeouts, EVER))
        await asyncio.sleep(0)
        asyncio.get_running_loop().call_later(SECONDS, task.cancel)  # called in the same turn of the loop
        with pytest.raises(asyncio.CancelledError):
            await task

    with_timeouts(main)


def test_an_outer_timeout_is_told_from_its_own() -> None:
    async def main(timeouts: Timeouts) -> None:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(1):
                await timed(timeouts, EVER)
        async with asyncio.timeout(60):
            assert await timed(timeouts, EVER) == "late"

    with_timeouts(main)


def test_calls_that_have_ended_are_not_held_on_to() -> None:
    async def main(timeouts: Timeouts) -> None:
        task = asyncio.create_task(timed(timeouts, 0))
        await task
        await asyncio.sleep(0)
        gone = weakref.ref(task)
        del task
        gc.collect()
        assert gone() is None

    with_timeouts(main)


def test_nothing_is_interrupted_once_it_is_stopped() -> None:
    async def main(timeouts: Timeouts) -> None:
        task = asyncio.create_task(timed(timeouts, 2 * SECONDS))
        await asyncio.sleep(0)
        timeouts.stop()
        assert await task == "in time"

    with_timeouts(main)
