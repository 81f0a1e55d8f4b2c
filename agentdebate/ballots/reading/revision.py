"""A judgement on a line of a form that the rest of the line replaces: "Score: 7, lowered to 5", "Verdict: A, changed to B".

Works on pieces (see pieces.py) and on words (see names.py) behind a place, and looks at a bounded number of them.
"""

from collections.abc import Sequence
from itertools import pairwise

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.names import Names, named
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.words import words_of

_REPLACING = words_of(
    "lowered revised changed corrected amended reduced raised increased decreased adjusted updated dropped cut upgraded downgraded moved "
    "bumped switched lifted down up"
)
"""Before "to": what follows holds now."""
_MARKS = frozenset([",", "(", "[", "-", ";", "."])
_LOOSE = words_of("now later then since subsequently but")
_THINKING_AGAIN = words_of("really actually rather now then finally eventually later")
_AFTER = words_of("after on upon when once now in following at because since as overall instead")
_AT_FIRST = (["at", "first"], ["initially"], ["originally"], ["before"], ["first"])
_ENDS = frozenset("\n.,;)]!")


def replacing_score(pieces: Sequence[Piece], at: int) -> int | None:
    """The place of the number that replaces the one at this place, behind a word that says so; None where there is none."""
    i = _past_marks(pieces, at + 1)
    if (
        i is None
        or pieces[i : i + 1] == []
        or pieces[i] not in _REPLACING
        or list(pieces[i + 1 : i + 2]) != ["to"]
    ):
        return None
    end = i + 2 + (pieces[i + 2 : i + 3] in (["a"], ["an"]))
    return end if _is_number(pieces, end) and _ends(pieces, end + 1) and not _moves_on(pieces, end) else None


def _moves_on(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the line goes on to another number behind "to": "raised to 8, and back to 7"."""
    rest = pieces[at + 1 : at + _REST]
    line = rest[: rest.index("\n")] if "\n" in rest else rest
    return any(word == "to" and isinstance(after, Value) for word, after in pairwise(line))


_REST = 24
"""Pieces of the rest of a line in which it may go on to another number."""


def is_thought_over(pieces: Sequence[Piece], at: int) -> bool:
    """Whether another number on the line may be meant in place of this one: "7, but really 5", "7 at first, 5 in the end", "7 minus 2"."""
    if pieces[at + 1 : at + 2] == ["minus"]:
        return _is_number(pieces, at + 2) and "=" not in pieces[at : at + 8]
    for words in _AT_FIRST:
        behind = at + 1 + len(words)
        if list(pieces[at + 1 : behind]) == words and pieces[behind : behind + 1] == [","]:
            return _is_number(pieces, behind + 1)
    moved = _past_marks(pieces, at + 1)
    if moved is not None and pieces[moved : moved + 1] != [] and pieces[moved] in _REPLACING:
        return (
            pieces[moved + 1 : moved + 2] == ["to"]
            and _is_number(pieces, moved + 2)
            and _moves_on(pieces, moved + 2)
        )
    i = at + 1
    if pieces[i : i + 1] in (["["], ["("]):
        return _is_number(pieces, i + 1) and pieces[i + 2 : i + 3] in (
            ["after"],
            ["now"],
            ["following"],
        )
    if pieces[i : i + 1] not in ([","], [";"], ["-"]):
        return False
    i += 1 + (pieces[i + 1 : i + 2] in (["but"], ["or"]))
    again = pieces[i : i + 1] != [] and pieces[i] in _THINKING_AGAIN
    return again and _is_number(pieces, i + 1) and _ends(pieces, i + 2)


def replacing_name(words: Sequence[str], at: int, names: Names) -> int | None:
    """The place of the name or key that replaces the one at this place: "A, changed to B", "A, no, B", "A. Make that B"."""
    for link in _LINKS:
        end = at + 1 + len(link)
        if tuple(words[at + 1 : end]) == link and _is_name(words, end, names):
            return end
    i = _past_marks(words, at + 1)
    if (
        i is None
        or words[i : i + 1] == []
        or words[i] not in _REPLACING
        or list(words[i + 1 : i + 2]) != ["to"]
    ):
        return None
    return i + 2 if _is_name(words, i + 2, names) else None


_LINKS = (
    (",", "no", ","),
    (".", "no", ","),
    ("\n", "no", ","),
    (",", "i", "mean"),
    (",", "i", "mean", ","),
    (".", "i", "mean"),
    (".", "make", "that"),
    (".", "make", "it"),
    (",", "make", "that"),
    ("-", "make", "that"),
)


def _is_name(words: Sequence[str], at: int, names: Names) -> bool:
    known = at < len(words) and (named(words[at]) is not None or words[at] in names.keys)
    return known and _ends(words, at + 1)


def _past_marks(pieces: Sequence[Piece], start: int) -> int | None:
    """The place behind a mark, a bracket and a word like "now" or "later"; None where no mark stands there."""
    i = start
    while i < len(pieces) and i < start + _MOST and pieces[i] in _MARKS:
        i += 1
    if i == start and not (pieces[i : i + 1] != [] and pieces[i] in _REPLACING):
        return None
    while i < len(pieces) and i < start + _MOST and pieces[i] in _LOOSE:
        i += 1
    return i


_MOST = 4
"""Marks and loose words before the word that says that a judgement is replaced."""


def _is_number(pieces: Sequence[Piece], at: int) -> bool:
    return at < len(pieces) and isinstance(pieces[at], Value)


def _ends(pieces: Sequence[Piece], at: int) -> bool:
    return at >= len(pieces) or pieces[at] in _ENDS or pieces[at] in _AFTER
