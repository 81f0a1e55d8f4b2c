"""Printing: results on standard output, everything else on standard error, and nothing that could steer a terminal."""

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdebate import visible as visible_text
from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE
from agentdebate.meta.prose import number_of
from agentdebate.report import json_lines
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

    The columns in `numeric` are set flush right, and no figure is ever broken. Those in `whole` lose nothing where the
    table is too wide: a long head of figures goes on in the next line, and no word of a text is broken.
    """
    head, numeric, whole = (tuple(map(_in_cell, names)) for names in (head, numeric, whole))
    prose = [name in _PROSE for name in head]
    lines = [[*map(_in_cell, row, prose)] for row in rows]
    cells = [[line[number] for line in lines] for number in range(len(head))]
    screen = console()
    room = screen.width - _GAP * (len(head) - 1)
    floors = [
        _least(name, column, figures=name in numeric, whole=name in whole)
        for name, column in zip(head, cells, strict=True)
    ]
    widths = _widths(
        [max(map(cell_len, (n, *column))) for n, column in zip(head, cells, strict=True)], floors, room
    )
    if sum(widths) > room:  # it is too wide in any case: then no head is cut for it
        widths = [
            max(width, cell_len(name)) if name in numeric and name not in whole else width
            for name, width in zip(head, widths, strict=True)
        ]
    screen.width = max(screen.width, sum(widths) + _GAP * (len(head) - 1))
    grid = _grid(title)
    for name, width in zip(head, widths, strict=True):
        figures, shortened = name in numeric, name in numeric and name not in whole
        column_head = Text(name, overflow="ellipsis" if shortened else "fold", no_wrap=shortened)
        grid.add_column(column_head, justify="right" if figures else "left", width=width, overflow="fold")
    for line in lines:
        grid.add_row(*map(Text, line))
    screen.print(grid)


_GAP = 2
"""Blanks between two columns."""
_LONGEST = 500
"""Characters of a cell before it is cut."""
_PROSE = frozenset({"about", "reason", "was shown"})
"""Columns that hold sentences. In a name a line end is shown."""
_SHORT = 5
"""What is left of a head of figures at the least."""


def _grid(title: str) -> Table:
    return Table(
        title=Text(one_line(title)),
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        show_edge=False,
    )


def _least(head: str, cells: Sequence[str], *, figures: bool, whole: bool) -> int:
    """The least width of a column: figures stay in one piece, texts may go on in the next line."""
    longest = max(map(cell_len, cells), default=0)
    if figures:
        return max(longest, min(cell_len(head), _SHORT))
    if whole:
        return max((cell_len(word) for text in (head, *cells) for word in text.split()), default=1)
    return max(min(longest, 16), min(cell_len(head), 8), 1)


def _widths(wanted: Sequence[int], floors: Sequence[int], room: int) -> list[int]:
    """The widths that the columns want, with the widest ones narrowed down until all fit, or none can give more."""
    widths = [max(pair) for pair in zip(wanted, floors, strict=True)]
    while sum(widths) > room:
        able = [number for number, width in enumerate(widths) if width > floors[number]]
        if not able:
            break
        widths[max(able, key=lambda number: widths[number])] -= 1
    return widths


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
    return f"{value:g}" if isinstance(value, float) else str(value)


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
