"""The message bus of one debate: addresses, bounded mailboxes, delivery in order, listeners.

The bus gives every message its sequence number and time, shows it to the listeners, and then puts it into the
mailboxes of its addressees. Numbering and showing happen in one step without an await, so every listener sees every
message once and in the order of the numbers; messages are frozen, so none can change what the others see.
"""

import asyncio
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from agentdebate.errors import StrategyError, UnknownAddress, UsageError, nearest
from agentdebate.talk.messages import FLOOR, Ask, Message, ReplyForm
from agentdebate.talk.turn_clock import TurnClock

Listener = Callable[[Message], None]
"""Called with each message as it is sent. What it raises reaches the sender."""


def listeners_in(given: object) -> tuple[Listener, ...]:
    """Listeners as a caller gives them. Raises UsageError for one function alone."""
    if isinstance(given, Iterable):
        return tuple(given)
    raise UsageError("listeners are a list of functions, also where there is one: listeners=[listener]")


AnyMessage = TypeVar("AnyMessage", bound=Message)


class Delivery(NamedTuple):
    """What arrives at an address: a message, and with it what is in no transcript."""

    message: Message
    heard: tuple[Message, ...] = ()
    """The earlier messages that it puts into the addressee's memory."""
    clock: TurnClock | None = None
    """What counts the time of the turn that it asks for."""
    cause: Exception | None = None
    """What kept its sender from answering."""
    form: ReplyForm | None = None
    """How the reply that it asks for is written and read, where the strategy says so itself."""
    prompt: str = ""
    """The template of the turn that it asks for, where the strategy says so itself."""


_TO_FLOOR = (FLOOR,)
Receiver = Callable[[Delivery], None]
"""Called with each delivery to the floor, after the listeners have seen its message."""


class Mailbox:
    """A bounded queue of deliveries with one reader, which ends when the bus closes it.

    A reader or sender that is cancelled while it waits loses nothing.
    """

    def __init__(self, address: str, capacity: int) -> None:
        self.address = address
        self._capacity = capacity
        self._held: list[Delivery] = []  # seldom more than one, and a deque is 600 bytes where it is empty
        self._reader: asyncio.Future[None] | None = None
        self._senders: list[asyncio.Future[None]] = []
        self.shut_in = self.shut_out = False
        """Whether it takes no more deliveries, and whether it gives none out."""

    def __repr__(self) -> str:
        return f"<Mailbox {self.address!r}: {len(self._held)} of {self._capacity}>"

    def __del__(self) -> None:
        if not (self.shut_in and self.shut_out):
            warnings.warn(f"Unclosed {self!r}", ResourceWarning, source=self, stacklevel=1)

    def __aiter__(self) -> "Mailbox":
        return self

    async def __anext__(self) -> Delivery:
        while not self._held:
            if self.shut_in:
                self.shut_out = True
                raise StopAsyncIteration
            self._reader = asyncio.Future()
            await self._reader
        if self._senders:
            self._wake_senders()
        return self._held.pop(0)

    def offer(self, delivery: Delivery) -> bool:
        """Deliver, and say whether there was room. Raises StrategyError where it is shut."""
        self._check_open()
        if len(self._held) >= self._capacity and (delivery.clock is None or self._senders):
            return False  # a question always goes in: its sender waits for the answer, and no longer than the turn
        self._held.append(delivery)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        return True

    async def put(self, delivery: Delivery) -> None:
        """Deliver; waits while the mailbox is full. Raises StrategyError where it is shut."""
        while not self.offer(delivery):
            room: asyncio.Future[None] = asyncio.Future()
            self._senders.append(room)
            await room

    def shut(self) -> None:
        """No more deliveries: the reader gets what is in the box and then comes to the end."""
        self.shut_in = True
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)
        self._wake_senders()

    def discard(self) -> None:
        """Shut, and throw away what has not been read."""
        self.shut()
        self.shut_out = True
        self._held.clear()

    def _check_open(self) -> None:
        if self.shut_in:
            raise StrategyError(f"{self.address} has left the debate, and hears nothing any more")

    def _wake_senders(self) -> None:
        """All who wait for room look again, first come first served."""
        waiting, self._senders = self._senders, []
        for room in waiting:
            if not room.done():
                room.set_result(None)


class Desk(Mailbox):
    """An address whose deliveries are handed over at once, and which is never full."""

    def __init__(self, address: str, receiver: Receiver) -> None:
        super().__init__(address, 0)
        self._receiver = receiver

    def __repr__(self) -> str:
        return f"<Desk {self.address!r}>"

    def offer(self, delivery: Delivery) -> bool:
        """Hand over. Raises StrategyError where it is shut."""
        self._check_open()
        self._receiver(delivery)
        return True

    def shut(self) -> None:
        """No more deliveries; nothing waits here."""
        self.shut_in = self.shut_out = True


