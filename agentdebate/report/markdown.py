"""Tables in Markdown."""

import re
from collections.abc import Sequence

from agentdebate.report.grid import Grid, Number, cell_text
from agentdebate.visible import shortened

LONGEST_CAPTION = 20_000
"""Characters of a paragraph before it is cut."""
_MARKS = re.compile(r"[\\`*_{}\[\]<>|~&$!@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
"""What Markdown, or what is added to it on the pages where it is shown, takes for markup, addresses and formulas."""
_BLOCK = re.compile(r"^(\d*)(?=[-+=.)])")
"""What makes a list or a heading of a line that begins with it."""


def as_markdown(grids: Sequence[Grid], caption: Sequence[str] = ()) -> str:
    """Write each table below its title, with its notes, and the lines of the caption behind all of them."""
    parts = [part for grid in grids for part in (_table(grid), *map(paragraph, grid.notes))]
    return "\n\n".join([*parts, *map(paragraph, caption)]) + "\n"


def _table(grid: Grid) -> str:
    rule = ["---:" if figures else "---" for figures in grid.figures]
    rows = [
        [markdown_text(cell_text(name)) for name in grid.head],
        rule,
        *([*map(_cell, row)] for row in grid.rows),
    ]
    return "\n".join(
        [f"**{markdown_text(cell_text(grid.title))}**", "", *(f"| {' | '.join(row)} |" for row in rows)]
    )


def _cell(value: object) -> str:
    if not isinstance(value, Number):
        return markdown_text(cell_text(value))
    first, *rest = value.parts
    return " ".join([f"**{first}**" if value.best else first, *rest])


def paragraph(text: str) -> str:
    """Text as a paragraph of its own, on one line."""
    return _BLOCK.sub(r"\1\\", markdown_text(shortened(text, LONGEST_CAPTION).strip()))


def markdown_text(text: str) -> str:
    """Text on one line, in which nothing is markup."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)
