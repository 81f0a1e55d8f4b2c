"""What an agent knows: the messages it was told and those it said itself, in the order in which it came to know them."""

from agentdebate.messages import Brief, Message


class Memory:
    """An agent's memory. A message is in it once, however often the agent is told of it."""

    def __init__(self) -> None:
        self._messages: dict[int, Message] = {}

    def __repr__(self) -> str:
        return f"<Memory of {list(self._messages)}>"

    def __len__(self) -> int:
        return len(self._messages)

    def keep(self, message: Message) -> None:
        """Remember a message."""
        self._messages.setdefault(message.seq, message)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sequence numbers of everything in it."""
        return tuple(self._messages)

    @property
    def brief(self) -> Brief | None:
        """The task as it was given."""
        return next((m for m in self._messages.values() if isinstance(m, Brief)), None)

    @property
    def talk(self) -> tuple[Message, ...]:
        """Everything but the brief."""
        return tuple(m for m in self._messages.values() if not isinstance(m, Brief))
