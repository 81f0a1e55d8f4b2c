"""Numbers that are divided among parts, readings or occasions, or left open between two: none of them is the score of the whole.

"A 3 on one reading, a 4 on another", "the opening is a 2 and the ending a 4", "a 3 or a 4, I cannot decide". What a judge makes of
them all, behind a word that sums up ("so a 3 overall"), is its score.
"""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.lexicon import OTHER_ASPECTS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_at, sentence_end, sentence_start
from agentdebate.ballots.words import words_of

_PAIRS = (
    (words_of("one some either most many certain"), words_of("other others another rest remaining")),
    (
        words_of("strict strictly harsh literal letter"),
        words_of("lenient leniently generous loose liberal spirit"),
    ),
)
"""What marks one share, and what marks the other one, whatever stands between."""
_ORDERED = (
    words_of("first former opening beginning start front setup introduction intro"),
    words_of("second latter ending end close closing conclusion rest remainder finish"),
)
"""The same in an order; with a turn between the two they are a first thought and a second one."""
_PARALLEL = words_of("as part by on from for if in with under when sometimes partly to")
_THIS = words_of("this the that which")
"""Before "one": it stands for what is rated."""
_TURNS = words_of("but however yet now then finally instead actually")
_SUMMING = words_of(
    "so hence thus therefore overall average averages averaging averaged mean together total sum final finally settle settled "
    "altogether makes conclude combined whole"
)
_UNABLE = words_of("yet can't cannot couldn't unable not don't haven't never without no")
_DECIDING = words_of("decide decided deciding choose pick settle settled commit determine decision")
_TELLING = words_of("say tell know")
_WHICH = words_of("which where what whether")
_OPEN = words_of("undecided")
_DOUBTFUL = _OPEN | _UNABLE | {"open"}
_NEAR = 5
"""Pieces behind a negation in which the verb stands that it negates."""


def is_divided(  # noqa: PLR0911 - one for each way to share numbers out
    pieces: Sequence[Piece], at: int
) -> bool:
    """Whether the sentence gives the number at this place to a share, and another number to another share; or leaves it open."""
    start, end, _, numbers = sentence_at(pieces, at)
    if _is_open(pieces, start, end):
        return True
    values = [i for i in numbers if not _is_marker(pieces[i])]
    if len(numbers) < 2:  # noqa: PLR2004 - two shares
        return False
    if any(pieces[i + 1 : i + 4] in (["as", "much", "as"], ["as", "well", "as"]) for i in values[:-1]):
        return True
    if _is_equal(pieces, values, at, end):
        return True
    if len(values) < 2 or _is_summed_up(pieces, values, at):  # noqa: PLR2004 - two shares
        return False
    words = {
        _word(piece)
        for i, piece in enumerate(pieces[start:end], start)
        if not (piece == "one" and pieces[i - 1] in _THIS)
    }
    if not OTHER_ASPECTS.isdisjoint(words) or any(word[:1] == "@" and len(word) > 1 for word in words):
        return False
    if _is_parallel(pieces, start, values):
        return True
    if any(not (one.isdisjoint(words) or other.isdisjoint(words)) for one, other in _PAIRS):
        return True
    first, second = _ORDERED
    turned = not _TURNS.isdisjoint(_word(piece) for piece in pieces[values[0] : values[-1]])
    return not turned and not (first.isdisjoint(words) or second.isdisjoint(words))


def _is_equal(pieces: Sequence[Piece], values: Sequence[int], at: int, end: int) -> bool:
    """Whether another number in the sentence is said to do as well: "I'd say 4, but 5 would be fine as well"."""
    later = next((i for i in values if i > at), None)
    behind = [] if later is None else [_word(piece) for piece in pieces[later + 1 : end]]
    return not (_FINE.isdisjoint(behind) or _TOO.isdisjoint(behind))


_FINE = words_of("fine defensible possible acceptable okay ok justified plausible right")
_TOO = words_of("well too also equally")


def _is_parallel(pieces: Sequence[Piece], start: int, values: Sequence[int]) -> bool:
    """Whether the parts in which two numbers stand begin alike: "as a draft it is a 3, as a final text a 4"."""
    opening = pieces[start]
    return opening in _PARALLEL and any(
        pieces[i] == opening and pieces[i - 1] in {",", "and", "but"} and pieces[i + 1] != "this"
        for i in range(values[0] + 1, values[-1])
    )


def all_shares(pieces: Sequence[Piece], at: int) -> Value:
    """The numbers of the sentence as one value, of which none is meant more than the others."""
    shares = [
        piece
        for piece in pieces[sentence_start(pieces, at) : sentence_end(pieces, at)]
        if isinstance(piece, Value) and not _is_marker(piece)
    ]
    numbers = tuple(number for share in shares for number in share.numbers)
    return Value((*numbers, *numbers[:1]), " and ".join(dict.fromkeys(share.shown for share in shares)))


def _word(piece: Piece) -> str:
    return piece.shown if isinstance(piece, Value) else piece


def _is_marker(piece: Piece) -> bool:
    """Whether a piece is a "one" that goes with "other", in a sentence that has other numbers."""
    return isinstance(piece, Value) and piece.shown == "one"


def _is_summed_up(pieces: Sequence[Piece], values: Sequence[int], at: int) -> bool:
    """Whether a word between the number before and this one says what all of them come to."""
    before = [i for i in values if i < at]
    return bool(before) and not _SUMMING.isdisjoint(_word(piece) for piece in pieces[before[-1] + 1 : at])


def _is_open(pieces: Sequence[Piece], start: int, end: int) -> bool:
    """Whether the sentence, or the next one, says that the judge has not decided."""
    stop = min(sentence_end(pieces, min(end + 1, len(pieces) - 1)), len(pieces))
    if _DOUBTFUL.isdisjoint(pieces[start:stop]):
        return False
    for i in range(start, stop):
        if pieces[i] in _OPEN:
            return True
        if pieces[i] == "open" and "leave" in pieces[max(i - 4, 0) : i]:
            return True
        follow = pieces[i + 1 : i + _NEAR] if pieces[i] in _UNABLE else []
        if any(piece in _DECIDING for piece in follow):
            return True
        if any(
            piece in _TELLING and follow[k + 1 : k + 2] and follow[k + 1] in _WHICH
            for k, piece in enumerate(follow)
        ):
            return True
    return False
