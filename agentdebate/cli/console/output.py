"""Printing: results on standard output, everything else on standard error, and nothing that could steer a terminal."""

import os
import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console

from agentdebate import visible as visible_text
from agentdebate.report import data_lines
from agentdebate.report.grid import Block
from agentdebate.report.terminal import as_text
from agentdebate.visible import visible

one_line = visible_text.one_line
"""A text on one line, for all who print."""


def say(text: str = "") -> None:
    """A line for the user, on standard error; several where the text has them."""
    sys.stderr.write(visible(text, lines=True) + "\n")


def out(text: str = "") -> None:
    """A line of the result, on standard output; several where the text has them."""
    sys.stdout.write(visible(text, lines=True) + "\n")


def out_json(data: Any) -> None:
    """A result as one line of JSON, at once: the reader may be waiting."""
    sys.stdout.write(as_json_line(data))
    sys.stdout.flush()


def as_json_line(data: Any) -> str:
    """One line of JSON that any encoding of standard output can carry, and that no terminal obeys."""
    return data_lines.line_for(sys.stdout, data)


class _Screen(Console):
    """A console that leaves it to the command line what a reader who has gone means."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """A rich console that takes text as it is."""
    return _Screen(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=False)


def show(blocks: Iterable[Block]) -> None:
    """Print tables and lines on standard output: tables as wide as the screen, and wider where a figure would lose a digit.

    What goes to a file or a pipe is as wide as it takes, unless COLUMNS says how wide.
    """
    width = _width()
    for block in blocks:
        out(block if isinstance(block, str) else as_text(block, width))


def _width() -> int | None:
    """The characters of a line on the screen; None for a file or a pipe, unless COLUMNS says how wide."""
    screen = console()
    return screen.width if screen.is_terminal or os.environ.get("COLUMNS", "").isdigit() else None
