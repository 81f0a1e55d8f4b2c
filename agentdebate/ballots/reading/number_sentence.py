"""A sentence with numbers in it, as it is looked at where a reply closes or opens with it."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.first_thought import is_superseded
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_end, sentence_start
from agentdebate.ballots.words import words_of

SELF = words_of("i i'd i'll i'm i've me my mine we we'd our us")
PAST = words_of("had thought gave was considered leaned felt rated scored ballot vote")
"""Words of what the judge held before."""


@dataclass(frozen=True, slots=True)
class NumberSentence:
    """A sentence with numbers in it: where it starts, the places of its numbers, and its words."""

    pieces: Sequence[Piece]
    start: int
    places: list[int]
    words: frozenset[str]

    @property
    def is_own(self) -> bool:
        """Whether the judge speaks of itself."""
        return not SELF.isdisjoint(self.words)

    @property
    def goes_on(self) -> bool:
        """Whether it goes on from a number that was thought of first."""
        return any(is_superseded(self.pieces, i) for i in self.places)


def sentence_of(pieces: Sequence[Piece], at: int) -> NumberSentence:
    """The sentence that holds this place."""
    start, end = sentence_start(pieces, at), sentence_end(pieces, at)
    places = [i for i in range(start, end) if isinstance(pieces[i], Value)]
    return NumberSentence(
        pieces, start, places, frozenset(p for p in pieces[start:end] if isinstance(p, str))
    )


def has_unit(piece: Piece) -> bool:
    """Whether a piece is a number of points or stars."""
    return isinstance(piece, Value) and piece.unit
