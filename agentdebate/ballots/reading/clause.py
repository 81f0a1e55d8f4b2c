"""The clause around a number or a name: the pieces before and behind it, and whether it is quoted, asked, or sums up.

Works on pieces (see pieces.py) around a place, and looks at a bounded number of them.
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.lexicon import CLAUSE_ENDS, CONCLUDING, PARTS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_at, sentence_end, sentence_start
from agentdebate.ballots.words import words_of

DECIDING = words_of("chose settled decided picked opted went")
"""Verbs that end a doubt: "I hesitated between 3 and 4 and chose 4"."""
CLAUSE_MARKS = frozenset(".,;!?\n")
CLAUSE_PIECES, NEAR = 16, 4
"""Pieces that are looked through for the ends of a clause, and for what governs a piece directly."""
_OPENING = 7
_LINE = 200
_AROUND = frozenset("([*>-§•")
_CONJUNCTIONS = words_of("but so yet therefore hence thus still")


def before(pieces: Sequence[Piece], at: int) -> Iterator[Piece]:
    """The pieces of the clause before a place, the nearest first."""
    for i in range(at - 1, max(at - CLAUSE_PIECES, -1), -1):
        piece = pieces[i]
        if (
            piece == "and"
            and (pieces[i + 1] in _TAKING_UP)
            and any(isinstance(p, Value) for p in pieces[max(i - CLAUSE_PIECES, 0) : i])
        ):
            return
        if (
            piece in CLAUSE_MARKS
            or piece in _CONJUNCTIONS
            or piece == "("
            or (piece == ":" and not _is_label(pieces, i))
        ):
            return
        yield piece


_TAKING_UP = words_of("decide settle opt choose keep i i'd i'll i'm i've my give go say stay pick")
"""Behind "and", in a sentence that has told another number, these begin a clause of the judge's own."""


def _is_label(pieces: Sequence[Piece], colon: int) -> bool:
    """Whether a colon stands behind the name of a score: then what is before it says whose score it is."""
    left = pieces[colon - 1] if colon else "\n"
    return isinstance(left, str) and (left[0] == "@" or "c" in PARTS.get(left, ""))


def is_quoted(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a place lies in a quotation within a line; a value alone in quotation marks is not quoted, it is set apart."""
    if _is_cited(pieces, at):
        return True
    if '"' not in pieces[max(at - _LINE, 0) : at]:
        return False
    start = at
    while start > 0 and at - start < _LINE and pieces[start - 1] != "\n":
        start -= 1
    if list(pieces[start:at]).count('"') % 2 == 0:
        return False
    opened = max(i for i in range(start, at) if pieces[i] == '"')
    closing = next((i for i in range(at, min(at + _LINE, len(pieces))) if pieces[i] == '"'), len(pieces) - 1)
    if pieces[closing + 1 : closing + 2] == [","]:
        return True
    alone = opened == at - 1 and at + 1 < len(pieces) and pieces[at + 1] == '"'
    whole = all(piece in _AROUND for piece in pieces[start:opened])
    return not (alone or whole)


def _is_cited(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a colon before it, in its sentence, says that somebody's words follow ("the text ends with: ...")."""
    start, _, words, _ = sentence_at(pieces, at)
    return ":" in words and any(
        pieces[i] == ":" and (pieces[i - 1] in _CITING or pieces[i - 2 : i] == ["ends", "with"])
        for i in range(start + 2, at)
    )


_CITING = words_of("says states reads writes wrote said claims asks quotes contains includes demands")


def after(pieces: Sequence[Piece], at: int, most: int = 8) -> Iterator[Piece]:
    """The pieces of the clause behind a place."""
    for piece in pieces[at + 1 : at + most]:
        if piece in CLAUSE_ENDS:
            return
        yield piece


def is_asked(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence is a question."""
    end = sentence_end(pieces, at)
    return end < len(pieces) and pieces[end] == "?"


def concludes(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence opens with words that sum up ("Overall, ...", "Therefore, ...")."""
    start = sentence_start(pieces, at)
    return not CONCLUDING.isdisjoint(pieces[start : min(start + _OPENING, at)])
