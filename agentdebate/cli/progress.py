"""How far a run has come: a live line on a terminal, a plain line now and then elsewhere."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from agentdebate.cli.console import console, say
from agentdebate.evaluation import Progress

EVERY = 5.0
"""Seconds between plain lines."""


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
            say(words(self._progress))


class _Live:
    def __init__(self, progress: Progress, bar: Bar) -> None:
        self._progress, self._bar = progress, bar
        self._task = bar.add_task("", total=progress.total, words=words(progress))

    def update(self) -> None:
        self._bar.update(self._task, completed=self._progress.ended, words=words(self._progress))


@contextmanager
def showing(progress: Progress) -> Iterator[Line]:
    """Show a run's progress on standard error while the context lasts."""
    screen = console(stderr=True)
    if not screen.is_terminal:
        yield _Plain(progress)
        return
    with Bar(
        BarColumn(20), TextColumn("{task.fields[words]}", markup=False), console=screen, transient=True
    ) as bar:
        yield _Live(progress, bar)


def words(progress: Progress) -> str:
    """Progress in words: done, failed, rate, calls, tokens, time left."""
    total = "" if progress.total is None else f" of {progress.total}"
    left = "" if progress.left is None else f", {duration(progress.left)} left"
    return (
        f"{progress.ended}{total} debates, {progress.failed} failed, {progress.rate:.1f} a second, "
        f"{progress.calls} calls, {progress.tokens} tokens{left}"
    )


def duration(seconds: float) -> str:
    """Seconds as 1:05 or 2:03:04."""
    minutes, second = divmod(round(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02}:{second:02}" if hours else f"{minute}:{second:02}"
