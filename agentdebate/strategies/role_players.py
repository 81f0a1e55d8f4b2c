"""Role players who vote (DRPE, Section 3.2)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from sys import float_info
from typing import ClassVar, Literal, Self, TypeVar

from pydantic import Field, model_validator

from agentdebate.agents.seat import VACANT, SeatPlan, Seats
from agentdebate.errors import RequestRefused, StrategyError
from agentdebate.models.base import Sampling
from agentdebate.strategies.base import Cards, Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Verdict, Vote
from agentdebate.talk.purposes import PLAY
from agentdebate.tasks import Aspect, Task

Cast = TypeVar("Cast")
Player = TypeVar("Player")

OVERALL = "overall"
"""The aspect that is the text as a whole."""
OBJECTIVE = 3
"""Readers who stay whatever k is (DRPE, Section 4.2)."""


class RolePlayers(Strategy):
    """Readers vote for the text that they prefer, and the votes are added up.

    The score of a text is its share of the votes: DRPEScore, normalised by the sum of the weights (equation 4). In a
    batch all readers are played in one reply.
    """

    batch: bool = True
    """True to have one reply hold the votes of many; false to have each reader answer alone. Only then a reader's own
    model and sampling count."""
    at_once: int = Field(default=20, ge=1)
    """r: the most readers that are played in one reply; a larger crowd takes several."""
    weights: Literal["votes", "logprob"] = "votes"
    """Weight of a vote: 1, or exp of the mean log-probability of its tokens (equation 3)."""
    span: Literal["choice", "reason", "reply"] = "choice"
    """The tokens by whose log-probabilities a vote weighs: those that name the chosen text, those of the reason (equation 3 as
    printed), or both. What the form of the reply says is in none."""
    quorum: int = Field(default=1, ge=1)
    """Least number of votes."""
    k: int | None = Field(default=None, ge=0)
    """Number of subjective readers that vote beside the objective ones, who are the last three players: the first k of the others. All
    players vote where this is left open."""
    cast: Mapping[str, Cards] = {
        "players": ("public-reader", "style-critic", "news-writer"),
        "ensemble": ("ensemble",),
    }

    panel: ClassVar[str | None] = "players"
    counts: ClassVar[str] = "k"
    no_logprobs: ClassVar[str] = 'weights = "votes"'

    @model_validator(mode="after")
    def _weighs_by_its_span(self) -> Self:
        if self.span != "choice" and self.weights != "logprob":
            raise ValueError(f'span = "{self.span}" is for weights = "logprob"')
        return self

    @model_validator(mode="after")
    def _has_one_ensemble(self) -> Self:
        ensemble = self.cast.get("ensemble", ("ensemble",))
        if len(ensemble) > 1 or VACANT in ensemble:
            raise ValueError("one agent plays the readers: name it under ensemble")
        return self

    @model_validator(mode="after")
    def _has_voters_for_the_quorum(self) -> Self:
        """Check the quorum against the players; the number of recruits is known only when they are there."""
        players = self._voting(self.cast.get("players", ()))
        if VACANT not in players and 0 < len(players) < self.quorum:
            raise ValueError(f"{len(players)} players cannot cast the {self.quorum} votes of the quorum")
        return self

    @model_validator(mode="after")
    def _has_subjective_readers(self) -> Self:
        others = max(len(self.cast.get("players", ())) - OBJECTIVE, 0)
        if self.k is not None and self.k > others:
            raise ValueError(
                f"k = {self.k} takes {self.k} subjective readers, and {others} are named before the {OBJECTIVE} objective ones"
            )
        return self

    def _voting(self, players: tuple[Player, ...]) -> tuple[Player, ...]:
        """The players who vote: all of them, or the first k and the objective readers."""
        return players if self.k is None else (*players[: self.k], *players[-OBJECTIVE:])

    async def debate(self, floor: Floor) -> Verdict:
        """Let all role players vote at once; the weighted shares are the scores."""
        players = floor.cast("players")
        given = {} if self.span == "choice" else {"span": self.span}
        polls = await floor.try_ask_all(players, PLAY, given=given)
        cast = each(players, [poll.carried if poll else None for poll in polls])
        if self.weights == "votes":
            return floor.merged(cast, quorum=self.quorum, ended="vote")
        for lost in floor.lost:
            if lost.error == RequestRefused.__name__:  # a mistake of the set-up, and no reader to be left out
                raise StrategyError(f'{lost.reason}; or weigh every vote the same: weights = "votes"')
        weights = confidences(each(players, [poll.votes if poll else None for poll in polls]))
        verdict = floor.merged(cast, "weighted", weights=weights, quorum=self.quorum, ended="vote")
        return replace(verdict, merge=f"weighted by the {self.span}") if given else verdict

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The players: in a batch an ensemble for them all, or for every share of them."""
        own = Sampling(logprobs=0) if self.weights == "logprob" else Sampling()
        seats = super().seats()
        players = self._voting(seats.get("players", ()))
        ensemble = seats.get("ensemble", (self._seat("ensemble", "ensemble"),))[0]
        if self.batch and players:
            model = ensemble.model or players[0].model
            plays = {"plays": tuple(seat.card for seat in players), "at_once": self.at_once, "model": model}
            players = (ensemble.model_copy(update=plays),)
        return {
            "players": tuple(
                seat.model_copy(update={"sampling": own.overlaid(seat.sampling)}) for seat in players
            )
        }

    def asked(self, aspects: tuple[Aspect, ...]) -> tuple[Aspect, ...]:
        """The aspects without scales and steps to a score: the better text is chosen.

        Where the text is judged as a whole, each reader goes by what that reader looks for (Section 3.1), and there is no
        criterion for all.
        """
        chosen = [aspect.model_copy(update={"choice": True, "steps": ()}) for aspect in aspects]
        return tuple(
            aspect.model_copy(update={"criterion": ""}) if aspect.name == OVERALL else aspect
            for aspect in chosen
        )

    def speakers(self) -> frozenset[str]:
        """The names that `models` may give models to; the ensemble's role is one, with any player."""
        return super().speakers().union(self.cast)

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where there is nothing to vote on, or too much for one vote."""
        if not task.candidates:
            raise StrategyError(
                f"it votes on texts that are compared, and task {task.name!r} judges a single one"
            )
        if len(aspects) > 1 or aspects[0].rank:
            raise StrategyError(
                "it casts one vote a reader: judge one aspect at a time, and one that is not a place"
            )


def each(players: Seats, polls: Sequence[Sequence[Cast] | None]) -> list[Cast | None]:
    """List what every player cast, with None for each player of a poll that could not be had."""
    found: list[Cast | None] = []
    for player, poll in zip(players, polls, strict=True):
        found.extend(poll if poll is not None else [None] * max(len(player.plays), 1))
    return found


def confidences(votes: Sequence[Vote | None]) -> list[float]:
    """List the weight of each vote. Raises StrategyError where one came without log-probabilities."""
    for vote in votes:
        if vote is not None and vote.confidence is None:
            raise StrategyError(
                'the model gave no log-probabilities that fit its reply; take one that gives them, or weights = "votes"'
            )
    return [max(vote.confidence or 0.0, float_info.min) if vote else 1.0 for vote in votes]
