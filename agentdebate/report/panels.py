"""Pictures of several panels: how many there are in a line, and what each of them needs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

COLUMNS = 4
WIDTH, HEIGHT = 3.3, 3.0
"""Inches of a panel."""
_LETTERS = 42
"""Letters that fit above a panel."""


def size(
    panels: int, *, columns: int = COLUMNS, width: float = WIDTH, height: float = HEIGHT
) -> tuple[float, float]:
    """The size of a picture of so many panels, in inches. A single one is wider."""
    return max(min(panels, columns) * width, 6.4), -(-panels // columns) * height + 0.2


def across(judges: Iterable[str]) -> int:
    """How many panels stand side by side: where there are several judges with as many panels each, a line for each."""
    names = list(judges)
    each, rest = divmod(len(names), max(len(set(names)), 1))
    return each if len(set(names)) > 1 and not rest and each <= COLUMNS + 1 else COLUMNS


def panels(figure: Any, count: int, *, columns: int = COLUMNS, **options: Any) -> Iterator[Any]:
    """The axes of so many panels; places in the last line that are left over stay empty."""
    grid = figure.subplots(-(-count // columns), min(count, columns), squeeze=False, **options)
    places = [axes for line in grid for axes in line]
    for axes in places[count:]:
        axes.remove()
    yield from places[:count]


def named(axes: Any, title: str, *below: str) -> None:
    """Give a panel its title, with lines in plain letters beneath it."""
    axes.set_title(title + "\n" * len(below), loc="left")
    text = "\n".join(
        line if len(line) <= _LETTERS else f"{line[: _LETTERS - 1]}\N{HORIZONTAL ELLIPSIS}" for line in below
    )
    axes.text(0, 1.02, text, transform=axes.transAxes, fontsize=8.5, va="bottom")


def shares(values: Sequence[float], edges: Sequence[float]) -> list[float]:
    """The share of the values within each pair of neighbouring edges, the upper edge not included but for the last."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        place = next((n for n, edge in enumerate(edges[1:]) if value < edge), len(counts) - 1)
        counts[place] += 1
    return [count / len(values) for count in counts] if values else [0.0] * len(counts)
