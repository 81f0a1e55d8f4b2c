"""Pictures of several panels: how many there are in a line, and what each of them needs."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.visible import shortened

COLUMNS = 4
WIDTH, HEIGHT = 3.3, 3.0
"""Inches of a panel."""
MOST = 60
"""Panels of a picture: more take minutes to draw, and cannot be read."""
_LETTERS = 42
"""Letters that fit above a panel."""
_TITLE = 34
"""Bold letters that do."""


def size(
    panels: int, *, columns: int = COLUMNS, width: float = WIDTH, height: float = HEIGHT
) -> tuple[float, float]:
    """The size of a picture of so many panels, in inches. A single one is wider. Raises UsageError for too many."""
    if panels > MOST:
        raise UsageError(
            f"this would be a picture of {panels} panels; name fewer runs, or aspects=... ({MOST} at the most)"
        )
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
    axes.set_title(shortened(title, _TITLE) + "\n" * len(below), loc="left")
    text = "\n".join(shortened(line, _LETTERS) for line in below)
    axes.text(0, 1.02, text, transform=axes.transAxes, fontsize=8.5, va="bottom")


def in_legend(names: Iterable[str]) -> list[str]:
    """Names as a legend takes them: matplotlib leaves out those that begin with an underscore."""
    return [f" {name}" if name.startswith("_") else name for name in names]


def shares(values: Sequence[float], edges: Sequence[float]) -> list[float]:
    """The share of the values within each pair of neighbouring edges, the upper edge not included but for the last."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        place = next((n for n, edge in enumerate(edges[1:]) if value < edge), len(counts) - 1)
        counts[place] += 1
    return [count / len(values) for count in counts] if values else [0.0] * len(counts)
