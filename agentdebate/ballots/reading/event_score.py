"""Scores of what a text tells of, and not of the text: of a match or an exam, or at another time."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import (
    JUDGE_WORDS,
    RATED,
)
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_start
from agentdebate.ballots.words import words_of

_CONTESTS = words_of(
    "won win wins lost beat beats defeated drew finished qualified match matches game games team teams side club league season tournament "
    "championship striker goalkeeper goals player players exam exams quiz film movie restaurant hotel hurricane storm guests visitors"
)
_SO = words_of("so then therefore thus hence consequently accordingly ultimately overall conclusion")
"""Behind what is told of an event, these lead on to the judge's own score."""
_IN_TIME = words_of("in by since during until before after back from around throughout on")
_DATES = words_of(
    "january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday"
)
_BYGONE = words_of("was were had stood fell rose dropped reached became scored hit")
_YEARS = range(1000, 2200)
_FEW = 4
"""Pieces at the head of a sentence in which a time is told."""
_PRONOUNS = words_of("it this that")


def is_of_event(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence before a number speaks of a contest or of another time, and neither of what is rated nor of the judge."""
    start = sentence_start(pieces, at)
    before = pieces[start:at]
    words = {piece for piece in before if isinstance(piece, str)}
    bygone = _is_bygone(before, words)
    if not bygone and _CONTESTS.isdisjoint(words):
        return False
    if not JUDGE_WORDS.isdisjoint(words) or any(is_aspect(word) for word in words):
        return False
    if not (RATED - _PRONOUNS if bygone else RATED).isdisjoint(words):
        return False
    return bygone or _SO.isdisjoint(words)


def _is_bygone(before: Sequence[Piece], words: set[str]) -> bool:
    """Whether a sentence opens with a year or a day, and tells what was then: "In 2019 it was"."""
    if _BYGONE.isdisjoint(words) or before[0] not in _IN_TIME:
        return False
    return any(piece in _DATES or _is_year(piece) for piece in before[1:_FEW])


def _is_year(piece: Piece) -> bool:
    return (
        isinstance(piece, Value)
        and piece.over is None
        and len(piece.shown) == _FEW
        and piece.numbers[0] in _YEARS
    )
