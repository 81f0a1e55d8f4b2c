"""Subject of a debate, as its agents see it: the item, its aspects and the prompts, in one order of the candidates."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from agentdebate.agents.card import Card
from agentdebate.ballots.lineup import Candidate, Line, ballot_lines, lineup
from agentdebate.models.base import Heard
from agentdebate.prompts.foreign_text import fenced
from agentdebate.prompts.prompts import Prompts, Template
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


@dataclass(frozen=True, slots=True)
class Subject:
    """Subject of one sitting."""

    task: Task
    item: Item
    aspects: tuple[Aspect, ...]
    prompts: Prompts
    candidates: tuple[Candidate, ...]
    """The texts that are compared, in the order in which they are shown."""
    lines: tuple[Line, ...]
    """Lines that a ballot must hold."""
    sample: int = 0
    """Number of this sitting over the same brief, from 0."""
    fences: bool = True
    """True if texts and messages stand between fences."""
    _said: dict[int, Said] = field(default_factory=dict, repr=False, compare=False)
    """Messages by their numbers: all who hear one are shown the same text, which is made once."""

    @classmethod
    def of(
        cls,
        task: Task,
        item: Item,
        aspects: tuple[Aspect, ...],
        prompts: Prompts,
        *,
        fences: bool = True,
        order: Sequence[str] | None = None,
        sample: int = 0,
    ) -> Self:
        """The item as its task shows it, the candidates in an order of their own where one is given.

        Raises DataError where the item does not fit its task, and UsageError for an order that is not one of all candidates.
        """
        task.check(item)
        candidates = lineup(task, item, order)
        lines = ballot_lines(aspects, candidates)
        return cls(task, item, aspects, prompts, candidates, lines, sample, fences)

    def shown(self, order: Sequence[str], sample: int) -> "Subject":
        """The same in another sitting."""
        return self.of(
            self.task,
            self.item,
            self.aspects,
            self.prompts,
            fences=self.fences,
            order=order,
            sample=sample,
        )

    @property
    def order(self) -> tuple[str, ...]:
        """The candidates' fields, as they are shown."""
        return tuple([candidate.field for candidate in self.candidates])

    def brief(self) -> str:
        """Return the text that everyone is shown before anything else."""
        return self.prompts.brief(self.task, self.item, self.aspects, self.candidates, fences=self.fences)

    def fill(self, template: Template, **more: object) -> str:
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

    def said(
        self, talk: Iterable[Message], titles: Mapping[str, str], sent: Sequence[Message]
    ) -> tuple[Said, ...]:
        """Messages as requests show them.

        `titles` says what each address is called, and `sent` is the transcript, where a relay's message says whose words it passes on.
        """
        return tuple([self._said.get(one.seq) or self._say(one, titles, sent) for one in talk])

    def _say(self, message: Message, titles: Mapping[str, str], sent: Sequence[Message]) -> Said:
        title = titles.get(message.sender, message.sender)
        if message.sender == FLOOR:
            title = HEADINGS.get(message.kind, message.kind.capitalize())
        origin = _origin(message, sent)
        if origin is not None:
            title = f"{titles.get(origin, origin)}, passed on by the {title}"
        words, ballot = words_of(message), getattr(message, "ballot", None)
        heard = Heard(message.sender, message.kind, words, ballot.scores if ballot else {})
        text = fenced(title, words, fences=self.fences)
        said = self._said[message.seq] = Said(title, text.block, heard)
        return said


def _origin(message: Message, sent: Sequence[Message]) -> str | None:
    """The agent whose words a relay, which has no model, passes on; None where there is not exactly one."""
    if not isinstance(message, Reply) or message.model or not message.answers:
        return None
    heard = {sent[number - 1].sender for number in sent[message.answers - 1].brings} - {FLOOR}
    return heard.pop() if len(heard) == 1 else None
