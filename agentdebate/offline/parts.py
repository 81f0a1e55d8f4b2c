"""Which field of an item is what: the text under judgement, the conversation it answers, what it draws on."""

from dataclasses import dataclass

from agentdebate.tasks import Item, Task

_CONVERSATION = ("dialogue", "dialog", "conversation", "history", "chat", "context")
_QUESTION = ("question", "query", "instruction", "prompt")
_NO_TEXT = ("", "_nofact", "none", "n/a")


@dataclass(frozen=True, slots=True)
class Parts:
    """A text under judgement and what it is judged beside. An empty string stands for a part that the item lacks."""

    judged: str
    source: str = ""
    """What the text draws on: an article, a fact."""
    conversation: str = ""
    """What the text replies to, one turn a line."""
    question: str = ""
    """What the text answers, where it is no conversation."""

    @classmethod
    def of(cls, task: Task, item: Item, field: str) -> "Parts":
        """Sort the fields that the task shows around the text in `field`; other texts under judgement are none of its business.

        A field named like a conversation is one, and so with a question; the longest other field is the source.
        """
        shown = {*task.fields, *task.optional} - {task.judged, *task.candidates, field}
        others = {name: text for name, text in item.fields.items() if name in shown}
        conversation = _take(others, _CONVERSATION)
        question = "" if conversation else _take(others, _QUESTION)
        usable = [text for text in others.values() if text.strip().lower() not in _NO_TEXT]
        return cls(item.fields.get(field, ""), max(usable, key=len, default=""), conversation, question)


def _take(fields: dict[str, str], names: tuple[str, ...]) -> str:
    return next((fields.pop(name) for name in names if name in fields), "")
