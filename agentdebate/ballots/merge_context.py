"""What a merge is told beside the ballots, and how it sees them: one column for each thing that was rated."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.errors import UsageError
from agentdebate.tasks import Aspect, Scale


@dataclass(frozen=True, slots=True)
class Column:
    """What ballots say of one thing, in their order: an aspect of the text, or of one of several candidates."""

    aspect: str
    candidate: str | None
    scores: tuple[float, ...]
    weights: tuple[float, ...]
    """What each of these scores weighs: 1 where no weights were given."""
    confidences: tuple[float | None, ...]
    """How sure each ballot was, from 0 to 1; None where it does not say."""
    scale: Scale | None = None
    """The scale of the aspect, where it is known."""

    def rating(self, score: float) -> Rating:
        """The rating of this thing with that score."""
        return Rating(aspect=self.aspect, candidate=self.candidate, score=score)


@dataclass(frozen=True, slots=True)
class MergeContext:
    """What is known beside the ballots. `agents`, `weights` and `confidences` go with the ballots, one each."""

    aspects: tuple[Aspect, ...] = ()
    """What is rated, with the scale of each; empty where that is not known."""
    agents: tuple[str, ...] = ()
    """Who cast each ballot; empty where that is not known."""
    weights: tuple[float, ...] = ()
    """What each ballot weighs; empty where no weights were given, and for a merge that takes none."""
    confidences: tuple[float | None, ...] = ()
    """How sure each ballot was, from 0 to 1, in the place of what the ballots say themselves; empty to take that."""
    quorum: int = 1
    """How many ballots there had to be at least."""
    missing: int = 0
    """How many ballots could not be had. They are not among the ballots."""
    rounds: int = 0
    """How many rounds were held; 0 where that is not known."""
    partial: bool = False
    """Whether ballots may lack ratings: each thing is then merged from those that rate it."""

    def counting(
        self, ballots: Sequence[Ballot | None], weights: Sequence[float] | None, quorum: int
    ) -> "MergeContext":
        """The context of the ballots that are there. `weights`, and what it holds for each, go with all of `ballots`.

        Raises UsageError for weights that are not one a ballot, not finite, negative or all zero.
        """
        there = [place for place, ballot in enumerate(ballots) if ballot is not None]
        sure = self.confidences or tuple(map(_confidence, ballots))
        given = () if weights is None else _checked(weights, len(ballots))
        return replace(
            self,
            agents=tuple(self.agents[place] for place in there) if self.agents else (),
            weights=tuple(given[place] for place in there) if given else (),
            confidences=tuple(sure[place] for place in there),
            quorum=max(quorum, 1),
            missing=len(ballots) - len(there),
        )

    def columns(self, ballots: Sequence[Ballot]) -> tuple[Column, ...]:
        """What the ballots say, a column for each thing that was rated, in the order of the first ballot.

        Raises UsageError for ballots that do not rate the same things, unless they may be partial.
        """
        cells = _cells(ballots, partial=self.partial)
        weights = self.weights or (1.0,) * len(ballots)
        confidences = self.confidences or (None,) * len(ballots)
        scales = {aspect.name: aspect.scale for aspect in self.aspects if not aspect.choice}
        return tuple(
            Column(
                aspect,
                candidate,
                tuple(column.values()),
                tuple(weights[place] for place in column),
                tuple(confidences[place] for place in column),
                scales.get(aspect),
            )
            for (aspect, candidate), column in cells.items()
        )


_Thing = tuple[str, str | None]
"""An aspect, and the candidate where several are compared."""


def _cells(ballots: Sequence[Ballot], *, partial: bool) -> dict[_Thing, dict[int, float]]:
    """For each thing, the score of every ballot that rates it, by the ballot's place."""
    rated = ballots if partial else ballots[:1]
    cells: dict[_Thing, dict[int, float]] = {
        (rating.aspect, rating.candidate): {} for ballot in rated for rating in ballot.ratings
    }
    for place, ballot in enumerate(ballots):
        scores = {(rating.aspect, rating.candidate): rating.score for rating in ballot.ratings}
        if not partial and scores.keys() != cells.keys():
            raise UsageError(
                f"these ballots do not rate the same things: {sorted(map(str, scores))} and {list(cells)}"
            )
        for thing, score in scores.items():
            cells[thing][place] = score
    return cells


def _confidence(ballot: Ballot | None) -> float | None:
    return ballot.confidence.value if ballot and ballot.confidence else None


def _checked(weights: Sequence[float], ballots: int) -> tuple[float, ...]:
    given = tuple(weights)
    if len(given) != ballots:
        raise UsageError(f"{ballots} ballots need as many weights, not {len(given)}")
    if any(not isfinite(weight) or weight < 0 for weight in given) or (given and not any(given)):
        raise UsageError(
            f"weights are finite, not negative, and not all of them zero; these are {', '.join(map(str, given))}"
        )
    return given
