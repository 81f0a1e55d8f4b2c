"""Everybody's memory, rebuilt from the transcript alone."""

from collections.abc import Mapping, Sequence

from agentdebate.agents.memory import Memory
from agentdebate.talk.messages import FLOOR, Ask, Failure, Message, Reply


class Recall:
    """What everyone in a debate knows, followed message by message.

    An agent reads its mailbox one delivery after the other, so what arrives while it answers comes after its reply. One
    that never answers, since its turn ran out of time, reads no more.
    """

    def __init__(self) -> None:
        self._said: dict[int, Message] = {}
        self._minds: dict[str, _Mind] = {}
        self._followed = 0

    def follow(self, transcript: Sequence[Message]) -> None:
        """Take note of what was said since it was followed last: the transcript is the same, and has grown."""
        new, self._followed = transcript[self._followed :], len(transcript)
        for message in new:
            self._said[message.seq] = message
            if isinstance(message, Reply | Failure) and message.sender in self._minds:
                self._minds[message.sender].say(message, self._said)
            for address in message.to:
                if address != FLOOR:
                    self._minds.setdefault(address, _Mind()).hear(message, self._said)

    @property
    def memories(self) -> dict[str, Memory]:
        """The memory of everybody who was ever addressed."""
        return {address: mind.memory for address, mind in self._minds.items()}

    def memory(self, address: str) -> Memory:
        """The memory of one agent; empty where nobody has addressed it yet."""
        return self._minds[address].memory if address in self._minds else Memory()


class _Mind:
    """What one agent knows, and what waits in its mailbox while it answers."""

    def __init__(self) -> None:
        self.memory = Memory()
        self._waiting: list[Message] = []
        self._answering = False

    def hear(self, message: Message, said: Mapping[int, Message]) -> None:
        if self._answering:
            self._waiting.append(message)
        else:
            self._answering = isinstance(message, Ask)
            self.memory.take(message, [said[number] for number in message.brings])

    def say(self, message: Reply | Failure, said: Mapping[int, Message]) -> None:
        if isinstance(message, Reply):  # that it could not answer is for the floor, and in nobody's memory
            self.memory.keep(message)
        self._answering = False
        waiting, self._waiting = self._waiting, []
        for delivered in waiting:
            self.hear(delivered, said)
