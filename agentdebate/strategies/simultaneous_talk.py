"""Simultaneous talk (ChatEval, Section 2 and Algorithm 2)."""

from collections.abc import Sequence

from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.talk.messages import Reply, Verdict


class SimultaneousTalk(GroupTalk):
    """All debaters speak on the same history, and then all hear all (or whom `hearing` says), so that the order does not count."""

    async def debate(self, floor: Floor) -> Verdict:
        """Algorithm 2; the numbers are its lines."""
        debaters = floor.cast("debaters")
        buffer: Sequence[Reply | None] = []
        for _ in floor.rounds(self.rounds, stop=self.stopping):  # 1
            buffer = await floor.try_ask_all(debaters, self.wanted(floor))  # 2 to 5
            for hearers, heard in self.heard(debaters, buffer):  # 6 to 8
                await floor.tell(heard, to=hearers)
        return self.close(floor, buffer)  # 10
