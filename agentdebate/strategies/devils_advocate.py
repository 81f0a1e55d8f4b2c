"""The devil's-advocate loop of DEBATE (Algorithm 1 and Appendix B.1)."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from agentdebate.agents.card import Seat
from agentdebate.floor import Floor
from agentdebate.messages import CRITICISE, FORWARD, OPEN, REVISE, SCORE, Verdict
from agentdebate.strategies.base import MOST_ROUNDS, Cards, Strategy


class DevilsAdvocate(Strategy):
    """A scorer scores, a critic objects, the scorer revises, until the critic has no issue or the rounds are used up.

    The commander carries everything between the two, who never hear each other. By default it is a relay, which
    passes on what it heard without a model call; `commander = "model"` lets a model speak for it, as in the paper.
    The score that stands is the scorer's last one.
    """

    rounds: int = Field(default=4, ge=1, le=MOST_ROUNDS)
    """n in the paper, where 4 was best."""
    commander: Literal["relay", "model"] = "relay"
    cast: Mapping[str, Cards] = {
        "commander": ("commander",),
        "scorer": ("scorer",),
        "critic": ("critic-strict",),
    }

    async def debate(self, floor: Floor) -> Verdict:
        """Algorithm 1, line by line; the numbers are its lines."""
        commander, scorer, critic = floor.one("commander"), floor.one("scorer"), floor.one("critic")
        prompt = await floor.ask(commander, OPEN)  # 3
        score = await floor.ask(scorer, SCORE, hearing=[prompt])  # 4
        for _ in floor.rounds(self.rounds):  # 5
            forwarded = await floor.ask(commander, FORWARD, hearing=[score])
            feedback = await floor.ask(critic, CRITICISE, hearing=[prompt, forwarded])  # 6, 7
            if feedback.no_issue:  # 8
                return floor.verdict(score, settled=True, ended="agreement")  # 9
            carried = await floor.ask(commander, FORWARD, hearing=[feedback])  # 11
            score = await floor.ask(scorer, REVISE, hearing=[carried])  # 12
        return floor.verdict(score, settled=False, ended="round limit")  # 15

    def seats(self) -> dict[str, tuple[Seat, ...]]:
        """The cast, with the commander as a relay unless a model speaks for it."""
        seats = super().seats()
        relay = self.commander == "relay"
        seats["commander"] = tuple(seat.model_copy(update={"relay": relay}) for seat in seats["commander"])
        return seats
