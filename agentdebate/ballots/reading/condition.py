"""Cases that are only thought of: what a sentence says of a text, or a score, that there is not."""

from collections.abc import Sequence

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.clause import NEAR, before
from agentdebate.ballots.reading.lexicon import CONDITION, FORCED, JUDGE_WORDS
from agentdebate.ballots.reading.pieces import RANGE, Piece
from agentdebate.ballots.reading.sentence import sentence_at, sentence_words
from agentdebate.ballots.words import words_of


def is_supposed(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the sentence speaks of another case than this one; "if I had to give a score" does not."""
    start, _, words, numbers = sentence_at(pieces, at)
    if _SUPPOSING.isdisjoint(words):
        return False
    if "but" in words:
        while "but" in pieces[start + 1 : at]:
            start = pieces.index("but", start + 1) + 1
    told = next((i for i in reversed(numbers) if start < i < at), None)
    if told is not None and "now" in pieces[told:at]:
        start = told + 1
    if _is_aim(pieces, start, at) or _is_otherwise(pieces, start, at):
        return True
    if "have" not in words and _CONDITIONAL.isdisjoint(words):
        return False
    return any(_is_condition(pieces, i, start) or _is_past_case(pieces, i) for i in range(start, at))


_CONDITIONAL = CONDITION | {"should", "provided", "case"}
_SUPPOSING = _CONDITIONAL | {
    "only",
    "could",
    "would",
    "will",
    "might",
    "i'd",
    "we'd",
    "it'd",
    "with",
    "without",
    "for",
    "to",
}
"""A sentence without any of these speaks of the case at hand."""


def _is_aim(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether a number is what the sentence says something is needed for: "for a 5, ...", "to get a 5, ..."."""
    opening = list(pieces[start : start + 3])
    if opening[:2] in (["for", "a"], ["for", "an"]) and at == start + 2:
        return True
    phrase = "," not in pieces[start:at] and "," in pieces[at : at + NEAR]
    return opening[:1] in (["to"], ["for"]) and phrase and "i" not in opening


def _is_otherwise(pieces: Sequence[Piece], start: int, at: int) -> bool:
    """Whether words before or behind a place say what else there would have to be: "with a better ending it would be a 5"."""
    behind = [piece for piece in pieces[at + 1 : at + 5] if isinstance(piece, str)]
    if (
        pieces[start] in _ONCE
        and "will" in pieces[start:at]
        and not any(p in JUDGE_WORDS for p in pieces[start:at])
    ):
        return True
    if behind[:3] == [",", "if", "only"] or behind[:2] == ["if", "only"]:
        return True
    if behind[:1] in (["with"], ["without"]) and not _MORE.isdisjoint(behind):
        return True
    if "would" not in pieces[start:at]:
        return False
    if (
        behind[:1] in (["without"], ["if"], ["but"])
        and pieces[at + 1 : at + 2] != [","]
        and _SURE.isdisjoint(behind)
        and (behind[0] != "but" or behind[1:2] == ["for"])
    ):
        return True
    opening = [piece for piece in pieces[start : start + 3] if isinstance(piece, str)]
    changed = opening[:1] == ["with"] and not _MORE.isdisjoint(opening)
    return opening[:1] in (["without"], ["otherwise"], ["had"]) or opening[:2] == ["but", "for"] or changed


def _is_condition(  # noqa: PLR0911 - one for each kind of condition
    pieces: Sequence[Piece], i: int, start: int
) -> bool:
    """Whether a word opens a condition, and not a way to give a score ("if I had to", "were I to")."""
    piece = pieces[i]
    if piece == "provided":
        return pieces[i + 1 : i + 2] == ["that"]
    if piece == "case" and i > 0 and pieces[i - 1] == "in":
        return pieces[i + 1 : i + 2] != ["of"]
    if _is_remark(pieces, i):
        return False
    if piece == "should" and i == start and pieces[i + 1 : i + 2] not in (["i"], ["we"]):
        return True
    if piece not in CONDITION or (piece == "were" and i != start):
        return False
    follow = pieces[i + 1 : i + 5]
    if (
        piece in {"if", "assuming", "supposing"}
        and any(isinstance(p, Value) for p in follow[:2])
        and not _DEFINING.isdisjoint(p for p in follow if isinstance(p, str))
    ):
        return False  # "If 1 means a failure and 5 a success, this is a 4"
    if piece == "if" and RANGE in pieces[i + 1 : i + 7]:
        return False  # "If I rate it from 1 to 5, I end up with 4"
    if piece == "were":
        return follow[:2] not in (["i", "to"], ["we", "to"])
    forced = not FORCED.isdisjoint(p for p in follow if isinstance(p, str))
    if piece != "if" or not forced or (follow[1:2] == ["were"] and follow[2:3] != ["to"]):
        return True
    return not (follow[0] in {"i", "we"} or follow[0] in FORCED)


def _is_remark(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a condition only speaks of how the judge puts it, or grants what changes nothing: "if I am honest", "unless I missed it", "even if"."""
    follow = tuple(pieces[i + 1 : i + 3])
    return (pieces[i] == "if" and i > 0 and pieces[i - 1] == "even") or follow in _REMARKS.get(
        str(pieces[i]), frozenset()
    )


_REMARKS = {
    "if": frozenset((("i", "am"), ("you", "ask"), ("i", "may"), ("i'm", "honest"))),
    "unless": frozenset(
        (("i", "missed"), ("i", "am"), ("i", "misread"), ("i", "overlooked"), ("i'm", "mistaken"))
    ),
}
_DEFINING = words_of("mean means is stands represents denotes marks meant")


def _is_past_case(pieces: Sequence[Piece], i: int) -> bool:
    """Whether "would have" and the like stand here, and not "would have to"."""
    return pieces[i] in _MODALS and pieces[i + 1] == "have" and pieces[i + 2] not in {"to", "a", "an"}


_ONCE = words_of("once when after until")
"""With "will", at the head of a sentence: it speaks of a text that is not there yet ("Once the typo is fixed it will be a 4")."""
_SURE = words_of("hesitation doubt question reservation reservations i")
_MORE = words_of("better more fewer stronger another less clearer tighter")
_MODALS = words_of("could would might should i'd we'd it'd")


def is_possible(pieces: Sequence[Piece], at: int) -> bool:
    """Whether the clause before a place says what may be, and not the judge what it may give."""
    if _MAY.isdisjoint(sentence_words(pieces, at)):
        return False
    clause = list(before(pieces, at))
    return not _MAY.isdisjoint(clause) and _WE_MAY.isdisjoint(clause)


_MAY, _WE_MAY = frozenset(("might", "may")), frozenset(("i", "we", "be"))
