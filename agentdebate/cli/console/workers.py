"""Worker processes of ours on this machine, and a run that its workers have left."""

import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
from anyio.abc import Process

from agentdebate.cli.console.command_lines import go_on
from agentdebate.cli.console.output import say
from agentdebate.cli.console.run_page import show_run
from agentdebate.store.reader import read_store

ENDING = 5.0
"""Seconds that workers have to end after they were told to."""


@asynccontextmanager
async def other_workers(run: str, store: str, numbers: range, words: Sequence[str]) -> AsyncIterator[None]:
    """Have a process for each number, told these words, work on a run too. The context ends when they have, and they end where it is left early."""
    command = [sys.executable, "-m", "agentdebate", "work", run, f"--store={store}", "--quiet", *words]
    workers: list[Process] = []
    try:
        for _ in numbers:
            # A session of its own, so that Ctrl-C reaches a worker through us alone.
            worker = await anyio.open_process(
                command, stdin=None, stdout=None, stderr=None, start_new_session=True
            )
            workers.append(worker)
        yield
        for one in workers:
            await one.wait()
    finally:
        with anyio.CancelScope(shield=True):
            await _end(workers)


async def _end(workers: Sequence[Process]) -> None:
    """End the workers that have not ended, and wait for them."""
    for stop in (signal.SIGTERM, signal.SIGKILL):
        for one in workers:
            if one.returncode is None:
                with suppress(ProcessLookupError):
                    one.send_signal(stop)
        with anyio.move_on_after(ENDING):
            for one in workers:
                await one.wait()


def told_in_the_end(run: str, store: str, more: Sequence[str], *, as_json: bool) -> int:
    """Show a run that its workers have left, and say how to go on where it has not ended. The exit code comes back."""
    with read_store(store) as reader:
        code = show_run(reader, reader.run(run), store, as_json=as_json)
        ended = reader.ended(run)
    if not ended:
        say(f"run {run} has not ended; go on: {go_on(run, store, more, queued=True)}")
    return code if ended else 1
