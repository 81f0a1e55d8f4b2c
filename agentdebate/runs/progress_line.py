"""Progress of a run: a live line on a terminal, a plain one now and then elsewhere."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta

from rich.console import Console
from rich.live import Live
from rich.text import Text

from agentdebate.runs.progress import Progress

EVERY = 5.0
"""Seconds between plain lines."""


@contextmanager
def showing(progress: Progress, screen: Console | None = None) -> Iterator[Callable[[], None]]:
    """Show a run's progress on standard error while the context lasts; what comes is called when a debate has ended."""
    screen = screen or Console(stderr=True)
    if screen.is_terminal:  # it looks by itself, since time passes while nothing ends

        def shown() -> Text:
            return Text(words(progress), no_wrap=True, overflow="ellipsis")

        # Standard output is left alone: with --json it may go to the same terminal or somewhere else.
        with Live(get_renderable=shown, console=screen, transient=True, redirect_stdout=False):
            yield lambda: None
        return
    last = time.monotonic()

    def ended() -> None:
        nonlocal last
        if time.monotonic() - last >= EVERY:
            last = time.monotonic()
            sys.stderr.write(words(progress) + "\n")

    yield ended


def words(progress: Progress) -> str:
    """Progress in words: done, failed, rate, calls, tokens, time left."""
    total = "" if progress.total is None else f"/{progress.total}"
    left = "" if progress.left is None else f", {timedelta(seconds=round(progress.left))} left"
    without = ", ".join(f"{count} {one.cell}" for one, count in progress.outcomes.without)
    return (
        f"{progress.ended}{total} debates, {without}, {progress.rate:.1f}/s, "
        f"{progress.calls:,} calls, {progress.tokens:,} tokens{left}"
    )
