"""Another number that a judge offers behind its score, in doubt: "4. Hmm, or maybe 3", "I'd say 4, but it might be 3".

Works on pieces (see pieces.py) behind a number, and looks at a bounded number of them.
"""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end
from agentdebate.ballots.withdrawal import WITHDRAWN
from agentdebate.ballots.words import words_of

DOUBTING = words_of("or maybe perhaps possibly alternatively")
"""Words before the other number."""
_PAUSES = words_of("hmm hm well um uh err though but and no , . - ( … !") | {"\n", WITHDRAWN}
_HESITATING = words_of("hmm hm um uh err")
_SUBJECTS = words_of("it this that")
_MODALS = words_of("might could may")
_BETWEEN = words_of(
    ", is it a an should this be would even just only rather i'd say could more like closer to it's also as well might the"
)
_ENDS = SENTENCE_ENDS | frozenset(")],-?") | words_of("instead then too also")
_MOST = 8
"""Pieces from the end of a clause to the other number."""


def alternative(pieces: Sequence[Piece], at: int) -> Value | None:
    """The number that the rest of the sentence, or the next one, offers in place of the one at this place; None where there is none."""
    end = sentence_end(pieces, at)
    starts = [i for i in range(at + 1, end) if pieces[i] in {",", "(", "-"}]
    for start in (*starts[:2], end):
        other = _offered(pieces, start)
        if other is not None:
            return other
    return None


def _offered(pieces: Sequence[Piece], start: int) -> Value | None:
    """The number that the clause behind a mark offers."""
    i, hesitates = start, False
    while i < len(pieces) and i - start < _MOST and pieces[i] in _PAUSES:
        hesitates |= pieces[i] in _HESITATING
        i += 1
    place = next((k for k in range(i, min(i + _MOST, len(pieces))) if isinstance(pieces[k], Value)), None)
    if place is None:
        return None
    between, value = list(pieces[i:place]), pieces[place]
    assert isinstance(value, Value)  # it was looked for
    unsure = between[:2] in (["then", "again"], ["not", "sure"])
    if unsure:
        between = [piece for piece in between[2:] if piece != ","]
    behind = pieces[place + 1] if place + 1 < len(pieces) else "."
    if unsure and not between and behind in _MODALS:
        return value
    loose = all(piece in DOUBTING or piece in _BETWEEN for piece in between) or _is_condition(between)
    offered = unsure or (hesitates and not between) or _opens(between)
    return value if offered and loose and behind in _ENDS else None


def _opens(between: Sequence[Piece]) -> bool:
    """Whether words before a number begin to offer it: "or maybe a", "it might be", "could be"."""
    first, second = (*between, "", "")[:2]
    return (
        first in DOUBTING
        or (first in _SUBJECTS and second in _MODALS)
        or (first in _MODALS and second == "be")
    )


def _is_condition(between: Sequence[Piece]) -> bool:
    """Whether "or" and a condition lead to a number: "or, if I'm strict, 3"."""
    return between[:3] == ["or", ",", "if"] and between[-1] == ","


def both(value: Value, other: Value) -> Value:
    """Two numbers as one value, of which none is meant more than the other."""
    return Value((*value.numbers, *other.numbers), f"{value.shown} or {other.shown}", value.over)
