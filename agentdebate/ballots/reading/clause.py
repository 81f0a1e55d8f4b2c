"""What a clause does with a number or a name that stands in it: denies it, asks, supposes, compares, or quotes it.

Works on pieces (see pieces.py) around a place, and looks at a bounded number of them.
"""

from collections.abc import Iterator, Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.lexicon import (
    ATTRIBUTING,
    CLAUSE_ENDS,
    COMPARED,
    CONCLUDING,
    CONDITION,
    EARLIER,
    FORCED,
    MISSED,
    NEGATION,
    OTHERS,
    PARTS,
    REJECTED,
    SCORE_NOUNS,
    TAKEN_BACK,
    WITHDRAWING,
)
from agentdebate.ballots.reading.pieces import Piece

SENTENCE_ENDS = frozenset(".;!?\n")
CLAUSE_MARKS = frozenset(".,;!?\n")
_SENTENCE, _CLAUSE, _NEAR = 48, 16, 4
"""Pieces that are looked through for the ends of a sentence, of a clause, and for what governs a piece directly."""
_OPENING = 7
_LINE = 200
_AROUND = frozenset("([*>-§•")
_CONJUNCTIONS = frozenset(("but", "so", "yet", "therefore", "hence", "thus", "still"))


def sentence_start(pieces: Sequence[Piece], at: int) -> int:
    """The first piece of the sentence that holds this place."""
    start = at
    while start > 0 and at - start < _SENTENCE and pieces[start - 1] not in SENTENCE_ENDS:
        start -= 1
    return start


def sentence_end(pieces: Sequence[Piece], at: int) -> int:
    """The place of the mark that ends the sentence; the number of pieces where none does."""
    end, last = at, min(at + _SENTENCE, len(pieces))
    while end < last and pieces[end] not in SENTENCE_ENDS:
        end += 1
    return end


def before(pieces: Sequence[Piece], at: int) -> Iterator[Piece]:
    """The pieces of the clause before a place, the nearest first."""
    for i in range(at - 1, max(at - _CLAUSE, -1), -1):
        piece = pieces[i]
        if piece in CLAUSE_MARKS or piece in _CONJUNCTIONS or piece == "(" or (piece == ":" and not _is_label(pieces, i)):
            return
        yield piece


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
    start = sentence_start(pieces, at)
    return any(pieces[i] == ":" and (pieces[i - 1] in _CITING or pieces[i - 2 : i] == ["ends", "with"]) for i in range(start + 2, at))


_CITING = frozenset("says states reads writes wrote said claims asks quotes contains includes demands".split())


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


def is_supposed(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence speaks of another case than this one; "if I had to give a score" does not."""
    start = sentence_start(pieces, at)
    for i in range(start, at):
        piece = pieces[i]
        if piece in CONDITION and (piece != "were" or i == start):
            follow = pieces[i + 1 : i + 5]
            forced = piece == "if" and not FORCED.isdisjoint(p for p in follow if isinstance(p, str))
            own = forced and (follow[0] in {"i", "we"} or follow[0] in FORCED)
            if not own:
                return True
        if piece in _MODALS and pieces[i + 1] == "have" and pieces[i + 2] not in {"to", "a", "an"}:
            return True
    return False


_MODALS = frozenset(("could", "would", "might", "should"))


def is_denied(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause before a place denies it, compares with it, or says that it was missed."""
    for distance, piece in enumerate(before(pieces, at)):
        if piece in NEGATION:
            return piece != "without" or distance < _NEAR
        if distance < _NEAR and (piece in COMPARED or piece in MISSED):
            if piece not in {"over", "under", "above", "below"} or distance < 2:  # noqa: PLR2004 - "the above" is far
                return True
        if piece == "instead" and distance and pieces[at - distance] == "of":
            return True
    return False


def is_of_others(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause before a place gives it to another judge, or to an earlier time."""
    clause = list(before(pieces, at))
    if "was" in clause and ("going" in clause or "about" in clause):
        return True
    for distance, piece in enumerate(clause):
        if piece in {"i", "i'd", "i'll", "we", "i'm", "i've", "my"}:
            return _is_earlier(clause[:distance])
        if piece in _WEIGHING:
            return True
        if piece in OTHERS and (distance < _NEAR + 2 or not ATTRIBUTING.isdisjoint(clause[:distance])):
            return not (distance + 1 < len(clause) and clause[distance + 1] == "as")
        if piece in ATTRIBUTING and piece not in {"gave", "assigned", "says", "states", "recommend"}:
            return True
    return _is_earlier(clause)


_WEIGHING = frozenset("considered contemplated debated tempted hesitated wondered imagined".split())
"""Verbs of what the judge weighed and did not do."""
_JUDGES = OTHERS | {"judge", "round", "turn", "evaluation", "ballot"}


def _is_earlier(clause: Sequence[Piece]) -> bool:
    return any(
        piece in EARLIER
        and (
            distance < 2  # noqa: PLR2004 - right before the number
            or not SCORE_NOUNS.isdisjoint(p for p in clause[max(distance - 2, 0) : distance])
            or str(piece).endswith("ly")
            or clause[distance - 1] in _JUDGES
        )
        for distance, piece in enumerate(clause)
    )


def is_turned_down(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause behind a place explains it or turns it down, and does not give it."""
    clause = list(after(pieces, at))
    for distance, piece in enumerate(clause):
        if piece == "by" and not OTHERS.isdisjoint(p for p in clause[distance + 1 : distance + 4] if isinstance(p, str)):
            return True
        if piece in REJECTED and not (piece == "too" and distance == len(clause) - 1):
            return True
        if piece == "not" and not any(isinstance(p, Value) for p in clause[distance + 1 : distance + 3]):
            return distance < 3 and clause[:1] not in (["because"], ["rather"])  # noqa: PLR2004 - near its verb
    return False


def concludes(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence opens with words that sum up ("Overall, ...", "Therefore, ...")."""
    start = sentence_start(pieces, at)
    return any(piece in CONCLUDING for piece in pieces[start : min(start + _OPENING, at)])


def withdrawals(pieces: Sequence[Piece]) -> Iterator[int]:
    """The places of words that take back what was said before them ("Wait, ...", "scratch that")."""
    for i, piece in enumerate(pieces):
        if piece in WITHDRAWING:
            if (i == 0 or pieces[i - 1] in _HEADS) and pieces[i + 1 : i + 2] and pieces[i + 1] in _PAUSES:
                yield i
        elif piece in _TAKING and i + 1 < len(pieces) and (piece, pieces[i + 1]) in TAKEN_BACK:
            yield i


def is_corrected(pieces: Sequence[Piece], at: int) -> bool:
    """Whether words that take back what was said lead to the number in the same clause ("Actually, 4.")."""
    start = sentence_start(pieces, at)
    if at - start > _CORRECTION:
        return False
    return any(True for _ in withdrawals(pieces[start:at]))


_HEADS = frozenset(".;!?\n(-:,")
_PAUSES = frozenset([",", ".", ":", "-", "!", "\n", "i", "the", "it", "this", "my", "make", "let", "that"])
_TAKING = frozenset(first for first, _ in TAKEN_BACK)
_CORRECTION = 8
