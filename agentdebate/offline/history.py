"""What a speaker has heard, in order, and what that says about scores and objections."""

from collections.abc import Iterable, Sequence

from agentdebate.models.base import Context, Heard
from agentdebate.offline.claims import Claim, Manner, read_claims
from agentdebate.offline.closing import read_lines, read_scores
from agentdebate.offline.matter import Matter

_FLOOR = "floor"
"""The address of the strategy's side, which is nobody that argues."""
_NO_TALK = frozenset(["evidence", "plan", "selection", "roster"])
"""Kinds of messages in which nobody argues about the texts."""


class History:
    """The memory of one speaker at one turn: what was said in talk. Evaluators' scores and plans are none of it."""

    def __init__(self, context: Context, matters: Sequence[Matter]) -> None:
        self._agent = context.agent
        self._purpose = context.purpose
        self._matters = matters
        self._heard = [each for each in context.heard if each.kind not in _NO_TALK and each.sender != _FLOOR]

    @property
    def own(self) -> list[Heard]:
        """What the speaker has said."""
        return [message for message in self._heard if message.sender == self._agent]

    @property
    def others(self) -> list[Heard]:
        """What anybody else has said."""
        return [message for message in self._heard if message.sender != self._agent]

    @property
    def latest(self) -> list[Heard]:
        """What each of the others said last, who spoke last coming last."""
        found: dict[str, Heard] = {}
        for message in self.others:
            found.pop(message.sender, None)
            found[message.sender] = message
        return list(found.values())

    @property
    def news(self) -> list[Heard]:
        """What others have said since the speaker last did."""
        return self._split()[1]

    def scores(self, *, of: Sequence[Heard] | None = None) -> dict[str, float]:
        """The latest number for each matter in the messages; None means all."""
        latest: dict[str, float] = {}
        for message in self._heard if of is None else of:
            latest.update(scores_in(message, self._matters))
        return latest

    def new_claims(self) -> list[Claim]:
        """Claims that others have made since the speaker last spoke, without those that it has answered before."""
        before, after = self._split()
        answered = {claim.identity for claim in self.claims(before)}
        return [claim for claim in self.claims(after) if claim.identity not in answered]

    def claims(self, messages: Iterable[Heard]) -> list[Claim]:
        """The claims in these messages, each once: a commander's copy of a claim is the same claim."""
        found: dict[object, Claim] = {}
        for message in messages:
            if message.kind in ("critique", "statement"):
                for claim in read_claims(message.text, self._matters, self._manner(message)):
                    found.setdefault(claim.identity, claim)
        return list(found.values())

    def said(self, sentence: str) -> bool:
        """Whether anybody has said this sentence."""
        return any(sentence in message.text for message in self._heard)

    def _manner(self, message: Heard) -> Manner:
        """Whether a message objects by its kind: a critique, or one passed on by a commander to be answered."""
        passed_on = message.kind == "statement" and self._purpose == "revise"
        aspects = [matter.line.aspect for matter in self._matters]
        if message.kind == "critique" or (passed_on and not read_lines(message.text, aspects)):
            return "critique"
        return "account"

    def _split(self) -> tuple[list[Heard], list[Heard]]:
        last = max((at for at, each in enumerate(self._heard) if each.sender == self._agent), default=-1)
        others = [(at, each) for at, each in enumerate(self._heard) if each.sender != self._agent]
        return [each for at, each in others if at < last], [each for at, each in others if at > last]


def scores_in(message: Heard, matters: Sequence[Matter]) -> dict[str, float]:
    """The numbers that a message gives: those of its ballot, or else those in its words. A critique gives none."""
    known = {matter.key: matter for matter in matters}
    if message.scores:
        return {
            key: score for key, score in message.scores.items() if key in known and score in known[key].scale
        }
    if message.kind == "critique":
        return {}
    # In prose about several texts a number may be anything; there only lines count.
    read = read_lines if any(matter.label for matter in matters) else read_scores
    found = read(message.text, [matter.line.aspect for matter in matters])
    return {
        key: found[matter.line.aspect.name]
        for key, matter in known.items()
        if matter.line.aspect.name in found
    }
