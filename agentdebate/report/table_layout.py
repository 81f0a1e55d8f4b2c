"""A table as lines of text: as wide as a reader's screen, with every head and every figure whole.

Where a table is too wide, the widest columns go on in further lines, first between words and behind marks such as a slash.
A table whose figures alone are wider than the screen leaves it: a figure is never broken.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, chop_cells
from rich.text import Text

GAP = 2
"""Blanks between two columns, and one alone where the screen is narrow."""

_LEAST, _SLIM = 16, 8
"""Characters of a text in one line at the least, where it has as many; and before a head is broken."""
_INTERVAL = " ["
"""How an interval begins behind a figure: it may stand below it."""

_PIECES = re.compile(r"[^_/.:,+=|-]*[_/.:,+=|-]+|[^_/.:,+=|-]+")
"""Parts of a long name, behind each of which it may go on in the next line."""

_FIGURE = re.compile(r"([-+]?\d+)(?:\.(\d+))?([*%]?)")


@dataclass(frozen=True)
class Column:
    """A column: its head, its cells, whether they are figures, and whether no word of a text is broken."""

    head: str
    cells: tuple[str, ...]
    figures: bool = False
    whole: bool = False

    @property
    def wanted(self) -> int:
        """The width at which nothing goes on in another line."""
        return max(map(cell_len, (self.head, *self.cells)))

    @property
    def comfortable(self) -> int:
        """The width at which no word of the head is broken, nor a short text."""
        words = max(map(cell_len, self.head.split()), default=1)
        return min(self.wanted, max(words, self.least))

    @property
    def slim(self) -> int:
        """The width at which no word of the head is broken; intervals stand below their figures, and texts go on sooner."""
        words = max(map(cell_len, self.head.split()), default=1)
        if self.figures or self.whole:
            return min(self.wanted, max(words, self._narrowest))
        longest = max(map(cell_len, self.cells), default=0)
        return min(self.wanted, max(words, min(longest, _SLIM)))

    @property
    def _narrowest(self) -> int:
        if not self.figures:
            return self.least
        return max((cell_len(part) for cell in self.cells for part in parts_of(cell)), default=1)

    @property
    def least(self) -> int:
        """The width at which no figure is broken, nor a word of what is to be whole."""
        longest = max(map(cell_len, self.cells), default=0)
        if self.figures:
            return max(longest, 1)
        if self.whole:
            return max((cell_len(word) for text in self.cells for word in text.split()), default=1)
        return max(min(longest, _LEAST), 1)


def table_lines(title: str, columns: Sequence[Column], width: int | None) -> Iterator[Text]:
    """The lines of a table with its title above, without blanks at their ends; of any width where that is None."""
    even = [_even(column) for column in columns]
    widths, gap = _widths(even, width)
    yield Text(title, style="bold")
    yield from _row([column.head for column in even], even, widths, gap, style="bold")
    yield Text("─" * (sum(widths) + gap * (len(widths) - 1)))
    for number in range(max((len(column.cells) for column in even), default=0)):
        yield from _row([column.cells[number] for column in even], even, widths, gap)


def fits(columns: Sequence[Column], width: int) -> bool:
    """Whether a screen is as wide as the columns take with every head whole."""
    return sum(_even(column).slim for column in columns) + len(columns) - 1 <= width


def parts_of(cell: str) -> list[str]:
    """A figure and its interval."""
    value, bracket, rest = cell.partition(_INTERVAL)
    return [value, f"{bracket.strip()}{rest}"] if bracket else [cell]


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of a width: broken between words, else behind marks in a word, else anywhere."""
    lines = [""]
    for word in text.split(" "):
        first, *rest = _pieces(word, width)
        joined = f"{lines[-1]} {first}" if lines[-1] else first
        if cell_len(joined) <= width:
            lines[-1] = joined
        else:
            lines.append(first)
        lines += rest
    return lines


def _pieces(word: str, width: int) -> list[str]:
    """A word in as few pieces as fit a width."""
    if cell_len(word) <= width:
        return [word]
    found: list[str] = []
    for part in _PIECES.findall(word):
        for piece in chop_cells(part, width):
            if found and cell_len(found[-1]) + cell_len(piece) <= width:
                found[-1] += piece
            else:
                found.append(piece)
    return found


def _even(column: Column) -> Column:
    """A column whose figures have as many decimals as one another, and stand below one another with or without a mark."""
    if not column.figures:
        return column
    found = [_FIGURE.fullmatch(cell) for cell in column.cells]
    decimals = max((len(each[2] or "") for each in found if each), default=0)
    mark = any(each and each[3] == "*" for each in found)
    cells = [
        _figure(each, decimals, mark=mark) if each else cell
        for each, cell in zip(found, column.cells, strict=True)
    ]
    return Column(column.head, tuple(cells), figures=True, whole=column.whole)


def _figure(found: re.Match[str], decimals: int, *, mark: bool) -> str:
    after = (found[2] or "").ljust(decimals, "0")
    return f"{found[1]}{'.' if after else ''}{after}{found[3] or (' ' if mark else '')}"


def _widths(columns: Sequence[Column], width: int | None) -> tuple[list[int], int]:
    """The widths that the columns want, with the widest narrowed down until all fit, or none can give more; and the gap."""
    wanted = [column.wanted for column in columns]
    if width is None:
        return wanted, GAP
    for gap, floor in _STEPS:
        found = _narrowed(wanted, [floor(column) for column in columns], width - gap * (len(columns) - 1))
        if found is not None:
            return found, gap
    return [
        column.slim for column in columns
    ], 1  # it leaves the screen in any case: then no head is broken for it


def _narrowed(wanted: Sequence[int], least: Sequence[int], room: int) -> list[int] | None:
    """The widths that fit the room, none below its least; None where they cannot."""
    widths = list(wanted)
    while sum(widths) > room:
        able = [number for number, taken in enumerate(widths) if taken > least[number]]
        if not able:
            return None
        widths[max(able, key=lambda number: widths[number])] -= 1
    return widths


_STEPS: Sequence[tuple[int, Callable[[Column], int]]] = (
    (GAP, lambda one: one.comfortable),
    (1, lambda one: one.comfortable),
    (1, lambda one: one.slim),
    (1, lambda one: one.least),
)
"""How a table is made narrower: the gap, and how narrow a column may become."""


def _row(
    cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int], gap: int, style: str = ""
) -> Iterator[Text]:
    """A row in as many lines as its longest cell takes."""
    parts = [_parted(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for place in range(max(map(len, parts), default=0)):
        line = [
            _placed(part[place] if place < len(part) else "", width, right=column.figures)
            for part, width, column in zip(parts, widths, columns, strict=True)
        ]
        yield Text((" " * gap).join(line).rstrip(), style=style)


def _parted(cell: str, width: int) -> list[str]:
    """A cell in lines of a width: an interval below its figure, and else wrapped."""
    parts = parts_of(cell)
    if cell_len(cell) > width and len(parts) > 1 and all(cell_len(part) <= width for part in parts):
        return parts
    return wrapped(cell, width)


def _placed(text: str, width: int, *, right: bool) -> str:
    blanks = " " * max(width - cell_len(text), 0)
    return f"{blanks}{text}" if right else f"{text}{blanks}"
