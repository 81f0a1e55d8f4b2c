"""Scores that the judge names and does not give: "nowhere near a 5", "I object to a 4", "I regret giving it a 4", "4 is what I would have given".

Only what the judge says of itself, right before the number or right behind it, counts; what a text says or lacks is a reason.
"""

from collections.abc import Sequence

from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.clause import CLAUSE_MARKS
from agentdebate.ballots.reading.lexicon import NEGATION
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_words
from agentdebate.ballots.words import words_of

_REACH = 10
"""Pieces before a number, or behind it, in which the words stand that take it away."""
_KEPT_AWAY = pattern(
    r"(?:.* )?(?:(?:nowhere|anywhere) near|nowhere close to|far from|(?:am|i'm|i protest|i argue|i advise|i decided) against"
    r"|(?:i object|i am opposed|i'm opposed) to)"
    r"(?: (?:being|getting|earning|deserving|giving|awarding|such|it|this))*(?: an?| the)?(?: (?:perfect|full|solid))?"
    r"(?: (?:score|rating|mark|grade) of)?(?: an?)?"
)
"""What leads up to a number that is not given; "far from perfect: 4" leads up to something else."""
_REGRETTED = pattern(
    r"(?:.* )?(?:i (?:deeply |really )?regret(?:ted)? (?:giving|awarding|having given|the)|(?:am|was|i'm) (?:sorry|ashamed) to have given"
    r"|wrong (?:of me )?to (?:give|have given|award))(?: (?:it|this|the [a-z]{1,20}))?(?: an?| the)?(?: (?:score|rating|mark|grade) of)?(?: an?)?"
)
"""The judge is sorry for having given it; "I regret that it gets a 2" and "I am sorry to have to give it a 2" give it."""
_OTHER_CASE = pattern(
    r"(?:is|was|would be) what i (?:had|(?:would|could|might|should) have) (?:given|awarded)\b.*|is (?:nowhere near|far off|far away)"
)
"""Behind a number: it is what would have been given in another case."""
_MISTAKEN = pattern(r"(?:would be|is|was) (?:a mistake|wrong)\b.*")
_GIVING = words_of("giving awarding")
_SIGNS = words_of("near close from to against regret regretted mistake what wrong off away having")


def is_disclaimed(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the words around a number say that it is not what the judge gives."""
    if _SIGNS.isdisjoint(sentence_words(pieces, at)):
        return False
    before = _clause_before(pieces, at)
    behind = _text(_clause_behind(pieces, at))
    if _OTHER_CASE.fullmatch(behind) or (
        before[:1] != [] and before[0] in _GIVING and _MISTAKEN.fullmatch(behind)
    ):
        return True
    if not NEGATION.isdisjoint(before) or not _NONE.isdisjoint(before):
        return False
    said = _text(before)
    return _KEPT_AWAY.fullmatch(said) is not None or _REGRETTED.fullmatch(said) is not None


_NONE = words_of("no nothing nobody none")


def _clause_before(pieces: Sequence[Piece], at: int) -> Sequence[Piece]:
    first = at
    while first > max(at - _REACH, 0) and pieces[first - 1] not in CLAUSE_MARKS:
        first -= 1
    return pieces[first:at]


def _clause_behind(pieces: Sequence[Piece], at: int) -> Sequence[Piece]:
    end = at + 1
    while end < min(at + 1 + _REACH, len(pieces)) and pieces[end] not in CLAUSE_MARKS:
        end += 1
    return pieces[at + 1 : end]


def _text(pieces: Sequence[Piece]) -> str:
    return " ".join(piece if isinstance(piece, str) else "#" for piece in pieces)
