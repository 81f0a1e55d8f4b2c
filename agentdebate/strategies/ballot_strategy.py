"""Strategies whose agents cast ballots: of which kind these are, and from where their confidence is told."""

from abc import ABC
from dataclasses import replace
from typing import Annotated, ClassVar, TypeVar

from pydantic import Field

from agentdebate.agents.seat import Blind, SeatPlan
from agentdebate.ballots.ballot import Source
from agentdebate.ballots.kinds import RATINGS, BallotKind, ballot_kind
from agentdebate.models.base import Sampling
from agentdebate.strategies.base import MOST_SAMPLES, Strategy, changed
from agentdebate.strategies.rule import readable
from agentdebate.talk.messages import Reply
from agentdebate.talk.purposes import Purpose
from agentdebate.tasks import Aspect, Task

Carrier = TypeVar("Carrier", bound=Reply)


def _kind(name: str) -> BallotKind | None:
    return None if name == RATINGS else ballot_kind(name)


class BallotStrategy(Strategy, ABC):
    """Base of strategies whose agents each cast a ballot."""

    ballot: Annotated[str, readable(_kind)] = RATINGS
    """The kind of ballot: "ratings", a number a line; "ranking"; "approval", a set; "points", given out among the texts;
    "spans", the errors of one text; or a kind that a package registers."""
    confidence: Source | None = None
    """From where the confidence of a ballot is told: "asked", the agent says it; "log-probabilities", of the tokens of its
    judgement; "repeats", the share of repeats that come to the same judgement. Without it, ballots have no confidence."""
    repeats: int = Field(default=5, ge=2, le=MOST_SAMPLES)
    """Number of times each ballot is asked for, where the confidence is from repeats."""
    blind: Blind = "none"
    """Names that are hidden in what an agent hears: "none"; "others", so that it hears arguments and not who made them; or "all", so
    that it cannot tell its own words from the others', which stand in an order of no speaker's."""

    no_logprobs: ClassVar[str] = 'confidence = "asked" or "repeats"'

    @property
    def kind(self) -> BallotKind | None:
        """The kind of ballot; None for plain ratings."""
        return _kind(self.ballot)

    def casting(self, purpose: Purpose[Carrier]) -> Purpose[Carrier]:
        """A purpose that asks for a ballot, as one for a ballot of this kind with its confidence."""
        form = purpose.form if self.ballot == RATINGS else self.ballot
        return replace(purpose, form=form, confidence=self.confidence)

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """The aspects as they are judged by ballots of this kind: as places, say, where they are rankings."""
        return self.kind.asked(aspects) if self.kind else aspects

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where such a ballot cannot be cast on these aspects of a task."""
        if self.kind:
            self.kind.check(aspects, several=bool(task.candidates))

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The cast, blind as it is said; everyone answers several times where the confidence is from repeats."""
        times = Sampling(n=self.repeats) if self.confidence == "repeats" else Sampling()
        return {role: changed(seated, times, blind=self.blind) for role, seated in super().seats().items()}
