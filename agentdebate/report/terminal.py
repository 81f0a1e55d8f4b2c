"""Tables as text for a terminal: as wide as the screen, with every figure whole."""

from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from textwrap import fill

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
    """Draw a table; in parts below one another where its columns do not fit the width, which is any where it is None.

    A single figure that is wider than the screen leaves it: no figure is broken.
    """
    if not grid.rows:
        return grid.nothing
    columns = [_column(cells) for cells in zip(*grid.rows, strict=True)]
    parts = [
        f"{cell_text(grid.title)}{', continued' if number else ''}\n{_part(grid, columns, places, width)}"
        for number, places in enumerate(_places(grid, columns, width))
    ]
    notes = [filled(one_line(note), width) for note in grid.notes]
    return "\n".join(["\n\n".join(parts), *notes])


def filled(text: str, width: int | None = WIDTH) -> str:
    """Break prose into lines of a width; a word that is longer stays whole, and what would flood a screen is cut."""
    lines = [shortened(line, _LONGEST) for line in text.splitlines()]
    if width is not None:
        lines = [fill(line, width, break_long_words=False, break_on_hyphens=False) for line in lines]
    return "\n".join(lines)


def printed(blocks: Iterable[Block], width: int | None = WIDTH) -> str:
    """Put blocks below one another, lines as they are."""
    return "\n".join(one if isinstance(one, str) else as_text(one, width) for one in blocks)


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


def _places(grid: Grid, columns: Sequence[Sequence[str]], width: int | None) -> Iterator[list[int]]:
    """The columns of each part: those of texts that name the rows, and as many others as fit."""
    needed = [
        _needed(column, head, figures=figures)
        for column, head, figures in zip(columns, grid.head, grid.figures, strict=True)
    ]
    names = [place for place in range(len(columns)) if not any(grid.figures[: place + 1])]
    part = names
    for place in range(len(names), len(columns)):
        taken = sum(needed[one] + _GAP for one in part) + needed[place]
        if width is not None and taken > width and len(part) > len(names):
            yield part
            part = names
        part = [*part, place]
    yield part


def _needed(column: Sequence[str], head: str, *, figures: bool) -> int:
    """The characters that a column takes at the least."""
    widest = max((cell_len(line) for text in column for line in text.split("\n")), default=0)
    return max(widest if figures else min(widest, _NARROWEST), cell_len(head))


def _part(grid: Grid, columns: Sequence[Sequence[str]], places: Sequence[int], width: int | None) -> str:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    least = 0
    for place in places:
        figures, name = grid.figures[place], cell_text(grid.head[place])
        table.add_column(
            Text(name),
            justify="right" if figures else "left",
            no_wrap=figures or grid.head[place] in grid.whole,
            overflow="fold",
        )
        least += _GAP + _needed(columns[place], name, figures=figures or grid.head[place] in grid.whole)
    for row in zip(*(columns[place] for place in places), strict=True):
        table.add_row(*map(Text, row))
    stream = StringIO()
    room = _ANY_WIDTH if width is None else max(width, least)
    Console(file=stream, width=room, color_system=None, force_jupyter=False).print(table)
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines())
