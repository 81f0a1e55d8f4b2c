"""People's scores against the judge's as a picture: a point for the debates that have both scores alike."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from agentdebate.tasks import Scale
from agentdebate.viewer import words

SIZE, LEFT, BOTTOM, GAP = 320.0, 44.0, 40.0, 14.0
"""The picture's width and height, and the room at its sides, in its own units."""
_CELLS = 60
"""Places on each axis: debates whose scores are nearer to each other than that are one point."""
_TICKS = 5
_LEAST, _MOST = 3.5, 13.0


@dataclass(frozen=True)
class Point:
    """Debates with the same two scores."""

    x: float
    y: float
    radius: float
    human: float
    score: float
    count: int
    debate: str
    """The first of them."""


@dataclass(frozen=True)
class Tick:
    """A place on an axis."""

    place: float
    label: str


@dataclass(frozen=True)
class Scatter:
    """The points of one aspect, and the axes, which go from `low` to `high` for people and the judge alike."""

    aspect: str
    points: tuple[Point, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    n: int
    size: float = SIZE
    left: float = LEFT
    bottom: float = BOTTOM
    gap: float = GAP


def scatter(aspect: str, rows: Iterable[Mapping[str, Any]], scale: Scale | None) -> Scatter | None:
    """The picture of an aspect; None where no debate has both scores."""
    found = [
        (row["human"][aspect], row["scores"][aspect], row["debate"])
        for row in rows
        if row["human"].get(aspect) is not None and row["scores"].get(aspect) is not None
    ]
    if not found:
        return None
    ends = [scale.low, scale.high] if scale else []
    values = [*ends, *(one[0] for one in found), *(one[1] for one in found)]
    low, high = min(values), max(values)
    wide = (high - low) or 1.0
    cells: dict[tuple[int, int], list[tuple[float, float, str]]] = {}
    for one in found:
        cells.setdefault(
            (round((one[0] - low) / wide * _CELLS), round((one[1] - low) / wide * _CELLS)), []
        ).append(one)
    most = max(map(len, cells.values()))
    points = [_point(cell, some, most) for cell, some in cells.items()]
    ticks = [low + wide * at / (_TICKS - 1) for at in range(_TICKS)]
    return Scatter(
        aspect,
        tuple(sorted(points, key=lambda one: (one.human, one.score))),
        tuple(Tick(_across((value - low) / wide), words.score(value)) for value in ticks),
        tuple(Tick(_up((value - low) / wide), words.score(value)) for value in ticks),
        len(found),
    )


def _point(cell: tuple[int, int], some: Sequence[tuple[float, float, str]], most: int) -> Point:
    human, score, debate = some[0]
    radius = max(_LEAST, _MOST * sqrt(len(some) / most)) if most > 1 else _LEAST
    return Point(
        _across(cell[0] / _CELLS), _up(cell[1] / _CELLS), round(radius, 1), human, score, len(some), debate
    )


def _across(share: float) -> float:
    return round(LEFT + GAP + share * (SIZE - LEFT - 2 * GAP), 1)


def _up(share: float) -> float:
    return round(SIZE - BOTTOM - GAP - share * (SIZE - BOTTOM - 2 * GAP), 1)
