"""How far a run has come: a live line on a terminal, a plain one now and then elsewhere."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, ProgressColumn, Task
from rich.progress import Progress as Bar
from rich.table import Column
from rich.text import Text

from agentdebate.runs.progress import Progress

EVERY = 5.0
"""Seconds between plain lines."""
_SHORTEST = 6
"""Characters of the bar at the least; it takes all that the words leave."""


class Line(Protocol):
    """Something that shows progress."""

    def update(self) -> None:
        """Show how far it is now."""


class _Plain:
    def __init__(self, progress: Progress) -> None:
        self._progress, self._last = progress, time.monotonic()

    def update(self) -> None:
        if time.monotonic() - self._last >= EVERY:
            self._last = time.monotonic()
            sys.stderr.write(words(self._progress) + "\n")


class _Live:
    def __init__(self, progress: Progress, bar: Bar) -> None:
        self._progress, self._bar = progress, bar
        self._task = bar.add_task("", total=progress.total)

    def update(self) -> None:
        self._bar.update(self._task, total=self._progress.total, completed=self._progress.ended)


class _Words(ProgressColumn):
    """The progress in words, anew at every refresh: time passes while nothing ends."""

    def __init__(self, progress: Progress) -> None:
        super().__init__()
        self._progress = progress

    def render(self, task: Task) -> Text:  # noqa: ARG002 - one signature
        return Text(words(self._progress, brief=True), no_wrap=True, overflow="ellipsis")


@contextmanager
def showing(progress: Progress, screen: Console | None = None) -> Iterator[Line]:
    """Show a run's progress on standard error while the context lasts."""
    screen = screen or Console(stderr=True)
    if not screen.is_terminal:
        yield _Plain(progress)
        return
    # Standard output is left alone: with --json it may go to the same terminal or somewhere else.
    rest = BarColumn(None, table_column=Column(ratio=1, min_width=_SHORTEST))
    with Bar(
        rest, _Words(progress), console=screen, expand=True, transient=True, redirect_stdout=False
    ) as bar:
        yield _Live(progress, bar)


def words(progress: Progress, *, brief: bool = False) -> str:
    """Progress in words: done, failed, rate, calls, tokens, time left. In `brief` it fits a terminal beside a bar."""
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
