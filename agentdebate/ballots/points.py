"""Points: so many for all texts together, given out among them (cumulative voting)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.ballots.ballot import Given, Rating
from agentdebate.ballots.kinds import BallotKind, BallotPaper
from agentdebate.ballots.lineup import ReplySpec
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import ballot_schema, read_sheet
from agentdebate.tasks import Aspect, Scale

BUDGET = 10
"""Points that are given out where the aspect does not say how many."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """The points of one text."""

    candidate: str
    points: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Points(Given):
    """Points of each text; all of them were given out."""

    kind = "points"
    shares: tuple[Share, ...]
    budget: float

    @property
    def ratings(self) -> tuple[Rating, ...]:
        """The points of each text."""
        return tuple(
            Rating(aspect=self.aspect, candidate=share.candidate, score=share.points) for share in self.shares
        )

    def line(self, labels: Mapping[str, str] | None = None) -> str:
        """The shares: "overall: answer_1 7, answer_2 3 of 10 points"."""
        names = labels or {}
        shares = ", ".join(f"{names.get(one.candidate, one.candidate)} {one.points:g}" for one in self.shares)
        return f"{self.aspect}: {shares} of {self.budget:g} points"


def read_points(text: str, spec: ReplySpec, *, structured: bool, cut_off: bool) -> BallotPaper | Problem:
    """The points that a reply gives out, in a line for each text; or why there are none.

    The upper end of an aspect's scale is how many there are. Fewer or more of them are a Problem.
    """
    found = read_sheet(text, spec.lines, structured=structured, cut_off=cut_off)
    if isinstance(found, Problem):
        return found
    given: list[Points] = []
    for aspect in spec.aspects:
        shares = tuple(
            Share(candidate=one.candidate, points=one.score)
            for one in found.ratings
            if one.aspect == aspect.name and one.candidate is not None
        )
        total, budget = sum(share.points for share in shares), aspect.scale.high
        if total != budget:
            return Problem(
                "off_scale",
                f"The points for {aspect.title} come to {total:g}; {budget:g} are to be given out.",
            )
        given.append(Points(aspect=aspect.name, shares=shares, budget=budget))
    return BallotPaper(tuple(given), found.reason, found.reading.how, ends=found.reading.ends)


def points_schema(spec: ReplySpec) -> dict[str, Any]:
    """The JSON schema of a reply that gives out points. That they come to the budget is for the reader to see."""
    return ballot_schema([line.aspect for line in spec.lines])


def _judged(aspect: Aspect) -> Aspect:
    """The aspect with a scale from 0 to the points there are: its own where that begins at 0, in whole numbers."""
    own = aspect.scale if aspect.scale.low == 0 and aspect.scale.step == 1 else Scale(low=0, high=BUDGET)
    return aspect.model_copy(update={"scale": own, "rank": False, "choice": False, "steps": ()})


def _example(spec: ReplySpec, number: int) -> str:
    """All points for one text, another one each time."""
    best = spec.candidates[number % len(spec.candidates)].field
    lines = [
        f"{line.aspect.title}: {line.aspect.scale.high if line.candidate == best else 0:g}"
        for line in spec.lines
    ]
    return "\n".join(["It does what was asked.", "", *lines])


POINTS = BallotKind(
    name="points",
    given=Points,
    read=read_points,
    form="form-points",
    structured="form-points-schema",
    schema=points_schema,
    turn="allot",
    compares=True,
    judged=_judged,
    example=_example,
)
