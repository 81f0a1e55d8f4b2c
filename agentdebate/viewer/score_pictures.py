"""Pictures of scores: people's against the judge's, agents' from round to round, and how often each value comes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from agentdebate.meta.talk import Stand, Talk
from agentdebate.tasks import Scale
from agentdebate.viewer import words

SIZE, LEFT, BOTTOM, GAP = 320.0, 44.0, 40.0, 14.0
"""The picture's width and height, and the room at its sides, in its own units."""
_CELLS = 60
"""Places on each axis: debates whose scores are nearer to each other than that are one point."""
_TICKS = 5
LOW = 170.0
"""The height of a picture of rounds."""
_ASIDE = 2.5
"""Distance by which agents with the same score are moved apart."""
_BINS = 6
"""Bars of values that are many."""
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


def _up(share: float, height: float = SIZE) -> float:
    return round(height - BOTTOM - GAP - share * (height - BOTTOM - 2 * GAP), 1)


@dataclass(frozen=True)
class RoundPoint:
    """A ballot of an agent in a round."""

    x: float
    y: float
    stand: Stand
    score: float
    moved: bool
    """True where the agent's ballot before gave another score."""


@dataclass(frozen=True)
class RoundPicture:
    """Scores of each agent by round, with the verdict at its height."""

    about: str
    agents: Mapping[str, tuple[RoundPoint, ...]]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    verdict: float | None
    width: float = SIZE
    height: float = LOW
    left: float = LEFT
    bottom: float = BOTTOM


def round_picture(talk: Talk, about: str, scale: Scale | None) -> RoundPicture | None:
    """Draw one score of a debate; None where fewer than two ballots give it."""
    found = [(one, one.values.get(about)) for one in talk.stands]
    given = [(one, value) for one, value in found if isinstance(value, float | int)]
    if len(given) <= 1:
        return None
    ends = [scale.low, scale.high] if scale else []
    values = [*ends, *(value for _, value in given)]
    low, high = min(values), max(values)

    def height(value: float) -> float:
        return _up((value - low) / ((high - low) or 1.0), LOW)

    rounds = sorted({one.round for one, _ in given})
    places = {number: _across((at + 0.5) / len(rounds)) for at, number in enumerate(rounds)}
    agents: dict[str, list[RoundPoint]] = {one.agent: [] for one, _ in given}
    for one, value in given:
        own, aside = agents[one.agent], list(agents).index(one.agent) * _ASIDE
        moved = bool(own) and value != own[-1].score
        own.append(RoundPoint(places[one.round], round(height(value) + aside, 1), one, value, moved))
    verdict = talk.verdict.get(about)
    return RoundPicture(
        about,
        {agent: tuple(steps) for agent, steps in agents.items()},
        tuple(Tick(x, str(number)) for number, x in places.items()),
        tuple(Tick(height(value), words.score(value)) for value in dict.fromkeys((low, high))),
        None if verdict is None else height(float(verdict)),
    )


@dataclass(frozen=True)
class Bar:
    """Count of a value, and its share of the most frequent value's count."""

    label: str
    count: int
    share: float


@dataclass(frozen=True)
class Bars:
    """Counts of the values of one thing."""

    title: str
    bars: tuple[Bar, ...]


def bars(title: str, values: Sequence[float]) -> Bars:
    """Count values: each of its own where they are few, and in bins of one width where they are many."""
    known = sorted(set(values))
    if len(known) > 2 * _BINS:
        low, wide = known[0], (known[-1] - known[0]) / _BINS
        binned = Counter(min(int((value - low) / wide), _BINS - 1) for value in values)
        ends = [words.score(low + wide * at) for at in range(_BINS + 1)]
        counts = {f"{ends[at]} to {ends[at + 1]}": binned[at] for at in range(_BINS)}
    else:
        found = Counter(values)
        counts = {words.score(value): found[value] for value in known}
    most = max(counts.values(), default=1)
    return Bars(title, tuple(Bar(label, count, count / most) for label, count in counts.items()))
