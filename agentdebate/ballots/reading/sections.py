"""Headings: whose scores follow below a line, and whether they are the last word."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.ballots.numbers import Value
from agentdebate.ballots.reading.form import is_aspect
from agentdebate.ballots.reading.lexicon import OPENING, PARTS
from agentdebate.ballots.reading.pieces import Piece
from agentdebate.ballots.words import words_of

_NAMING = words_of("aspect metric criterion dimension category")


_MOST_HEAD = 8


@dataclass(slots=True)
class Section:
    """What the headings above a line say: whose scores follow, and whether they are the last word."""

    aspect: int | None = None
    final: bool = False
    foreign: bool = False
    """Whether they name another aspect ("Aspect: relevance"), so that a mere "Score: 2" is not for ours."""


def read_heading(section: Section, pieces: Sequence[Piece], start: int) -> None:
    """Bring the section up to date with a line: it may open an aspect's part, or end one."""
    head = _head(pieces, start)
    if head is None:
        return
    if head[-1] in _NAMING:
        named = pieces[start + len(head) + 1] if start + len(head) + 1 < len(pieces) else "\n"
        section.foreign = isinstance(named, str) and named[0].isalpha()
        section.aspect = int(str(named)[1:]) if is_aspect(named) else None
        return
    is_heading = pieces[start] == "§"
    aspects = {int(piece[1:]) for piece in head if is_aspect(piece)}
    words = [piece for piece in head if not is_aspect(piece) and piece != "§"]
    parts = {part for word in words for part in PARTS.get(word, "?")}
    if len(aspects) == 1 and "?" not in parts:
        section.aspect, section.foreign = aspects.pop(), False
    elif is_heading or ("?" in parts and not OPENING.intersection(words)):
        section.aspect, section.final = None, False
    if {"f", "c"} <= parts and "?" not in parts and not aspects:
        section.final = True


def _head(pieces: Sequence[Piece], start: int) -> list[str] | None:
    """The words that a line opens with before a colon, or all of a short line without numbers; None if neither."""
    head: list[str] = []
    for piece in pieces[start : start + _MOST_HEAD]:
        if piece in {":", "\n"}:
            return head or None
        if isinstance(piece, Value) or piece in {".", ",", ";", "|"}:
            return None
        head.append(piece)
    return head if head and start + len(head) == len(pieces) else None
