"""Simultaneous talk with a summarizer (ChatEval, Section 2 and Algorithm 3)."""

from collections.abc import Mapping, Sequence
from typing import Self

from pydantic import model_validator

from agentdebate.strategies.base import Cards
from agentdebate.strategies.floor import Floor
from agentdebate.strategies.group_talk import GroupTalk
from agentdebate.talk.messages import Reply, Verdict
from agentdebate.talk.purposes import SUMMARISE


class SimultaneousTalkWithSummarizer(GroupTalk):
    """All debaters speak on the same history; then a summarizer sums the round up, and its summary is all that enters their
    histories: it takes the place of what they said themselves, too.
    """

    keep_talk: bool = False
    """True to let debaters hear the talk itself as well as its summary, and keep their own words."""
    cast: Mapping[str, Cards] = {"debaters": ("general-public", "reviewer"), "summarizer": ("summarizer",)}

    @model_validator(mode="after")
    def _all_hear_the_summary(self) -> Self:
        if self.hearing != "full":
            raise ValueError(
                'all debaters hear the summary: hearing = "full", or take a talk without a summarizer'
            )
        return self

    async def debate(self, floor: Floor) -> Verdict:
        """Algorithm 3; the numbers are its lines. The last round needs no summary, since no one speaks after it."""
        debaters, summarizer = floor.cast("debaters"), floor.one("summarizer")
        buffer: Sequence[Reply | None] = []
        for _ in floor.rounds(self.rounds, stop=self.stopping):  # 1
            buffer = await floor.try_ask_all(debaters, self.wanted(floor))  # 2 to 5
            if not (floor.last_round or floor.stopped) and any(buffer):
                summary = await floor.ask(summarizer, SUMMARISE, hearing=buffer)  # 7
                if self.keep_talk:
                    await floor.tell([*buffer, summary], to=debaters)
                else:
                    await floor.replace(buffer, by=summary, of=debaters)  # 6 to 8
        return self.close(floor, buffer)  # 10
