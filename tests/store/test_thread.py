"""Work in a thread: waited for while it can end, and left to itself where it hangs."""

import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import anyio
import pytest
from patience import ends

from agentdebate.errors import StoreError
from agentdebate.store import thread
from agentdebate.store.thread import WorkThread, in_thread


@pytest.fixture
def hang() -> Iterator[threading.Event]:
    """What work waits for that hangs; it ends with the test."""
    event = threading.Event()
    yield event
    event.set()


Doing = Callable[[Callable[[], Any], str], Coroutine[Any, Any, Any]]


@pytest.fixture(params=["in_thread", "WorkThread.do"])
def doing(request: pytest.FixtureRequest) -> Iterator[Doing]:
    """Either way of having work done in a thread."""
    own = WorkThread("test")
    yield in_thread if request.param == "in_thread" else own.do
    own.stop()


async def test_what_the_work_gives_or_raises_comes_back(doing: Doing) -> None:
    assert await doing(lambda: 7, "runs.db") == 7
    with pytest.raises(StoreError, match="mine"):
        await doing(raising, "runs.db")
    assert await doing(lambda: None, "runs.db") is None


def raising() -> None:
    raise StoreError("mine")


async def test_a_caller_that_is_cancelled_waits_for_a_commit_that_ends(doing: Doing) -> None:
    done: list[int] = []

    def commit() -> None:
        time.sleep(0.05)
        done.append(1)

    with anyio.move_on_after(0.01) as scope:
        await doing(commit, "runs.db")
    assert scope.cancelled_caught or done
    assert done == [1]


async def test_a_caller_that_is_cancelled_leaves_work_that_hangs(
    doing: Doing, hang: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread, "GRACE", 0.05)
    with ends(), pytest.raises(StoreError, match=r"the store runs\.db has not answered"):
        with anyio.move_on_after(0.01):
            await doing(hang.wait, "runs.db")
