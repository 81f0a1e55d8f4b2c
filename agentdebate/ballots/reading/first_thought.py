"""Numbers that a judge starts from and does not stay with: "I started at 3, then dropped to 2", "so far a 4"."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import DECIDING, NEAR, before
from agentdebate.ballots.reading.lexicon import EARLIER
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.sentence import sentence_at, sentence_end
from agentdebate.ballots.words import words_of


def is_provisional(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence says how it looks so far, or at first sight, and not how it is."""
    start, end, words, _ = sentence_at(pieces, at)
    if _LAST_OF_SO_FAR.isdisjoint(words):
        return False
    goes_on = any(isinstance(piece, Value) for piece in pieces[start:at]) or pieces[start] in {
        "no",
        "nothing",
    }
    return not goes_on and any((pieces[i], pieces[i + 1]) in _SO_FAR for i in range(start, end - 1))


_SO_FAR = frozenset(
    [
        ("so", "far"), ("this", "point"), ("first", "glance"), ("first", "sight"), ("first", "look"), ("first", "reading"), ("quick", "reading"),
        ("quick", "read"), ("this", "respect"), ("this", "regard"), ("this", "sense"), ("that", "respect"), ("that", "sense"), ("one", "respect"),
        ("some", "respects"), ("until", "now"),
    ]
)  # fmt: skip
_LAST_OF_SO_FAR = frozenset(last for _, last in _SO_FAR)


def is_superseded(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence goes on from a number that was thought of first to another one ("I started at 3, then dropped to 2")."""
    start, end, words, numbers = sentence_at(pieces, at)
    goes_on = bool(numbers) and numbers[-1] > at
    if not goes_on and "(" not in words and "was" not in words:
        return False
    if _is_recalled(pieces, start, at) or ("was" in before(pieces, at) and _is_past_now(pieces, end)):
        return True
    later = next((i for i in numbers if i > at), end)
    if later == end or any(isinstance(p, str) and p[0] == "@" for p in pieces[start:later]):
        return False
    opening = next((p for p in pieces[start : start + 2] if p in _CONTRASTED), None)
    if opening is not None and "," in pieces[at:later]:
        return True
    turns = not _TURNS.isdisjoint(p for p in pieces[at + 1 : later] if isinstance(p, str))
    return turns and not _FIRST.isdisjoint(p for p in pieces[start:later] if isinstance(p, str))


def _is_recalled(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether a number is in brackets behind another one, which says what it was before: "my rating: 85 (it was 71)"."""
    opened = next((i for i in range(at - 1, max(at - NEAR - 1, start), -1) if pieces[i] == "("), start)
    inside = [piece for piece in pieces[opened + 1 : at] if isinstance(piece, str)]
    return isinstance(pieces[opened - 1], Value) and opened > start and not _RECALLING.isdisjoint(inside)


_RECALLING = EARLIER | {"was", "were", "before", "from", "formerly"}


def _is_past_now(pieces: Sequence[Piece], end: int) -> bool:
    """Whether the next sentence tells another number that holds now: "my score was 2; it is now 4"."""
    follow = pieces[end + 1 : sentence_end(pieces, min(end + 1, len(pieces)))]
    return "now" in follow[:4] and any(isinstance(piece, Value) for piece in follow)


_CONTRASTED = words_of("unlike although though while whereas despite instead compared")
_TURNS = (
    words_of("but yet however then so finally now ultimately eventually later end down until before closer")
    | DECIDING
)
_FIRST = words_of(
    "first initially originally started start starting begin beginning began was had tempted inclined "
    "thought considered intended hesitated leaning leaned earlier initial impulse impression mind why "
    "someone one some harsh generous wanted planned looked seemed wavered between"
)
"""Words of a first thought, or of one that is set aside."""
