"""Which field of an item is what: the text under judgement, the conversation it answers, what it draws on."""

from dataclasses import dataclass

from agentdebate.tasks import Item, Task

_CONVERSATION = ("dialogue", "dialog", "conversation", "history", "chat", "context")
_NO_TEXT = ("", "_nofact", "none", "n/a")


@dataclass(frozen=True, slots=True)
class Parts:
    """An item's texts by their part in the judgement. An empty string stands for a part that the item lacks."""

    judged: str
    source: str = ""
    """What the text draws on: an article, a fact, a question."""
    conversation: str = ""
    """What the text replies to, one turn a line."""

    @classmethod
    def of(cls, task: Task, item: Item) -> "Parts":
        """Sort an item's fields. A field named like a conversation is one; the longest other field is the source."""
        others = {name: text for name, text in item.fields.items() if name != task.judged}
        spoken = next((name for name in _CONVERSATION if name in others), None)
        conversation = others.pop(spoken) if spoken else ""
        usable = [text for text in others.values() if text.strip().lower() not in _NO_TEXT]
        return cls(item.fields.get(task.judged, ""), max(usable, key=len, default=""), conversation)
