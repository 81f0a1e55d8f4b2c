"""Scores that are given as the most that is deserved: "I cannot justify more than a 3", "it merits nothing higher than a 2".

Who denies that more is deserved gives what is named. Works on pieces (see pieces.py) around a place, and looks at a bounded number of them.
"""

from collections.abc import Sequence

from agentdebate.ballots.reading import clause
from agentdebate.ballots.reading.lexicon import AUXILIARIES, GIVING, JUDGE_WORDS, NEGATION
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.subject import may_give
from agentdebate.ballots.words import words_of

_MORE = words_of("more higher better greater")
_ARTICLES = words_of("a an the")
_DENYING = (NEGATION | {"nothing"}) - {"never", "neither", "nor", "without"}
_GENERAL = words_of("any every no such most texts summaries usually normally rarely")
"""In the clause: it speaks of texts in general."""


def is_most(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the number at a place is the most that a judge says it can give, and so what it gives."""
    than = at - 2 if pieces[at - 1 : at] and pieces[at - 1] in _ARTICLES else at - 1
    if than < 1 or pieces[than] != "than" or pieces[than - 1] not in _MORE:
        return False
    around = [*clause.before(pieces, than), *clause.after(pieces, at)]
    words = [piece for piece in around if isinstance(piece, str)]
    verb = next((i for i in range(than - 1, max(than - _OBJECT, -1), -1) if pieces[i] in GIVING), None)
    if verb is None or _DENYING.isdisjoint(words) or not _GENERAL.isdisjoint(words):
        return False
    subject = verb
    while subject > 0 and pieces[subject - 1] in _BEFORE_VERB:
        subject -= 1
    own = pieces[max(subject - 1, 0)] in JUDGE_WORDS
    return own or may_give(pieces, subject, pieces[verb + 1 : than])


def is_bound(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a number is only the end of what a score may be: ">3", "4 or higher"; `<4>` is a number in marks, and a ">" that opens a line quotes."""
    if tuple(pieces[at + 1 : at + 2]) in (("or",), ("and",)) and pieces[at + 2 : at + 3] != []:
        return pieces[at + 2] in _BEYOND and pieces[at + 3 : at + 4] not in (["than"], ["all"])
    sign = at - 2 if pieces[max(at - 1, 0) : at] == ["="] else at - 1
    if sign < 1 or pieces[sign] not in _COMPARING or pieces[sign - 1] == "\n":
        return False
    closes = pieces[sign] == ">" and "<" in pieces[max(sign - _TAG, 0) : sign]
    return not closes and not (pieces[sign] == "<" and ">" in pieces[at + 1 : at + 3])


_COMPARING = frozenset("<>≤≥")
_BEYOND = words_of("higher more above better greater lower less below worse fewer under over up down")
_TAG = 8
"""Pieces of a tag before the sign that closes it."""
_OBJECT = 6
"""Pieces before "than" in which the verb stands."""
_BEFORE_VERB = NEGATION | AUXILIARIES
