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
    start, end = sentence_start(pieces, at), sentence_end(pieces, at)
    if not isinstance(pieces, Pieces):
        return _sentence(pieces, start, end)
    found = pieces.sentences.get((start, end))
    if found is None:
        found = pieces.sentences[start, end] = _sentence(pieces, start, end)
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
        found = pieces.starts.get(at)
        if found is None:
            found = pieces.starts[at] = _start(_ends(pieces), at)
        return found
    start, first = at, max(at - _LONGEST, 0)
    while start > first and pieces[start - 1] not in SENTENCE_ENDS:
        start -= 1
    return start


def _start(ends: Sequence[int], at: int) -> int:
    first, k = max(at - _LONGEST, 0), bisect_left(ends, at)
    return max(ends[k - 1] + 1, first) if k else first


def sentence_end(pieces: Sequence[Piece], at: int) -> int:
    """The place of the mark that ends the sentence; the number of pieces where none does."""
    last = max(min(at + _LONGEST, len(pieces)), at)
    if isinstance(pieces, Pieces):
        ends = _ends(pieces)
        k = bisect_left(ends, at)
        return min(ends[k], last) if k < len(ends) else last
    end = at
    while end < last and pieces[end] not in SENTENCE_ENDS:
        end += 1
    return end


def _ends(pieces: Pieces) -> list[int]:
    """The places of all marks that end sentences."""
    if pieces.ends is None:
        pieces.ends = [i for i, piece in enumerate(pieces) if piece in SENTENCE_ENDS]
    return pieces.ends
