"""What all agents of one debate share: what is judged, the prompts, and where their calls are recorded."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field

from agentdebate.agents.card import Card
from agentdebate.debate_settings import USUAL, DebateSettings
from agentdebate.lineup import Candidate, Line
from agentdebate.messages import FLOOR, Evidence, Message, Reply
from agentdebate.models.base import Call, Heard
from agentdebate.prompts import Prompts, Said, fenced
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.turn_clock import TurnClock

Recorder = Callable[[Call], Awaitable[None]]
"""Takes note of a call before its completion is used."""


HEADINGS: Mapping[str, str] = {"statement": "Given to all", "evidence": "Evaluators"}
"""What is said by nobody at the table, by its kind."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One debate as its agents see it. `titles` says what each address is called in talk."""

    task: Task
    item: Item
    aspects: tuple[Aspect, ...]
    prompts: Prompts
    record: Recorder
    titles: dict[str, str] = field(default_factory=dict)
    errors: dict[int, Exception] = field(default_factory=dict)
    """What kept an agent from answering, by the number of the Ask."""
    clocks: dict[str, TurnClock] = field(default_factory=dict)
    """The clock of each speaker's turn, by address."""
    settings: DebateSettings = USUAL
    candidates: tuple[Candidate, ...] = ()
    """The texts that are compared, in the order in which they are shown."""
    lines: tuple[Line, ...] = ()
    """What a ballot has to hold."""
    sample: int = 0
    """Which sitting over the same brief this is, from 0."""

    _rendered: dict[str, str] = field(default_factory=dict)
    _heard: dict[int, Heard] = field(default_factory=dict)

    def ending(self, part: str, **given: object) -> str:
        """How a reply has to end so that it can be read: a prompt part, rendered once a debate where nothing is `given`."""
        if not given and part in self._rendered:
            return self._rendered[part]
        variables = {"players": (), "given": {}, "roles": 0, **given}
        text = self.prompts.part(part).render(
            aspects=self.aspects, candidates=self.candidates, lines=self.lines, **variables
        )
        if not given:
            self._rendered[part] = text
        return text

    def persona(self, card: Card) -> str:
        """Who an agent is, as it is told. What a model wrote of a recruit is shown as data."""
        if card.recruited:
            who = fenced(card.title, card.persona)
            return self.prompts.part("recruit").render(texts=[who], title=card.title)
        return self.described(card)

    def described(self, card: Card) -> str:
        """Who an agent is: its persona, rendered once a debate; a recruit's as the model wrote it."""
        if card.recruited:
            return card.persona
        key = f"card {card.name} {card.persona}"
        if key not in self._rendered:
            template = self.prompts.persona(card.name, card.persona)
            self._rendered[key] = template.render(aspects=self.aspects, task=self.task)
        return self._rendered[key]

    def heard(self, message: Message) -> Heard:
        """A message for models that are no language model, made once a debate."""
        if message.seq not in self._heard:
            ballot = getattr(message, "ballot", None)
            scores = ballot.scores if ballot else {}
            self._heard[message.seq] = Heard(message.sender, message.kind, spoken(message), scores)
        return self._heard[message.seq]

    def said(self, message: Message) -> Said:
        """A message as talk shows it."""
        title = (
            HEADINGS.get(message.kind, message.kind.capitalize())
            if message.sender == FLOOR
            else message.sender
        )
        return Said(self.titles.get(message.sender, title), spoken(message))


def spoken(message: Message) -> str:
    """The words of a message; nothing for kinds that have none."""
    return message.text if isinstance(message, Reply | Evidence) else ""
