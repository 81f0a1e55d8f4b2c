"""What an agent knows: the messages it was told and those it said itself, in the order in which it came to know them."""

from collections.abc import Collection, Sequence
from operator import attrgetter

from agentdebate.talk.messages import Ask, Brief, Forget, Message, Tell

_number = attrgetter("seq")
_NOTHING: frozenset[int] = frozenset()
"""Shared by all who have forgotten nothing: an empty set is 216 bytes."""


class Memory:
    """An agent's memory. A message is in it once, however often the agent is told of it."""

    __slots__ = ("_briefs", "_forgotten", "brief", "left_out", "numbered")

    def __init__(self) -> None:
        self._briefs: tuple[Brief, ...] = ()
        self.brief: Brief | None = None
        """The task as it was given, at first."""
        self.numbered: dict[int, Message] = {}
        """Everything but the brief, by its number, so that nobody has to look at each message of a long debate."""
        self._forgotten = _NOTHING
        self.left_out = 0
        """How many messages were forgotten with nothing in their place."""

    def __repr__(self) -> str:
        return f"<Memory of {list(self.numbers)}>"

    def __len__(self) -> int:
        return len(self._briefs) + len(self.numbered)

    def take(self, message: Message, heard: Sequence[Message] = ()) -> None:
        """Take in a message from the mailbox, and the earlier ones that it brings."""
        is_ask = isinstance(message, Ask)  # most are
        if not is_ask and isinstance(message, Forget):
            self.replace(message.dropped, heard)
            return
        if not is_ask and len(heard) > 1:
            self._take_back(heard)
        numbered = self.numbered
        for earlier in heard:
            if self._forgotten or isinstance(earlier, Brief):
                self.keep(earlier)
            else:
                numbered.setdefault(earlier.seq, earlier)
        if not (is_ask or isinstance(message, Tell)):
            self.keep(message)

    def keep(self, message: Message) -> None:
        """Remember a message."""
        number = message.seq
        if isinstance(message, Brief):
            if number not in map(_number, self._briefs):
                self._briefs = (*self._briefs, message)
                self.brief = self._briefs[0]
        elif number not in self.numbered:
            self.numbered[number] = message
        if self._forgotten:
            self._forgotten = self._forgotten.difference((number,))
            self.left_out = len(self._forgotten)

    def _take_back(self, heard: Sequence[Message]) -> None:
        """Let go of what was heard or said last and is told again among other messages.

        It comes back in their order: all who are told of a round have it in one order, wherever their own words stand.
        """
        numbers = {one.seq for one in heard}
        while self.numbered and next(reversed(self.numbered)) in numbers:
            self.numbered.popitem()

    def replace(self, dropped: Collection[int], instead: Sequence[Message] = ()) -> None:
        """Forget the messages of these numbers. What is put instead stands where the first of them stood, else at the end.

        What is in the memory already, and not among the dropped, stays where it is.
        """
        known = [(one.seq, one) for one in (*self._briefs, *self.numbered.values())]
        there = {number for number, _ in known}
        gone = there.intersection(dropped)
        new = [(one.seq, one) for one in instead if one.seq in gone or one.seq not in there]
        place = next((at for at, (number, _) in enumerate(known) if number in gone), len(known))
        after = [(number, message) for number, message in known[place:] if number not in gone]
        messages = dict([*known[:place], *new, *after])
        self._briefs = tuple([one for one in messages.values() if isinstance(one, Brief)])
        self.brief = self._briefs[0] if self._briefs else None
        self.numbered = {number: one for number, one in messages.items() if not isinstance(one, Brief)}
        self._forgotten = self._forgotten.difference(messages)
        if not instead:
            self._forgotten |= gone
        self.left_out = len(self._forgotten)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The sequence numbers of everything in it, the brief's first."""
        return (*(one.seq for one in self._briefs), *self.numbered)

    @property
    def talk(self) -> tuple[Message, ...]:
        """Everything but the brief."""
        return tuple(self.numbered.values())
