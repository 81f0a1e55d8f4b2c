"""The floor: what a strategy holds. It asks, it tells, it counts rounds, and it draws up the verdict."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import overload

import anyio

from agentdebate.bus import Bus
from agentdebate.errors import StrategyError, TurnTimeout, nearest
from agentdebate.messages import (
    FLOOR,
    SPEAK,
    Ask,
    CastBallot,
    Message,
    Purpose,
    Reply,
    ReplyType,
    Ruling,
    Score,
    Statement,
    Tell,
    Verdict,
)
from agentdebate.tasks import Aspect, Item, Task
from agentdebate.usage import Ledger


@dataclass(frozen=True, slots=True)
class Speaker:
    """An agent as the strategy sees it: somebody to ask and to tell."""

    name: str
    """Its address in the debate."""
    role: str
    title: str
    """What the others call it."""


class Group(tuple[Speaker, ...]):
    """The agents of one role, in cast order."""

    __slots__ = ()

    def others(self, speaker: Speaker) -> "Group":
        """Everyone but this one."""
        return Group(other for other in self if other != speaker)

    def after(self, speaker: Speaker) -> "Group":
        """Those who come later in the order."""
        return Group(self[self.index(speaker) + 1 :])


class Floor:
    """The one interface between a strategy and its agents.

    `deadline` is how many seconds a turn may take. `item`, `task` and `aspects` say what is judged.
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
        deadline: float,
    ) -> None:
        self.task, self.item, self.aspects = task, item, aspects
        self.round = 0
        """The round that is being held; 0 before the first."""
        self._bus, self._groups = bus, groups
        self._ledger, self._deadline = ledger, deadline
        self._replies: dict[int, Reply] = {}
        self._awaited: dict[int, anyio.Event] = {}
        bus.listen(self._hear)

    def __repr__(self) -> str:
        return f"<Floor round {self.round}, cast {', '.join(self._groups)}>"

    def cast(self, role: str) -> Group:
        """The agents of a role. Raises StrategyError where the cast has no such role."""
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
        """Count rounds from 1 to `limit`; what is asked meanwhile belongs to them."""
        for number in range(self.round + 1, self.round + limit + 1):
            self.round = number
            yield number

    @overload
    async def ask(self, speaker: Speaker, *, hearing: Sequence[Message] = ()) -> Statement: ...
    @overload
    async def ask(
        self, speaker: Speaker, purpose: Purpose[ReplyType], *, hearing: Sequence[Message] = ()
    ) -> ReplyType: ...
    async def ask(
        self, speaker: Speaker, purpose: Purpose[ReplyType] | None = None, *, hearing: Sequence[Message] = ()
    ) -> Reply:
        """Give an agent the word and return what it says.

        What is in `hearing` goes into its memory first. Raises TurnTimeout when the turn takes longer than the
        deadline.
        """
        wanted = purpose or SPEAK
        ask = Ask(
            sender=FLOOR,
            to=(speaker.name,),
            round=self.round,
            purpose=wanted.name,
            reply=wanted.kind,
            hearing=tuple(message.seq for message in hearing),
        )
        try:
            with anyio.fail_after(self._deadline):
                reply = await self._answer(ask)
        except TimeoutError as error:
            raise TurnTimeout(
                f"{speaker.name} did not answer within {self._deadline:g} seconds", agent=speaker.name
            ) from error
        assert isinstance(reply, wanted.reply), "an agent answers in the kind it was asked for"
        return reply

    async def ask_all(
        self, speakers: Iterable[Speaker], purpose: Purpose[ReplyType], *, hearing: Sequence[Message] = ()
    ) -> list[ReplyType]:
        """Ask several at once, none hearing another; their replies come back in the order of `speakers`."""
        replies: dict[int, ReplyType] = {}

        async def ask_one(place: int, speaker: Speaker) -> None:
            replies[place] = await self.ask(speaker, purpose, hearing=hearing)

        async with anyio.create_task_group() as group:
            for place, speaker in enumerate(speakers):
                group.start_soon(ask_one, place, speaker)
        return [replies[place] for place in sorted(replies)]

    async def tell(self, messages: Message | Sequence[Message], *, to: Speaker | Iterable[Speaker]) -> None:
        """Put messages into memories. This is the only way in which one agent gets to know what another said."""
        heard = (messages,) if isinstance(messages, Message) else messages
        addressees = (to,) if isinstance(to, Speaker) else to
        names = tuple(speaker.name for speaker in addressees)
        if heard and names:
            numbers = tuple(message.seq for message in heard)
            await self._bus.send(Tell(sender=FLOOR, to=names, round=self.round, heard=numbers))

    @property
    def talk(self) -> tuple[Reply, ...]:
        """What was said in the whole debate so far, in order; what a relay only passed on is left out."""
        return tuple(message for message in self._bus.sent if isinstance(message, Reply) and message.model)

    @property
    def ballots(self) -> tuple[CastBallot, ...]:
        """Every ballot cast so far, in order."""
        return tuple(
            CastBallot(agent=m.sender, round=m.round, message=m.seq, model=m.model, ballot=m.ballot)
            for m in self._bus.sent
            if isinstance(m, Score | Ruling | Statement) and m.ballot is not None
        )

    def verdict(
        self, deciding: Score | Ruling, *, settled: bool, ended: str, merge: str = "last score"
    ) -> Verdict:
        """The verdict that takes its scores from one ballot: `deciding` is the message that carries it.

        `ended` says in a word or two what ended the debate, `merge` how its ballots became the scores.
        """
        return Verdict(
            round=self.round,
            ratings=deciding.ballot.ratings,
            settled=settled,
            ended=ended,
            rounds=self.round,
            merge=merge,
            ballots=self.ballots,
            usage=self._ledger.entries(),
            models=tuple(dict.fromkeys(reply.model for reply in self.talk)),
        )

    async def _answer(self, ask: Ask) -> Reply:
        """Send an Ask and wait for the reply to it."""
        asked = await self._bus.send(ask)
        if asked.seq not in self._replies:
            self._awaited[asked.seq] = anyio.Event()
            await self._awaited[asked.seq].wait()
            del self._awaited[asked.seq]
        return self._replies.pop(asked.seq)

    def _hear(self, message: Message) -> None:
        """Listen for replies."""
        if isinstance(message, Reply):
            self._replies[message.answers] = message
            if message.answers in self._awaited:
                self._awaited[message.answers].set()