class Bus:
    """Carries the messages of one debate.

    Agents open a mailbox each, and who answers without waiting a desk. The floor's address has neither: what is sent there is handed over at once, to every floor of
    the debate. `capacity` bounds each mailbox; since agents only ever answer the floor, a full mailbox makes the
    floor wait and nobody else. `clock` gives seconds since the epoch.
    """

    def __init__(self, *, capacity: int = 64, clock: Callable[[], float] = time.time) -> None:
        self._mailboxes: dict[str, Mailbox] = {}
        self._titles: dict[str, str] = {}
        self.titles: Mapping[str, str] = MappingProxyType(self._titles)
        """What everyone is called in talk, by address, those who come later included."""
        self._listeners: list[Listener] = []
        self._receivers: list[Receiver] = []
        self._sent: list[Message] = []
        self.sent: Sequence[Message] = self._sent
        """Every message so far, in order: the transcript."""
        self._capacity, self._clock = capacity, clock

    def __repr__(self) -> str:
        return f"<Bus {len(self._sent)} sent, {len(self._mailboxes)} mailboxes>"

    def listen(self, listener: Listener) -> None:
        """Show every message from now on to `listener`."""
        self._listeners.append(listener)

    def receive(self, receiver: Receiver) -> None:
        """Hand every message to the floor from now on to `receiver`."""
        self._receivers.append(receiver)

    def open(self, address: str, title: str = "") -> Mailbox:
        """A mailbox for a new address. Raises StrategyError where the address is taken."""
        self._take_address(address, title)
        mailbox = self._mailboxes[address] = Mailbox(address, self._capacity)
        return mailbox

    def open_desk(self, address: str, title: str, receiver: Receiver) -> None:
        """Hand every message to a new address over at once. Raises StrategyError where the address is taken."""
        self._take_address(address, title)
        self._mailboxes[address] = Desk(address, receiver)

    def _take_address(self, address: str, title: str) -> None:
        if address in self._mailboxes or address == FLOOR:
            raise StrategyError(f"the address {address!r} is taken")
        self._titles[address] = title or address

    async def send(
        self,
        message: AnyMessage,
        *,
        clock: TurnClock | None = None,
        cause: Exception | None = None,
        form: ReplyForm | None = None,
        prompt: str = "",
    ) -> AnyMessage:
        """Number, show and deliver a message; the numbered message comes back. The rest goes with the delivery.

        Raises UnknownAddress for an addressee without a mailbox, and StrategyError where the message puts something into memories
        that was never said. In both cases nothing was sent.
        """
        to = message.to
        box = self._mailboxes.get(to[0]) if len(to) == 1 else None
        boxes = self._boxes(to) if box is None else (box,)
        brings = message.hearing if isinstance(message, Ask) else message.brings  # most are questions
        heard = self._heard(brings) if brings else ()
        said = replace(message, seq=len(self._sent) + 1, time=self._clock())
        delivery = Delivery(said, heard, clock, cause, form, prompt)
        self._show(delivery)
        for box in boxes:
            if not box.offer(delivery):
                await box.put(delivery)
        return said

    def post(self, message: AnyMessage, *, cause: Exception | None = None) -> AnyMessage:
        """Send a message for the floor alone, which takes it at once."""
        assert message.to == _TO_FLOOR, "others may have to be waited for"
        said = replace(message, seq=len(self._sent) + 1, time=self._clock())
        self._show(Delivery(said, cause=cause))
        return said

    def _show(self, delivery: Delivery) -> None:
        """Show a message to the listeners and the floor. Nothing is awaited since it got its number, so that no other has the same."""
        message = delivery.message
        self._sent.append(message)
        for listener in self._listeners:
            listener(message)
        if FLOOR in message.to:
            for receive in self._receivers:
                receive(delivery)

    def shut(self) -> None:
        """Close every mailbox for deliveries; the readers come to the end of what is there."""
        for mailbox in self._mailboxes.values():
            mailbox.shut()

    def discard(self) -> None:
        """Close every mailbox at both ends."""
        for mailbox in self._mailboxes.values():
            mailbox.discard()

    def dissolve(self) -> None:
        """Let go of mailboxes, listeners and receivers, who hold the bus in their turn; what was sent stays."""
        self._mailboxes.clear()
        self._listeners.clear()
        self._receivers.clear()

    def _boxes(self, addresses: Sequence[str]) -> Sequence[Mailbox]:
        """The mailboxes of addressees; the floor has none. Raises UnknownAddress."""
        try:
            return [self._mailboxes[address] for address in addresses if address != FLOOR]
        except KeyError as error:
            address = str(error.args[0])
            raise UnknownAddress(
                f"no agent of this debate has the address {address!r}. {nearest(address, self._mailboxes)}"
            ) from None

    def _heard(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        sent, heard = self._sent, []
        for number in numbers:
            if not 1 <= number <= len(sent):
                raise StrategyError(f"message {number} was never said, so nobody can be told of it")
            heard.append(sent[number - 1])
        return tuple(heard)
