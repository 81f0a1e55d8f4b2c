"""Workers that can be stopped in the middle of a transaction: processes that are forked from one which has everything loaded.

    python worker_nursery.py RUN < WISHES

A wish is a line of JSON: the store, the lease, what all workers may ask a minute and spend, and the words of the statement after
which the worker stops itself. The process number of each worker is printed. Before it stops, a worker writes the number of its server's process, and the state
of that by pg_stat_activity, into the file of its own number.
"""

import asyncio
import json
import os
import signal
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import sqlalchemy as sa
from resume_cases import Hashed

import agentdebate as ad
from agentdebate.store import engine, writer
from agentdebate.store.engine import engine_for

STATE = sa.text("SELECT state FROM pg_stat_activity WHERE pid = :pid")
"""The state of a session."""
AT_ONCE = 2
"""Debates that a worker holds at a time."""


class Slow(Hashed):
    """A model that takes a while, costs about 150 tokens a call, and writes down what it is asked."""

    def __init__(self, seconds: float = 0.1) -> None:
        super().__init__(unreadable=0)
        self._seconds, self._file = seconds, Path("paid")

    async def complete(self, request: ad.ModelRequest) -> ad.Completion:
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{request.key()}\n")
        await anyio.sleep(self._seconds)
        completion = await super().complete(request)
        usage = completion.usage
        more = replace(usage, prompt_tokens=100 + usage.prompt_tokens)
        return replace(completion, usage=more)


def stop_after(words: str) -> None:
    """Have this process stop itself in the middle of a transaction: after the first statement that has these words."""
    left = [words]

    def executed(connection: sa.Connection, _cursor: Any, statement: str, *_: Any) -> None:
        if left and words in statement:
            left.clear()
            number = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar()
            with connection.engine.connect() as other:
                state = other.execute(STATE, {"pid": number}).scalar()
            Path(str(os.getpid())).write_text(f"{number} {state}", encoding="ascii")
            # To this thread: sent to the process, it would let the thread go on to its commit.
            signal.pthread_kill(threading.get_ident(), signal.SIGSTOP)

    sa.event.listen(sa.Engine, "after_cursor_execute", executed)


async def hold(
    run: str,
    store: str,
    *,
    lease: float = 600.0,
    limit: int = 100_000,
    budget: int | None = None,
    seconds: float = 0.1,
) -> None:
    spending = None if budget is None else ad.Budget(tokens=budget)
    limits = ad.Limits(requests_per_minute=limit)
    given: dict[str, Any] = {"aspects": "coherence", "concurrency": AT_ONCE, "lease": lease}
    async with ad.work(
        run, "debate", store=store, model=Slow(seconds), limits=limits, budget=spending, **given
    ) as part:
        async for _ in part:
            pass


def fork(run: str, wish: dict[str, Any]) -> int:
    number = os.fork()
    if number:
        return number
    if stop := wish.pop("stop"):
        stop_after(stop)
    try:
        asyncio.run(hold(run, **wish))
    finally:
        os._exit(0)


async def warm_up() -> None:
    """Have everything loaded that a worker needs, so that those that are forked begin at once."""
    engine_for(sa.make_url("postgresql://nobody@127.0.0.1/nothing")).dispose()
    item = ad.Item(fields={"source": "A.", "summary": "A."}, task="summarization", id="warm")
    run = await ad.enqueue([item], "debate", store="warm.db", model=Slow(), aspects="coherence")
    await hold(run, "warm.db", budget=1_000_000, seconds=0.0)
    await anyio.Path("paid").unlink()


def main() -> None:
    asyncio.run(warm_up())
    engine.IDLE, engine.HELD_UP, engine.ANSWER = 3, 4, 5
    writer.PAUSE, writer.WAIT = 0.05, 240.0
    for line in sys.stdin:
        sys.stdout.write(f"{fork(sys.argv[1], json.loads(line))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
