"""A run that another process holds, followed until it ends or stops: `agentdebate show --follow`."""

import sys
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any

import anyio
import anyio.lowlevel

from agentdebate.cli.console.command_lines import go_on
from agentdebate.cli.console.debate_page import DebatePage
from agentdebate.cli.console.output import one_line, out_json, say
from agentdebate.cli.console.progress import FailureKinds, showing
from agentdebate.cli.console.run_page import show_run
from agentdebate.debates.outcome import outcome_of
from agentdebate.meta.run_rows import aspect_order
from agentdebate.runs.progress import Followed
from agentdebate.store.reader import RunHead, state_of
from agentdebate.talk.envelope import message_data
from agentdebate.talk.messages import Message

EVERY = 1.0
"""Seconds between two looks at the store."""

Pause = Callable[[], Awaitable[None]]
"""What is waited for between two looks."""


async def pause() -> None:
    """Wait until it is time to look again."""
    await anyio.sleep(EVERY)


def following(page: DebatePage, head: RunHead, debate: str | None, *, as_json: bool) -> int:
    """Follow a run, or what a name in it means. The exit code comes back: 1 where it did not end, or something failed.

    The summary is printed where nothing is waited for any more, so that Ctrl-C interrupts it at once.
    """
    if debate is not None:
        well = anyio.run(partial(follow_debates, page, head, debate, as_json=as_json))
    else:
        well = anyio.run(partial(follow_run, page, head, as_json=as_json))
        if not as_json:
            well = not show_run(page.reader, page.reader.run(head.id), page.store, as_json=False) and well
    sys.stdout.flush()
    if state_of(page.reader, page.store, page.run) == "stopped":
        say(
            f"run {page.run} was stopped before its end, and no process is at work on it; "
            f"go on: {go_on(page.run, page.store, queued=page.reader.crew(page.run) is not None)}"
        )
    return 0 if well else 1


async def follow_run(
    page: DebatePage, head: RunHead, *, as_json: bool, pause: Pause = pause, expected: bool = False
) -> bool:
    """Show progress until a run ends or stops; whether it ended, and none of its debates in a failure.

    Where workers are `expected`, because they were started here, no other is asked for.
    """
    progress, seen = Followed(_total(head.configuration)), set[int]()
    kinds, told = FailureKinds(), expected
    with showing(progress) as line:
        while True:
            over = _over(page)  # first: what was written until then is what is read now
            idle = not over and _is_idle(page)
            if idle and not told:
                command = go_on(page.run, page.store, queued=True)
                say(
                    f"no worker is at work on the queue of run {page.run}; begin one in another terminal: {command}"
                )
                told = True
            for row in page.reader.new_rows(page.run, seen):
                _tell(row, progress, kinds, as_json=as_json)
                line.update()
                await anyio.lowlevel.checkpoint()
            progress.begin()
            if progress.total is None:
                progress.total = _total(page.reader.run(page.run).configuration)
            if not idle:  # nothing changes, and a plain line would say it again and again
                line.update()
            if over:
                return page.reader.ended(page.run) and not progress.outcomes.exit_code
            await pause()


async def follow_debates(
    page: DebatePage, head: RunHead, name: str, *, as_json: bool, pause: Pause = pause
) -> bool:
    """Print what is said in the debates that a name means, one debate after the other; whether all came to a verdict."""
    wanted, shown, waiting, well = _wanted(head, name), list[str](), False, True
    while True:
        over = _over(page)
        for debate in page.reader.named(page.run, name):
            if debate not in shown:
                well = await _follow_debate(page, debate, as_json=as_json, pause=pause) and well
                shown.append(debate)
                break
        else:
            if over or name in shown or (wanted and wanted <= set(shown)):
                break
            if not (shown or waiting):
                waiting = True
                say(one_line(f"{name} has not begun yet; waiting for it"))
            await pause()
    if not shown:
        raise page.reader.unknown(page.run, name)
    return well


async def _follow_debate(page: DebatePage, debate: str, *, as_json: bool, pause: Pause) -> bool:
    """Print what is said in a debate until it ends, or its run does; whether it came to a verdict."""
    view, last = page.view(), -1
    while True:
        over = _over(page)
        row = page.reader.row(page.run, debate)
        for message in page.reader.messages(page.run, debate, after=last):
            _print_json(debate, message) if as_json else view(message)
            last = message.seq
        sys.stdout.flush()
        if over or row:
            break
        await pause()
    if not as_json:
        page.print_rest(debate)
    return row is not None and not outcome_of(row).exit_code


def _tell(row: dict[str, Any], progress: Followed, kinds: FailureKinds, *, as_json: bool) -> None:
    """Count a debate that has ended, and print what is to be said of it."""
    progress.take(row)
    if as_json:
        out_json(row)
    kinds.tell(row["debate"], row)


def _over(page: DebatePage) -> bool:
    """Whether nobody is at work on the run any more. Where nobody can know, the run's end tells."""
    return state_of(page.reader, page.store, page.run) in ("ended", "stopped")


def _is_idle(page: DebatePage) -> bool:
    """Whether the run is a queue that no worker is at work on."""
    crew = page.reader.crew(page.run)
    return crew is not None and crew.entered and not crew.working and not page.reader.ended(page.run)


def _total(configuration: Mapping[str, Any]) -> int | None:
    """How many debates the run will have, where that was known when it began or has been found out."""
    debates = configuration.get("debates")
    return debates if isinstance(debates, int) else None


def _wanted(head: RunHead, item: str) -> set[str]:
    """The debates that there will be about an item, where the run says what each is about."""
    aspects = aspect_order(head)
    if head.configuration.get("together"):
        return {f"{item}/{'+'.join(aspects)}"} if aspects else set()
    return {f"{item}/{aspect}" for aspect in aspects}


def _print_json(debate: str, message: Message) -> None:
    out_json({"debate": debate, **message_data(message)})
