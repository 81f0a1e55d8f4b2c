"""Everything that a reply is made from: the request's context, the reading of its item, what has been heard."""

from dataclasses import dataclass

from agentdebate.models.base import Context
from agentdebate.models.offline_judge.closing import snap
from agentdebate.models.offline_judge.history import History
from agentdebate.models.offline_judge.opinion import Opinion, weigh
from agentdebate.models.offline_judge.profiles import Profile, profile
from agentdebate.models.offline_judge.reading import Reading
from agentdebate.tasks import Aspect


@dataclass(frozen=True, slots=True)
class CaseFile:
    """One turn's material."""

    context: Context
    reading: Reading
    history: History

    @property
    def aspects(self) -> tuple[Aspect, ...]:
        """The aspects that the turn is about."""
        return self.context.aspects

    def profile(self, aspect: Aspect) -> Profile:
        """Which features speak to the aspect, for an item like this one."""
        return profile(aspect, conversation=self.reading.conversation is not None)

    def opinion(self, aspect: Aspect, *, card: str = "") -> Opinion:
        """What the scorer's features say about an aspect; a card gives them a viewpoint."""
        return weigh(self.reading, self.profile(aspect).scorer, card=card)

    def opening(self, aspect: Aspect, *, card: str = "") -> float:
        """The score that this opinion comes to."""
        return snap(aspect.scale, self.opinion(aspect, card=card).value)
