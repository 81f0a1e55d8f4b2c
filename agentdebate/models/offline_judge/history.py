"""What a speaker has heard, in order, and what that says about scores and objections."""

from collections.abc import Iterable, Sequence

from agentdebate.models.base import Context, Heard
from agentdebate.models.offline_judge.claims import Claim, read_claims
from agentdebate.models.offline_judge.closing import read_lines, read_scores
from agentdebate.tasks import Aspect


class History:
    """The memory of one speaker at one turn."""

    def __init__(self, context: Context) -> None:
        self._agent = context.agent
        self._purpose = context.purpose
        self._aspects = context.aspects
        self._heard = context.heard

    @property
    def own(self) -> list[Heard]:
        """What the speaker has said."""
        return [message for message in self._heard if message.sender == self._agent]

    @property
    def others(self) -> list[Heard]:
        """What anybody else has said."""
        return [message for message in self._heard if message.sender != self._agent]

    @property
    def news(self) -> list[Heard]:
        """What others have said since the speaker last did."""
        return self._split()[1]

    def scores(self, *, of: Sequence[Heard] | None = None) -> dict[str, float]:
        """The latest score of each aspect in the messages; None means all."""
        latest: dict[str, float] = {}
        for message in self._heard if of is None else of:
            latest.update(scores_in(message, self._aspects))
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
                for claim in read_claims(message.text, self._aspects, critique=self._is_critique(message)):
                    found.setdefault(claim.identity, claim)
        return list(found.values())

    def said(self, sentence: str) -> bool:
        """Whether anybody has said this sentence."""
        return any(sentence in message.text for message in self._heard)

    def _is_critique(self, message: Heard) -> bool:
        """Whether a message objects by its kind: a critique, or one passed on by a commander to be answered."""
        passed_on = message.kind == "statement" and self._purpose == "revise"
        return message.kind == "critique" or (passed_on and not read_lines(message.text, self._aspects))

    def _split(self) -> tuple[list[Heard], list[Heard]]:
        last = max((at for at, each in enumerate(self._heard) if each.sender == self._agent), default=-1)
        others = [(at, each) for at, each in enumerate(self._heard) if each.sender != self._agent]
        return [each for at, each in others if at < last], [each for at, each in others if at > last]


def scores_in(message: Heard, aspects: Sequence[Aspect]) -> dict[str, float]:
    """The scores that a message gives: those of its ballot, or else those in its words. A critique gives none."""
    if message.scores:
        known = {aspect.name: aspect for aspect in aspects}
        return {
            name: score
            for name, score in message.scores.items()
            if name in known and score in known[name].scale
        }
    return {} if message.kind == "critique" else read_scores(message.text, aspects)
