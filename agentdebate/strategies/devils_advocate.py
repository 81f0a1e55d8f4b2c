"""The devil's-advocate loop of DEBATE (Algorithm 1 and Appendix B.1)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, Self

from pydantic import Field, model_validator

from agentdebate.agents.seat import SeatPlan
from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import MOST_ROUNDS, Cards, changed
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.histories import History, check_summarizer
from agentdebate.strategies.stops import Stop, StopRule, check_single_judge, stop_rule
from agentdebate.talk.messages import Critique, Verdict
from agentdebate.talk.purposes import CRITICISE, FORWARD, OPEN, REVISE, SCORE, Purpose

TO_CRITIC, TO_SCORER = {"to": "critic"}, {"to": "scorer"}
"""To whom the commander passes on what it heard."""
LITERALLY = replace(CRITICISE, form="critique-literal")
"""The critic's turn where the stop word counts anywhere in its reply."""


class DevilsAdvocate(BallotStrategy):
    """A scorer scores, a critic objects, the scorer revises, until the critic has no issue or the rounds are used up.

    The commander carries everything between the two, who never hear each other. By default it is a relay, which
    passes on what it heard without a model call; `commander = "model"` lets a model speak for it, as in the paper.
    The score that stands is the scorer's last one.
    """

    rounds: int = Field(default=4, ge=1, le=MOST_ROUNDS)
    """n in the paper, where 4 was best."""
    commander: Literal["relay", "model"] = "relay"
    agreement: Literal["stop word", "literal"] = "stop word"
    """Sign of the critic's agreement: the stop word as a whole line or sentence, about which it is asked once where it stands within another;
    or, as the paper searches for it, by the words anywhere in its reply."""
    stop: Stop = "never"
    """Stop rule that may end it before the critic has no issue: "stable" where a revision has left the score as it was."""
    history: History = "all"
    """Memory of scorer and critic for what they heard and said: a number of tokens, a history rule by its name, or a
    table `{rule = "window", rounds = 2}`."""
    cast: Mapping[str, Cards] = {
        "commander": ("commander",),
        "scorer": ("scorer",),
        "critic": ("critic-strict",),
    }

    @model_validator(mode="after")
    def _has_one_scorer_and_no_summarizer(self) -> Self:
        check_summarizer(self.history, self.cast)
        check_single_judge(self.stop)
        return self

    async def debate(self, floor: Floor) -> Verdict:
        """Algorithm 1, line by line; the numbers are its lines. P, which line 6 sends too, is the brief that everyone has."""
        commander, scorer, critic = floor.one("commander"), floor.one("scorer"), floor.one("critic")
        prompt = await floor.ask(commander, OPEN)  # 3
        score = await floor.ask(scorer, self.casting(SCORE), hearing=[prompt])  # 4
        for _ in floor.rounds(self.rounds, stop=self.stopping):  # 5
            forwarded = await floor.ask(commander, FORWARD, hearing=[score], given=TO_CRITIC)
            feedback = await floor.ask(critic, self.criticising, hearing=[forwarded])  # 6, 7
            if feedback.no_issue:  # 8
                return floor.verdict(score, settled=True, ended="agreement")  # 9
            carried = await floor.ask(commander, FORWARD, hearing=[feedback], given=TO_SCORER)  # 11
            score = await floor.ask(scorer, self.casting(REVISE), hearing=[carried])  # 12
        return floor.verdict(score, settled=False, ended="round limit")  # 15

    @property
    def criticising(self) -> Purpose[Critique]:
        """Purpose of the critic's turn."""
        return CRITICISE if self.agreement == "stop word" else LITERALLY

    @property
    def stopping(self) -> StopRule | None:
        """The stop rule; None where nothing but agreement ends the debate early."""
        return stop_rule(self.stop)

    def seats(self) -> dict[str, tuple[SeatPlan, ...]]:
        """The cast, with the commander as a relay unless a model speaks for it, and what the two others remember."""
        seats = super().seats()
        for role in {"scorer", "critic"} & seats.keys():
            seats[role] = changed(seats[role], history=self.history)
        seats["commander"] = changed(seats["commander"], relay=self.commander == "relay", carries=True)
        return seats
