"""A run that other processes hold: followed until it ends or stops, and worker processes of ours on this machine."""

import signal
import sys
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
from anyio.abc import Process

from agentdebate.cli.console.command_lines import go_on, see_run
from agentdebate.cli.console.output import number, one_line, out_json, say
from agentdebate.cli.console.run_page import FailureKinds, show_run, showing
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.errors import UsageError
from agentdebate.runs.progress import Followed
from agentdebate.store.reader import Reader, RunHead, read_store, state_of

EVERY = 1.0
"""Seconds between two looks at the store."""
ENDING = 5.0
"""Seconds that workers have to end after they were told to."""


def following(reader: Reader, head: RunHead, store: str, *, as_json: bool) -> int:
    """Follow a run, and show it in the end. The exit code comes back: 1 where it did not end, or something failed.

    The summary is printed where nothing is waited for any more, so that Ctrl-C interrupts it at once.
    """
    well = anyio.run(lambda: follow_run(reader, head, store, as_json=as_json))
    if not as_json:
        well = not show_run(reader, reader.run(head.id), store, as_json=False) and well
    sys.stdout.flush()
    if state_of(reader, store, head.id) == "stopped":
        again = go_on(head.id, store, queued=reader.crew(head.id) is not None)
        say(f"run {head.id} was stopped before its end, and no process is at work on it; go on: {again}")
    return 0 if well else 1


async def pause() -> None:
    """Wait until it is time to look again."""
    await anyio.sleep(EVERY)


async def follow_run(
    reader: Reader,
    head: RunHead,
    store: str,
    *,
    as_json: bool,
    expected: bool = False,
    pause: Callable[[], Awaitable[None]] = pause,
) -> bool:
    """Show progress until a run ends or stops; say whether it ended, and none of its debates in a failure.

    Where workers are `expected`, because they were started here, no other is asked for.
    """
    progress, seen = Followed(_total(head.configuration)), set[int]()
    kinds, told = FailureKinds(), expected
    with showing(progress) as line:
        while True:
            over = state_of(reader, store, head.id) in (
                "ended",
                "stopped",
            )  # first: what was written until then is what is read now
            idle = not over and _is_idle(reader, head.id)
            if idle and not told:
                command = go_on(head.id, store, queued=True)
                say(
                    f"no worker is at work on the queue of run {head.id}; begin one in another terminal: {command}"
                )
                told = True
            for row in reader.new_rows(head.id, seen):
                progress.take(row)
                if as_json:
                    out_json(row)
                kinds.tell(row["debate"], row)
                line.update()
                await anyio.lowlevel.checkpoint()
            progress.begin()
            if progress.total is None:
                progress.total = _total(reader.run(head.id).configuration)
            if not idle:  # nothing changes, and a plain line would say it again and again
                line.update()
            if over:
                return reader.ended(head.id) and not progress.outcomes.exit_code
            await pause()


def _is_idle(reader: Reader, run: str) -> bool:
    """Say whether the run is a queue that no worker is at work on."""
    crew = reader.crew(run)
    return crew is not None and crew.entered and not crew.working and not reader.ended(run)


def _total(configuration: Mapping[str, Any]) -> int | None:
    """The debates that the run will have, where that was known when it began or has been found out."""
    debates = configuration.get("debates")
    return debates if isinstance(debates, int) else None


async def hold_in_processes(
    store: str,
    run: str,
    count: int,
    words: Sequence[str],
    *,
    more: Sequence[str] = (),
    as_json: bool = False,
    quiet: bool = False,
) -> int:
    """Have so many processes, each told these words, work on a run, and follow it until they end. The exit code comes back.

    Where this process is called off, they end as well. `more` is what the user has to say once more to go on.
    """
    if count < 1:
        raise UsageError(f"--processes is at least 1, not {count}")
    again = go_on(run, store, more, queued=True)
    leave_word(f"the workers end by themselves; see it: {see_run(run, store)}; go on: {again}")
    if not quiet:
        say(one_line(f"run {run}: {number(count, 'worker')} {'is' if count == 1 else 'are'} starting"))
    command = [sys.executable, "-m", "agentdebate", "work", run, f"--store={store}", "--quiet", *words]
    workers: list[Process] = []
    try:
        for _ in range(count):
            # A session of its own, so that Ctrl-C reaches a worker through us alone.
            worker = await anyio.open_process(
                command, stdin=None, stdout=None, stderr=None, start_new_session=True
            )
            workers.append(worker)
        await _follow(store, run, workers, as_json=as_json, quiet=quiet)
    except anyio.get_cancelled_exc_class():
        say(one_line(f"stopped; what was paid for is kept; see it: {see_run(run, store)}; go on: {again}"))
        raise
    finally:
        with anyio.CancelScope(shield=True):
            await _end(workers)
    leave_word("")
    codes = [one.returncode or 0 for one in workers]
    return told_in_the_end(run, store, more, worst=max(*codes, 1), shown=not as_json)


def told_in_the_end(
    run: str,
    store: str,
    more: Sequence[str] = (),
    *,
    worst: int = 1,
    shown: bool = True,
    as_json: bool = False,
) -> int:
    """Show a run that its workers have left, and say how to go on where it has not ended: then `worst` is the exit code that comes back."""
    with read_store(store) as reader:
        head = reader.run(run)
        code = show_run(reader, head, store, as_json=as_json) if shown else 0
    if head.ended is None:
        say(f"run {run} has not ended; go on: {go_on(run, store, more, queued=True)}")
        return worst
    return code


async def _follow(store: str, run: str, workers: Sequence[Process], *, as_json: bool, quiet: bool) -> None:
    """Show how far the run is until all workers have ended."""
    with read_store(store) as reader:
        async with anyio.create_task_group() as group:
            if as_json or not quiet:
                group.start_soon(
                    partial(follow_run, reader, reader.run(run), store, as_json=as_json, expected=True)
                )
            for one in workers:
                await one.wait()
            if not reader.ended(run):  # else the last debates are still told of
                group.cancel_scope.cancel()


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
