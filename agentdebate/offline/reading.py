"""One text under judgement beside what it draws on. Findings are made when they are first asked for."""

from typing import Literal

from agentdebate.offline.finding import Finding
from agentdebate.offline.parts import Parts
from agentdebate.offline.source import Source
from agentdebate.offline.text import Text, flat

_PROMPT = 2
"""How many times as long as its source a text must be for the source to be but a prompt."""


class Reading:
    """The text under judgement (`text`), its `source`, the `question` or `conversation` it answers and its `last_turn`."""

    def __init__(
        self,
        parts: Parts,
        source: Source | None,
        conversation: Source | None,
        question: Source | None = None,
    ) -> None:
        self.text = Text.read(parts.judged)
        self.source = source
        self.conversation = conversation
        self.question = question
        self.last_turn = _last_turn(parts.conversation)
        self.stems = set(self.text.stems) - {""}
        self.line = flat(self.text.words)
        self.found: dict[str, Finding | None] = {}

    def __repr__(self) -> str:
        return f"<Reading {len(self.text.words)} words, {len(self.found)} findings>"

    @property
    def kind(self) -> Literal["text", "talk", "answer"]:
        """What sort of text it is: a turn of a conversation, an answer to a question, or anything else."""
        if self.conversation is not None:
            return "talk"
        return "answer" if self.question is not None else "text"

    @property
    def basis(self) -> Source | None:
        """What the text must be about: the conversation it answers, or else its source."""
        return self.conversation or self.source

    @property
    def ground(self) -> Source | None:
        """The source, where the text can have been drawn from it. One much shorter than the text is but a prompt."""
        if self.source is None or _PROMPT * len(self.source.text.words) < len(self.text.words):
            return None
        return self.source

    def holds(self, phrase: str) -> bool:
        """Whether a phrase stands anywhere in the item, case and punctuation aside."""
        # No boundary at the end: a quote may be cut inside a word.
        wanted = flat(Text.read(phrase).words).rstrip()
        lines = [self.line] + [part.line for part in (self.source, self.conversation, self.question) if part]
        return bool(wanted) and any(wanted in line for line in lines)


def _last_turn(conversation: str) -> Text:
    return Text.read(conversation.strip().rpartition("\n")[2])
