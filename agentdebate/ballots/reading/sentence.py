"""The sentence that holds a place in a reply: where it begins and ends, its words, and its numbers.

Most of what speaks against a number is told by a word. The words of a sentence are gathered once, so that whoever looks for
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
        return _sentence(pieces, at)
    found = pieces.sentences.get(at)
    if found is None:
        found = pieces.sentences[at] = _sentence(pieces, at)
    return found


def _sentence(pieces: Sequence[Piece], at: int) -> Sentence:
    start, end = _start(pieces, at), sentence_end(pieces, at)
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
    if not isinstance(pieces, Pieces):
        return _start(pieces, at)
    start = pieces.starts.get(at)
    if start is None:
        start = pieces.starts[at] = _start(pieces, at)
    return start


def _start(pieces: Sequence[Piece], at: int) -> int:
    start, first = at, max(at - _LONGEST, 0)
    while start > first and pieces[start - 1] not in SENTENCE_ENDS:
        start -= 1
    return start


def sentence_end(pieces: Sequence[Piece], at: int) -> int:
    """The place of the mark that ends the sentence; the number of pieces where none does."""
    end, last = at, min(at + _LONGEST, len(pieces))
    while end < last and pieces[end] not in SENTENCE_ENDS:
        end += 1
    return end
