"""Several worker processes on this machine, and the progress of the run that they work on."""

import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import anyio
from anyio.abc import Process

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.debate_page import DebatePage
from agentdebate.cli.console.follow import follow_run
from agentdebate.cli.console.output import number, one_line, say
from agentdebate.cli.console.run_page import show_run
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.errors import UsageError
from agentdebate.store.reader import RunHead, read_store

ENDING = 5.0
"""Seconds that workers have to end after they were told to."""


async def hold_in_processes(
    store: str,
    run: str,
    count: int,
    words: Sequence[str],
    *,
    more: str,
    lease: float,
    as_json: bool,
    quiet: bool = False,
) -> int:
    """Have a run worked on by so many processes, each told these words, and follow it until they end. The exit code comes back.

    Where this process is called off, they end as well. `more` is what the user has to say once more to go on.
    """
    if count < 1:
        raise UsageError(f"--processes is at least 1, not {count}")
    command = [
        sys.executable,
        "-m",
        "agentdebate",
        "work",
        run,
        f"--store={store}",
        f"--lease={lease:g}",
        "--quiet",
        *words,
    ]
    again = go_on(run, store, more, queued=True)
    leave_word(f"the workers end by themselves; see it: {see_run(run, store)}; go on: {again}")
    if not quiet:
        say(one_line(f"run {run}: {number(count, 'worker')} {'is' if count == 1 else 'are'} starting"))
    workers: list[Process] = []
    try:
        for _ in range(count):
            workers.append(await _worker(command))  # noqa: PERF401 - those that began are ended where the next cannot
        await _followed(store, run, workers, as_json=as_json, quiet=quiet)
    finally:
        with anyio.CancelScope(shield=True):
            await _end(workers)
    leave_word("")
    codes = [one.returncode or 0 for one in workers]
    return told_in_the_end(run, store, more, worst=max(*codes, 1), shown=not as_json)


def told_in_the_end(
    run: str, store: str, more: str = "", *, worst: int = 1, shown: bool = True, as_json: bool = False
) -> int:
    """Show a run that its workers have left, and say how to go on where it has not ended: then `worst` is the exit code that comes back."""
    with read_store(store) as reader:
        head = reader.run(run)
        code = show_run(reader, head, store, as_json=as_json) if shown else 0
    if head.ended is None:
        say(f"run {run} has not ended; go on: {go_on(run, store, more, queued=True)}")
        return worst
    return code


async def _worker(command: Sequence[str]) -> Process:
    """A worker in a session of its own, so that Ctrl-C reaches it through us alone."""
    return await anyio.open_process(
        command, stdin=None, stdout=None, stderr=None, start_new_session=True, env={**os.environ}
    )


async def _followed(store: str, run: str, workers: Sequence[Process], *, as_json: bool, quiet: bool) -> None:
    """Show how far the run is until all workers have ended."""
    with read_store(store) as reader:
        page = DebatePage(reader, run, store)
        head = reader.run(run)
        async with anyio.create_task_group() as group:
            if as_json or not quiet:
                group.start_soon(partial(_follow, page, head, as_json=as_json))
            for one in workers:
                await one.wait()
            if not reader.ended(run):  # else the last debates are still told of
                group.cancel_scope.cancel()


async def _follow(page: DebatePage, head: RunHead, *, as_json: bool) -> None:
    await follow_run(page, head, as_json=as_json, expected=True)


async def _end(workers: Sequence[Process]) -> None:
    """Have the workers end that have not, and wait for them."""
    for one in workers:
        if one.returncode is None:
            with suppress(ProcessLookupError):
                one.send_signal(signal.SIGTERM)
    with anyio.move_on_after(ENDING):
        for one in workers:
            await one.wait()
    for one in workers:
        if one.returncode is None:
            with suppress(ProcessLookupError):
                one.kill()
            await one.wait()
