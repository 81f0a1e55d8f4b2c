"""The floor: what a strategy holds. It asks, it tells, it counts rounds, and it draws up the verdict."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar, overload

import anyio

from agentdebate.agents.card import Card
from agentdebate.bus import Bus
from agentdebate.debate_settings import DebateSettings
from agentdebate.errors import AgentFailed, StrategyError, TurnTimeout, nearest
from agentdebate.messages import (
    FLOOR,
    SPEAK,
    Ask,
    Failure,
    Lost,
    Message,
    Purpose,
    Reply,
    ReplyType,
    Statement,
    Tell,
)
from agentdebate.purse import FEWER_ROUNDS, Purse
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.turn_clock import TurnClock
from agentdebate.usage import Ledger
from agentdebate.verdicts import Clerk

Answer = TypeVar("Answer")
Spoken = TypeVar("Spoken", bound=Message)
Kept = TypeVar("Kept")


@dataclass(frozen=True, slots=True)
class Speaker:
    """An agent as the strategy sees it: somebody to ask and to tell."""

    name: str
    """Its address in the debate."""
    role: str
    title: str
    """What the others call it."""
    plays: tuple[str, ...] = ()
    """What those are called for whom it speaks, where it plays several."""


class Table(Protocol):
    """What a floor can have done by whoever holds the debate."""

    @property
    def vacant(self) -> Collection[str]:
        """The roles that wait for recruits."""
        ...

    @property
    def standing(self) -> tuple[Card, ...]:
        """Who sits in these roles whoever is recruited."""
        ...

    @property
    def filled(self) -> bool:
        """Whether recruits sit there already."""
        ...

    def published(self, message: Message) -> None:
        """Have everyone who sits down later hear this."""
        ...

    async def fill(self, recruits: Sequence[Card]) -> Sequence[Speaker]:
        """Seat the roles that wait for recruits."""
        ...

    @property
    def public(self) -> tuple[Message, ...]:
        """What was published."""
        ...

    async def anew(self, order: Sequence[str] | None, public: Sequence[Message]) -> "Floor":
        """Seat the same cast once more; it knows what is public."""
        ...

    async def shared(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What all debates share, made by the first that needs it."""
        ...

    async def once(self, name: str, make: Callable[[], Awaitable[Kept]]) -> Kept:
        """What is found out once for all debates."""
        ...


class Group(tuple[Speaker, ...]):
    """The agents of one role, in cast order."""

    __slots__ = ()

    def others(self, speaker: Speaker) -> "Group":
        """Everyone but this one."""
        return Group(other for other in self if other != speaker)

    def after(self, speaker: Speaker) -> "Group":
        """Those who come later in the order."""
        return Group(self[self.index(speaker) + 1 :])


