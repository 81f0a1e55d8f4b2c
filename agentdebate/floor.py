"""The floor: what a strategy holds. It asks, it tells, it counts rounds, and it draws up the verdict."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, overload

import anyio

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Merge, Shortage, Spread, alike, merge, most_often, vote, winners
from agentdebate.bus import Bus
from agentdebate.errors import AgentFailed, StrategyError, TooFewBallots, TurnTimeout, nearest
from agentdebate.messages import (
    FLOOR,
    SPEAK,
    Ask,
    CastBallot,
    Failure,
    Lost,
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

Answer = TypeVar("Answer")

VOTES = "votes"
"""How a verdict says that the winner is the text that most ballots put first."""


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

    `deadline` is how many seconds a turn may take. `item`, `task` and `aspects` say what is judged, `order` names the
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
        deadline: float,
        order: tuple[str, ...] = (),
        errors: Mapping[int, Exception],
        seat: Callable[[Sequence[str] | None], Awaitable["Floor"]],
    ) -> None:
        self.task, self.item, self.aspects, self.order = task, item, aspects, order
        self.round = 0
        """The round that is being held; 0 before the first."""
        self.lost: list[Lost] = []
        """Agents that the debate went on without."""
        self._bus, self._groups = bus, groups
        self._names = frozenset(speaker.name for group in groups.values() for speaker in group)
        self._ledger, self._deadline = ledger, deadline
        self._errors, self._seat = errors, seat
        self._replies: dict[int, Reply | Failure] = {}
        self._awaited: dict[int, anyio.Event] = {}
        self._abandoned: set[int] = set()
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
    async def ask(self, speaker: Speaker, *, hearing: Sequence[Message | None] = ()) -> Statement: ...
    @overload
    async def ask(
        self, speaker: Speaker, purpose: Purpose[ReplyType], *, hearing: Sequence[Message | None] = ()
    ) -> ReplyType: ...
    async def ask(
        self,
        speaker: Speaker,
        purpose: Purpose[ReplyType] | None = None,
        *,
        hearing: Sequence[Message | None] = (),
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
            hearing=tuple(message.seq for message in hearing if message is not None),
        )
        try:
            with anyio.fail_after(self._deadline):
                reply = await self._answer(ask)
        except TimeoutError as error:
            raise TurnTimeout(
                f"{speaker.name} did not answer within {self._deadline:g} seconds", agent=speaker.name
            ) from error
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

    async def anew(self, order: Sequence[str] | None = None) -> "Floor":
        """The same cast once more, with fresh memories: the floor of another sitting over the same item.

        `order` shows the candidates in another order than this floor's.
        """
        return await self._seat(self.order if order is None else order)

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

    @property
    def ballots(self) -> tuple[CastBallot, ...]:
        """Every ballot that this floor's cast has cast so far, in order."""
        return tuple(
            CastBallot(agent=m.sender, round=m.round, message=m.seq, model=m.model, ballot=m.ballot)
            for m in self.talk
            if isinstance(m, Score | Ruling | Statement) and m.ballot is not None
        )

    def verdict(
        self, deciding: Score | Ruling, *, settled: bool, ended: str, merge: str = "last score"
    ) -> Verdict:
        """The verdict that takes its scores from one ballot: `deciding` is the message that carries it.

        `ended` says in a word or two what ended the debate, `merge` how its ballots became the scores.
        """
        return self._verdict(
            deciding.ballot.ratings,
            winners=self._best(deciding.ballot.ratings),
            settled=settled,
            ended=ended,
            merge=merge,
        )

    def merged(
        self,
        cast: Sequence[Score | None],
        how: Merge = "average",
        *,
        by: Literal["scores", "votes"] = "scores",
        weights: Sequence[float] | None = None,
        quorum: int = 1,
        ended: str = "round limit",
    ) -> Verdict:
        """The verdict that merges one ballot of each agent (see ballots/merge.py); None stands for a missing one.

        Where texts are compared, the winner is the one with the best merged scores, or, by votes, the one that most
        ballots put first. It is settled where all ballots come to the same. Raises TooFewBallots below the quorum, which
        says who was lost and why.
        """
        ballots = [said.ballot if said else None for said in cast]
        result = merge(ballots, how, weights=weights, quorum=quorum)
        if isinstance(result, Shortage):
            gone = "".join(f"; {lost.agent} ({lost.error}): {lost.reason}" for lost in self.lost)
            raise TooFewBallots(f"{result}{gone}")
        deciding = [Ballot(ratings=self._deciding(ballot.ratings)) for ballot in ballots if ballot]
        best = vote(deciding, lowest=self._ranked) if by == "votes" else self._best(result.ratings)
        return self._verdict(
            result.ratings,
            winners=best,
            settled=not result.missing and self._alike([ballot.ratings for ballot in ballots if ballot]),
            ended=ended,
            merge=how if by == "scores" or not best else VOTES,
            spread=result.spread,
            missing=result.missing,
        )

    def combined(self, verdicts: Sequence[Verdict], *, how: str, missing: int = 0) -> Verdict:
        """The verdict over several sittings: the mean of their scores, each added back to the text that it is of.

        Where the sittings chose their winners by votes, the winner is the one that most of them chose.
        `how` names what was done, `missing` counts sittings that came to no verdict. Raises TooFewBallots where none did.
        """
        means = merge([Ballot(ratings=verdict.ratings) for verdict in verdicts])
        if isinstance(means, Shortage):
            raise TooFewBallots(f"none of {missing} sittings came to a verdict")
        chosen = [verdict.winners for verdict in verdicts]
        agreed = (
            len(set(chosen)) == 1 if any(chosen) else self._alike([verdict.ratings for verdict in verdicts])
        )
        by_votes = all(verdict.merge.endswith(VOTES) for verdict in verdicts)
        first = self._verdict(
            means.ratings,
            winners=most_often(chosen) if by_votes else self._best(means.ratings),
            settled=agreed and not missing and all(verdict.settled for verdict in verdicts),
            ended=", ".join(dict.fromkeys(verdict.ended for verdict in verdicts)),
            merge=f"{how}, {VOTES}" if by_votes else how,
            spread=means.spread,
            missing=missing + sum(verdict.missing for verdict in verdicts),
        )
        return first.model_copy(
            update={
                "agreed": agreed,
                "rounds": max(verdict.rounds for verdict in verdicts),
                "ballots": tuple(cast for verdict in verdicts for cast in verdict.ballots),
                "models": tuple(dict.fromkeys(model for verdict in verdicts for model in verdict.models)),
                "lost": tuple(lost for verdict in verdicts for lost in verdict.lost),
            }
        )

    def _is_lost(self, speaker: Speaker) -> bool:
        return any(lost.agent == speaker.name for lost in self.lost)

    @property
    def _ranked(self) -> bool:
        """Whether the lowest number is the best."""
        return all(aspect.rank for aspect in self.aspects)

    def _deciding(self, ratings: Sequence[Rating]) -> tuple[Rating, ...]:
        """The ratings that choose a winner: places and scores cannot be added, and where there are both, scores count."""
        places = {aspect.name for aspect in self.aspects if aspect.rank and not self._ranked}
        return tuple(rating for rating in ratings if rating.aspect not in places)

    def _best(self, ratings: Sequence[Rating]) -> tuple[str, ...]:
        """The candidates that these ratings put first."""
        return winners(self._deciding(ratings), lowest=self._ranked)

    def _alike(self, ratings: Sequence[Sequence[Rating]]) -> bool:
        """Whether these ratings come to the same."""
        return alike([self._deciding(some) for some in ratings], lowest=self._ranked)

    def _verdict(
        self,
        ratings: tuple[Rating, ...],
        *,
        winners: tuple[str, ...],
        settled: bool,
        ended: str,
        merge: str,
        spread: tuple[Spread, ...] = (),
        missing: int = 0,
    ) -> Verdict:
        return Verdict(
            round=self.round,
            ratings=ratings,
            winners=winners,
            settled=settled,
            ended=ended,
            rounds=self.round,
            merge=merge,
            spread=spread,
            missing=missing,
            lost=tuple(self.lost),
            ballots=self.ballots,
            usage=self._ledger.entries(),
            models=tuple(dict.fromkeys(reply.model for reply in self.talk)),
        )

    async def _all(
        self, speakers: Iterable[Speaker], ask: Callable[[Speaker], Awaitable[Answer]]
    ) -> list[Answer]:
        """Ask several at once; what they answer comes back in the order of `speakers`.

        Raises the error of the first who fails; the others are no longer waited for.
        """
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
            arrived = self._awaited[asked.seq] = anyio.Event()
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
