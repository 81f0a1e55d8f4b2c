"""Memory of an agent: the messages that it was told and those it said itself, in the order in which it came to know them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from agentdebate.talk.messages import FLOOR, Ask, Brief, Failure, Forget, Message, Reply, Tell


class Memory:
    """An agent's memory. A message is in it once, however often the agent is told of it."""

    __slots__ = ("brief", "forgotten", "numbered")

    def __init__(self) -> None:
        self.brief: Brief | None = None
        """The task as it was given."""
        self.numbered: dict[int, Message] = {}
        """Messages but the brief, by number."""
        self.forgotten: set[int] = set()
        """Numbers of messages that were forgotten with nothing in their place."""

    def take(self, message: Message, heard: Sequence[Message]) -> None:
        """Take in a message from the mailbox, and the earlier ones that it brings."""
        if isinstance(message, Forget):
            self.replace(message.dropped, heard)
            return
        if isinstance(message, Tell) and len(heard) > 1:  # all who are told of a round have it in one order
            told = {one.seq for one in heard}
            while self.numbered and next(reversed(self.numbered)) in told:
                self.numbered.popitem()
        for one in heard if isinstance(message, Ask | Tell) else (*heard, message):
            self.keep(one)

    def keep(self, message: Message) -> None:
        """Remember a message."""
        if isinstance(message, Brief):
            self.brief = self.brief or message
            return
        self.numbered.setdefault(message.seq, message)
        self.forgotten.discard(message.seq)

    def replace(self, dropped: Collection[int], instead: Sequence[Message]) -> None:
        """Forget the messages of these numbers. What is put instead stands where the first of them stood, else at the end.

        What is in the memory already, and not among the dropped, stays where it is.
        """
        gone = self.numbered.keys() & set(dropped)
        new = {one.seq: one for one in instead if one.seq in gone or one.seq not in self.numbered}
        kept: dict[int, Message] = {}
        for number, message in self.numbered.items():
            kept |= new if number in gone else {number: message}
        self.numbered = kept | new
        self.forgotten -= self.numbered.keys()
        if not instead:
            self.forgotten |= gone

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sequence numbers of everything in it, the brief's first."""
        return (*([self.brief.seq] if self.brief else []), *self.numbered)

    @property
    def talk(self) -> tuple[Message, ...]:
        """Messages but the brief."""
        return tuple(self.numbered.values())


def recalled(transcript: Iterable[Message]) -> dict[str, Memory]:
    """The memory of everybody who was ever addressed, rebuilt from the transcript alone.

    What arrives while an agent answers comes after its reply. One that never answers, since its turn ran out of time, reads no more.
    """
    memories, said = defaultdict[str, Memory](Memory), dict[int, Message]()
    mailboxes: dict[str, list[Message]] = {}

    def hear(address: str, message: Message) -> None:
        if address in mailboxes:
            mailboxes[address].append(message)
            return
        memories[address].take(message, [said[number] for number in message.brings])
        if isinstance(message, Ask):
            mailboxes[address] = []

    for message in transcript:
        said[message.seq] = message
        if isinstance(message, Reply) and message.sender in memories:
            memories[message.sender].keep(message)
        if isinstance(message, Reply | Failure):
            for delivered in mailboxes.pop(message.sender, []):
                hear(message.sender, delivered)
        for address in message.to:
            if address != FLOOR:
                hear(address, message)
    return dict(memories)
