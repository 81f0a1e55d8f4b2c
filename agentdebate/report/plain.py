"""Panels as plain text, in blocks of columns that fit the width."""

import textwrap
from collections.abc import Iterator, Sequence

from agentdebate.report.grid import Grid
from agentdebate.report.panel import COUNTS, LONGEST, LONGEST_CAPTION, Cell, Panel
from agentdebate.visible import shortened

WIDTH = 80
BEST = "*"
_GAP = "  "


def as_text(panels: Sequence[Panel], caption: str, grids: Sequence[Grid] = (), *, width: int = WIDTH) -> str:
    """The panels and further tables one below the other, and the caption."""
    blocks = [block for panel in panels for block in _blocks(panel, width)]
    blocks += [_grid(grid) for grid in grids]
    told = textwrap.fill(shortened(caption, LONGEST_CAPTION), width, break_on_hyphens=False)
    return "\n\n".join([*blocks, told]) + "\n"


def _blocks(panel: Panel, width: int) -> Iterator[str]:
    """The panel as often as it takes for all columns to have been there."""
    rows = {judge: [_lines(cell) for cell in panel.cells(judge)] for judge in panel.judges}
    if panel.column_counts:
        rows[COUNTS] = [_count_lines(count) for count in panel.column_counts]
    names, columns_named = {judge: _named(judge) for judge in rows}, [*map(_named, panel.columns)]
    widths = [
        max([len(head), *(len(line) for lines in rows.values() for line in lines[number])])
        for number, head in enumerate(columns_named)
    ]
    stub = max(map(len, ["judge", *names.values()]))
    for number, columns in enumerate(_parts(widths, width - stub)):
        title = panel.title if number == 0 else f"{panel.title}, continued"
        heads = [columns_named[column].rjust(widths[column]) for column in columns]
        lines = [_named(title), _line("judge".ljust(stub), heads)]
        lines.append("-" * len(lines[1]))
        for judge, cells in rows.items():
            shown = [cells[column] for column in columns]
            for place in range(max(map(len, shown))):
                name = names[judge] if place == 0 else ""
                figures = [
                    (lines_of[place] if place < len(lines_of) else "").rjust(widths[column])
                    for column, lines_of in zip(columns, shown, strict=True)
                ]
                lines.append(_line(name.ljust(stub), figures))
        yield "\n".join(lines)


def _grid(grid: Grid) -> str:
    cells = [[*map(_named, row)] for row in (grid.head, *grid.rows)]
    widths = [max(len(row[number]) for row in cells) for number in range(len(grid.head))]
    head, *rows = (
        _line(
            row[0].ljust(widths[0]),
            [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)],
        )
        for row in cells
    )
    return "\n".join([_named(grid.title), head, "-" * len(head), *rows])


def _named(text: str) -> str:
    return shortened(text, LONGEST)


def _parts(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The columns in as many parts as it takes, each with one at least."""
    part: list[int] = []
    for column, width in enumerate(widths):
        taken = sum(widths[other] + len(_GAP) for other in part)
        if part and taken + len(_GAP) + width > room:
            yield part
            part = []
        part.append(column)
    yield part


def _line(stub: str, cells: Sequence[str]) -> str:
    return _GAP.join([stub, *cells]).rstrip()


def _lines(cell: Cell) -> list[str]:
    """A cell's lines; the figures stand below one another, with or without a mark."""
    mark = BEST if cell.best else " "
    lines = [f"{cell.value}{mark}", f"{cell.interval} " if cell.interval else ""]
    return [line for line in lines if line.strip()] + _count_lines(cell.count)


def _count_lines(count: str) -> list[str]:
    return [f"{part} " for part in count.split(", ") if part]
