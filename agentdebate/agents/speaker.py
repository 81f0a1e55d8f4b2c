"""The agents as a strategy sees them: somebody to ask and to tell."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Speaker:
    """An agent as the strategy sees it: somebody to ask and to tell."""

    name: str
    """Its address in the debate."""
    role: str
    title: str
    """What the others call it."""
    plays: tuple[str, ...] = ()
    """What those are called for whom it speaks, where it plays several."""


class Group(tuple[Speaker, ...]):
    """The agents of one role, in cast order."""

    __slots__ = ()

    def others(self, speaker: Speaker) -> "Group":
        """Everyone but this one."""
        return Group(other for other in self if other != speaker)

    def after(self, speaker: Speaker) -> "Group":
        """Those who come later in the order."""
        return Group(self[self.index(speaker) + 1 :])
