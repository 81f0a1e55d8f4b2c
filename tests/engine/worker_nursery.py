"""Workers that can be stopped in the middle of a transaction: processes that are forked from one which has everything loaded.

    python worker_nursery.py RUN < WISHES

A wish is a line of JSON: the store, the lease, what all workers may spend, and the words of the statement after which the worker
stops itself. The process number of each worker is printed. A worker writes the number of its server's process into the file of its own number before it stops.
"""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import anyio
import sqlalchemy as sa
from resume_cases import Hashed

from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.composition import Around
from agentdebate.models.limits.budget import Budget
from agentdebate.models.limits.shared import SharedLimits
from agentdebate.runs.work import work
from agentdebate.store import driver, writer

AT_ONCE = 2
"""Debates that a worker holds at a time."""
LIMIT = 6_000
"""Requests a minute: never reached, but asked of the store."""


class Slow(Hashed):
    """A model that takes a while, costs about 150 tokens a call, and writes down what it answers."""

    def __init__(self, seconds: float = 0.1) -> None:
        super().__init__(unreadable=0)
        self._seconds, self._file = seconds, Path("paid")

    async def complete(self, request: ModelRequest) -> Completion:
        await anyio.sleep(self._seconds)
        completion = await super().complete(request)
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{request.key()}\n")
        usage = completion.usage
        more = usage.model_copy(update={"prompt_tokens": 100 + usage.prompt_tokens})
        return completion.model_copy(update={"usage": more})


def stop_after(words: str) -> None:
    """Have this process stop itself in the middle of a transaction: after the first statement that has these words."""
    left = [words]

    def executed(connection: sa.Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if left and words in statement:
            left.clear()
            number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
            Path(str(os.getpid())).write_text(str(number), encoding="ascii")
            os.kill(os.getpid(), signal.SIGSTOP)

    sa.event.listen(sa.Engine, "after_cursor_execute", executed)


async def hold(run: str, store: str, lease: float, budget: int | None) -> None:
    spending = None if budget is None else Budget(tokens=budget)
    around = Around(shared=SharedLimits(requests_per_minute=LIMIT), budget=spending)
    given: dict[str, Any] = {"aspects": "coherence", "concurrency": AT_ONCE, "lease": lease, "around": around}
    async with work(run, "debate", store=store, model=around.compose(Slow()), **given) as part:
        async for _ in part:
            pass


def fork(run: str, wish: dict[str, Any]) -> int:
    number = os.fork()
    if number:
        return number
    if wish["stop"]:
        stop_after(wish["stop"])
    try:
        asyncio.run(hold(run, wish["store"], wish["lease"], wish["budget"]))
    finally:
        os._exit(0)


def main() -> None:
    driver.IDLE, driver.HELD_UP, driver.ANSWER = 3, 4, 5
    writer.PAUSE, writer.WAIT = 0.05, 240.0
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        sys.stdout.write(f"{fork(sys.argv[1], json.loads(line))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
