"""Subject of a debate, as its agents see it: the item, its aspects and the prompts, in one order of the candidates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from agentdebate.agents.seat import Card
from agentdebate.ballots.lineup import ballot_lines, lineup
from agentdebate.models.base import Heard
from agentdebate.prompts.foreign_text import fenced
from agentdebate.prompts.prompts import Prompt, Prompts
from agentdebate.talk.messages import FLOOR, Message, Reply, words_of
from agentdebate.tasks import Aspect, Item, Task

HEADINGS: Mapping[str, str] = {"statement": "Given to all", "evidence": "Evaluators"}
"""The headings of messages that no agent says, by kind."""


class Said(NamedTuple):
    """A message as requests show it."""

    title: str
    block: str
    """Its words between fences."""
    heard: Heard
    """The same for models that are not language models."""

    def unnamed(self, number: int) -> "Said":
        """The same under a number in the place of its speaker's name."""
        return Said(f"Message {number}", self.block, replace(self.heard, sender=f"message {number}"))


@dataclass(eq=False)
class Subject:
    """Subject of one sitting: the item as its task shows it. `replace` makes that of another sitting.

    Raises DataError where the item does not fit its task, and UsageError for an order that is not one of all candidates.
    """

    task: Task
    item: Item
    aspects: tuple[Aspect, ...]
    prompts: Prompts
    fences: bool = True
    """True if texts and messages stand between fences."""
    arranged: Sequence[str] | None = None
    """The candidates' fields in an order of their own; None for the task's."""
    sample: int = 0
    """Number of this sitting over the same brief, from 0."""

    def __post_init__(self) -> None:
        self.task.check(self.item)
        self.candidates = lineup(self.task, self.item, self.arranged)
        """The texts that are compared, in the order in which they are shown."""
        self.order = tuple([candidate.field for candidate in self.candidates])
        """The candidates' fields, as they are shown."""
        self.lines = ballot_lines(self.aspects, self.candidates)
        """Lines that a ballot must hold."""
        self._said: dict[int, Said] = {}
        """Messages by their numbers: all who hear one are shown the same text, which is made once."""

    def brief(self) -> str:
        """Return the text that everyone is shown before anything else."""
        return self.prompts.brief(self.task, self.item, self.aspects, self.candidates, fences=self.fences)

    def fill(self, template: Prompt, **more: object) -> str:
        """Fill a template with what it may say of the subject, and more."""
        judgement = any(aspect.rank or aspect.choice for aspect in self.aspects)
        return template.render(
            aspects=self.aspects,
            candidates=self.candidates,
            lines=self.lines,
            task=self.task,
            wanted="judgement" if judgement else "score",
            **more,
        )

    def persona(self, card: Card) -> str:
        """Return the persona of an agent; a recruit's as the model wrote it."""
        return card.persona if card.recruited else self.fill(self.prompts.persona(card.name, card.persona))

    def said(self, message: Message, titles: Mapping[str, str], sent: Sequence[Message]) -> Said:
        """A message as requests show it.

        `titles` says what each address is called, and `sent` is the transcript, where a relay's message says whose words it passes on.
        """
        if message.seq not in self._said:
            title, words = _title(message, titles, sent), words_of(message)
            ballot = getattr(message, "ballot", None)
            heard = Heard(message.sender, message.kind, words, ballot.scores if ballot else {})
            block = fenced(title, words, fences=self.fences).block
            self._said[message.seq] = Said(title, block, heard)
        return self._said[message.seq]


def _title(message: Message, titles: Mapping[str, str], sent: Sequence[Message]) -> str:
    """The heading of a message: its sender, and whose words it is where a relay passes on those of one agent alone."""
    if message.sender == FLOOR:
        return HEADINGS.get(message.kind, message.kind.capitalize())
    title = titles.get(message.sender, message.sender)
    if not isinstance(message, Reply) or message.model or not message.answers:
        return title
    heard = {sent[number - 1].sender for number in sent[message.answers - 1].brings} - {FLOOR}
    if len(heard) != 1:
        return title
    (origin,) = heard
    return f"{titles.get(origin, origin)}, passed on by the {title}"
