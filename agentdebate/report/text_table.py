"""A table of text and figures, and what is said below it: one shape for the terminal, `print` and other formats."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from textwrap import fill

from rich.text import Text

from agentdebate.report.table_layout import Column, fits, table_lines
from agentdebate.visible import one_line, shortened

WIDTH = 80
"""Characters of a line, where no screen says."""
_LONGEST = 500
"""Characters of a cell before it is cut."""
_DECIMALS, _SMALL = 3, 0.01
"""Decimals of a figure at the most, and up from which size it has no more."""
_PROSE = frozenset({"about", "reason", "was shown"})
"""Columns that hold sentences. In a name a line end is shown."""
_BLANKS = re.compile(r"(?:\r\n|[ \n\t])+")


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
    spare: Sequence[str] = ()
    """Columns that are left out, the first first, where a screen is too narrow for all heads; a line says so."""

    def __str__(self) -> str:
        if not self.rows:
            return self.nothing
        drawn = (line.plain.rstrip() for line in self.lines(WIDTH))
        return "\n".join([*drawn, *([filled(self.legend)] if self.legend else [])])

    def lines(self, width: int | None = None) -> Iterator[Text]:
        """The lines of the table on a screen of a width; as wide as it takes where that is None.

        The columns in `numeric` are set flush right, with as many decimals as one another. No head is cut, and no figure broken;
        nor is a word of the columns in `whole`.
        """
        columns, left_out = self._columns(), list[str]()
        for name in self.spare:
            if width is None or fits(columns, width):
                break
            columns = [column for column in columns if column.head != name]
            left_out.append(name)
        yield from table_lines(one_line(self.title), columns, width)
        if left_out:
            yield Text(f"left out, since the screen is narrow: {', '.join(left_out)}")

    def _columns(self) -> list[Column]:
        prose = [name in _PROSE for name in self.head]
        lines = [[*map(_in_cell, row, prose)] for row in self.rows]
        return [
            Column(
                _in_cell(name), tuple(line[place] for line in lines), name in self.numeric, name in self.whole
            )
            for place, name in enumerate(self.head)
        ]


class Caption(str):
    """Prose below a table, which is wrapped on a screen; other lines stay whole, for they may be copied, or searched."""

    __slots__ = ()


Block = TextTable | str
"""A part of what is printed: a table, a caption, or a line; an empty one is a blank line."""


def filled(text: str, width: int = WIDTH) -> str:
    """Prose in lines of so many characters; a word that is longer stays whole."""
    lines = text.splitlines() or [""]
    return "\n".join(
        fill(line, width, break_long_words=False, break_on_hyphens=False, replace_whitespace=False)
        if len(line) > width
        else line
        for line in lines
    )


def printed(blocks: Iterable[Block]) -> str:
    """Blocks as `print` shows them: as the command line does on a screen of 80 columns."""
    return "\n".join(str(one) if isinstance(one, TextTable) else filled(one) for one in blocks)


def cell(value: object) -> str:
    """A value as a table on a screen shows it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{round(value, _DECIMALS) if abs(value) >= _SMALL else value:g}"
    return str(value)


def _in_cell(value: object, prose: bool = False) -> str:
    """A value on one line; a text that is too long for a table is cut. In `prose` line ends are blanks."""
    text = cell(value)
    return shortened(_BLANKS.sub(" ", text).strip(" ") if prose else text, _LONGEST)
