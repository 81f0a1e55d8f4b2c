"""One turn of the offline judge: what it is asked, what it says, and the ballot in that as agents read it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import agentdebate as ad
from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Candidate, Player, ballot_lines, lineup
from agentdebate.ballots.sheet import read_sheet
from agentdebate.models.base import ChatMessage, Completion, Context, Heard, ModelRequest, Sampling
from agentdebate.offline.model import OfflineJudge

SUMMARY = ad.load_task("summarization", project=ad.Project())
SOURCE = (
    "The harbour bridge in Westhaven was closed on Monday after engineers found cracks in two steel beams. "
    "Mayor Ines Calder said that repairs would take six weeks and cost 4 million euros. "
    "Ferries will carry commuters across the harbour until the bridge opens again. "
    "Shop owners near the bridge fear that they will lose customers. "
    "The bridge was built in 1931 and last painted in 2004."
)
REPLIES = {
    "criticise": "critique",
    "rule": "ruling",
    "summarise": "summary",
    "speak": "statement",
    "forward": "statement",
    "fuse": "samples",
    "plan": "plan",
    "fill": "filled",
}
"""The kind of reply to each purpose; to the others it is a score."""


@dataclass(frozen=True, kw_only=True)
class Turn:
    """A turn with the usual things in it."""

    item: ad.Item
    purpose: str = "score"
    task: ad.Task = SUMMARY
    names: Sequence[str] | None = None
    scale: ad.Scale | None = None
    card: str = "scorer"
    heard: Sequence[Heard] = ()
    reply: str = ""
    order: Sequence[str] | None = None
    players: Sequence[Player] = ()
    given: Mapping[str, Any] = field(default_factory=dict)

    @property
    def shown(self) -> tuple[Candidate, ...]:
        """The texts that are compared."""
        return lineup(self.task, self.item, self.order)

    @property
    def context(self) -> Context:
        """Return what the judge knows of the turn."""
        aspects = self.task.choose(self.names)
        if self.scale:
            aspects = tuple(one.model_copy(update={"scale": self.scale}) for one in aspects)
        reply, lines = self.reply or REPLIES.get(self.purpose, "score"), ballot_lines(aspects, self.shown)
        who, heard, players = self.card, tuple(self.heard), tuple(self.players)
        return Context(
            self.task, self.item, aspects, self.purpose, reply, who, who, 1, heard, self.shown, lines, players, self.given
        )  # fmt: skip

    async def complete(self, sampling: Sampling | None = None) -> Completion:
        """Return what the judge gives."""
        request = ModelRequest((ChatMessage("user", "x"),), sampling or Sampling(), context=self.context)
        return await OfflineJudge().complete(request)

    async def said(self) -> str:
        """Return what it says."""
        return (await self.complete()).text

    async def scores(self) -> dict[str, float]:
        """The ballot in that."""
        return self.read(await self.said())

    def read(self, text: str) -> dict[str, float]:
        """The ballot in a reply, as agents read it."""
        ballot = read_sheet(text, self.context.lines)
        assert isinstance(ballot, Ballot), (ballot, text)
        return ballot.scores
