"""The first reading of a run: until one of its replies has been read, few turns ask back, and where all of these fail the run stops.

A run whose replies cannot be read would otherwise be paid in full, every turn as often as its agent has patience. Ballots and what else is
said are told apart: talk can nearly always be read, and says nothing of the ballots that follow. Once a ballot has been read, or a debate has
come to a verdict, nobody waits or is counted any more.
"""

from collections.abc import Callable
from functools import partial
from types import TracebackType
from typing import Self

import anyio

from agentdebate.errors import ModelError, NothingRead, UnreadableReply
from agentdebate.models.base import Completion
from agentdebate.talk.messages import Reply, Statement
from agentdebate.talk.turn_clock import in_line
from agentdebate.visible import shortened

TURNS = 20
"""Turns that may ask back before a reply has been read."""
_LONGEST = 400
"""Characters of a reply that the error shows."""


class FirstReading:
    """What a run knows of whether its replies can be read."""

    def __init__(self, turns: int = TURNS) -> None:
        self._ballots, self._talk = _Gate(turns), _Gate(turns)

    def __repr__(self) -> str:
        return f"<FirstReading of ballots: {self._ballots!r}, of talk: {self._talk!r}>"

    @property
    def done(self) -> bool:
        """Whether a ballot of the run has been read."""
        return self._ballots.is_open

    @property
    def stopped(self) -> bool:
        """Whether the run has to stop."""
        return any(gate.stop and not gate.is_open for gate in (self._ballots, self._talk))

    def end(self) -> None:
        """Say that replies can be read: there is a verdict."""
        self._ballots.open()
        self._talk.open()

    def turn(self, kind: type[Reply], model: str) -> "Turn":
        """A turn of a model that is asked for a reply of this kind, for the block of a `with`."""
        carries = kind.carried is not Reply.carried and not issubclass(kind, Statement)
        return Turn(self, self._ballots if carries else self._talk, model)

    async def begin(self) -> None:
        """Wait while as many turns ask back as may: what is begun meanwhile may be in vain too. Raises NothingRead."""
        await self._ballots.room()
        await self._talk.room()

    def read(self, gate: "_Gate") -> None:
        """Take note that a reply was read of those that go through this gate. A ballot says that talk can be read too."""
        gate.open()
        if gate is self._ballots:
            self._talk.open()


class _Gate:
    """Lets so many turns ask back. Each that does and fails takes its place along; when none is left, the run has to stop."""

    def __init__(self, turns: int) -> None:
        self.is_open = False
        self.stop: Callable[[], NothingRead] | None = None
        """What makes the error that stops the run, once it has to stop."""
        self._turns, self._asking, self._failed = turns, 0, 0
        self._changed = anyio.Event()

    def __repr__(self) -> str:
        return "open" if self.is_open else f"{self._asking} ask back, {self._failed} of {self._turns} failed"

    def open(self) -> None:
        """Let everyone ask back."""
        if not self.is_open:
            self.is_open = True
            self._wake()

    async def room(self) -> None:
        """Wait until one more turn may ask back. Raises NothingRead where the run has to stop."""
        with in_line():
            while not (self.is_open or self.stop or self._asking + self._failed < self._turns):
                await self._changed.wait()
        if self.stop is not None and not self.is_open:
            raise self.stop()

    async def admit(self) -> None:
        """Let one more turn ask back, as soon as it may. Raises NothingRead."""
        await self.room()
        self._asking += 1

    def leave(self) -> None:
        """Take note that a turn that asked back is over."""
        self._asking -= 1
        self._wake()

    def fail(self, model: str, problem: str, reply: str) -> None:
        """Take note that a turn has ended without a reply that can be read. Its own debate fails by it; the others are told."""
        self._failed += 1
        if self._failed >= self._turns and self.stop is None:
            told = _told(self._failed, problem, reply)
            self.stop = partial(NothingRead, told, model=model, turns=self._failed, reply=reply)
        self._wake()

    def _wake(self) -> None:
        changed, self._changed = self._changed, anyio.Event()
        changed.set()


class Turn:
    """A turn, which is neither counted nor held back once the replies of its run are known to be readable."""

    def __init__(self, first: FirstReading, gate: _Gate, model: str) -> None:
        self._first, self._gate, self._model = first, gate, model
        self._asks = False
        self._problem = self._reply = ""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._asks:
            self._gate.leave()
        in_vain = isinstance(error, UnreadableReply | ModelError) and not getattr(error, "ends_run", False)
        if self._problem and in_vain and not self._gate.is_open:
            self._gate.fail(self._model, self._problem, self._reply)

    async def begin(self) -> None:
        """Wait until its agent may be asked. Raises NothingRead where the run has to stop."""
        await self._first.begin()

    def read(self) -> None:
        """Say that a reply has been read."""
        self._first.read(self._gate)

    async def unread(self, completion: Completion, problem: str, *, last: bool) -> None:
        """Say that one could not be, and unless it was the `last`, wait until its agent may be asked again. Raises NothingRead."""
        self._problem, self._reply = problem, completion.text or self._reply
        if not (self._asks or last or self._gate.is_open):
            await self._gate.admit()
            self._asks = True


def _told(turns: int, problem: str, reply: str) -> str:
    said = f'One of the replies: "{shortened(reply, _LONGEST)}"' if reply.strip() else "The replies are empty"
    return (
        f"no reply of this run could be read, and {turns} turns have ended so. {said}. What is wrong with it: {problem} Change the model, "
        "its largest reply (max_tokens=...), the form of replies or the prompts, and begin again; or, where the endpoint was at fault, "
        "go on with the debates that failed held once more (retry_failed=True)"
    )
