"""The message bus of one debate: addresses, delivery in order, listeners; and who heard whom over it.

The bus gives every message its sequence number and time, shows it to the listeners, and hands it over at its addresses, all
in one step without an await: every listener sees every message once, in the order of the numbers. Messages are frozen, so
that none can change what the others see. The graph of who hears whom is drawn from the transcript, so that the picture is what the code
does.
"""

import re
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeVar

from agentdebate.errors import StrategyError, UnknownAddress, UsageError, nearest
from agentdebate.talk.messages import FLOOR, CastBallot, Message, Reply, Verdict
from agentdebate.talk.purposes import Purpose
from agentdebate.talk.turn_clock import TurnClock
from agentdebate.visible import shortened

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
    """Carries the messages of one debate to every address there, and to every floor."""

    def __init__(self) -> None:
        self._receivers: dict[str, Receiver] = {}
        self.titles: dict[str, str] = {}
        """Names of all agents in talk, by address, those who come later included."""
        self.listeners: list[Listener] = []
        """Functions that are shown every message from now on."""
        self.floors: list[Receiver] = []
        """Receivers of messages to the floor, one a sitting."""
        self.sent: list[Message] = []
        """Every message so far, in order: the transcript."""

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
        said = replace(message, seq=len(self.sent) + 1, time=time.time())
        delivery = Delivery(said, heard, clock, cause, purpose)
        self.sent.append(said)
        for listener in self.listeners:
            listener(said)
        for receive in receivers:
            receive(delivery)
        return said

    def close(self) -> None:
        """Release all agents, which hold the bus in their turn; what was sent stays."""
        self._receivers.clear()
        self.listeners.clear()
        self.floors.clear()

    def _at(self, addresses: Sequence[str]) -> Sequence[Receiver]:
        """Find the receivers at these addresses, every floor at its own. Raises UnknownAddress."""
        found: list[Receiver] = []
        for address in addresses:
            if address == FLOOR:
                found += self.floors
            elif address in self._receivers:
                found.append(self._receivers[address])
            else:
                raise UnknownAddress(
                    f"no agent of this debate has the address {address!r}. {nearest(address, self._receivers)}"
                )
        return found

    def _heard(self, numbers: Sequence[int]) -> tuple[Message, ...]:
        for number in numbers:
            if not 1 <= number <= len(self.sent):
                raise StrategyError(f"message {number} was never said, so nobody can be told of it")
        return tuple([self.sent[number - 1] for number in numbers])


VERDICT = "verdict"
_LONGEST = 100
"""Characters of an agent's name in a picture before it is cut."""
_MARKS = re.compile(r"[!-/:-@\[-`{-~]")
_PLAIN = frozenset("_-.,/()'")
"""Marks that mean nothing to Mermaid within a label."""


@dataclass(frozen=True)
class Hearing:
    """Edge from one agent to another that hears it, with the rounds in which that happens (0 before the first)."""

    speaker: str
    hearer: str
    rounds: tuple[int, ...]


def hearings(messages: Sequence[Message]) -> tuple[Hearing, ...]:
    """List who heard whom in a debate, in the order in which it first happened; last come those whose ballots are the verdict's.

    What the floor announces comes from the agent that said it in this debate; from the floor where none did, as with a
    plan out of a file.
    """
    said = {message.seq: message for message in messages}
    edges = defaultdict[tuple[str, str], set[int]](set)
    for message in messages:
        for reply in (said[number] for number in message.brings):
            if not isinstance(reply, Reply):
                continue
            speaker = _speaker(reply, messages)
            for hearer in message.to:
                if hearer != speaker:
                    edges[speaker, hearer].add(message.round)
        if isinstance(message, Verdict):
            for cast in _deciding(message):
                edges[cast.agent, VERDICT].add(cast.round)
    return tuple(Hearing(*ends, tuple(sorted(rounds))) for ends, rounds in edges.items())


def _speaker(reply: Reply, messages: Sequence[Message]) -> str:
    """Find the speaker of a reply: the floor announces what an agent said as well, for all debates in the same way."""
    if reply.sender != FLOOR:
        return reply.sender
    agents = (one for one in messages if isinstance(one, Reply) and one.sender != FLOOR)
    return next((one.sender for one in agents if (one.kind, one.text) == (reply.kind, reply.text)), FLOOR)


def _deciding(verdict: Verdict) -> Iterable[CastBallot]:
    """The ballots behind a verdict: the one that decided, or the last of each agent where they were merged."""
    if verdict.deciding is not None:
        return [cast for cast in verdict.ballots if cast.message == verdict.deciding]
    return {cast.agent: cast for cast in verdict.ballots}.values()


def mermaid(found: Iterable[Hearing]) -> str:
    """The picture as a Mermaid flowchart; arrows go from who speaks to who hears, with the rounds beside them."""
    kept = list(found)
    names = dict.fromkeys(name for one in kept for name in (one.speaker, one.hearer))
    nodes = {name: f"n{number}" for number, name in enumerate(names)}
    shapes = [f"    {node}{_shape(name)}" for name, node in nodes.items()]
    arrows = [f'    {nodes[one.speaker]} -->|"{_rounds(one.rounds)}"| {nodes[one.hearer]}' for one in kept]
    return "\n".join(["flowchart LR", *shapes, *arrows])


def _shape(name: str) -> str:
    return f'(["{mermaid_label(name)}"])' if name == VERDICT else f'["{mermaid_label(name)}"]'


def mermaid_label(name: str) -> str:
    """A name as a label of Mermaid's: marks that could mean something are codes, and what is too long is cut."""
    return _MARKS.sub(
        lambda mark: mark[0] if mark[0] in _PLAIN else f"#{ord(mark[0])};", shortened(name, _LONGEST)
    )


def _rounds(rounds: Sequence[int]) -> str:
    """Rounds in words, 0 being the opening: "rounds 0-4, 6"."""
    spans: list[list[int]] = []
    for number in rounds:
        if spans and number == spans[-1][-1] + 1:
            spans[-1].append(number)
        else:
            spans.append([number])
    shown = [f"{span[0]}-{span[-1]}" if len(span) > 1 else f"{span[0]}" for span in spans]
    return f"round{'s' if len(rounds) > 1 else ''} {', '.join(shown)}"
