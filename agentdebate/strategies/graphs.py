"""Hearing graphs: which debaters of a talk hear which, as data (sparse hearing, arXiv 2406.11776)."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from agentdebate.agents.seat import Seat, Seats
from agentdebate.errors import UsageError
from agentdebate.options import read_options
from agentdebate.strategies.base import MOST_CARDS

Place = Annotated[int, Field(ge=1, le=MOST_CARDS)]
"""A debater's place in the cast, from 1."""


class DrawnGraph(BaseModel):
    """A graph of your own: all in a group hear each other, and an edge leads from a speaker to a hearer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    groups: tuple[tuple[Place, ...], ...] = ()
    edges: tuple[tuple[Place, Place], ...] = ()

    @property
    def places(self) -> frozenset[int]:
        """The places that are named."""
        return frozenset(place for named in (*self.groups, *self.edges) for place in named)


def _drawn(said: object) -> object:
    """A table as the graph that it draws; its mistakes are told by their names."""
    if not isinstance(said, Mapping):
        return said
    try:
        graph = read_options(DrawnGraph, said, of="a hearing graph")
    except UsageError as error:  # pydantic makes ValueErrors into errors that name the option
        raise ValueError(told if (told := str(error)).endswith(("?", ".")) else f"{told}.") from error
    if not any(len({*named}) > 1 for named in (*graph.groups, *graph.edges)):
        raise ValueError("by this graph nobody hears another, which the word 'none' says")
    return graph


Graph = Annotated[Literal["full", "ring", "star", "none"] | DrawnGraph, BeforeValidator(_drawn)]
"""A hearing graph as an option says it: a name, or a table `{groups = [[1, 2], [3, 4]], edges = [[2, 3]]}` of places in the cast."""


def hears(graph: Graph, debaters: Seats, listener: Seat, speaker: Seat) -> bool:
    """Tell whether one debater hears another."""
    hearer, said = debaters.index(listener) + 1, debaters.index(speaker) + 1
    match graph:
        case "full":
            return True
        case "ring":
            return (hearer - said) % len(debaters) in (1, len(debaters) - 1)
        case "star":
            return 1 in (hearer, said)
        case "none":
            return False
    return (said, hearer) in graph.edges or any({hearer, said} <= {*group} for group in graph.groups)
