"""A talk as a chat: what an agent was asked and heard are the user's messages, what it said is the assistant's."""

from collections.abc import Sequence

from agentdebate.models.base import ChatMessage
from agentdebate.visible import is_blank

SILENCE = "(an empty reply)"
"""Stands for a message without text, which some endpoints do not take."""


class Chat:
    """The messages of a chat in the making. Neighbours of one role become one message: some models take no two in a row."""

    def __init__(self) -> None:
        self._said: list[tuple[bool, list[str]]] = []

    def __repr__(self) -> str:
        return f"<Chat of {len(self._said)} messages>"

    def hear(self, text: str) -> None:
        """Add what somebody else says, or asks."""
        self._add(text, own=False)

    def say(self, text: str) -> None:
        """Add what the agent itself said."""
        self._add(text, own=True)

    def _add(self, text: str, *, own: bool) -> None:
        if not self._said or self._said[-1][0] != own:
            self._said.append((own, []))
        self._said[-1][1].append(SILENCE if is_blank(text) else text.strip())

    @property
    def messages(self) -> Sequence[ChatMessage]:
        """What was added, in turns."""
        return [ChatMessage("assistant" if own else "user", "\n\n".join(texts)) for own, texts in self._said]
