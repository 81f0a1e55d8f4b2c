"""Numbers that a reply calculates from others beside them: their sum or their mean, which is the score of the whole.

Where the words leave it open whether a number is a total, the numbers themselves say so.
"""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.lead import REACH
from agentdebate.ballots.reading.opening_number import ends_sentence
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_at, sentence_end, sentence_words
from agentdebate.ballots.reading.subject import words_of_sentence
from agentdebate.ballots.words import words_of

_LEADING = frozenset("=→") | words_of(
    "makes make gives so hence thus therefore overall altogether total sum average mean comes averages totals yields together"
)
_BEHIND = words_of("overall altogether total sum average all")
_MEAN = words_of("overall whole average averages averaging averaged mean")
_LEAST = 2
"""Numbers that make a sum or a mean."""
_EXACT = 1e-9


def is_total(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number at this place is what others come to: by the words around it, or by the numbers themselves."""
    if _is_result(pieces, at) or _is_remainder(pieces, at):
        return True
    summed = _is_totalled(pieces, at) or is_calculated(pieces, at) or is_explained(pieces, at)
    return summed and not _is_counted(pieces, at)


def is_calculated(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the numbers before it in the sentence come to the number at this place, and a word or sign says so."""
    start, _, _, numbers = sentence_at(pieces, at)
    if len(numbers) <= _LEAST:
        return False
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


def _is_counted(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence counts things, and no points."""
    return not COUNTING.isdisjoint(words_of_sentence(pieces, at))


def _is_totalled(pieces: Sequence[Piece], at: int) -> bool:
    """Whether words behind the number say that it is a total: "4 in all", "4/5 overall"."""
    behind = list(pieces[at + 1 : at + 3])
    length = (
        2 if behind in (["in", "total"], ["in", "all"]) else int(behind[:1] in (["altogether"], ["overall"]))
    )
    return length > 0 and ends_sentence(pieces, at + length) and "there" not in words_of_sentence(pieces, at)


def _is_remainder(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is what remains of points that were taken off: "one was lost to repetition; 4 remain"."""
    if pieces[at + 1 : at + 2] not in (["remain"], ["remains"]):
        return False
    words = {piece for piece in pieces[max(at - 2 * REACH, 0) : at] if isinstance(piece, str)}
    units = any(isinstance(piece, Value) and piece.unit for piece in pieces[max(at - 2 * REACH, 0) : at])
    return not _TAKEN.isdisjoint(words) and (
        units or not {"point", "deduction", "deductions"}.isdisjoint(words)
    )


_TAKEN = words_of("lost off deducted deduct deduction deductions subtracted minus taken took removed")


def _is_result(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is what a calculation comes to: "averaging 3 and 5 gives 4", "after deductions: 3", "5 minus the deductions is 4"."""
    if at == 0 or not (
        pieces[at - 1] in _EQUALS
        or pieces[at - 2 : at] in (["mean", ","], ["average", ","])
        or pieces[at - 2 : at] == ["on", "average"]
    ):
        return False
    if _CALCULATION.isdisjoint(sentence_words(pieces, at)):
        return False
    words = words_of_sentence(pieces, at)
    if not COUNTING.isdisjoint(words):
        return False
    if pieces[at - 1] == ",":
        return pieces[at - 2] in {"mean", "average"} and pieces[at + 1 : at + 2] in ([], ["."], ["\n"])
    for k, word in enumerate(words):
        if (
            word in _CALCULATING
            or words[k : k + 2] == ["on", "average"]
            or (word in _RESULTS and words[k + 1 : k + 2] != [] and words[k + 1] in _OF_RESULT)
        ):
            end = sentence_end(pieces, at)
            return not any(isinstance(piece, Value) for piece in pieces[at + 1 : end])
    return False


_EQUALS = frozenset(["=", ":", "→"]) | words_of(
    "is are was be so gives give makes make get gets yields yield of to at leaves leaving leave with us equals equal reach reaches arrive becomes comes"
)


_CALCULATING = words_of(
    "sums summing summed totalling totaling totals adding averaging averages averaged deduct deducted deducting deduction deductions subtract "
    "subtracting subtracted subtraction minus plus + together weighted combining altogether"
)


_RESULTS = words_of("sum total average mean add adds")


_OF_RESULT = frozenset([":", "=", "up"]) | words_of(
    "is of would comes score points rating therefore thus then"
)


_CALCULATION = _CALCULATING | _RESULTS
"""A sentence without any of these calculates nothing."""


COUNTING = words_of(
    "number count errors mistakes slips words sentences cost costs price budget population people million fee bill victims votes"
)
"""What is calculated in texts, and is not a score."""
