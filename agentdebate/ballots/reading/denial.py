"""Words before a number that deny it: "not a 4", "above 3", "anything but a 2"."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import NEAR, before
from agentdebate.ballots.reading.lexicon import COMPARED, JUDGE_WORDS, MISSED, NEGATION
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_words
from agentdebate.ballots.words import words_of


def _is_of_verb_alone(clause: Sequence[Piece], distance: int) -> bool:
    """Whether a negated verb says that the score, or a view, is kept: "I will not change my rating: 4"."""
    behind = [piece for piece in reversed(clause[:distance]) if isinstance(piece, str)]
    return not _MOVING_AWAY.isdisjoint(behind[:2])


_MOVING_AWAY = words_of("change changes changed alters alter revise adjust move budge modify reconsider")


def is_denied(  # noqa: PLR0911 - one for each kind of denial
    pieces: Sequence[Piece], at: int
) -> bool:
    """Whether the clause before a place denies it, compares with it, or says that it was missed."""
    if _DENYING.isdisjoint(sentence_words(pieces, at)):
        return False
    clause = list(before(pieces, at))
    if any(piece in _HESITATING for piece in clause) and any(piece in _NOT for piece in clause):
        return False
    for distance, piece in enumerate(clause):
        if isinstance(piece, Value) and not JUDGE_WORDS.isdisjoint(
            p for p in clause[:distance] if isinstance(p, str)
        ):
            return False  # what stands before is said of that number: "instead of a 3 I give it a 4"
        if piece in NEGATION:
            return not _is_of_verb_alone(clause, distance) and (piece != "without" or distance < NEAR)
        # "the above" is further from the number than "above 3".
        near = 2 if piece in {"over", "under", "above", "below"} else NEAR
        if distance < near and (piece in COMPARED or (piece in MISSED and "enough" not in clause)):
            return True
        if piece == "instead" and distance and pieces[at - distance] == "of":
            return True
        if piece == "nobody" or (piece == "way" and clause[distance + 1 : distance + 2] == ["no"]):
            return True
    return _is_anything_but(pieces, at)


def _is_anything_but(pieces: Sequence[Piece], at: int) -> bool:
    """Whether "anything but" leads up to a number: it is the one score that is not meant."""
    i = next((i for i in range(at - 1, max(at - NEAR, 0), -1) if pieces[i] == "but"), 0)
    return i > 0 and pieces[i - 1] == "anything"


_DENYING = NEGATION | COMPARED | MISSED | {"instead", "nobody", "anything", "way"}
_HESITATING = frozenset(["hesitate", "hesitation"])
_NOT = words_of("not don't no without won't")
