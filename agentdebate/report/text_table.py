"""A table of text and figures, and what is said below it: one shape for the terminal, `print` and other formats."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.visible import shortened

_GAP = "  "
_LONGEST = 200
"""Characters of a cell before it is cut."""


@dataclass(frozen=True)
class TextTable:
    """A title, a head and rows; the columns in `numeric` are figures. `legend` says what the columns mean."""

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    numeric: Sequence[str] = ()
    legend: str = ""
    nothing: str = ""
    """What is said where there is no row."""
    whole: Sequence[str] = ()
    """Columns that lose nothing where a screen is too narrow."""

    def __str__(self) -> str:
        if not self.rows:
            return self.nothing
        cells = [[*map(shown, row)] for row in (self.head, *self.rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        lines = [
            _GAP.join(
                cell.rjust(width) if name in self.numeric else cell.ljust(width)
                for name, cell, width in zip(self.head, row, widths, strict=True)
            ).rstrip()
            for row in cells
        ]
        return "\n".join(
            [self.title, lines[0], "-" * len(lines[0]), *lines[1:], *filter(None, [self.legend])]
        )


def shown(value: object) -> str:
    """A value as a table shows it, on one line."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return shortened(" ".join(text.split()), _LONGEST)
