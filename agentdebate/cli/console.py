"""Printing: results on standard output, everything else on standard error, and nothing that could steer a terminal."""

import json
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdebate.results import OFFLINE, OFFLINE_NOTE

_STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]")
"""Control characters, half characters, and the marks that turn the direction of what follows."""
_HALF = re.compile("[\ud800-\udfff]")


def plain(text: str) -> str:
    """The text with control characters made visible; only line ends and tabs stay."""
    return _STEERING.sub("\N{REPLACEMENT CHARACTER}", text.replace("\r\n", "\n"))


def one_line(text: str) -> str:
    """The text as plain text on one line."""
    return plain(" ".join(text.split()))


def say(text: str = "") -> None:
    """A line for the user, on standard error."""
    sys.stderr.write(plain(text) + "\n")


def out(text: str = "") -> None:
    """A line of the result, on standard output."""
    sys.stdout.write(plain(text) + "\n")


def out_json(data: Any) -> None:
    """A result as one line of JSON, at once: whoever reads it may be waiting."""
    sys.stdout.write(as_json_line(data))
    sys.stdout.flush()


def as_json_line(data: Any) -> str:
    """One line of JSON that any encoding of standard output can carry."""
    ascii_only = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().replace("-", "") != "utf8"
    text = json.dumps(data, ensure_ascii=ascii_only)
    return _HALF.sub(lambda half: f"\\u{ord(half[0]):04x}", text) + "\n"


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
    """Print a table on standard output.

    The columns in `numeric` are set flush right. Those in `whole` lose nothing where the table is too wide: a long head
    goes on in the next line, and a text stays in one.
    """
    lines = [[one_line(cell(value)) for value in row] for row in rows]
    grid = Table(
        title=Text(plain(title)),
        title_justify="left",
        title_style="bold",
        header_style="bold",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        collapse_padding=True,
        show_edge=False,
    )
    for number, name in enumerate(head):
        cells = [line[number] for line in lines]
        _add_column(grid, name, cells, flush_right=name in numeric, whole=name in whole)
    for line in lines:
        grid.add_row(*map(Text, line))
    console().print(grid)


def _add_column(grid: Table, name: str, cells: Sequence[str], *, flush_right: bool, whole: bool) -> None:
    """Where the table is too wide, long heads of figures lose their ends, and texts go on in the next line."""
    longest = max(map(len, cells), default=0)
    if flush_right:
        head = Text(name, overflow="fold" if whole else "ellipsis")
        grid.add_column(head, justify="right", min_width=longest, overflow="fold")
    else:
        grid.add_column(Text(name), min_width=min(longest, 16), overflow="fold", no_wrap=whole)


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


def number(count: int, noun: str) -> str:
    """A count with its noun: 1 call, 2 calls."""
    return f"{count} {noun}{'' if count == 1 else 's'}"
