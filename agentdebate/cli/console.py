"""Printing: results on standard output, everything else on standard error, and nothing that could steer a terminal."""

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console

from agentdebate import visible as visible_text
from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE
from agentdebate.meta.prose import number_of
from agentdebate.report import json_lines
from agentdebate.report.table_layout import Column, table_lines
from agentdebate.visible import shortened, visible

_BLANKS = re.compile(r"(?:\r\n|[ \n\t])+")


one_line = visible_text.one_line
"""A text on one line, for all who print."""


def say(text: str = "") -> None:
    """A line for the user, on standard error; several where the text has them."""
    sys.stderr.write(visible(text, lines=True) + "\n")


def out(text: str = "") -> None:
    """A line of the result, on standard output; several where the text has them."""
    sys.stdout.write(visible(text, lines=True) + "\n")


def out_json(data: Any) -> None:
    """A result as one line of JSON, at once: whoever reads it may be waiting."""
    sys.stdout.write(as_json_line(data))
    sys.stdout.flush()


def out_json_list(head: Mapping[str, Any], name: str, rows: Iterable[Any]) -> None:
    """A result as one line of JSON: an object with what is in `head`, and under `name` the rows, written one by one."""
    sys.stdout.write(f"{as_json_line({**head, name: []})[:-3]}")
    for number, row in enumerate(rows):
        sys.stdout.write(f"{', ' if number else ''}{as_json_line(row)[:-1]}")
    sys.stdout.write("]}\n")
    sys.stdout.flush()


def as_json_line(data: Any) -> str:
    """One line of JSON that any encoding of standard output can carry, and that no terminal obeys."""
    ascii_only = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8"
    return as_json(data, ascii_only=ascii_only) + "\n"


as_json = json_lines.as_json
"""JSON that no terminal obeys, for all who print."""


class _Screen(Console):
    """A console that leaves it to the command line what a reader who has gone means."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def console(*, stderr: bool = False) -> Console:
    """A rich console that takes text as it is."""
    return _Screen(stderr=stderr, markup=False, highlight=False, emoji=False, soft_wrap=False)


def table(
    title: str,
    head: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    numeric: Sequence[str] = (),
    whole: Sequence[str] = (),
) -> None:
    """Print a table on standard output: as wide as the screen, and wider where a figure would lose a digit.

    What goes to a file or a pipe is as wide as it takes, unless COLUMNS says how wide. The columns in `numeric` are set
    flush right, with as many decimals as one another. No head is cut, and no figure broken; nor is a word of the columns in
    `whole`.
    """
    head, numeric, whole = (tuple(map(_in_cell, names)) for names in (head, numeric, whole))
    prose = [name in _PROSE for name in head]
    lines = [[*map(_in_cell, row, prose)] for row in rows]
    columns = [
        Column(name, tuple(line[number] for line in lines), name in numeric, name in whole)
        for number, name in enumerate(head)
    ]
    screen = console()
    bounded = screen.is_terminal or os.environ.get("COLUMNS", "").isdigit()
    for line in table_lines(one_line(title), columns, screen.width if bounded else None):
        screen.print(line, soft_wrap=True)


_LONGEST = 500
"""Characters of a cell before it is cut."""
_DECIMALS, _SMALL = 3, 0.01
"""Decimals of a figure at the most, and up from which size it has no more."""
_PROSE = frozenset({"about", "reason", "was shown"})
"""Columns that hold sentences. In a name a line end is shown."""


def _in_cell(value: object, prose: bool = False) -> str:
    """A value on one line; a text that is too long for a table is cut. In `prose` line ends are blanks."""
    text = cell(value)
    return shortened(_BLANKS.sub(" ", text).strip(" ") if prose else text, _LONGEST)


def cell(value: object) -> str:
    """A value as a table shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{round(value, _DECIMALS) if abs(value) >= _SMALL else value:g}"
    return str(value)


def offline_note(models: Iterable[str]) -> str | None:
    """What has to be said beside verdicts of the offline judge."""
    return OFFLINE_NOTE if any(name == OFFLINE for name in models) else None


def usage_line(row: Mapping[str, Any]) -> str:
    """Calls and tokens in words."""
    return (
        f"{number(row['calls'], 'call')}, {row['prompt_tokens']} prompt and "
        f"{row['completion_tokens']} completion tokens"
    )


number = number_of
"""A count with its noun, as the commands write it."""
