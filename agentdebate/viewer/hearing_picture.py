"""The picture of who hears whom: agents on a ring with arrows between them, and the verdict in the middle."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.talk.bus import VERDICT, hearings
from agentdebate.talk.messages import FLOOR, Message
from agentdebate.viewer.colours import Colours
from agentdebate.viewer.conversation import ranges
from agentdebate.visible import shortened

WIDTH, HEIGHT = 640, 380
_CENTRE = WIDTH / 2, HEIGHT / 2
_RADII = 185.0, 130.0
_NODE = 15.0
_GAP = 7.0
"""Between the end of an arrow and the node that it points to."""
_BEND = 0.13
"""Bend of an arrow to its side, so that the two between a pair do not cover each other."""
_MOST = 16
"""Agents that a ring has room for."""
_LABEL = 22


@dataclass(frozen=True)
class Node:
    """An agent, or the verdict."""

    label: str
    colour: int
    x: float
    y: float
    label_x: float
    label_y: float
    anchor: str


@dataclass(frozen=True)
class Arrow:
    """Arrow from an agent to one that hears it."""

    speaker: str
    hearer: str
    rounds: str
    colour: int
    path: str
    width: float


@dataclass(frozen=True)
class HearingPicture:
    """Nodes and arrows; no nodes where there are too many agents for a picture, and then the arrows alone are a table."""

    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]
    width: int = WIDTH
    height: int = HEIGHT


def hearing_picture(messages: Sequence[Message], colours: Colours) -> HearingPicture:
    """The picture of a debate."""
    found = hearings(messages)
    names = list(dict.fromkeys(name for one in found for name in (one.speaker, one.hearer)))
    ring = [name for name in names if name != VERDICT]
    drawn = len(ring) <= _MOST
    places = {name: _place(at, len(ring)) for at, name in enumerate(ring)} | {VERDICT: _CENTRE}
    nodes = [_node(name, places[name], colours) for name in names] if drawn else []
    arrows = [
        Arrow(
            one.speaker,
            one.hearer,
            f"round{'' if len(one.rounds) == 1 else 's'} {ranges(one.rounds)}",
            colours.of(one.speaker),
            _path(places[one.speaker], places[one.hearer]),
            1.2 + min(len(one.rounds), 6) * 0.35,
        )
        for one in found
    ]
    return HearingPicture(tuple(nodes), tuple(arrows))


def _place(at: int, count: int) -> tuple[float, float]:
    angle = 2 * math.pi * at / max(count, 1) - math.pi / 2 - (math.pi / 2 if count == 2 else 0)  # noqa: PLR2004 - a pair lies level
    return _CENTRE[0] + _RADII[0] * math.cos(angle), _CENTRE[1] + _RADII[1] * math.sin(angle)


def _node(name: str, place: tuple[float, float], colours: Colours) -> Node:
    x, y = place
    dx, dy = x - _CENTRE[0], y - _CENTRE[1]
    aside = abs(dx) > _RADII[0] / 3
    anchor = ("start" if dx > 0 else "end") if aside else "middle"
    label_x = x + math.copysign(_NODE + 6, dx) if aside else x
    label_y = y + 5 if aside else y + (math.copysign(_NODE + 12, dy) + 4 if name != VERDICT else _NODE + 16)
    colour = 0 if name in (VERDICT, FLOOR) else colours.of(name)
    return Node(
        label=shortened(name, _LABEL),
        colour=colour,
        x=round(x, 1),
        y=round(y, 1),
        label_x=round(label_x, 1),
        label_y=round(label_y, 1),
        anchor=anchor,
    )


def _path(start: tuple[float, float], end: tuple[float, float]) -> str:
    """An arc from one node's edge to another's."""
    (x1, y1), (x2, y2) = start, end
    length = math.hypot(x2 - x1, y2 - y1) or 1.0
    mx, my = (x1 + x2) / 2 - (y2 - y1) * _BEND, (y1 + y2) / 2 + (x2 - x1) * _BEND
    x1, y1 = _towards((x1, y1), (mx, my), min(_NODE, length / 3))
    x2, y2 = _towards((x2, y2), (mx, my), min(_NODE + _GAP, length / 3))
    return f"M{x1:.1f} {y1:.1f}Q{mx:.1f} {my:.1f} {x2:.1f} {y2:.1f}"


def _towards(start: tuple[float, float], end: tuple[float, float], far: float) -> tuple[float, float]:
    length = math.hypot(end[0] - start[0], end[1] - start[1]) or 1.0
    return start[0] + (end[0] - start[0]) * far / length, start[1] + (end[1] - start[1]) * far / length
