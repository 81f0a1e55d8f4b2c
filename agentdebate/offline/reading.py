"""A text under judgement beside what it is judged by. Findings are made when they are first asked for."""

from dataclasses import dataclass

from agentdebate.offline.features import FEATURES, Feature, Parts
from agentdebate.offline.text import Text
from agentdebate.tasks import Item, Task

_CONVERSATION = ("dialogue", "dialog", "conversation", "history", "chat", "context")
_QUESTION = ("question", "query", "instruction", "prompt")

_PROMPT = 2
"""Times a text may be as long as its source before the source is but a prompt."""


@dataclass(frozen=True, slots=True)
class Fields:
    """The raw texts that a reading is made of. An empty string stands for one that the item lacks."""

    judged: str
    source: str = ""
    """The text that the judged one draws on: an article, a fact."""
    conversation: str = ""
    """The conversation that it goes on with, one turn a line."""
    question: str = ""

    @classmethod
    def of(cls, task: Task, item: Item, field: str) -> "Fields":
        """Sort the fields that the task shows around the text in `field`.

        One named like a conversation is one, and so with a question; the longest other one is the source.
        """
        texts = {task.judged, *task.candidates, field}
        others = {name: item.fields[name] for name in task.shown(item) if name not in texts}
        conversation = next((others.pop(name) for name in _CONVERSATION if name in others), "")
        question = next((others.pop(name) for name in _QUESTION if name in others), "")
        return cls(
            item.fields.get(field, ""), max(others.values(), key=len, default=""), conversation, question
        )


class Reading:
    """A text taken apart with all that stands beside it."""

    def __init__(self, fields: Fields) -> None:
        self.text = Text(fields.judged)
        self._beside = [
            Text(one) for one in (fields.source, fields.conversation, fields.question) if one.strip()
        ]
        asked = fields.conversation.strip().rpartition("\n")[2] or fields.question
        source = Text(fields.source)
        drawn = not fields.conversation.strip() and _PROMPT * len(source.words) >= len(self.text.words)
        beside = source if drawn else Text(f"{asked}\n{fields.source}")
        self._parts = Parts(self.text, beside, drawn, bool(fields.question))
        self._found: dict[str, Feature | None] = {}

    def __repr__(self) -> str:
        return f"<Reading of {len(self.text.words)} words, {len(self._found)} findings>"

    @property
    def basis(self) -> Text:
        """The text that the whole is about: the longest that stands beside the judged one, or that itself."""
        return max(self._beside, key=lambda one: len(one.raw), default=self.text)

    def find(self, feature: str) -> Feature | None:
        """The finding of a feature; None where it cannot be measured."""
        if feature not in self._found:
            self._found[feature] = FEATURES[feature](self._parts) if self.text.words else None
        return self._found[feature]