class Floor(Clerk):
    """The one interface between a strategy and its agents.

    `item`, `task` and `aspects` say what is judged, `order` names the
    candidates as they are shown, where texts are compared.
    """

    def __init__(
        self,
        bus: Bus,
        groups: Mapping[str, Group],
        *,
        task: Task,
        item: Item,
        aspects: tuple[Aspect, ...],
        ledger: Ledger,
        purse: Purse,
        settings: DebateSettings,
        order: tuple[str, ...] = (),
        errors: Mapping[int, Exception],
        clocks: dict[str, TurnClock],
        table: Table,
    ) -> None:
        super().__init__(aspects, ledger, purse)
        self.last_round = False
        """Whether the round that is being held is the last one, by the strategy's rounds or by what the debate may take."""
        self.task, self.item, self.order = task, item, order
        self.rehearsal = settings.rehearsal
        """Whether all is made up: then nothing is measured, loaded or written."""
        self._bus, self._groups = bus, dict(groups)
        self._names = {speaker.name for group in groups.values() for speaker in group}
        self._deadline, self._errors, self._table = settings.deadline, errors, table
        self._clocks = clocks
        self._replies: dict[int, Reply | Failure] = {}
        self._awaited: dict[int, asyncio.Event] = {}
        self._abandoned: set[int] = set()
        bus.listen(self._hear)

    def __repr__(self) -> str:
        return f"<Floor round {self.round}, cast {', '.join(self._groups)}>"

    def cast(self, role: str) -> Group:
        """The agents of a role. Raises StrategyError where the cast has no such role, or it waits for recruits."""
        if role not in self._groups and role in self._table.vacant:
            raise StrategyError(
                f"the role {role!r} waits for recruits, and nobody recruits them: put Recruited around the strategy"
            )
        if role not in self._groups:
            raise StrategyError(f"the cast has no role {role!r}. {nearest(role, self._groups)}")
        return self._groups[role]

    def one(self, role: str) -> Speaker:
        """The agent of a role that has exactly one. Raises StrategyError otherwise."""
        group = self.cast(role)
        if len(group) != 1:
            raise StrategyError(f"the role {role!r} takes one agent, and the cast gives it {len(group)}")
        return group[0]

    def rounds(self, limit: int) -> Iterator[int]:
        """Count rounds from 1 to `limit`; what is asked meanwhile belongs to them.

        There are fewer where the debate may not take enough for all of them.
        """
        end = self.round + limit
        for number in range(self.round + 1, end + 1):
            if self._is_over(number):
                return
            self.last_round = number == end or not self.purse.has_room(2)
            self.purse.begin_round()
            self.round = number
            yield number
            if self.last_round and number < end:
                self.purse.shorten(FEWER_ROUNDS)
                return

    def _is_over(self, number: int) -> bool:
        """Whether this round would hardly fit, and can be done without: there are ballots to be merged."""
        over = number > 1 and not self.purse.has_room(1) and bool(self.ballots)
        if over:
            self.purse.shorten(FEWER_ROUNDS)
        return over

    @overload
    async def ask(self, speaker: Speaker, *, hearing: Sequence[Message | None] = ()) -> Statement: ...
    @overload
    async def ask(
        self,
        speaker: Speaker,
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
        given: Mapping[str, Any] | None = None,
    ) -> ReplyType: ...
    async def ask(
        self,
        speaker: Speaker,
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
        wanted = purpose or SPEAK
        if not self.purse.limited:
            return await self._asked(speaker, wanted, hearing, given)
        with self.purse.turn(speaker.name):
            return await self._asked(speaker, wanted, hearing, given)

    async def _asked(
        self,
        speaker: Speaker,
        wanted: Purpose[ReplyType],
        hearing: Sequence[Message | None],
        given: Mapping[str, Any] | None,
    ) -> ReplyType:
        ask = Ask(
            sender=FLOOR,
            to=(speaker.name,),
            round=self.round,
            purpose=wanted.name,
            reply=wanted.kind,
            hearing=tuple(message.seq for message in hearing if message is not None),
            given=given or {},
        )
        clock = self._clocks[speaker.name] = TurnClock(self._deadline)
        with clock.scope:
            reply = await self._answer(ask)
        if clock.scope.cancelled_caught:
            raise TurnTimeout(
                f"{speaker.name} did not answer within {self._deadline:g} seconds", agent=speaker.name
            )
        if isinstance(reply, Failure):
            raise AgentFailed(f"{speaker.name}: {reply.reason}", agent=speaker.name) from self._errors[
                reply.answers or 0
            ]
        assert isinstance(reply, wanted.reply), "an agent answers in the kind it was asked for"
        return reply

    async def try_ask(
        self, speaker: Speaker, purpose: Purpose[ReplyType], *, hearing: Sequence[Message | None] = ()
    ) -> ReplyType | None:
        """As `ask`, but a speaker that cannot answer is lost, and the debate goes on without it: None from then on."""
        if self._is_lost(speaker):
            return None
        try:
            return await self.ask(speaker, purpose, hearing=hearing)
        except (AgentFailed, TurnTimeout) as error:
            cause = error.__cause__ if isinstance(error, AgentFailed) and error.__cause__ else error
            self.lost.append(
                Lost(agent=speaker.name, round=self.round, error=type(cause).__name__, reason=str(cause))
            )
            return None

    async def try_ask_all(
        self,
        speakers: Iterable[Speaker],
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
    ) -> list[ReplyType | None]:
        """As `ask_all`, with None in the place of those who cannot answer."""
        return await self._all(speakers, lambda speaker: self.try_ask(speaker, purpose, hearing=hearing))

    async def ask_all(
        self,
        speakers: Iterable[Speaker],
        purpose: Purpose[ReplyType],
        *,
        hearing: Sequence[Message | None] = (),
    ) -> list[ReplyType]:
        """Ask several at once, none hearing another; their replies come back in the order of `speakers`."""
        return await self._all(speakers, lambda speaker: self.ask(speaker, purpose, hearing=hearing))

    async def tell(
        self, messages: Message | Sequence[Message | None], *, to: Speaker | Iterable[Speaker]
    ) -> None:
        """Put messages into memories. This is the only way in which one agent gets to know what another said.

        None, which stands for what somebody could not say, is passed over, and so are agents that were lost.
        """
        heard = [message for message in _listed(messages) if message is not None]
        addressees = (to,) if isinstance(to, Speaker) else to
        names = tuple(speaker.name for speaker in addressees if not self._is_lost(speaker))
        if heard and names:
            numbers = tuple(message.seq for message in heard)
            await self._bus.send(Tell(sender=FLOOR, to=names, round=self.round, heard=numbers))

    async def announce(self, message: Spoken, *, to: Iterable[Speaker] = ()) -> Spoken:
        """Say something that no agent said: what was computed, or decided. It is in the transcript, and in these memories."""
        names = tuple(speaker.name for speaker in to if not self._is_lost(speaker))
        return await self._bus.send(message.model_copy(update={"to": names, "round": self.round}))

    def as_common(self, said: ReplyType) -> ReplyType:
        """What was said in one debate for all of them, as the floor can announce it in each: the same in every one."""
        return said.model_copy(update={"sender": FLOOR, "answers": 0, "model": ""})

    async def publish(self, message: Spoken) -> Spoken:
        """Announce something to everyone: who sits here, and who is still to be recruited."""
        everyone = [speaker for group in self._groups.values() for speaker in group]
        said = await self.announce(message, to=everyone)
        self._table.published(said)
        return said

    @property
    def standing(self) -> tuple[Card, ...]:
        """Who sits in the roles that wait for recruits, whoever is recruited."""
        return self._table.standing

    @property
    def filled(self) -> bool:
        """Whether recruits have been seated: in a further sitting, those of the first."""
        return self._table.filled

    async def fill(self, recruits: Sequence[Card]) -> None:
        """Seat recruits in the roles that wait for them. They know the brief, and nothing of what was said before."""
        speakers = await self._table.fill(recruits)
        self._groups |= dict.fromkeys(self._table.vacant, Group())
        for speaker in speakers:
            self._groups[speaker.role] = Group((*self._groups[speaker.role], speaker))
            self._names.add(speaker.name)

    @property
    def public(self) -> tuple[Message, ...]:
        """What was published on this floor so far."""
        return self._table.public

    async def anew(self, order: Sequence[str] | None = None, *, knowing: Sequence[Message] = ()) -> "Floor":
        """The same cast once more, recruits and all, with fresh memories: the floor of another sitting over the same item.

        `order` shows the candidates in another order than this floor's. What was published before the first sitting began
        is for the further ones too: it is given as `knowing`.
        """
        return await self._table.anew(self.order if order is None else order, knowing)

    async def shared(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What all debates share: made, in a worker thread, by the first that needs it, and closed after the last.

        What `make` returns is closed by its `aclose()` where it has one. Who asks by the same name gets the same thing.
        """
        return await self._table.shared(name, make)

    @property
    def talk(self) -> tuple[Reply, ...]:
        """What this floor's cast has said so far, in order; what a relay only passed on is left out, and what came too late."""
        return tuple(
            m
            for m in self._bus.sent
            if isinstance(m, Reply)
            and m.model
            and m.sender in self._names
            and m.answers not in self._abandoned
        )

    async def once(self, name: str, find: Callable[[], Awaitable[Kept]]) -> Kept:
        """What is found out once for all debates, by the first that needs it: `find` may ask its agents."""
        return await self._table.once(name, find)

    def _is_lost(self, speaker: Speaker) -> bool:
        return any(lost.agent == speaker.name for lost in self.lost)

    async def _all(
        self, speakers: Iterable[Speaker], ask: Callable[[Speaker], Awaitable[Answer]]
    ) -> list[Answer]:
        """Ask several at once; what they answer comes back in the order of `speakers`.

        Raises the error of the first who fails; the others are no longer waited for.
        """
        speakers = list(speakers)
        self.purse.check(len(speakers))
        answers: dict[int, Answer] = {}

        async def ask_one(place: int, speaker: Speaker) -> None:
            answers[place] = await ask(speaker)

        try:
            async with anyio.create_task_group() as group:
                for place, speaker in enumerate(speakers):
                    group.start_soon(ask_one, place, speaker)
        except ExceptionGroup as several:
            first = _first(several)
            raise first from first.__cause__  # as it would be raised for one who is asked alone
        return [answers[place] for place in sorted(answers)]

    async def _answer(self, ask: Ask) -> Reply | Failure:
        """Send an Ask and wait for what answers it."""
        asked = await self._bus.send(ask)
        if asked.seq not in self._replies:
            arrived = self._awaited[asked.seq] = asyncio.Event()
            try:
                await arrived.wait()
            finally:
                del self._awaited[asked.seq]
                if not arrived.is_set():
                    self._abandoned.add(asked.seq)  # an answer that still comes is too late to count
        return self._replies.pop(asked.seq)

    def _hear(self, message: Message) -> None:
        """Listen for what this floor's cast answers."""
        if (
            isinstance(message, Reply | Failure)
            and message.answers is not None
            and message.sender in self._names
        ):
            self._replies[message.answers] = message
            if message.answers in self._awaited:
                self._awaited[message.answers].set()


def _listed(messages: Message | Sequence[Message | None]) -> Sequence[Message | None]:
    return (messages,) if isinstance(messages, Message) else messages


def _first(error: Exception) -> Exception:
    """The first error in what a task group raised."""
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error
