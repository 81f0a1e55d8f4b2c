"""Panels whose ballots are merged, and group talk: what ChatEval's communication strategies share (ChatEval, Section 2 and Appendix B)."""

from abc import ABC
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from agentdebate.agents.seat import VACANT, Seat, SeatPlan, Seats
from agentdebate.ballots.merge import MergeOption, rule_of
from agentdebate.errors import StrategyError
from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import MOST_ROUNDS, Cards, changed
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.graphs import DrawnGraph, Graph, hears
from agentdebate.strategies.histories import History, check_summarizer
from agentdebate.strategies.stops import Stop, StopRule, stop_rule
from agentdebate.strategies.tally import ROUND_LIMIT
from agentdebate.strategies.verdicts import Carriers
from agentdebate.talk.messages import Reply, Score, Verdict
from agentdebate.talk.purposes import SPEAK, VOTE, Purpose

REFEREES = ("general-public", "reviewer", "news-author", "psychologist", "scientist")
"""The five roles of ChatEval, in the order in which the paper takes them (Appendix A)."""


class Panel(BallotStrategy, ABC):
    """Members of a panel cast a ballot each; the ballots are merged.

    A member that cannot answer is lost, its ballot is missing, and the others go on: the verdict says so.
    """

    merge: MergeOption = "average"
    """Rule by which ballots become scores: the name of a merge, or a table of its name and its options, `{rule = "trimmed", share = 0.1}`."""
    by: Literal["scores", "votes"] = "scores"
    """Choice of the winner where texts are compared: the best merged scores, or the most ballots. Equal ones are a tie."""
    quorum: int = Field(default=1, ge=1)
    """Least number of ballots."""
    weights: tuple[Annotated[float, Field(ge=0, allow_inf_nan=False)], ...] = ()
    """Weight of each member's ballot, in cast order, for a merge that counts weights and for votes."""

    panel: ClassVar[str]
    pool: ClassVar[tuple[str, ...]] = REFEREES

    @model_validator(mode="after")
    def _fits_its_members(self) -> Self:
        cast = self.cast.get(self.panel, ())
        members = 0 if VACANT in cast else len(cast)  # nobody knows yet how many recruits there will be
        rule = rule_of(self.merge)
        if self.weights and rule.weights == "unused" and self.by != "votes":
            raise ValueError(
                f'weights are for by = "votes" and for a merge that counts them, such as "weighted"; it is "{rule.name}"'
            )
        if rule.weights == "required" and not self.weights:
            raise ValueError(f'merge = "{rule.name}" needs weights, one for each of the {self.panel}: [2, 1]')
        if self.weights and (len(self.weights) != members or not any(self.weights)):
            raise ValueError(
                f"{members} {self.panel} need as many weights, not all of them zero; there are {len(self.weights)}"
            )
        if 0 < members < self.quorum:
            raise ValueError(f"{members} {self.panel} cannot cast the {self.quorum} ballots of the quorum")
        return self

    def salvage(self, floor: Floor) -> Verdict:
        """Merge everyone's latest ballot. One that is not there is missing, as where a member was lost."""
        latest = {cast.agent: cast for cast in floor.latest}
        return self._merged(floor, [latest.get(member.name) for member in floor.cast(self.panel)])

    def _merged(self, floor: Floor, cast: Carriers, ended: str = ROUND_LIMIT) -> Verdict:
        return floor.merged(
            cast, self.merge, by=self.by, weights=self.weights or None, quorum=self.quorum, ended=ended
        )


class GroupTalk(Panel, ABC):
    """Debaters talk for some rounds and cast a ballot each; the ballots are merged.

    A debater that cannot answer is lost, its ballot is missing, and the others go on: the verdict says so.
    """

    rounds: int = Field(default=2, ge=1, le=MOST_ROUNDS)
    """T in the paper: passes over all debaters."""
    ballots: Literal["last", "every"] = "last"
    """Rounds in which ballots are asked for: with a stop rule in every one. The last one's are merged in either case."""
    stop: Stop = "never"
    """Stop rule that may end the talk before its last round: a rule by its name, or a table `{rule = "majority", share = 0.75}`."""
    history: History = "all"
    """Memory of a debater for the talk: a number of tokens, a history rule by its name, or a table
    `{rule = "window", rounds = 2}`."""
    hearing: Graph = "full"
    """Hearing graph: "full", all hear all; "ring", each hears its two neighbours; "star", the first hears all, and the others hear the
    first; "none"; or a table of groups that hear each other and edges from speaker to hearer, by places in the cast:
    `{groups = [[1, 2], [3, 4]], edges = [[2, 3]]}`."""
    cast: Mapping[str, Cards] = {"debaters": ("general-public", "reviewer")}

    panel: ClassVar[str] = "debaters"

    @model_validator(mode="after")
    def _hears_debaters_of_the_cast(self) -> Self:
        cast = self.cast.get("debaters", ())
        far = max(self.hearing.places, default=0) if isinstance(self.hearing, DrawnGraph) else 0
        if VACANT not in cast and far > len(cast):
            raise ValueError(f"hearing names the debater {far}, and there are {len(cast)}")
        return self

    @model_validator(mode="after")
    def _has_somebody_who_sums_up(self) -> Self:
        check_summarizer(self.history, self.cast)
        return self

    def wanted(self, floor: Floor) -> Purpose[Reply]:
        """Purpose of a debater's turn in this round: a ballot, or talk."""
        every = self.ballots == "every" or self.stopping is not None
        return self.casting(VOTE) if every or floor.last_round else SPEAK

    @property
    def stopping(self) -> StopRule | None:
        """The stop rule, for `floor.rounds(self.rounds, stop=self.stopping)`; None where all rounds are held."""
        return stop_rule(self.stop)

    def heard(
        self, debaters: Seats, said: Sequence[Reply | None]
    ) -> Iterator[tuple[list[Seat], list[Reply | None]]]:
        """Replies of a round in which all spoke, by those who hear the same ones. Each is told its own words too, in their place."""
        hearers: dict[tuple[int, ...], list[Seat]] = {}
        for one in debaters:
            heard = [
                at
                for at, other in enumerate(debaters)
                if other is one or hears(self.hearing, debaters, one, other)
            ]
            hearers.setdefault(tuple(heard), []).append(one)
        for places, seats in hearers.items():
            yield seats, [said[at] for at in places]

    def close(self, floor: Floor, said: Sequence[Reply | None]) -> Verdict:
        """Merge the ballots that were cast last: what each debater said in the last round, or None.

        Raises StrategyError where the rounds were held without the stop rule.
        """
        if floor.stop is None and self.stopping is not None:
            raise StrategyError(
                f"{type(self).__name__} holds its rounds without its option stop: write"
                " floor.rounds(self.rounds, stop=self.stopping)"
            )
        cast = [reply if isinstance(reply, Score) else None for reply in said]
        return self._merged(floor, cast)

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The cast, with what is shown to the debaters, and of them."""
        seats = super().seats()
        if "debaters" in seats:
            seats["debaters"] = changed(seats["debaters"], history=self.history)
        return seats
