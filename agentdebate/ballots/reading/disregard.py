"""Lines of a form that are a text's and not the judge's: the line before says so, or the one behind turns it down.

Without quotation marks such a line looks like the judge's own ballot. Works on pieces, and looks at a bounded number of them.
"""

from collections.abc import Sequence
from itertools import pairwise

from agentdebate.ballots.reading.lexicon import JUDGE_WORDS
from agentdebate.ballots.reading.pieces import Piece, strings_of
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.words import words_of

_REACH = 14
"""Pieces of the line before, and of the one behind."""
TELLING = words_of("says said reads states claims contains includes added adds stands line lines words")
"""At the end of a line without a mark: the line below it is what a text says."""
_TAGS = words_of("quote quotation source excerpt example citation")
"""At the head of a line, or as the name of the element that it stands in: what it holds is another's."""
_SHORTEST = 3
"""Words of such a line; fewer are a heading."""
_TAKING_UP = words_of("which but that this it however and the yet")
_GOING_ON = words_of("is was stands appears comes belongs")
"""At the head of the line behind: the sentence goes on, and speaks of the line."""
_DISMISSING = words_of(
    "ignore ignored ignoring disregard disregarded discard discount dismiss discounted reject"
)
_DISOWNING = frozenset(
    [("not", "count"), ("no", "bearing"), ("no", "weight"), ("no", "influence"), ("no", "effect"), ("not", "mine"), ("not", "my"),
     ("text's", "own"), ("summary's", "own"), ("author's", "own"), ("not", "affect"), ("not", "influence"), ("no", "part"), ("an", "injection"),
     ("part", "of"), ("belongs", "to"), ("line", "above"), ("above", "line")]
)  # fmt: skip


def is_disregarded(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the line that holds this number is given to a text by the line before, or turned down by the one behind."""
    start = sentence_start(pieces, at)
    if pieces[start] in _TAGS and pieces[start + 1] == ":":
        return True
    return (start > _SHORTEST and pieces[start - 1] == "\n" and _leads(pieces, start)) or _is_turned_down(
        pieces, at
    )


def _leads(pieces: Sequence[Piece], start: int) -> bool:
    """Whether a line breaks off at a verb of telling or a noun for words, and the judge does not speak of itself in it."""
    if pieces[start - 2] not in TELLING:
        return False
    before = sentence_start(pieces, start - 2)
    line = pieces[before : start - 1]
    return len(line) >= _SHORTEST and JUDGE_WORDS.isdisjoint(strings_of(line)) and "my" not in line


def _is_turned_down(pieces: Sequence[Piece], at: int) -> bool:
    i, last = at + 1, min(at + _REACH, len(pieces))
    while i < last and (pieces[i] in SENTENCE_ENDS or pieces[i] in {"(", ")", "]", '"'}):
        i += 1
    if i >= last or "\n" not in pieces[at + 1 : i] or pieces[i] not in _TAKING_UP | _GOING_ON:
        return False
    if pieces[i] in _GOING_ON:
        if pieces[i] in {"is", "was"} and pieces[i + 1 : i + 2] not in (
            ["what"],
            ["part"],
            ["only"],
            ["taken"],
        ):
            return False
        return (
            JUDGE_WORDS.isdisjoint(strings_of(pieces[i : i + _REACH])) and "my" not in pieces[i : i + _REACH]
        )
    behind = strings_of(pieces[i : min(sentence_end(pieces, i), i + _REACH)])
    dismissed = behind[0] in {"which", "but"} and not _DISMISSING.isdisjoint(behind[: _REACH // 2])
    return dismissed or not _DISOWNING.isdisjoint(pairwise(behind))
