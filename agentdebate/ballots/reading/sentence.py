"""The sentence that holds a place in a reply: where it begins and ends, its words, and its numbers.

Most of what speaks against a number is told by a word. The words of a sentence are gathered once, so that a search for
such a word asks one set, and walks through the pieces only where the word is there.
"""

from bisect import bisect_left
from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.pieces import Piece, Pieces, Sentence

SENTENCE_ENDS = frozenset(".;!?\n")
_LONGEST = 48
"""Pieces that are looked through for the ends of a sentence."""


def sentence_at(pieces: Sequence[Piece], at: int) -> Sentence:
    """The sentence that holds this place."""
    if not isinstance(pieces, Pieces):
        return _sentence(pieces, sentence_start(pieces, at), sentence_end(pieces, at))
    found = pieces.around.get(at)
    if found is None:
        bounds = sentence_start(pieces, at), sentence_end(pieces, at)
        found = pieces.sentences.get(bounds)
        if found is None:
            found = pieces.sentences[bounds] = _sentence(pieces, *bounds)
        pieces.around[at] = found
    return found


def _sentence(pieces: Sequence[Piece], start: int, end: int) -> Sentence:
    places: Sequence[int] = range(start, end)
    if isinstance(pieces, Pieces):
        places = pieces.marks[bisect_left(pieces.marks, start) : bisect_left(pieces.marks, end)]
    numbers = [i for i in places if isinstance(pieces[i], Value)]
    return Sentence(start, end, frozenset(pieces[start:end]), numbers)


def sentence_words(pieces: Sequence[Piece], at: int) -> frozenset[Piece]:
    """All pieces of the sentence that holds this place, in no order."""
    return sentence_at(pieces, at).words


def sentence_start(pieces: Sequence[Piece], at: int) -> int:
    """The first piece of the sentence that holds this place."""
    if isinstance(pieces, Pieces):
        starts, _ = pieces.bounds or _bounds(pieces)
        return max(starts[at if 0 <= at < len(starts) else _nearest(at)], at - _LONGEST)
    start, first = at, max(at - _LONGEST, 0)
    while start > first and pieces[start - 1] not in SENTENCE_ENDS:
        start -= 1
    return start


def sentence_end(pieces: Sequence[Piece], at: int) -> int:
    """The place of the mark that ends the sentence; the number of pieces where none does."""
    if isinstance(pieces, Pieces):
        _, stops = pieces.bounds or _bounds(pieces)
        return max(min(stops[at if 0 <= at < len(stops) else _nearest(at)], at + _LONGEST), at)
    end, last = at, max(min(at + _LONGEST, len(pieces)), at)
    while end < last and pieces[end] not in SENTENCE_ENDS:
        end += 1
    return end


def _nearest(at: int) -> int:
    """The index of the first piece, or of the end, for a place outside of the pieces."""
    return 0 if at < 0 else -1


def _bounds(pieces: Pieces) -> tuple[list[int], list[int]]:
    """Where the sentence of each piece begins and ends, whatever its length; the last entry is for the place behind the last piece."""
    starts, stops, first = list[int](), list[int](), 0
    for end in (*(i for i, piece in enumerate(pieces) if piece in SENTENCE_ENDS), len(pieces)):
        length = end + 1 - first
        starts += [first] * length
        stops += [end] * length
        first = end + 1
    pieces.bounds = starts, stops
    return pieces.bounds
