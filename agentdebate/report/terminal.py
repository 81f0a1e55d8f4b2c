"""Tables as text for a terminal: as wide as the screen, with every figure whole."""

from collections.abc import Iterable, Sequence
from io import StringIO
from textwrap import fill
from typing import Literal

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from agentdebate.report.grid import Block, Grid, Number, cell_text
from agentdebate.visible import one_line, shortened

WIDTH = 80
"""Characters of a line where no screen says."""
BEST = "*"
_NARROWEST = 16
"""Characters that a column of texts keeps."""
_GAP = 2
_ANY_WIDTH = 100_000
_LONGEST = 20_000
"""Characters of a paragraph before it is cut."""


def as_text(grid: Grid, width: int | None = WIDTH) -> str:
    """Draw a table as wide as the screen; wider where a figure would be broken, and where the width is None."""
    if not grid.rows:
        return f"{cell_text(grid.title)}: nothing to show"
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    columns = [_column(cells) for cells in zip(*grid.rows, strict=True)]
    least = 0
    for column, name, figures in zip(columns, grid.head, grid.figures, strict=True):
        head, whole = cell_text(name), figures or name in grid.whole
        justify: Literal["right", "left"] = "right" if figures else "left"
        table.add_column(Text(head), justify=justify, no_wrap=whole, overflow="fold")
        widest = max((cell_len(line) for text in column for line in text.split("\n")), default=0)
        least += _GAP + max(widest if whole else min(widest, _NARROWEST), cell_len(head))
    for row in zip(*columns, strict=True):
        table.add_row(*map(Text, row))
    stream = StringIO()
    room = _ANY_WIDTH if width is None else max(width, least)
    Console(file=stream, width=room, color_system=None, force_jupyter=False).print(table)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    notes = [filled(one_line(note), width) for note in grid.notes]
    return "\n".join([cell_text(grid.title), *lines, *notes])


def filled(text: str, width: int | None = WIDTH) -> str:
    """Break prose into lines of a width; a word that is longer stays whole, and what would flood a screen is cut."""
    lines = [shortened(line, _LONGEST) for line in text.splitlines()]
    if width is not None:
        lines = [fill(line, width, break_long_words=False, break_on_hyphens=False) for line in lines]
    return "\n".join(lines)


def printed(blocks: Iterable[Block], width: int | None = WIDTH) -> str:
    """Put blocks below one another, lines of prose broken at the width."""
    return "\n".join(filled(one, width) if isinstance(one, str) else as_text(one, width) for one in blocks)


def _column(cells: Sequence[object]) -> list[str]:
    """The texts of a column: plain numbers with as many decimals as one another, statistics in lines with the best marked."""
    texts = [cell_text(cell) for cell in cells]
    numbers = [cell for cell in cells if isinstance(cell, float | None)]
    if len(numbers) == len(cells):
        decimals = max(len(text.partition(".")[2]) for text in texts)
        return ["" if cell is None else f"{round(cell, decimals) + 0.0:.{decimals}f}" for cell in numbers]
    return [
        (BEST if cell.best else "") + "\n".join(cell.parts) if isinstance(cell, Number) else text
        for cell, text in zip(cells, texts, strict=True)
    ]
