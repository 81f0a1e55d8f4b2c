"""The ballot sheet: its JSON schema, what its lines are called while it is filled in, and where its scores stand in a reply."""

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import Any

from agentdebate.ballots.ballot import Ballot, How, Rating, Reading
from agentdebate.ballots.lineup import Line
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.tasks import Aspect, Scale

_aspect = attrgetter("aspect")

_MOST_CHOICES = 100
"""Scales with more values than this are given by their ends."""
_MARKS = r"[\s\"'*_`]{0,9}"
_SCALE = r"(?:[(\[][^()\[\]\n]{0,60}[)\]])?"
_NUMBER = r"[0-9]{1,9}(?:[.,][0-9]{1,9})?"


def closed_object(properties: dict[str, Any]) -> dict[str, Any]:
    """The JSON schema of an object that has these properties, all of them, and no others."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def ballot_schema(aspects: Sequence[Aspect], *, reasoned: bool = True) -> dict[str, Any]:
    """The JSON schema of a reply that rates these aspects: the reason first where it is `reasoned`, then a number an aspect."""
    properties: dict[str, Any] = {"reason": {"type": "string"}} if reasoned else {}
    return closed_object(properties | {aspect.name: _number_schema(aspect.scale) for aspect in aspects})


def read_sheet(
    text: str,
    lines: Sequence[Line],
    *,
    structured: bool = False,
    cut_off: bool = False,
    partial: bool = False,
    patterns: bool = True,
) -> Ballot | Problem:
    """The ballot in a reply that fills in these lines, or some where it may be `partial`; or why there is none.

    The keywords are those of `read_scores`.
    """
    read = read_scores(
        text, [*map(_aspect, lines)], structured=structured, cut_off=cut_off, patterns=patterns
    )
    if read.problem is not None and not (partial and read.scores):
        return read.problem
    ratings = tuple(
        Rating(aspect=line.rated, candidate=line.candidate, score=read.scores[line.aspect.name])
        for line in lines
        if line.aspect.name in read.scores
    )
    how: How = "schema" if structured and read.rule == "json" else "text"
    return Ballot(ratings=ratings, reason=read.reason, reading=Reading(how=how, rule=read.rule))


def fill_in(ballot: Ballot, lines: Sequence[Line]) -> list[str]:
    """A ballot's scores as lines of the sheet: "Answer A: 8", "Fluency: B" where the scale has grades."""
    return [
        f"{line.aspect.title}: {line.aspect.scale.grade(score) or f'{score:g}'}"
        for line, score in _scored(ballot, lines)
        if score is not None
    ]


def filled_in(lines: Sequence[Line], reply: str, *, reasoned: bool, structured: bool) -> str:
    """Show the form with a value on each line that the reply does not have, so that it is not leading."""
    values = {line.aspect: _other(line.aspect.scale, reply) for line in lines}
    if not structured:
        return "\n".join(
            f"{aspect.title}: {aspect.scale.grade(value) or f'{value:g}'}" for aspect, value in values.items()
        )
    rated = {aspect.name: aspect.scale.grade(value) or _whole(value) for aspect, value in values.items()}
    return json.dumps(({"reason": "..."} if reasoned else {}) | rated)


def _other(scale: Scale, reply: str) -> float:
    """A value in the middle of a scale, or beside it, that does not stand in a reply."""
    middle = (scale.low + scale.high) / 2
    values = scale.values or (round(middle, 2), scale.low, scale.high)
    nearest = sorted(values, key=lambda value: abs(value - middle))
    return next((value for value in nearest if (scale.grade(value) or f"{value:g}") not in reply), nearest[0])


def score_places(text: str, lines: Sequence[Line], ballot: Ballot) -> tuple[tuple[int, int], ...]:
    """Span of each score, behind its label; nothing where one of them cannot be found.

    Where there is one line alone, the last number of that value is it if no label is there.
    """
    found: list[tuple[int, int]] = []
    for line, score in _scored(ballot, lines):
        place = None if score is None else _place(text, line, score, alone=len(lines) == 1)
        if place is None:
            return ()
        found.append(place)
    return tuple(found)


def _scored(ballot: Ballot, lines: Sequence[Line]) -> list[tuple[Line, float | None]]:
    """Each line with its score; None where the ballot has none for it."""
    scores = {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}
    return [(line, scores.get((line.rated, line.candidate))) for line in lines]


def _place(text: str, line: Line, score: float, *, alone: bool) -> tuple[int, int] | None:
    names = {line.aspect.title, line.aspect.name}
    label = "|".join(re.escape(name).replace("_", "[ _]").replace(r"\ ", "[ _]") for name in names)
    labelled = rf"(?<!\w)(?:{label}){_MARKS}{_SCALE}{_MARKS}[:=]{_MARKS}[\[(]?({_NUMBER})(?![0-9])"
    hits = list(re.finditer(labelled, text, re.IGNORECASE))
    if alone and not hits:
        hits = list(re.finditer(rf"(?<![0-9.,])({_NUMBER})(?![0-9])", text))
    places = [hit.span(1) for hit in hits if float(hit[1].replace(",", ".")) == score]
    return places[-1] if places else None


def _number_schema(scale: Scale) -> dict[str, Any]:
    if scale.grades:
        return {"type": "string", "enum": [name for name, _ in scale.grades]}
    choices = _choices(scale.low, scale.high, scale.step)
    if not choices:
        return {"type": "number", "minimum": _whole(scale.low), "maximum": _whole(scale.high)}
    # Some servers take no notice of minimum and maximum; all of them know enum.
    return {"type": "number" if float in map(type, choices) else "integer", "enum": [*choices]}


@lru_cache(maxsize=256)
def _choices(low: float, high: float, step: float | None) -> tuple[int | float, ...]:
    """The values of a scale; none where there are too many to be named."""
    values = Scale(low=low, high=high, step=step).values
    return () if values is None or len(values) > _MOST_CHOICES else tuple(map(_whole, values))


def _whole(number: float) -> int | float:
    # Rounded, since steps of 0.1 do not add up exactly.
    return int(number) if number.is_integer() else round(number, 9)
