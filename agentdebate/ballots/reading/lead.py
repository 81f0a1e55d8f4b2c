"""What stands right before a number: determiners, adjectives, links and marks, and the head that they lead back to, which ties the number to a judgement."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import ADVERB, GIVING, PARTS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.reading.rule import Rule
from agentdebate.ballots.words import words_of

REACH = 14
"""Pieces that are looked through to the left of a number."""
LEAD = words_of(
    "a an the just only about around roughly approximately solid strong clear firm modest decent "
    "moderate weak high low respectable exactly perfect full comfortable reasonable generous nearly near-perfect mere poor middling "
    "mediocre straight flat tentative cautious fair good very top maximum minimum lowest highest lower higher passing failing "
    "well-deserved excellent definite confident sound robust simple quite somewhat perhaps maybe satisfactory between even "
    "something like overall total final"
)


_LINKS = words_of(
    "mit ich ik een di van lautet auf betragt liegt bei is be was are as at of to in on with for equals equal remains therefore thus hence still so "
    "out now finally ultimately would should could might will may been being out into toward towards from was i es est ist es e est de von eine einen ein un une una um uma follows altogether"
)


_MARKS = frozenset(['"', "'", "(", "[", "~", "≈", "▣", "▢", ":", "=", "→", "#range", "-"])


_CONCLUDING = words_of("hence thus therefore so finally ultimately now altogether")


ROUGHLY = words_of("about around roughly approximately")


@dataclass(slots=True)
class Lead:
    """What stands between the head and the number; `head` is the head's place, -1 before the first piece."""

    head: int
    article: bool = False
    definite: bool = False
    possible: bool = False
    linked: bool = False
    separated: bool = False
    copula: bool = False
    concluding: bool = False
    final: bool = False
    total: bool = False
    summed: bool = False
    rough: bool = False
    """Whether a word says that the number is near it: "about 70"."""


@dataclass(slots=True)
class Tie:
    """What ties a number to a judgement: the rule, the aspects that it names, and whether it is the last word."""

    rule: Rule
    aspects: set[int] = field(default_factory=set)
    final: bool = False
    total: bool = False
    own: bool = False
    """Whether it is said to be the judge's ("my score is 4")."""


def lead_before(pieces: Sequence[Piece], at: int) -> Lead:
    """What stands between the number at this place and its head."""
    lead = Lead(at - 1)
    while lead.head >= 0 and at - lead.head <= REACH:
        piece = pieces[lead.head]
        if piece in {")", "]"} and (opened := _opening(pieces, lead.head)) is not None:
            lead.head = opened - 1
            continue
        if piece == ":" and lead.head and not _is_labelling(pieces[lead.head - 1]):
            break
        if _is_passed(pieces, lead.head):
            lead.head -= 1
            continue
        if isinstance(piece, Value) or not (
            piece in _MARKS or piece in LEAD or piece in _LINKS or is_adverb(piece)
        ):
            break
        _note(lead, piece)
        lead.head -= 1
    return lead


def _is_passed(pieces: Sequence[Piece], i: int) -> bool:
    """Whether a word adds nothing to what is left of it: "coherence itself is a 5", "it is otherwise a 4", "it corresponds to level 3"."""
    piece, left = pieces[i], pieces[i - 1] if i else "\n"
    if piece in {"level", "band"}:
        return left == "to" and pieces[i - 2 : i - 1] in (["corresponds"], ["correspond"], ["corresponding"])
    return (piece == "itself" and is_aspect(left)) or (piece == "otherwise" and left in {"is", "remains"})


def _is_labelling(left: Piece) -> bool:
    """Whether a colon behind this piece leads from a label to its value, and not from one clause to another."""
    return isinstance(left, str) and (
        left in PARTS
        or is_aspect(left)
        or left in GIVING
        or left in _LINKS
        or left in {"follows", "this", ")"}
    )


def _note(lead: Lead, piece: str) -> None:
    lead.article |= piece in {"a", "an", "my", "the"}
    lead.definite |= piece == "the"
    lead.possible |= piece in {"could", "might", "may"}
    lead.separated |= piece in {":", "=", "→"}
    lead.linked |= piece in _LINKS
    lead.copula |= piece in {"is", "be", "was"}
    lead.concluding |= piece in _CONCLUDING
    lead.final |= piece == "final"
    lead.rough |= piece in ROUGHLY
    lead.total |= piece in {"overall", "total"}
    lead.summed |= piece in {"total", "sum"} and (lead.linked or lead.separated)


def _opening(pieces: Sequence[Piece], closing: int) -> int | None:
    """Where a bracket opens that holds a hint on the scale."""
    hint = False
    for i in range(closing - 1, max(closing - REACH, -1), -1):
        if pieces[i] in {"(", "["}:
            return i if hint else None
        hint |= isinstance(pieces[i], Value) or pieces[i] == "#range"
    return None


def is_adverb(piece: Piece) -> bool:
    """Whether a piece has the ending of an adverb."""
    return isinstance(piece, str) and len(piece) > 4 and piece.endswith(ADVERB)  # noqa: PLR2004 - "only", "reply"
