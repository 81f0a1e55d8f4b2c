"""Lines of a poll's form: "Vote: ...", which hold a player's vote, or say that there is none."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

from agentdebate.ballots.reading.beside import opens_entry
from agentdebate.ballots.reading.names import PLAYER
from agentdebate.ballots.reading.sentence import SENTENCE_ENDS
from agentdebate.ballots.words import words_of

_VOTE = words_of("vote votes 投票")
_BEFORE = words_of(
    "my the our his her its their final overall personal own individual so thus therefore hence finally and"
)
_STARTS = SENTENCE_ENDS | frozenset("§)]|-→:,") | {PLAYER}
_PARTS = frozenset((":", "=", "→"))
_HINT = 16
"""Words of a bracket behind the label."""


def vote_lines(words: Sequence[str]) -> list[range]:
    """Where values stand in lines behind the label "Vote", in order: to the line's end, or to the next label in it."""
    labels = [
        i for i, word in enumerate(words) if word in _VOTE and _value(words, i + 1) and _opens(words, i)
    ]
    ends = [i for i in range(len(words)) if words[i] == "\n" or opens_entry(words, i)]
    found = []
    for label, following in pairwise([*labels, len(words)]):
        start = _value(words, label + 1) or len(words)
        line = bisect_left(ends, start)
        end = min(ends[line] if line < len(ends) else len(words), following)
        if start < end:
            found.append(range(start, end))
    return found


def line_of(lines: Sequence[range], at: int) -> range | None:
    """The one of the lines that holds a place."""
    k = bisect_right(lines, at, key=attrgetter("start")) - 1
    return lines[k] if k >= 0 and at in lines[k] else None


def _opens(words: Sequence[str], at: int) -> bool:
    """Whether a label begins a line, a sentence or a cell, but for "my final" and the like."""
    i = at - 1
    while i >= 0 and words[i] in _BEFORE:
        i -= 1
    return i < 0 or words[i] in _STARTS


def _value(words: Sequence[str], at: int) -> int | None:
    """Where the value begins behind a label, and a bracket that says what may be voted for; None where no colon parts them."""
    if words[at : at + 1] in (["("], ["["]):
        at = next((k + 1 for k in range(at, min(at + _HINT, len(words))) if words[k] in {")", "]"}), at)
    return at + 1 if at < len(words) and words[at] in _PARTS else None
