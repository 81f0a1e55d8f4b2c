"""Work in a thread: waited for while it can end, and left to itself where it hangs."""

import threading
import time
from collections.abc import Iterator

import anyio
import pytest

from agentdebate.errors import StoreError
from agentdebate.store import thread
from agentdebate.store.thread import in_thread


@pytest.fixture
def hang() -> Iterator[threading.Event]:
    """What work waits for that hangs; it ends with the test."""
    event = threading.Event()
    yield event
    event.set()


async def test_what_the_work_gives_or_raises_comes_back() -> None:
    assert await in_thread(lambda: 7, "runs.db") == 7
    with pytest.raises(StoreError, match="mine"):
        await in_thread(raising, "runs.db")


def raising() -> None:
    raise StoreError("mine")


async def test_a_caller_that_is_cancelled_waits_for_a_commit_that_ends() -> None:
    done: list[int] = []

    def commit() -> None:
        time.sleep(0.05)
        done.append(1)

    with anyio.move_on_after(0.01) as scope:
        await in_thread(commit, "runs.db")
    assert scope.cancelled_caught or done
    assert done == [1]


async def test_a_caller_that_is_cancelled_leaves_work_that_hangs(
    hang: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread, "GRACE", 0.05)
    began = time.monotonic()
    with pytest.raises(StoreError, match=r"the store runs\.db has not answered"):
        with anyio.move_on_after(0.01):
            await in_thread(hang.wait, "runs.db")
    assert time.monotonic() - began < 5


async def test_other_tasks_go_on_meanwhile(hang: threading.Event) -> None:
    steps = 0
    async with anyio.create_task_group() as group:
        group.start_soon(in_thread, hang.wait, "runs.db")
        for _ in range(100):
            await anyio.lowlevel.checkpoint()
            steps += 1
        hang.set()
    assert steps == 100
