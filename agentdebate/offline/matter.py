"""One number that a turn is about: a line of the ballot, with the text it rates and the features that speak to it."""

from dataclasses import dataclass

from agentdebate.ballots.lineup import Line
from agentdebate.offline.closing import share_of, snap, step_of, written
from agentdebate.offline.opinion import Opinion, weigh
from agentdebate.offline.profiles import Profile
from agentdebate.offline.reading import Reading
from agentdebate.tasks import Scale

_FIRST, _LAST = 0.8, 0.4
"""What the first and the last place say of a text, as shares of a scale: that it is good, that it is so-so."""


@dataclass(frozen=True, slots=True)
class Matter:
    """A line of the ballot and what it is about. `label` is what the text is called among others; empty for one alone."""

    line: Line
    label: str
    topic: str
    """The aspect that is rated, as people read it."""
    reading: Reading
    profile: Profile

    @property
    def key(self) -> str:
        """What ballots file the number under."""
        return self.line.rated if self.line.candidate is None else f"{self.line.rated}.{self.line.candidate}"

    @property
    def scale(self) -> Scale:
        """What the number may be."""
        return self.line.aspect.scale

    @property
    def ranked(self) -> bool:
        """Whether the number is a place, 1 being the best."""
        return self.line.aspect.rank

    @property
    def title(self) -> str:
        """What the closing line is called."""
        return self.line.aspect.title

    @property
    def name(self) -> str:
        """The title in the middle of a sentence."""
        if not self.label:
            return self.title.lower()
        return self.label if self.title == self.label else f"the {self.topic.lower()} of {self.label}"

    @property
    def step(self) -> float:
        """The smallest move, as a share of the scale."""
        return step_of(self.scale) * ((_FIRST - _LAST) if self.ranked else 1.0)

    def opinion(self, card: str = "") -> Opinion:
        """What the scorer's features say; a card gives them a viewpoint."""
        return weigh(self.reading, self.profile, card=card)

    def share(self, number: float) -> float:
        """How good the number says that the text is, from 0 to 1."""
        share = share_of(self.scale, number)
        return _FIRST - share * (_FIRST - _LAST) if self.ranked else share

    def number(self, share: float) -> float:
        """The number that says so."""
        return snap(self.scale, (_FIRST - share) / (_FIRST - _LAST) if self.ranked else share)

    def written(self, number: float) -> str:
        """A number in as few digits as keep it on the scale."""
        return written(self.scale, number)
