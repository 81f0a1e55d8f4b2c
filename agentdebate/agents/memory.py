"""Memory of an agent: the messages that it was told and those it said itself, in the order in which it came to know them."""

from collections.abc import Collection, Sequence

from agentdebate.talk.messages import FLOOR, Ask, Brief, Failure, Forget, Message, Reply, Tell


class Memory:
    """An agent's memory. A message is in it once, however often the agent is told of it."""

    __slots__ = ("_forgotten", "brief", "numbered")

    def __init__(self) -> None:
        self.brief: Brief | None = None
        """The task as it was given."""
        self.numbered: dict[int, Message] = {}
        """Everything but the brief, by its number."""
        self._forgotten: set[int] = set()

    def __repr__(self) -> str:
        return f"<Memory of {list(self.numbers)}>"

    def take(self, message: Message, heard: Sequence[Message] = ()) -> None:
        """Take in a message from the mailbox, and the earlier ones that it brings."""
        if isinstance(message, Forget):
            self.replace(message.dropped, heard)
            return
        if isinstance(message, Tell) and len(heard) > 1:
            self._take_back({one.seq for one in heard})
        for earlier in heard:
            self.keep(earlier)
        if not isinstance(message, Ask | Tell):
            self.keep(message)

    def keep(self, message: Message) -> None:
        """Remember a message."""
        if isinstance(message, Brief):
            self.brief = self.brief or message
            return
        self.numbered.setdefault(message.seq, message)
        self._forgotten.discard(message.seq)

    def _take_back(self, numbers: Collection[int]) -> None:
        """Forget what was heard or said last and is told again among other messages.

        It comes back in their order: all who are told of a round have it in one order, wherever their own words stand.
        """
        while self.numbered and next(reversed(self.numbered)) in numbers:
            self.numbered.popitem()

    def replace(self, dropped: Collection[int], instead: Sequence[Message] = ()) -> None:
        """Forget the messages of these numbers. What is put instead stands where the first of them stood, else at the end.

        What is in the memory already, and not among the dropped, stays where it is.
        """
        talk = list(self.numbered.values())
        gone = self.numbered.keys() & set(dropped)
        new = [one for one in instead if one.seq in gone or one.seq not in self.numbered]
        place = next((at for at, one in enumerate(talk) if one.seq in gone), len(talk))
        after = [one for one in talk[place:] if one.seq not in gone]
        self.numbered = {one.seq: one for one in (*talk[:place], *new, *after)}
        self._forgotten -= self.numbered.keys()
        if not instead:
            self._forgotten |= gone

    @property
    def left_out(self) -> int:
        """Number of messages that were forgotten with nothing in their place."""
        return len(self._forgotten)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sequence numbers of everything in it, the brief's first."""
        return (*([self.brief.seq] if self.brief else []), *self.numbered)

    @property
    def talk(self) -> tuple[Message, ...]:
        """Everything but the brief."""
        return tuple(self.numbered.values())


class Recall:
    """Everybody's memory, rebuilt from the transcript alone, message by message.

    An agent reads its mailbox one delivery after the other, so what arrives while it answers comes after its reply. One
    that never answers, since its turn ran out of time, reads no more.
    """

    def __init__(self) -> None:
        self.memories: dict[str, Memory] = {}
        """The memory of everybody who was ever addressed."""
        self._said: dict[int, Message] = {}
        self._waiting: dict[str, list[Message]] = {}
        """Messages in the mailboxes of those who answer."""
        self._followed = 0

    def follow(self, transcript: Sequence[Message]) -> None:
        """Take note of what was said since it was followed last: the transcript is the same, and has grown."""
        new, self._followed = transcript[self._followed :], len(transcript)
        for message in new:
            self._said[message.seq] = message
            if isinstance(message, Reply | Failure) and message.sender in self.memories:
                self._answered(message)
            for address in message.to:
                if address != FLOOR:
                    self._hear(address, message)

    def memory(self, address: str) -> Memory:
        """The memory of one agent; empty where no one has addressed it yet."""
        return self.memories.setdefault(address, Memory())

    def _hear(self, address: str, message: Message) -> None:
        if address in self._waiting:
            self._waiting[address].append(message)
            return
        self.memory(address).take(message, [self._said[number] for number in message.brings])
        if isinstance(message, Ask):
            self._waiting[address] = []

    def _answered(self, message: Reply | Failure) -> None:
        if isinstance(message, Reply):  # that it could not answer is for the floor, and in nobody's memory
            self.memory(message.sender).keep(message)
        for delivered in self._waiting.pop(message.sender, []):
            self._hear(message.sender, delivered)
