"""A reply as pieces: words, marks, aspects named, and number expressions brought together."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from agentdebate.ballots.numbers import Value

Piece = str | Value
RANGE = "#range"
"""Stands where a reply repeats a scale: "(1-5)", "on a scale of 1 to 5"."""


class Sentence(NamedTuple):
    """The pieces of a sentence: from `start`, up to the mark at `end`."""

    start: int
    end: int
    words: frozenset[Piece]
    """All of its pieces."""
    numbers: Sequence[int]
    """The places of its numbers, in order."""


class Pieces(list[Piece]):
    """The pieces of a reply; `marks` are the places of its numbers and of its line ends, in order."""

    __slots__ = ("around", "bounds", "marks", "sentences")

    def __init__(self, pieces: Iterable[Piece] = (), marks: Iterable[int] = ()) -> None:
        super().__init__(pieces)
        self.marks = list(marks)
        self.bounds: tuple[list[int], list[int]] | None = None
        """Where the sentence of each piece begins, and where it ends; None before they are looked for."""
        self.sentences: dict[tuple[int, int], Sentence] = {}
        """Sentences by where they begin and end, as far as they were looked for."""
        self.around: dict[int, Sentence] = {}
        """The sentence that holds a place, as far as it was looked for."""


def strings_of(pieces: Sequence[Piece]) -> list[str]:
    """The pieces that are words or marks."""
    return [piece for piece in pieces if isinstance(piece, str)]
