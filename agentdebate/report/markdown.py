"""Panels as Markdown tables."""

import re
from collections.abc import Sequence

from agentdebate.report.grid import Grid
from agentdebate.report.panel import COUNTS, LONGEST, LONGEST_CAPTION, Cell, Panel
from agentdebate.visible import shortened

_MARKS = re.compile(r"[\\`*_{}\[\]<>|~&$!@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
"""What Markdown, or what is added to it on the pages where it is shown, takes for markup, addresses and formulas."""
_BLOCK = re.compile(r"^(\d*)(?=[-+=.)])")
"""What makes a list or a heading of a line that begins with it."""


def as_markdown(panels: Sequence[Panel], caption: str, grids: Sequence[Grid] = ()) -> str:
    """A table a panel, each below its title, further tables, and the caption."""
    parts = [_panel(panel) for panel in panels]
    parts += [
        _table(grid.title, grid.head, [[_plain(cell) for cell in row] for row in grid.rows]) for grid in grids
    ]
    return "\n\n".join([*parts, paragraph(caption)]) + "\n"


def _panel(panel: Panel) -> str:
    rows = [[_plain(judge), *map(_cell, panel.cells(judge))] for judge in panel.judges]
    if panel.column_counts:
        rows.append([COUNTS, *panel.column_counts])
    return _table(panel.title, ("judge", *panel.columns), rows)


def _table(title: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(head) - 1)]
    lines = [f"| {' | '.join(line)} |" for line in ([_plain(name) for name in head], rule, *rows)]
    return "\n".join([f"**{_plain(title)}**", "", *lines])


def _cell(cell: Cell) -> str:
    value = f"**{cell.value}**" if cell.best else cell.value
    count = f"({cell.count})" if cell.count else ""
    return " ".join(part for part in (value, cell.interval, count) if part)


def _plain(text: str) -> str:
    return markdown_text(shortened(text, LONGEST))


def paragraph(text: str) -> str:
    """Text as a paragraph of its own, on one line."""
    return _BLOCK.sub(r"\1\\", markdown_text(shortened(text, LONGEST_CAPTION).strip()))


def markdown_text(text: str) -> str:
    """Text on one line, in which nothing is markup."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)
