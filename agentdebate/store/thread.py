"""Waiting for work in a thread: a cancelled caller waits for a moment, since the work may be a commit, and then no longer."""

from collections.abc import Callable
from typing import Any, TypeVar

import anyio
import anyio.to_thread

from agentdebate.errors import StoreError

_Result = TypeVar("_Result")

GRACE = 15.0
"""Seconds that work under way has to end once its caller is cancelled: longer than a commit waits for another process's."""


async def in_thread(work: Callable[[], _Result], place: str) -> _Result:
    """What `work` gives in a thread.

    Where the caller is cancelled meanwhile, the work is waited for up to GRACE seconds, so that what is written is known; then
    the thread is left to itself and StoreError raised. Such a thread hangs in the operating system, as on a network disk that
    is gone, and ends with it or with the process.
    """
    outcome: list[_Result] = []
    failure: Exception | None = None
    wait = anyio.CancelScope(shield=True)
    async with anyio.create_task_group() as group:
        group.start_soon(_limit_when_cancelled, wait)
        with wait:
            try:
                outcome.append(await anyio.to_thread.run_sync(work, abandon_on_cancel=True))
            except Exception as error:  # noqa: BLE001 - raised below, outside of the group
                failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    if not outcome:
        raise StoreError(
            f"the store {place} has not answered for {GRACE:g} s; look at its disk: what was being written may not be there"
        )
    return outcome[0]


async def _limit_when_cancelled(wait: anyio.CancelScope) -> Any:
    try:
        await anyio.sleep_forever()
    finally:
        wait.deadline = anyio.current_time() + GRACE
