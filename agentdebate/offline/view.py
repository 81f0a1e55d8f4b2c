"""What a speaker makes of a matter after listening: its own opinion, moved a little by arguments that hold."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.offline.arguments import Argument, heard_arguments
from agentdebate.offline.case_file import CaseFile
from agentdebate.offline.claims import trust
from agentdebate.offline.matter import Matter
from agentdebate.offline.opinion import Opinion, Reason

_HEARD = 0.1
"""Weight, beside its trust, of what others bring up; one's own features weigh 1 together."""


@dataclass(frozen=True, slots=True)
class View:
    """A matter as a speaker sees it. `own` is its opinion, `granted` what others rightly hold against it, strongest first.

    `value` is what the two come to, from 0 to 1.
    """

    matter: Matter
    own: Opinion
    granted: tuple[Argument, ...]
    value: float

    def reasons(self, turn: int) -> list[Reason]:
        """The reasons for it; each turn of a speaker has others, as long as there are any."""
        return self.own.reasons(skip=turn)


def take_views(case: CaseFile) -> dict[str, View]:
    """The speaker's view of each matter, by its key."""
    own = case.history.own
    arguments = [
        argument
        for argument in heard_arguments(case.history.others, case.matters)
        # What one has said oneself is no news from another.
        if not any(argument.sentence and argument.sentence in message.text for message in own)
    ]
    return {matter.key: _view(matter, case.context.card, arguments) for matter in case.matters}


def _view(matter: Matter, card: str, arguments: Sequence[Argument]) -> View:
    own = matter.opinion(card)
    sound = [each for each in arguments if each.matter == matter.key and each.strength(own.value) > 0]
    if not own.findings or not sound:
        return View(matter, own, (), own.value)
    sound.sort(key=lambda each: (-each.strength(own.value), each.finding.feature))
    heard = tuple((_HEARD * trust(matter.profile, each.finding.feature), each.finding) for each in sound)
    return View(matter, own, tuple(sound), Opinion.of(own.findings + heard).value)
