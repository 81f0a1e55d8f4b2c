"""The ballot sheet: what the lines of a ballot are called while it is filled in, and what their numbers rate."""

import json
from collections.abc import Sequence
from operator import attrgetter

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.lineup import Line
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Scale

_aspect, _rated, _candidate = attrgetter("aspect"), attrgetter("rated"), attrgetter("candidate")


def read_sheet(
    text: str,
    lines: Sequence[Line],
    *,
    structured: bool = False,
    cut_off: bool = False,
    partial: bool = False,
    patterns: bool = True,
) -> Ballot | Problem:
    """The ballot in a reply that fills in these lines, or some where it may be `partial`; or why there is none."""
    aspects = [*map(_aspect, lines)]
    found = read_ballot(
        text, aspects, structured=structured, cut_off=cut_off, partial=partial, patterns=patterns
    )
    if isinstance(found, Problem):
        return found
    if not any(map(_candidate, lines)) and [*map(_aspect, found.ratings)] == [*map(_rated, lines)]:
        return found  # without candidates, lines are called what they rate
    scores = found.scores
    ratings = tuple(
        Rating(aspect=line.rated, candidate=line.candidate, score=scores[line.aspect.name])
        for line in lines
        if line.aspect.name in scores
    )
    return found.model_copy(update={"ratings": ratings})


def fill_in(ballot: Ballot, lines: Sequence[Line]) -> list[str]:
    """A ballot's scores as lines of the sheet: "Answer A: 8", "Fluency: B" where the scale has grades."""
    scores = {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}
    return [
        f"{line.aspect.title}: {_written(scores[line.rated, line.candidate], line.aspect.scale)}"
        for line in lines
        if (line.rated, line.candidate) in scores
    ]


def _written(score: float, scale: Scale) -> str:
    return scale.grade(score) or f"{score:g}"


def filled_in(lines: Sequence[Line], reply: str, *, reasoned: bool, structured: bool) -> str:
    """Show the form with a value on each line that the reply does not have, so that it leads nobody."""
    values = {line.aspect: _other(line.aspect.scale, reply) for line in lines}
    if not structured:
        return "\n".join(
            f"{aspect.title}: {_written(value, aspect.scale)}" for aspect, value in values.items()
        )
    reason = {"reason": "..."} if reasoned else {}
    return json.dumps(
        reason | {aspect.name: aspect.scale.grade(value) or value for aspect, value in values.items()}
    )


def _other(scale: Scale, reply: str) -> float:
    """A value in the middle of a scale, or beside it, that does not stand in a reply."""
    values = scale.values or (scale.low, round((scale.low + scale.high) / 2, 2), scale.high)
    by_distance = sorted(values, key=lambda value: abs(value - (scale.low + scale.high) / 2))
    return next((value for value in by_distance if _written(value, scale) not in reply), by_distance[0])
