"""Numbers that a reply calculates from others beside them: their sum or their mean, which is the score of the whole.

Where the words leave it open whether a number is a total, the numbers themselves say so.
"""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import sentence_end, sentence_start
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.words import words_of

_LEADING = frozenset("=→") | words_of(
    "makes make gives so hence thus therefore overall altogether total sum average mean comes averages totals yields together"
)
_BEHIND = words_of("overall altogether total sum average all")
_MEAN = words_of("overall average averages averaging averaged mean")
_LEAST = 2
"""Numbers that make a sum or a mean."""
_EXACT = 1e-9


def is_calculated(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the numbers before it in the sentence come to the number at this place, and a word or sign says so."""
    start = sentence_start(pieces, at)
    parts = _numbers(pieces, start, at)
    averaged = not _MEAN.isdisjoint(_words(pieces[start : at + 3]))
    if len(parts) < _LEAST or "scale" in pieces[start:at] or not _comes_to(parts, pieces[at], same=averaged):
        return False
    last = max(i for i in range(at) if isinstance(pieces[i], Value))
    leading = _LEADING | {"is", "at"} if averaged else _LEADING
    return not (
        leading.isdisjoint(_words(pieces[last + 1 : at]))
        and _BEHIND.isdisjoint(_words(pieces[at + 1 : min(at + 3, sentence_end(pieces, at))]))
    )


def is_explained(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a colon follows the number, and behind it the parts that it is the sum or the mean of."""
    if pieces[at + 1 : at + 2] not in ([":"], ["("], ["="]):
        return False
    parts = _numbers(pieces, at + 2, sentence_end(pieces, at))
    return len(parts) >= _LEAST and _comes_to(parts, pieces[at])


def _numbers(pieces: Sequence[Piece], start: int, end: int) -> list[float]:
    values = (piece for piece in pieces[start:end] if isinstance(piece, Value))
    return [value.numbers[0] for value in values if len(value.numbers) == 1]


def _words(pieces: Sequence[Piece]) -> list[str]:
    return [piece for piece in pieces if isinstance(piece, str)]


def _comes_to(parts: Sequence[float], piece: Piece, *, same: bool = False) -> bool:
    """Whether the parts come to a number, together or on average; the `same` number again and again only where a mean is named."""
    if not isinstance(piece, Value) or len(piece.numbers) > 1:
        return False
    total, number = sum(parts), piece.numbers[0]
    averaged = (same or len(set(parts)) > 1) and abs(total / len(parts) - number) < _EXACT
    return averaged or abs(total - number) < _EXACT
