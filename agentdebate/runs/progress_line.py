"""Progress of a run: a live line on a terminal, a plain one now and then elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.live import Live
from rich.text import Text

from agentdebate.runs.progress import Progress

EVERY = 5.0
"""Seconds between plain lines."""


class Line:
    """Shows progress. A live one looks at it by itself, since time passes while nothing ends."""

    def update(self) -> None:
        """Take note that a debate has ended."""


class _Plain(Line):
    def __init__(self, progress: Progress) -> None:
        self._progress, self._last = progress, time.monotonic()

    def update(self) -> None:
        if time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            sys.stderr.write(words(self._progress) + "\n")


@contextmanager
def showing(progress: Progress, screen: Console | None = None) -> Iterator[Line]:
    """Show a run's progress on standard error while the context lasts."""
    screen = screen or Console(stderr=True)
    if not screen.is_terminal:
        yield _Plain(progress)
        return

    def shown() -> Text:
        return Text(words(progress, brief=True), no_wrap=True, overflow="ellipsis")

    # Standard output is left alone: with --json it may go to the same terminal or somewhere else.
    with Live(get_renderable=shown, console=screen, transient=True, redirect_stdout=False):
        yield Line()


def words(progress: Progress, *, brief: bool = False) -> str:
    """Progress in words: done, failed, rate, calls, tokens, time left. In `brief` it fits the line of a terminal."""
    total = "" if progress.total is None else f"/{progress.total}"
    left = "" if progress.left is None else f", {duration(progress.left)} left"
    without = ", ".join(f"{count} {one.cell}" for one, count in progress.outcomes.without)
    return (
        f"{progress.ended}{total}{'' if brief else ' debates'}, {without}, {progress.rate:.1f}/s, "
        f"{short(progress.calls)} calls, {short(progress.tokens)} tokens{left}"
    )


def short(count: int) -> str:
    """A count in few figures: 950, 12.3k, 4.5M."""
    if count < 10_000:  # noqa: PLR2004 - as many figures as the shortened form has
        return str(count)
    size, unit = (1e3, "k") if count < 1e6 else (1e6, "M")  # noqa: PLR2004 - a million
    return f"{count / size:.{1 if count < 100 * size else 0}f}{unit}"


def duration(seconds: float) -> str:
    """Seconds as 1:05 or 2:03:04."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
