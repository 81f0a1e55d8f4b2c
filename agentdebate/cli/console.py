"""Printing: results on standard output, everything else on standard error, and nothing that could steer a terminal."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdebate.results import OFFLINE, OFFLINE_NOTE


def plain(text: str) -> str:
    """The text with control characters made visible; only line ends and tabs stay."""
    return "".join(
        c if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs"} else "\N{REPLACEMENT CHARACTER}"
        for c in text
    )


def say(text: str = "") -> None:
    """A line for the user, on standard error."""
    sys.stderr.write(plain(text) + "\n")


def out(text: str = "") -> None:
    """A line of the result, on standard output."""
    sys.stdout.write(plain(text) + "\n")


def out_json(data: Any) -> None:
    """A result as one line of JSON."""
    sys.stdout.write(json.dumps(data, ensure_ascii=False) + "\n")


def console(*, stderr: bool = False) -> Console:
    """A rich console that takes text as it is."""
    return Console(stderr=stderr, markup=False, highlight=False, soft_wrap=False)


def table(
    title: str, head: Sequence[str], rows: Iterable[Sequence[object]], *, numeric: Sequence[str] = ()
) -> None:
    """Print a table on standard output; the columns in `numeric` are set flush right."""
    grid = Table(title=Text(plain(title)), title_justify="left", header_style="bold")
    for name in head:
        grid.add_column(Text(name), justify="right" if name in numeric else "left", overflow="fold")
    for row in rows:
        grid.add_row(*(Text(plain(cell(value))) for value in row))
    console().print(grid)


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
    return f"{row['calls']} calls, {row['prompt_tokens']} prompt and {row['completion_tokens']} completion tokens"
