"""The message bus of one debate: addresses, delivery in order, listeners.

The bus gives every message its sequence number and time, shows it to the listeners, and hands it over at its addresses, all
in one step without an await: every listener sees every message once, in the order of the numbers. Messages are frozen, so
that none can change what the others see.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

from agentdebate.errors import StrategyError, UnknownAddress, UsageError, nearest
from agentdebate.talk.messages import FLOOR, Message, Reply
from agentdebate.talk.purposes import Purpose
from agentdebate.talk.turn_clock import TurnClock

Listener = Callable[[Message], None]
"""Called with each message as it is sent. What it raises reaches the sender."""

AnyMessage = TypeVar("AnyMessage", bound=Message)


def listeners_in(given: object) -> tuple[Listener, ...]:
    """Listeners as a caller gives them. Raises UsageError for one function alone."""
    if isinstance(given, Iterable):
        return tuple(given)
    raise UsageError("listeners are a list of functions: listeners=[listener]")


class Delivery(NamedTuple):
    """Delivery to an address: a message, and with it values that no transcript holds."""

    message: Message
    heard: tuple[Message, ...] = ()
    """The earlier messages that it puts into the addressee's memory."""
    clock: TurnClock | None = None
    """Clock of the turn that it asks for."""
    cause: Exception | None = None
    """Error that kept its sender from answering."""
    purpose: Purpose[Reply] | None = None
    """Purpose of the turn that it asks for."""


Receiver = Callable[[Delivery], None]
"""Takes each delivery at an address, after the listeners have seen its message: at once, or into a mailbox."""


class Bus:
    """Carries the messages of one debate to every address there, and to every floor. `clock` gives seconds since the epoch."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self._receivers: dict[str, Receiver] = {}
        self.titles: dict[str, str] = {}
        """Names of all agents in talk, by address, those who come later included."""
        self._listeners: list[Listener] = []
        self._floors: list[Receiver] = []
        self._sent: list[Message] = []
        self.sent: Sequence[Message] = self._sent
        """Every message so far, in order: the transcript."""
        self._clock = clock

    def listen(self, listener: Listener) -> None:
        """Show every message from now on to `listener`."""
        self._listeners.append(listener)

    def receive(self, receiver: Receiver) -> None:
        """Hand every message to the floor from now on to `receiver`."""
        self._floors.append(receiver)

    def open(self, address: str, title: str, receiver: Receiver) -> None:
        """Hand every message to a new address to `receiver`. Raises StrategyError where the address is taken."""
        if address in self._receivers or address == FLOOR:
            raise StrategyError(f"the address {address!r} is taken")
        self.titles[address] = title or address
        self._receivers[address] = receiver

    def send(
        self,
        message: AnyMessage,
        *,
        clock: TurnClock | None = None,
        cause: Exception | None = None,
        purpose: Purpose[Reply] | None = None,
    ) -> AnyMessage:
        """Number, show and deliver a message; the numbered message comes back. The rest goes with the delivery.

        Raises UnknownAddress for an addressee who is not there, and StrategyError where the message puts something into memories
        that was never said. In both cases nothing was sent.
        """
        receivers = self._at(message.to)
        brings = message.brings
        heard = self._heard(brings) if brings else ()
        said = replace(message, seq=len(self._sent) + 1, time=self._clock())
        delivery = Delivery(said, heard, clock, cause, purpose)
        self._sent.append(said)
        for listener in self._listeners:
            listener(said)
        for receive in receivers:
            receive(delivery)
        return said

    def close(self) -> None:
        """Release all agents, which hold the bus in their turn; what was sent stays."""
        self._receivers.clear()
        self._listeners.clear()
        self._floors.clear()

    def _at(self, addresses: Sequence[str]) -> Sequence[Receiver]:
        """Find the receivers at these addresses, every floor at its own. Raises UnknownAddress."""
        found: list[Receiver] = []
        for address in addresses:
            if address == FLOOR:
                found += self._floors
            elif address in self._receivers:
                found.append(self._receivers[address])
            else:
                raise UnknownAddress(
                    f"no agent of this debate has the address {address!r}. {nearest(address, self._receivers)}"
                )
        return found

    def _heard(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        for number in numbers:
            if not 1 <= number <= len(self._sent):
                raise StrategyError(f"message {number} was never said, so nobody can be told of it")
        return tuple([self._sent[number - 1] for number in numbers])
