"""What debates share: made once by the first that needs it, tried again where that failed, closed after the last."""

import threading

import anyio
import anyio.lowlevel
import pytest

from agentdebate.common import Common


class Thing:
    def __init__(self, name: str, closed: list[str]) -> None:
        self.name, self._closed = name, closed

    async def aclose(self) -> None:
        self._closed.append(self.name)


async def test_who_asks_by_the_same_name_gets_the_same_thing() -> None:
    common = Common()
    one, other = await common.get("a", object), await common.get("a", object)
    assert one is other
    assert await common.get("b", object) is not one
    assert repr(common) == "<Common a, b>"
    assert repr(Common()) == "<Common nothing yet>"


async def test_a_thing_is_made_once_however_many_ask_at_the_same_time() -> None:
    common, made, had = Common(), list[object](), list[object]()

    async def find() -> object:
        await anyio.lowlevel.checkpoint()
        made.append(object())
        return made[-1]

    async def ask() -> None:
        had.append(await common.once("a", find))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
    assert len(made) == 1
    assert had == made * 5


async def test_it_is_made_in_a_thread_of_its_own() -> None:
    """Some things take seconds to load, and other debates go on meanwhile."""
    assert await Common().get("thread", threading.get_ident) != threading.get_ident()


async def test_one_that_is_slow_keeps_nobody_from_another() -> None:
    common, done = Common(), anyio.Event()

    async def slow() -> str:
        await done.wait()
        return "slow"

    async with anyio.create_task_group() as group:
        group.start_soon(common.once, "slow", slow)
        await anyio.lowlevel.checkpoint()
        with anyio.fail_after(5):
            assert await common.get("quick", lambda: "quick") == "quick"
        done.set()
    assert repr(common) == "<Common quick, slow>"


async def test_what_making_it_raises_is_raised_and_the_next_one_tries_again() -> None:
    common, tries = Common(), list[int]()

    def make() -> str:
        tries.append(1)
        if len(tries) == 1:
            raise OSError("no such file")
        return "made"

    with pytest.raises(OSError, match="no such file"):
        await common.get("a", make)
    assert repr(common) == "<Common nothing yet>"
    assert [await common.get("a", make), await common.get("a", make), len(tries)] == ["made", "made", 2]


async def test_none_is_a_thing_too() -> None:
    common, asked = Common(), list[int]()

    async def find() -> None:
        asked.append(1)

    await common.once("nothing", find)
    await common.once("nothing", find)
    assert len(asked) == 1


async def test_what_can_be_closed_is_closed_once_latest_first() -> None:
    common, closed = Common(), list[str]()
    for name in "abc":
        await common.get(name, lambda name=name: Thing(name, closed))  # type: ignore[misc]  # a default binds it
    await common.get("plain", object)
    await common.aclose()
    await common.aclose()
    assert closed == ["c", "b", "a"]


async def test_whoever_waits_for_a_thing_can_be_cancelled() -> None:
    common, scope = Common(), anyio.CancelScope()

    async def find() -> None:
        scope.cancel()
        await anyio.sleep_forever()

    with scope:
        await common.once("a", find)
    assert scope.cancelled_caught
    with anyio.fail_after(5):
        assert await common.get("a", lambda: "had") == "had"
