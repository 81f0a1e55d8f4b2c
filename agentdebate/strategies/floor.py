"""The floor: what a strategy holds. It seats its cast, asks and tells; what it counts and comes to is in tally.py."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar, overload

import anyio

from agentdebate.agents.agent import Agent, Relay
from agentdebate.agents.debate import Debate
from agentdebate.agents.seat import Card, Seat, Seats, part_of
from agentdebate.errors import AgentFailed, StrategyError, TurnTimeout, nearest
from agentdebate.strategies.tally import RoundTally
from agentdebate.strategies.turns import Turns
from agentdebate.talk.envelope import checked_message
from agentdebate.talk.messages import (
    FLOOR,
    Ask,
    Brief,
    Forget,
    Lost,
    Message,
    Reply,
    ReplyType,
    Statement,
    Tell,
)
from agentdebate.talk.purposes import SPEAK, Purpose
from agentdebate.tasks import Aspect
from agentdebate.visible import shortened

_LONGEST = 80
"""Characters of a value that an error shows."""

Answer = TypeVar("Answer")
Spoken = TypeVar("Spoken", bound=Message)
Kept = TypeVar("Kept")

Messages = Message | Sequence[Message | None]
"""A message or several; None stands for what somebody could not say."""


class Floor(RoundTally):
    """The one interface between a strategy and its agents, in one sitting of a debate.

    `item`, `task` and `aspects` say what is judged, `order` names the candidates as they are shown, where texts are compared.
    `floors` are those of all sittings; this one joins them.
    """

    def __init__(
        self,
        debate: Debate,
        floors: "list[Floor]",
        order: Sequence[str] | None = None,
        *,
        part: str = "",
        aspects: tuple[Aspect, ...] | None = None,
    ) -> None:
        self.part: str = part
        subject = replace(debate.subject, aspects=aspects) if aspects else debate.subject
        before = [one for one in floors if one.part == part]
        if order is not None:
            sample = sum(one.order == tuple(order) for one in before)
            subject = replace(subject, arranged=order, sample=sample)
        super().__init__(debate, subject, Turns(debate))
        self.task, self.item = subject.task, subject.item
        self.order: tuple[str, ...] = subject.order
        self._floors = floors
        floors.append(self)
        self._sitting = len(before) + 1
        self._recruits: tuple[Card, ...] | None = None
        self.public: tuple[Message, ...] = ()
        """Messages published on this floor so far."""
        seats = self._seated(debate.cast.seats)
        brief = Brief(
            sender=FLOOR,
            to=tuple(seat.name for seat in seats if seat.plan.briefed),
            task=subject.task.name,
            aspects=tuple([aspect.name for aspect in subject.aspects]),
            item=subject.item.id,
            candidates=subject.order,
            text=subject.brief(),
        )
        self._brief = debate.bus.send(brief)

    def __repr__(self) -> str:
        return f"<Floor round {self.round}, cast {', '.join(self._roles)}>"

    def cast(self, role: str) -> Seats:
        """The seats of a role. Raises StrategyError where the cast has no such role, or it waits for recruits."""
        if role in self._roles:
            return self._roles[role]
        if self.part + role in self._debate.cast.vacant:
            raise StrategyError(
                f"the role {role!r} waits for recruits, and there is no recruiter: put Recruited around the strategy"
            )
        raise StrategyError(f"the cast has no role {role!r}. {nearest(role, self._roles)}")

    def one(self, role: str) -> Seat:
        """The seat of a role that has exactly one. Raises StrategyError otherwise."""
        seats = self.cast(role)
        if len(seats) != 1:
            raise StrategyError(f"the role {role!r} takes one agent, and the cast gives it {len(seats)}")
        return seats[0]

    @overload
    async def ask(self, seat: Seat, *, hearing: Sequence[Message | None] = ()) -> Statement: ...
    @overload
    async def ask(
        self,
        seat: Seat,
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
        given: Mapping[str, Any] | None = None,
    ) -> ReplyType: ...
    async def ask(
        self,
        seat: Seat,
        purpose: Purpose[ReplyType] | None = None,
        *,
        hearing: Sequence[Message | None] = (),
        given: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Give an agent the word and return what it says.

        What is in `hearing` goes into its memory first; what is in `given`, as JSON can hold it, goes into the turn's
        prompt. Raises TurnTimeout when the turn takes longer than the deadline, and DebateCurtailed where the debate may not
        take what it will hardly be less than.
        """
        if not isinstance(seat, Seat):
            raise _no_seat(seat)
        wanted = purpose or SPEAK
        question = Ask(
            sender=FLOOR,
            to=(seat.name,),
            round=self.round,
            purpose=wanted.name,
            reply=wanted.kind,
            hearing=_numbers(hearing),
            given=given or {},
            confidence=wanted.confidence,
        )
        with self.purse.turn():
            return await self._turns.hold(seat, question, wanted)

    async def try_ask(
        self,
        seat: Seat,
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
        given: Mapping[str, Any] | None = None,
    ) -> ReplyType | None:
        """Call `ask`, but lose an agent that cannot answer: the debate goes on without it, with None from then on."""
        if self._is_lost(seat):
            return None
        try:
            return await self.ask(seat, purpose, hearing=hearing, given=given)
        except (AgentFailed, TurnTimeout) as error:
            cause = error.__cause__ if isinstance(error, AgentFailed) and error.__cause__ else error
            self.lost.append(
                Lost(agent=seat.name, round=self.round, error=type(cause).__name__, reason=str(cause))
            )
            return None

    async def ask_all(
        self,
        seats: Iterable[Seat],
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
    ) -> list[ReplyType]:
        """Ask several at once, none hearing another; their replies come back in the order of `seats`.

        Raises the error of the first who fails; the others are no longer waited for.
        """
        return await self._all(seats, lambda seat: self.ask(seat, purpose, hearing=hearing))

    async def try_ask_all(
        self,
        seats: Iterable[Seat],
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
        given: Mapping[str, Any] | None = None,
    ) -> list[ReplyType | None]:
        """Call `ask_all`, with None in the place of agents that cannot answer."""
        return await self._all(seats, lambda seat: self.try_ask(seat, purpose, hearing=hearing, given=given))

    async def tell(self, messages: Messages, *, to: Seat | Iterable[Seat]) -> None:
        """Put messages into memories. This is the only way in which one agent gets to know what another said.

        None, which stands for what somebody could not say, is passed over, and so are agents that were lost.
        """
        self._tell(messages, to)

    async def forget(self, messages: Messages, *, of: Seat | Iterable[Seat]) -> None:
        """Take messages out of memories: from now on these agents are not shown them any more.

        Who does not remember one of them stays as it is. None, and agents that were lost, are passed over. Raises
        StrategyError for the brief, which is never forgotten.
        """
        await self.replace(messages, by=(), of=of)

    async def replace(self, messages: Messages, *, by: Messages, of: Seat | Iterable[Seat]) -> None:
        """Put other messages in the place of some in memories, such as a summary in that of the talk that it sums up.

        They stand where the first of those was that an agent remembers, and at the end where it remembers none. Otherwise
        this is as `forget`.
        """
        numbers, instead, names = _numbers(messages), _numbers(by), self._names(of)
        if self._brief.seq in numbers:
            raise StrategyError("nobody forgets the brief: it says what is judged")
        dropped = tuple(number for number in numbers if number not in instead)
        if names and (dropped or instead):
            self._bus.send(Forget(sender=FLOOR, to=names, round=self.round, dropped=dropped, instead=instead))

    async def announce(self, message: Spoken, *, to: Seat | Iterable[Seat] = ()) -> Spoken:
        """Say something other than an agent's reply in this debate: what was computed, decided, or found out for all debates.

        It is in the transcript as the floor's, whatever its envelope said, and in these memories.
        """
        said: Spoken = checked_message(message)
        said = replace(said, sender=FLOOR, to=self._names(to), round=self.round)
        if isinstance(said, Reply):
            said = replace(said, answers=0, model="")
        return self._bus.send(said)

    async def publish(self, message: Spoken) -> Spoken:
        """Announce something to everyone: who sits here, and who is still to be recruited."""
        said = await self.announce(message, to=self._everyone)
        self.public += (said,)
        return said

    @property
    def standing(self) -> tuple[Card, ...]:
        """Cards that sit in the roles that wait for recruits, besides the recruits."""
        waiting = [seat for seat in self._debate.cast.waiting if part_of(seat.role) == self.part]
        return tuple([one for seat in waiting for one in seat.plays or (seat.card,) if not one.recruited])

    @property
    def filled(self) -> bool:
        """True if recruits have been seated: in a further sitting, those of the first."""
        return self._recruits is not None

    async def fill(self, recruits: Sequence[Card]) -> None:
        """Seat recruits in the roles that wait for them. They know the brief, and nothing of what was said before.

        Raises StrategyError the second time.
        """
        if self._recruits is not None:
            raise StrategyError("the roles that waited for recruits are filled already")
        self._recruits = tuple(recruits)
        vacant = [role for role in self._debate.cast.vacant if part_of(role) == self.part]
        self._roles |= {role.removeprefix(self.part): Seats() for role in vacant}
        self._tell([self._brief, *self.public], self._seated(self._debate.cast.fill(recruits)))

    async def anew(self, order: Sequence[str] | None = None, *, knowing: Sequence[Message] = ()) -> "Floor":
        """Seat the same cast once more, recruits and all, with fresh memories: the floor of another sitting over the same item.

        `order` shows the candidates in another order than this floor's. What was published before the first sitting began
        is for the further ones too: it is given as `knowing`.
        """
        order = self.order if order is None else order
        floor = self._beside(order, knowing, self.part, self.aspects)
        if self._recruits is not None:
            await floor.fill(self._recruits)
        return floor

    def stage(self, name: str, aspects: tuple[Aspect, ...]) -> "Floor":
        """The floor of one of several strategies inside another: its own cast over the same item and aspects, as it judges these.

        Its roles begin with its name. They know what was published here, and nothing else of the debate.
        """
        return self._beside(self.order, self.public, f"{self.part}{name}.", aspects)

    async def shared(self, name: str, make: Callable[[], Kept]) -> Kept:
        """Get a thing that all debates share: made in a worker thread by the first that needs it, closed after the last.

        What `make` returns is closed by its `aclose()` where it has one. Who asks by the same name gets the same thing.
        """
        return await self._debate.common.get(name, make)

    async def once(self, name: str, find: Callable[[], Awaitable[Kept]]) -> Kept:
        """Find something out once for all debates, in the first that needs it: `find` may ask its agents."""
        return await self._debate.common.once(f"{self.part}{name}", self._debate.name, find)

    @property
    def _everyone(self) -> list[Seat]:
        return [seat for seats in self._roles.values() for seat in seats]

    def _beside(
        self, order: Sequence[str], knowing: Sequence[Message], part: str, aspects: tuple[Aspect, ...]
    ) -> "Floor":
        floor = Floor(self._debate, self._floors, order, part=part, aspects=aspects)
        floor.public = tuple(knowing)
        floor._tell(knowing, floor._everyone)
        return floor

    def _tell(self, messages: Messages, to: Seat | Iterable[Seat]) -> None:
        numbers, names = _numbers(messages), self._names(to)
        if numbers and names:
            self._bus.send(Tell(sender=FLOOR, to=names, round=self.round, heard=numbers))

    def _names(self, seats: Seat | Iterable[Seat]) -> tuple[str, ...]:
        """The addresses of seats, without those whose agents were lost. Raises StrategyError for what is not a seat."""
        given = (seats,) if isinstance(seats, Seat | str) else tuple(seats)
        for seat in given:
            if not isinstance(seat, Seat):
                raise _no_seat(seat)
        return tuple([seat.name for seat in given if not self._is_lost(seat)])

    def _is_lost(self, seat: Seat) -> bool:
        return any(lost.agent == seat.name for lost in self.lost)

    async def _all(self, seats: Iterable[Seat], ask: Callable[[Seat], Awaitable[Answer]]) -> list[Answer]:
        """Gather the answers of several agents that are asked at once, in their order."""
        asked = list(seats)
        self.purse.check(len(asked))
        answers: dict[int, Answer] = {}

        async def ask_one(place: int, seat: Seat) -> None:
            answers[place] = await ask(seat)

        try:
            async with anyio.create_task_group() as group:
                for place, seat in enumerate(asked):
                    group.start_soon(ask_one, place, seat)
        except ExceptionGroup as several:
            first: Exception = several
            while isinstance(first, ExceptionGroup):
                first = first.exceptions[0]
            raise first from first.__cause__  # as it would be raised for one who is asked alone
        return [answers[place] for place in sorted(answers)]

    def _seated(self, seats: Sequence[Seat]) -> list[Seat]:
        """Have everyone of this part sit down, in a further sitting at addresses of their own; all titles are known before anybody speaks."""
        number = f"#{self._sitting}" if self._sitting > 1 else ""
        found = [
            replace(seat, name=f"{seat.name}{number}") for seat in seats if part_of(seat.role) == self.part
        ]
        for seat in found:
            (Relay if seat.plan.relay else Agent)(self._debate, seat, self._subject)
            role = seat.role.removeprefix(self.part)
            self._roles[role] = Seats((*self._roles.get(role, ()), seat))
        return found


def _no_seat(given: object) -> StrategyError:
    return StrategyError(
        f"{shortened(repr(given), _LONGEST)} is not an agent at the table: floor.one(ROLE) is the one of a role, and floor.cast(ROLE) are all"
    )


def _numbers(messages: Messages) -> tuple[int, ...]:
    """The numbers of messages, as the transcript knows them, without what could not be said. Raises StrategyError for what is none."""
    several = (messages,) if isinstance(messages, Message) else messages
    try:
        return tuple([message.seq for message in several if message is not None])
    except AttributeError as error:
        raise StrategyError(
            f"{shortened(repr(messages), _LONGEST)} is not a message that was said here: hand on what floor.ask(...) gave, or "
            "floor.announce(...)"
        ) from error
