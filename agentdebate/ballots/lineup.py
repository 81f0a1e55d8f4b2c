"""Several texts compared: the candidates in the order in which they are shown, and the lines of a ballot about them.

Candidates are shown under letters ("Answer A"), by position, so that a position can be swapped without a name giving
away which text is which. Ratings are filed under the field of the item that holds the text, wherever it stood.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Any

from agentdebate.errors import DataError, UsageError
from agentdebate.tasks import Aspect, Item, Scale, Task


@dataclass(frozen=True, slots=True)
class Candidate:
    """A text that is compared with others: the field that holds it, and what it is called where it is shown."""

    field: str
    label: str


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a ballot: a number for one aspect, of one candidate where several are compared.

    `aspect` is what the line is called and its scale ("Coherence", "Answer A"), `rated` the aspect that it rates.
    """

    aspect: Aspect
    rated: str
    candidate: str | None = None


@dataclass(frozen=True, slots=True)
class Player:
    """A role that is played by someone who speaks for several: what it is called, and who it is."""

    title: str
    description: str


@dataclass(frozen=True, slots=True)
class ReplySpec:
    """Contents that a reply needs: word on aspects, the lines of a ballot, votes of players for candidates."""

    aspects: tuple[Aspect, ...] = ()
    lines: tuple[Line, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    players: tuple[Player, ...] = ()
    given: Mapping[str, Any] = field(default_factory=dict)
    """Values that the strategy gave the turn."""
    samples: int = 1
    """Number of samples that were asked for."""
    text: str = ""
    """The text under judgement; empty where several are compared."""
    asked_again: bool = False
    """True if the agent was asked for the form once more: then the table of patterns counts, too."""

    @property
    def titles(self) -> tuple[str, ...]:
        """Names of the players."""
        return tuple(player.title for player in self.players)

    @property
    def roles(self) -> int:
        """Number of roles that are to be recruited."""
        return sum(self.given.get(grain, 0) for grain in ("coarse", "fine"))


def lineup(task: Task, item: Item, order: Sequence[str] | None = None) -> tuple[Candidate, ...]:
    """The item's candidates as they are shown; `order` names their fields in another order than the task's.

    Nothing for a task that judges a single text. Raises UsageError for an order that is not one of all candidates, and
    DataError for an item with more candidates than there are letters.
    """
    fields = [field for field in task.candidates if field in item.fields]
    shown = fields if order is None else list(order)
    if sorted(shown) != sorted(fields):
        raise UsageError(f"an order has every candidate once: {', '.join(fields)}; not {', '.join(shown)}")
    if len(shown) > len(ascii_uppercase):
        raise DataError(
            f"item {item.id or '?'} has {len(shown)} candidates; {len(ascii_uppercase)} can be compared"
        )
    return tuple(
        Candidate(field, f"{_noun(field)} {letter}")
        for field, letter in zip(shown, ascii_uppercase, strict=False)
    )


def ballot_lines(aspects: Sequence[Aspect], candidates: Sequence[Candidate]) -> tuple[Line, ...]:
    """List the lines that a ballot needs: a line an aspect, or a line for each aspect of each candidate."""
    if not candidates:
        return tuple(Line(aspect, aspect.name) for aspect in aspects)
    return tuple(
        Line(
            _asked(aspect, candidate, len(candidates), alone=len(aspects) == 1), aspect.name, candidate.field
        )
        for aspect in aspects
        for candidate in candidates
    )


def _asked(aspect: Aspect, candidate: Candidate, among: int, *, alone: bool) -> Aspect:
    """An aspect of one candidate; a rank is a place among the candidates."""
    name = candidate.label.lower().replace(" ", "_")
    return aspect.model_copy(
        update={
            "name": name if alone else f"{aspect.name}_of_{name}",
            "label": candidate.label if alone else f"{aspect.title} of {candidate.label}",
            "scale": Scale(low=1, high=among) if aspect.rank else aspect.scale,
        }
    )


def _noun(field: str) -> str:
    """Return the kind of a candidate: "answer_1" and "answer_2" are answers."""
    stem = field.rstrip("0123456789").rstrip("_")
    return (stem or field).replace("_", " ").capitalize()
