"""Advocates, a judge and a jury, with a budgeted stop (D3, arXiv 2410.04663: SAMRE)."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from agentdebate.agents.seat import SeatPlan
from agentdebate.errors import StrategyError
from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import MOST_ROUNDS, Cards, changed
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import REFEREES
from agentdebate.strategies.histories import History, check_summarizer
from agentdebate.strategies.stops import Round, Stop, StopContext, StopRule, check_single_judge, stop_rule
from agentdebate.strategies.tally import ROUND_LIMIT
from agentdebate.talk.messages import Score, Statement, Verdict
from agentdebate.talk.purposes import VOTE, Purpose
from agentdebate.tasks import Aspect, Task

PLEAD = Purpose("plead", Statement)
WEIGH = Purpose("weigh", Score)


class D3(BallotStrategy):
    """An advocate for each text argues, and a judge scores both after every round; in the end a jury that has heard it all votes.

    The scores are the means of the judge's over all rounds. The winner is the text that most votes put first, the judge's last among them;
    equal votes are a tie. A juror that cannot answer is lost; without an advocate or the judge there is no verdict.
    """

    rounds: int = Field(default=4, ge=1, le=MOST_ROUNDS)
    """Most rounds of arguments."""
    stop: Stop = "steady-lead"
    """Stop rule that may end the arguments before, by the judge's ballots."""
    budget: int | None = Field(default=None, ge=1)
    """Tokens of one sitting; when they are used no further round is begun, and the jury votes."""
    ballots: Literal["last", "every"] = "last"
    """Times at which the jury votes: with "every" also before it hears anybody, which shows what the arguments change. No such vote is
    counted."""
    quorum: int = Field(default=1, ge=1)
    """Least number of votes, the judge's among them."""
    history: History = "latest"
    """Memory of advocates and judge for the talk; the jury hears all of it."""
    cast: Mapping[str, Cards] = {
        "advocates": ("advocate", "advocate"),
        "judge": ("judge",),
        "jurors": REFEREES[:4],
    }

    panel: ClassVar[str | None] = "jurors"
    pool: ClassVar[tuple[str, ...]] = REFEREES

    @model_validator(mode="after")
    def _has_one_judge_and_no_summarizer(self) -> Self:
        check_single_judge(self.stop)
        check_summarizer(self.history, self.cast)
        return self

    def check(self, task: Task, aspects: tuple[Aspect, ...]) -> None:
        """Raise StrategyError where no texts are compared."""
        if not task.candidates:
            raise StrategyError(
                f"its advocates speak for texts that are compared, and task {task.name!r} judges a single one"
            )
        super().check(task, aspects)

    async def debate(self, floor: Floor) -> Verdict:
        """Hold the rounds of SAMRE, and then the jury's vote."""
        advocates, judge = floor.cast("advocates"), floor.one("judge")
        if len(advocates) != len(floor.order):
            raise StrategyError(
                f"{len(floor.order)} texts need as many advocates, and there are {len(advocates)}: name them in cast.advocates"
            )
        if self.ballots == "every":
            await floor.try_ask_all(floor.cast("jurors"), self.casting(VOTE))
        for _ in floor.rounds(self.rounds, stop=self.stopping(floor)):
            for advocate, text in zip(advocates, floor.order, strict=True):
                argument = await floor.ask(advocate, PLEAD, given={"text": text})
                await floor.tell(argument, to=[*advocates.others(advocate), judge])
            score = await floor.ask(judge, self.casting(WEIGH))
            await floor.tell(score, to=advocates)
        ended = floor.stopped or ROUND_LIMIT
        means = floor.merged([cast for cast in floor.ballots if cast.round])
        floor.stop = None  # the jury's ballots are not what ends the arguments
        heard = [said for said in floor.talk if said.round]
        votes = await floor.try_ask_all(floor.cast("jurors"), self.casting(VOTE), hearing=heard)
        verdict = floor.merged([score, *votes], by="votes", quorum=self.quorum, ended=ended)
        return replace(verdict, ratings=means.ratings, spread=means.spread)

    def stopping(self, floor: Floor) -> StopRule:
        """The stop rule, with the budget of this sitting."""
        rule, end = stop_rule(self.stop), floor.tokens + (self.budget or inf)

        def budgeted(rounds: Sequence[Round], context: StopContext) -> str | None:
            judged = [one for row in rounds if (one := tuple(cast for cast in row if cast and cast.round))]
            return "token budget" if floor.tokens >= end else rule and rule(judged, context)

        return budgeted

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The cast, with what advocates and judge remember."""
        seats = super().seats()
        for role in {"advocates", "judge"} & seats.keys():
            seats[role] = changed(seats[role], history=self.history)
        return seats
