"""Lines of a form that are a text's and not the judge's: the line before says so, or the one behind turns it down.

Without quotation marks such a line looks like the judge's own ballot. Only whole sentences that cannot be a reason for the score
count: "The summary itself says" above it, "That line is the text's own" below. Works on pieces, and looks at a bounded number of them.
"""

from collections.abc import Sequence

from agentdebate.ballots.pattern import pattern
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS, sentence_end, sentence_start
from agentdebate.ballots.words import words_of

_REACH = 14
"""Pieces of the line before, and of the one behind."""
TELLING = words_of("says said reads states claims added adds line")
"""At the end of a line without a mark: the line below it may be what a text says."""
_TAGS = words_of("quote quotation source excerpt example citation draft")
"""At the head of a line, or as the name of the element that it stands in: what it holds is another's."""
_LABELLED = 4
"""Pieces from such a word to the number of the label behind it: "Quote: Coherence: 5"."""
_TEXT = r"(?:text|summary|answer|source|author|article|reply|response|essay|story|dialogue)"
_LEADING = pattern(
    rf"(?:the|this|its) {_TEXT}(?: itself)? (?:(?:says|said|reads|states|claims|added|adds)|(?:contains|includes|has|adds) the line)"
)
"""All of the line before."""
_DISMISSING = r"(?:ignore|ignored|disregard|disregarded|discard|discarded|discount|discounted|dismiss|dismissed|reject|rejected)"
_TURNING_DOWN = pattern(
    rf"which i {_DISMISSING}|but i {_DISMISSING} (?:it|this|that|this line|that line)"
    r"|but (?:this|that|it) has no (?:bearing|influence|weight|effect) on my (?:own )?(?:judge?ment|score|rating|verdict|assessment|evaluation|decision)"
    rf"|which is (?:part of the {_TEXT}|the {_TEXT}'s own)"
    rf"|is what the {_TEXT} (?:says|states|claims) (?:of|about) itself"
    rf"|(?:(?:this|that) line|the line above) (?:is (?:part of )?the {_TEXT}(?:'s own)?|belongs to the {_TEXT}|is not mine|does not count)"
    r"(?: and does not count)?"
)
"""All of the sentence behind."""


def is_disregarded(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the line that holds this number is given to a text by the line before, or turned down by the one behind."""
    start = sentence_start(pieces, at)
    if pieces[start] in _TAGS and pieces[start + 1] == ":" and 1 < at - start <= _LABELLED:
        return True
    return _is_told(pieces, start) or _is_turned_down(pieces, at)


def _is_told(pieces: Sequence[Piece], start: int) -> bool:
    """Whether all that the line before says is that a text says what follows."""
    if start < 2 or pieces[start - 1] != "\n" or pieces[start - 2] not in TELLING:  # noqa: PLR2004 - a word and the line's end
        return False
    return _LEADING.fullmatch(_said(pieces[sentence_start(pieces, start - 2) : start - 1])) is not None


def _is_turned_down(pieces: Sequence[Piece], at: int) -> bool:
    i, last = at + 1, min(at + _REACH, len(pieces))
    while i < last and (pieces[i] in SENTENCE_ENDS or pieces[i] in {"(", ")", "]", '"'}):
        i += 1
    if i >= last or pieces[i] not in _TAKING_UP or "\n" not in pieces[at + 1 : i]:
        return False
    return _TURNING_DOWN.fullmatch(_said(pieces[i : min(sentence_end(pieces, i), i + _REACH)])) is not None


_TAKING_UP = words_of("which but is this that the")


def _said(pieces: Sequence[Piece]) -> str:
    return " ".join(piece if isinstance(piece, str) else "#" for piece in pieces)
