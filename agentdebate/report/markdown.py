"""Panels as Markdown tables."""

from collections.abc import Sequence

from agentdebate.report.grid import Grid
from agentdebate.report.panel import COUNTS, Cell, Panel


def as_markdown(panels: Sequence[Panel], caption: str, grids: Sequence[Grid] = ()) -> str:
    """A table a panel, each below its title, further tables, and the caption."""
    parts = [_panel(panel) for panel in panels]
    parts += [
        _table(grid.title, grid.head, [[_plain(cell) for cell in row] for row in grid.rows]) for grid in grids
    ]
    return "\n\n".join([*parts, *map(_plain, caption.splitlines())]) + "\n"


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
    """Text in which nothing is markup."""
    for mark in "\\`*_<|":
        text = text.replace(mark, f"\\{mark}")
    return text
