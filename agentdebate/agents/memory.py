"""What an agent knows: the messages it was told and those it said itself, in the order in which it came to know them."""

from collections.abc import Collection, Sequence

from agentdebate.talk.messages import Ask, Brief, Forget, Message, Tell


class Memory:
    """An agent's memory. A message is in it once, however often the agent is told of it."""

    def __init__(self) -> None:
        self._messages: dict[int, Message] = {}
        self.brief: Brief | None = None
        """The task as it was given."""
        self._talk: list[Message] = []
        self._forgotten: frozenset[int] = frozenset()
        self.left_out = 0
        """How many messages were forgotten with nothing in their place."""

    def __repr__(self) -> str:
        return f"<Memory of {list(self._messages)}>"

    def __len__(self) -> int:
        return len(self._messages)

    def take(self, message: Message, heard: Sequence[Message] = ()) -> None:
        """Take in a message from the mailbox, and the earlier ones that it brings."""
        is_ask = isinstance(message, Ask)  # most are
        if not is_ask and isinstance(message, Forget):
            self.replace(message.dropped, heard)
            return
        if not is_ask and len(heard) > 1:
            self._take_back(heard)
        for earlier in heard:
            if earlier.seq not in self._messages:
                self.keep(earlier)
        if not (is_ask or isinstance(message, Tell)):
            self.keep(message)

    def keep(self, message: Message) -> None:
        """Remember a message."""
        if message.seq in self._messages:
            return
        self._messages[message.seq] = message
        if self._forgotten:
            self._forgotten = self._forgotten.difference((message.seq,))
            self.left_out = len(self._forgotten)
        if not isinstance(message, Brief):
            self._talk.append(message)
        elif self.brief is None:
            self.brief = message

    def _take_back(self, heard: Sequence[Message]) -> None:
        """Let go of what was heard or said last and is told again among other messages.

        It comes back in their order: all who are told of a round have it in one order, wherever their own words stand.
        """
        numbers = {one.seq for one in heard}
        while self._talk and self._talk[-1].seq in numbers:
            del self._messages[self._talk.pop().seq]

    def replace(self, dropped: Collection[int], instead: Sequence[Message] = ()) -> None:
        """Forget the messages of these numbers. What is put instead stands where the first of them stood, else at the end.

        What is in the memory already, and not among the dropped, stays where it is.
        """
        known = list(self._messages.items())
        gone = {number for number in self._messages if number in dropped}
        new = [(one.seq, one) for one in instead if one.seq in gone or one.seq not in self._messages]
        place = next((at for at, (number, _) in enumerate(known) if number in gone), len(known))
        after = [(number, message) for number, message in known[place:] if number not in gone]
        self._messages = dict([*known[:place], *new, *after])
        self.brief = next((one for one in self._messages.values() if isinstance(one, Brief)), None)
        self._talk = [one for one in self._messages.values() if not isinstance(one, Brief)]
        self._forgotten = self._forgotten.difference(self._messages)
        if not instead:
            self._forgotten |= gone
        self.left_out = len(self._forgotten)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sequence numbers of everything in it."""
        return tuple(self._messages)

    @property
    def talk(self) -> tuple[Message, ...]:
        """Everything but the brief."""
        return tuple(self._talk)
