"""One-by-one talk (ChatEval, Section 2 and Algorithm 1)."""

from typing import Literal

from agentdebate.agents.seat import Seat, Seats
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.graphs import hears
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.talk.messages import Reply, Verdict


class OneByOne(GroupTalk):
    """The debaters speak in turn, and each hears what was said before."""

    audience: Literal["everyone", "later"] = "everyone"
    """Hearers of a debater: everyone, or only those who come later in the order, as Algorithm 1 says to the letter."""

    async def debate(self, floor: Floor) -> Verdict:
        """Algorithm 1; the numbers are its lines."""
        debaters = floor.cast("debaters")
        said: list[Reply | None] = []
        for _ in floor.rounds(self.rounds, stop=self.stopping):  # 1
            said = []
            for debater in debaters:  # 2
                said.append(await floor.try_ask(debater, self.wanted(floor)))  # 3
                await floor.tell(said[-1:], to=self.hearers(debaters, debater))  # 4 to 8
        return self.close(floor, said)  # 11

    def hearers(self, debaters: Seats, speaker: Seat) -> Seats:
        """Return the seats that hear a debater."""
        seats = debaters.others(speaker) if self.audience == "everyone" else debaters.after(speaker)
        return Seats(one for one in seats if hears(self.hearing, debaters, one, speaker))
