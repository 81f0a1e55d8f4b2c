"""Merging ballots into one set of ratings. Pure functions that say what they did with what was missing.

What merges is looked up by its name (merge_rule.py; ours are in merges/). Here is what holds for all of them: a missing
ballot is left out and counted, and is never a score; fewer ballots than the quorum is a Shortage, not a result; and what
a merge gives is checked.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from math import isfinite
from statistics import pstdev

from pydantic import BaseModel, ConfigDict

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge_context import Column, MergeContext
from agentdebate.ballots.merge_rule import Merge, Rule, rule_of
from agentdebate.errors import AgentDebateError, MergeFailed

_ROUNDING = 1e-9
"""By how much of its size a score may lie off its scale, where floats were rounded. It is put back on it."""


class Spread(BaseModel):
    """How far the ballots on one rating lay apart: how many there were, their range and standard deviation."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    aspect: str
    candidate: str | None = None
    ballots: int
    lowest: float
    highest: float
    deviation: float
    """Population standard deviation, in units of the scale."""


class Merged(BaseModel):
    """Ballots merged: the ratings, how many ballots counted and how many were missing, and their spread."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ratings: tuple[Rating, ...]
    counted: int
    missing: int
    spread: tuple[Spread, ...]


class Shortage(BaseModel):
    """Fewer ballots than the quorum, or none that has a weight: nothing was merged."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    counted: int
    missing: int
    quorum: int
    weightless: bool = False
    """Whether there were ballots enough, and all of them had the weight 0."""

    def __str__(self) -> str:
        read = f"{self.counted} of {self.counted + self.missing} ballots could be read"
        return (
            f"{read}, and none of them has a weight"
            if self.weightless
            else f"{read}; the quorum is {self.quorum}"
        )


def merge(
    ballots: Sequence[Ballot | None],
    how: Merge | Rule = "average",
    *,
    weights: Sequence[float] | None = None,
    quorum: int = 1,
    partial: bool = False,
    context: MergeContext | None = None,
) -> Merged | Shortage:
    """Merge ballots; None stands for one that is missing. `weights` go with the ballots, one each.

    `how` is the name of a merge, or a table of its name, under `rule`, and its options. `partial` ballots may lack ratings, and
    each thing is merged from those that rate it. `context` is what is known beside the ballots: a merge may want it, and
    scores are checked against the scales of its aspects. A merge that takes no weights passes them over. Where only
    ballots of the weight 0 are left, that is a Shortage too. Raises UsageError for a merge
    that does not exist, for weights that are not one a ballot, not finite, negative or all zero, and for ballots that do not
    rate the same things; and MergeFailed where a merge raises, or gives something that is not a rating.
    """
    rule, given = rule_of(how), replace(context or MergeContext(), partial=partial)
    known = given.counting(ballots, weights if rule.weights != "unused" else None, quorum)
    there = [ballot for ballot in ballots if ballot is not None]
    short = shortage(known, len(there))
    if short is not None:
        return short
    columns = known.columns(there)
    ratings = _checked(rule, _merged(rule, there, known), columns)
    spread = tuple(_spread(column) for column in columns)
    return Merged(ratings=ratings, counted=len(there), missing=known.missing, spread=spread)


def shortage(context: MergeContext, ballots: int) -> Shortage | None:
    """What keeps so many ballots from a result: they are fewer than the quorum, or all of them have the weight 0."""
    weightless = bool(context.weights) and not any(context.weights)
    if ballots >= context.quorum and not weightless:
        return None
    enough = ballots >= context.quorum
    return Shortage(
        counted=ballots, missing=context.missing, quorum=context.quorum, weightless=enough and weightless
    )


def _merged(rule: Rule, ballots: Sequence[Ballot], context: MergeContext) -> list[Rating]:
    """What the merge gives. Raises MergeFailed for what it raises, but for an error of ours."""
    try:
        given = rule.merge(ballots, context)
        return list(given) if isinstance(given, Iterable) else [given]
    except AgentDebateError:
        raise
    except Exception as error:
        raise MergeFailed(f"merge {rule.name!r} raised {type(error).__name__}: {error}") from error


def _checked(rule: Rule, given: Sequence[object], columns: Sequence[Column]) -> tuple[Rating, ...]:
    """One rating for each column, in their order. Raises MergeFailed where the merge gave anything else."""
    found = {}
    for rating in given:
        if not isinstance(rating, Rating):
            raise MergeFailed(
                f"merge {rule.name!r} gave {rating!r}: a merge gives ratings, column.rating(score)"
            )
        found[rating.aspect, rating.candidate] = rating
    expected = {(column.aspect, column.candidate): column for column in columns}
    if found.keys() != expected.keys() or len(given) != len(expected):
        told = ", ".join(rating.name for rating in found.values()) or "nothing"
        asked = ", ".join(column.rating(0).name for column in columns)
        raise MergeFailed(f"merge {rule.name!r} rated {told}: it has to rate each of these once: {asked}")
    return tuple(_on_scale(rule, found[thing], column) for thing, column in expected.items())


def _on_scale(rule: Rule, rating: Rating, column: Column) -> Rating:
    """The rating, if its score is one: finite, and where the scale is known neither below nor above all that it may be."""
    if not isfinite(rating.score):
        raise MergeFailed(
            f"merge {rule.name!r} gave {rating.score} for {rating.name}, which is not a finite number"
        )
    if column.scale is None:
        return rating
    low, high = min(column.scale.low, *column.scores), max(column.scale.high, *column.scores)
    slack = _ROUNDING * max(abs(low), abs(high))
    if not low - slack <= rating.score <= high + slack:
        raise MergeFailed(
            f"merge {rule.name!r} gave {rating.score:g} for {rating.name}, which lies off its scale: {column.scale}"
        )
    within = min(max(rating.score, low), high)
    return rating if within == rating.score else column.rating(within)


def _spread(column: Column) -> Spread:
    return Spread(
        aspect=column.aspect,
        candidate=column.candidate,
        ballots=len(column.scores),
        lowest=min(column.scores),
        highest=max(column.scores),
        deviation=pstdev(column.scores),
    )
