"""The floor: what a strategy holds. It seats its cast, asks and tells, counts rounds, and draws up the verdict."""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from operator import attrgetter, is_not
from typing import Any, TypeVar, overload

import anyio

from agentdebate.agents.card import Card
from agentdebate.agents.chair import Chair
from agentdebate.agents.purse import FEWER_ROUNDS
from agentdebate.agents.recall import Recall
from agentdebate.agents.sitting import Sitting
from agentdebate.agents.speaker import Group, Speaker
from agentdebate.ballots.ballot import Rating
from agentdebate.ballots.merge import Merge, MergeContext, Shortage, rule_of
from agentdebate.errors import AgentFailed, StrategyError, TooFewBallots, TurnTimeout, UsageError, nearest
from agentdebate.models.abilities import unsent
from agentdebate.strategies.histories import (
    ALL,
    HistoryContext,
    HistoryRule,
    Remembered,
    counted,
    history_rule,
)
from agentdebate.strategies.stops import StopContext, StopRule, ballots_by_round
from agentdebate.strategies.turns import Turns
from agentdebate.strategies.verdicts import (
    By,
    Cast,
    Decision,
    ballot_of,
    casters,
    declined,
    of_ballots,
    of_ratings,
    of_samples,
    of_sittings,
    weighed,
)
from agentdebate.talk.envelope import checked_message
from agentdebate.talk.messages import (
    FLOOR,
    NOTHING,
    SPEAK,
    Ask,
    Brief,
    CastBallot,
    Forget,
    Lost,
    Message,
    Purpose,
    Reply,
    ReplyType,
    Ruling,
    Samples,
    Score,
    Statement,
    Tell,
    Verdict,
    words_of,
)
from agentdebate.visible import shortened

ROUND_LIMIT = "round limit"
"""What ends a debate that used all its rounds, or all that it may take."""

_LONGEST = 80
"""Characters of a value that an error shows."""
_number, _model, _is_there = attrgetter("seq"), attrgetter("model"), partial(is_not, None)

Answer = TypeVar("Answer")
Spoken = TypeVar("Spoken", bound=Message)
Kept = TypeVar("Kept")


class Floor:
    """The one interface between a strategy and its agents.

    `item`, `task` and `aspects` say what is judged, `order` names the candidates as they are shown, where texts are compared.
    `floors` are all of the sitting; this one joins them.
    """

    def __init__(self, sitting: Sitting, floors: list["Floor"], order: Sequence[str] | None = None) -> None:
        subject = sitting.subject
        if order is not None:
            subject = subject.shown(order, sum(one.order == tuple(order) for one in floors))
        self.task, self.item, self.aspects = subject.task, subject.item, subject.aspects
        self.order: tuple[str, ...] = subject.order
        self.purse, self.rehearsal = sitting.purse, sitting.settings.rehearsal
        """What the debate may still take; and whether all is made up: then nothing is measured, loaded or written."""
        self.round = 0
        """The round that is being held; 0 before the first."""
        self.last_round = False
        """Whether the round that is being held is the last one, by the strategy's rounds or by what the debate may take.

        A stop rule may make another one the last; that is known when its ballots are cast (`stopped`).
        """
        self.stop: StopRule | None = None
        """The stop rule of the rounds that are being held, or were last."""
        self.lost: list[Lost] = []
        """Agents that the debate went on without."""
        self._sitting, self._subject, self._floors = sitting, subject, floors
        self._bus, self._seating = sitting.bus, sitting.seating
        self._groups: dict[str, Group] = {}
        self._turns = Turns(sitting)
        self._carriers: tuple[str, ...] = ()
        self._relays: tuple[str, ...] = ()
        self._histories: dict[str, tuple[HistoryRule, str]] = {}
        self._recall: Recall | None = None
        self._brief: Brief
        self._recruits: tuple[Card, ...] | None = None
        self._public: list[Message] = []
        floors.append(self)
        self._number = len(floors)

    async def open(self, public: Sequence[Message] = ()) -> None:
        """Seat everyone who need not be recruited, with memories that hold nothing but the brief and what is public.

        The first cast has the addresses of its roles, every later one has them with a number behind.
        """
        chairs = self._seating.chairs
        speakers = self._seat(chairs)
        briefed = tuple(
            [speaker.name for chair, speaker in zip(chairs, speakers, strict=True) if chair.briefed]
        )
        subject = self._subject
        brief = Brief(
            sender=FLOOR,
            to=briefed,
            task=subject.task.name,
            aspects=tuple([aspect.name for aspect in subject.aspects]),
            item=subject.item.id,
            candidates=subject.order,
            text=subject.brief(),
        )
        self._brief = await self._bus.send(brief)
        self._public.extend(public)
        if public:
            await self.tell(public, to=speakers)

    def __repr__(self) -> str:
        return f"<Floor round {self.round}, cast {', '.join(self._groups)}>"

    def cast(self, role: str) -> Group:
        """The agents of a role. Raises StrategyError where the cast has no such role, or it waits for recruits."""
        if role not in self._groups and role in self._seating.vacant:
            raise StrategyError(
                f"the role {role!r} waits for recruits, and there is no recruiter: put Recruited around the strategy"
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

    def rounds(self, limit: int, *, stop: StopRule | None = None) -> Iterator[int]:
        """Count rounds from 1 to `limit`; what is asked meanwhile belongs to them.

        There are fewer where the debate may not take enough for all of them, and where `stop`, which sees the ballots so
        far after each round, says that the debate ends: then the verdict says why. Raises StrategyError where there is a
        stop rule and nobody casts a ballot in a round.
        """
        self.stop = stop
        end = self.round + limit
        for number in range(self.round + 1, end + 1):
            if self._is_over(number):
                return
            self.last_round = number == end or not self.purse.has_room(2)
            self.purse.begin_round()
            self.round = number
            yield number
            if self._ends_here():
                return
            if self.last_round and number < end:
                self.purse.shorten(FEWER_ROUNDS)
                return

    @property
    def stopped(self) -> str:
        """Why the stop rule ends the debate, by the ballots that are cast so far; empty where the debate goes on.

        A rehearsal uses all rounds: it shows the most that a debate takes.
        """
        if self.stop is None or self.rehearsal:
            return ""
        cast = ballots_by_round(self.ballots, self.lost)
        return (self.stop(cast, StopContext(self.aspects)) or "") if cast else ""

    def _ends_here(self) -> bool:
        """Whether the round that was held is the last one by the stop rule."""
        if self.stop is None:
            return False
        if not (self.lost or any(cast.round == self.round for cast in self.ballots)):
            raise StrategyError(
                f"a stop rule looks at the ballots of every round, and none was cast in round {self.round}: ask for "
                "ballots in every round (GroupTalk.wanted does), or hold the rounds without a stop rule"
            )
        return bool(self.stopped)

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
        if not isinstance(speaker, Speaker):
            raise _no_speaker(speaker)
        wanted = purpose or SPEAK
        if self._histories and speaker.name in self._histories:
            await self._remind(speaker, [message for message in hearing if message is not None])
        question = Ask(
            sender=FLOOR,
            to=_alone(speaker.name),
            round=self.round,
            purpose=wanted.name,
            reply=wanted.kind,
            hearing=tuple([one.seq for one in hearing if one is not None]),
            given=given or NOTHING,
            confidence=wanted.confidence,
        )
        timed = speaker.name not in self._relays
        if self.purse.limited:
            with self.purse.turn(speaker.name):
                turn = await self._turns.hold(speaker, question, wanted, timed=timed)
        else:
            turn = await self._turns.hold(speaker, question, wanted, timed=timed)
        if isinstance(turn.answer, wanted.reply):
            return turn.answer
        raise self._turns.unanswered(turn, wanted) from turn.cause

    async def _remind(self, speaker: Speaker, hearing: Sequence[Message]) -> None:
        """Have a speaker forget what its history rule does not keep; what it hears with the question is kept."""
        rule, model = self._histories[speaker.name]
        if self._recall is None:
            self._recall = Recall()
        self._recall.follow(self._bus.sent)
        memory = self._recall.memory(speaker.name)
        known = {message.seq: message for message in (*memory.talk, *hearing)}
        talk = tuple(
            Remembered(one.seq, one.sender, one.round, one.kind, words_of(one), model)
            for one in known.values()
            if one.sender != FLOOR
        )
        kept = {one.number for one in rule(talk, HistoryContext(speaker.name, self.round, model))}
        kept.update(_numbers(hearing))
        if dropped := tuple(one.number for one in talk if one.number not in kept):
            to, round_ = (speaker.name,), self.round
            how = counted(rule.name, talk)
            await self._bus.send(
                Forget(sender=FLOOR, to=to, round=round_, dropped=dropped, rule=rule.name, counted=how)
            )

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

    def cause(self, lost: Lost) -> Exception | None:
        """What kept an agent from answering that was lost, as it was raised; None where its turn ran out of time."""
        return self._turns.causes.get(lost.agent)

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
        numbers, names = _numbers(messages), self._there(to)
        if numbers and names:
            await self._bus.send(Tell(sender=FLOOR, to=names, round=self.round, heard=numbers))

    async def forget(
        self, messages: Message | Sequence[Message | None], *, of: Speaker | Iterable[Speaker]
    ) -> None:
        """Take messages out of memories: from now on these speakers are not shown them any more.

        Who does not remember one of them stays as it is. None, and agents that were lost, are passed over. Raises
        StrategyError for the brief, which nobody forgets.
        """
        await self._forget(messages, (), of)

    async def replace(
        self,
        messages: Message | Sequence[Message | None],
        *,
        by: Message | Sequence[Message | None],
        of: Speaker | Iterable[Speaker],
    ) -> None:
        """Put other messages in the place of some in memories, such as a summary in that of the talk that it sums up.

        They stand where the first of those was that a speaker remembers, and at the end where it remembers none. Otherwise
        this is as `forget`.
        """
        await self._forget(messages, _numbers(by), of)

    async def _forget(
        self,
        messages: Message | Sequence[Message | None],
        instead: tuple[int, ...],
        of: Speaker | Iterable[Speaker],
    ) -> None:
        if any(isinstance(message, Brief) for message in _listed(messages)):
            raise StrategyError("nobody forgets the brief: it says what is judged")
        dropped = tuple(number for number in _numbers(messages) if number not in instead)
        names = self._there(of)
        if names and (dropped or instead):
            forget = Forget(sender=FLOOR, to=names, round=self.round, dropped=dropped, instead=instead)
            await self._bus.send(forget)

    def _there(self, speakers: Speaker | Iterable[Speaker]) -> tuple[str, ...]:
        """The addresses of those who were not lost."""
        addressees = (speakers,) if isinstance(speakers, Speaker) else _speakers(speakers)
        return tuple(speaker.name for speaker in addressees if not self._is_lost(speaker))

    async def announce(self, message: Spoken, *, to: Iterable[Speaker] = ()) -> Spoken:
        """Say something that no agent said: what was computed, or decided. It is in the transcript, and in these memories."""
        names = tuple(speaker.name for speaker in to if not self._is_lost(speaker))
        return await self._bus.send(replace(checked_message(message), to=names, round=self.round))

    def as_common(self, said: ReplyType) -> ReplyType:
        """What was said in one debate for all of them, as the floor can announce it in each: the same in every one."""
        return replace(said, sender=FLOOR, answers=0, model="")

    async def publish(self, message: Spoken) -> Spoken:
        """Announce something to everyone: who sits here, and who is still to be recruited."""
        everyone = [speaker for group in self._groups.values() for speaker in group]
        said = await self.announce(message, to=everyone)
        self._public.append(said)
        return said

    @property
    def standing(self) -> tuple[Card, ...]:
        """Who sits in the roles that wait for recruits, whoever is recruited."""
        return self._seating.standing

    @property
    def filled(self) -> bool:
        """Whether recruits have been seated: in a further sitting, those of the first."""
        return self._recruits is not None

    async def fill(self, recruits: Sequence[Card]) -> None:
        """Seat recruits in the roles that wait for them. They know the brief, and nothing of what was said before.

        Raises StrategyError the second time.
        """
        if self._recruits is not None:
            raise StrategyError("the roles that waited for recruits are filled already")
        self._recruits = tuple(recruits)
        self._groups |= dict.fromkeys(self._seating.vacant, Group())
        speakers = self._seat(self._seating.fill(recruits))
        await self.tell([self._brief, *self._public], to=speakers)

    @property
    def public(self) -> tuple[Message, ...]:
        """What was published on this floor so far."""
        return tuple(self._public)

    async def anew(self, order: Sequence[str] | None = None, *, knowing: Sequence[Message] = ()) -> "Floor":
        """The same cast once more, recruits and all, with fresh memories: the floor of another sitting over the same item.

        `order` shows the candidates in another order than this floor's. What was published before the first sitting began
        is for the further ones too: it is given as `knowing`.
        """
        floor = type(self)(self._sitting, self._floors, self.order if order is None else order)
        await floor.open(knowing)
        if self._recruits is not None:
            await floor.fill(self._recruits)
        return floor

    async def shared(self, name: str, make: Callable[[], Kept]) -> Kept:
        """What all debates share: made, in a worker thread, by the first that needs it, and closed after the last.

        What `make` returns is closed by its `aclose()` where it has one. Who asks by the same name gets the same thing.
        """
        return await self._sitting.common.get(name, make)

    @property
    def talk(self) -> tuple[Reply, ...]:
        """What this floor's cast has said so far, in order.

        What somebody only carried from one to another is left out, and what came too late.
        """
        return tuple([said for said in self._turns.talk if said.sender not in self._carriers])

    async def once(self, name: str, find: Callable[[], Awaitable[Kept]]) -> Kept:
        """What is found out once for all debates, by the first that needs it: `find` may ask its agents."""
        return await self._sitting.common.once(name, self._sitting.debate, find)

    @property
    def ballots(self) -> tuple[CastBallot, ...]:
        """Every ballot that this floor's cast has cast so far, in order."""
        return tuple([cast for said in self.talk for cast in said.carried])

    @property
    def latest(self) -> tuple[CastBallot, ...]:
        """The last ballot of everyone who cast one."""
        return tuple({cast.agent: cast for cast in self.ballots}.values())

    def verdict(
        self, deciding: Score | Ruling, *, settled: bool, ended: str, merge: str = "last score"
    ) -> Verdict:
        """The verdict that takes its scores from one ballot: `deciding` is the message that carries it.

        `ended` says in a word or two what ended the debate, `merge` how its ballots became the scores.
        """
        ratings, number = deciding.ballot.ratings, deciding.seq
        decision = of_ratings(ratings, self.aspects, settled=settled, merge=merge, deciding=number)
        return self._verdict(decision, ended=ended)

    def merged(
        self,
        cast: Cast,
        how: Merge = "average",
        *,
        by: By = "scores",
        weights: Sequence[float] | None = None,
        quorum: int = 1,
        ended: str = ROUND_LIMIT,
    ) -> Verdict:
        """The verdict that merges one ballot of each agent (see ballots/merge.py); None stands for a missing one.

        `how` names a merge, or is a table of its name, under `rule`, and its options. Where texts are compared, the winner is
        the one with the best merged scores, or, by votes, the one that most ballots put first, each vote counting what its
        ballot weighs. It is settled where all ballots come to the same. Raises TooFewBallots below the quorum, which says who
        was lost and why, MergeFailed where the merge gives what is no rating, and StrategyError for weights that are none, and
        for ballots that do not rate the same things.
        """
        ballots, rule = [ballot_of(said) for said in cast], rule_of(how)
        context = MergeContext(aspects=self.aspects, agents=casters(cast), rounds=self.round)
        try:
            decision = of_ballots(ballots, context, rule, by=by, weights=weights, quorum=quorum)
        except UsageError as error:  # of the ballots of this debate, which ends no other one
            raise StrategyError(f"the ballots cannot be merged: {error}") from error
        if isinstance(decision, Shortage):
            gone = "".join(f"; {lost.agent} ({lost.error}): {lost.reason}" for lost in self.lost)
            raise TooFewBallots(f"{decision}{gone}")
        shares = weighed(self.ballots, cast, weights if decision.weighed else None)
        return self._verdict(decision, ended=ended, ballots=shares)

    def sampled(self, samples: Samples, *, ended: str = "one opinion") -> Verdict:
        """The verdict that takes the mean of several samples of one judgement, each rating over those that have it."""
        decision = of_samples(samples.ballots, self.aspects, samples.asked)
        if isinstance(decision, Shortage):
            raise TooFewBallots(f"none of {samples.asked} samples could be read")
        return self._verdict(decision, ended=ended)

    def computed(self, ratings: Sequence[Rating], *, how: str) -> Verdict:
        """The verdict of scores that nobody gave: `how` says what computed them."""
        return self._verdict(of_ratings(ratings, self.aspects, settled=True, merge=how), ended="computed")

    def abstained(self, why: str) -> Verdict:
        """The verdict of a debate that declines to judge: it has no ratings, and counts neither as a score nor as a failure.

        `why` says in a sentence what kept it from judging: "the judges are not sure enough". Raises StrategyError where it does not.
        """
        if not (isinstance(why, str) and why.strip()):
            raise StrategyError(
                f"floor.abstained({why!r}): say in a sentence why the debate declines to judge"
            )
        decision = of_ratings((), self.aspects, settled=False, merge="none")
        return replace(self._verdict(decision, ended="abstained"), abstained=why)

    def combined(self, verdicts: Sequence[Verdict], *, how: str, missing: int = 0) -> Verdict:
        """The verdict over several sittings: the mean of their scores, each added back to the text that it is of.

        Where the sittings chose their winners by votes, the winner is the one that most of them chose.
        `how` names what was done, `missing` counts sittings that came to no verdict. Raises TooFewBallots where none did. A
        sitting that abstained is missing too; where all of them did, so does the whole.
        """
        decision = of_sittings(verdicts, self.aspects, how, missing)
        if isinstance(decision, Shortage):
            raise TooFewBallots(f"none of {missing} sittings came to a verdict")
        ballots = [cast for verdict in verdicts for cast in verdict.ballots]
        ended = ", ".join(dict.fromkeys(verdict.ended for verdict in verdicts))
        return replace(
            self._verdict(decision, ended=ended, ballots=ballots),
            rounds=max(verdict.rounds for verdict in verdicts),
            models=tuple(dict.fromkeys(model for verdict in verdicts for model in verdict.models)),
            lost=tuple(lost for verdict in verdicts for lost in verdict.lost),
            abstained=declined(verdicts),
        )

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

    def _seat(self, chairs: Sequence[Chair]) -> list[Speaker]:
        """Start everyone; what they are called is known before anybody speaks."""
        speakers = [chair.speaker for chair in chairs]
        if self._number > 1:
            speakers = [replace(one, name=f"{one.name}#{self._number}") for one in speakers]
        for chair, speaker in zip(chairs, speakers, strict=True):
            seated = chair if chair.speaker is speaker else replace(chair, speaker=speaker)
            self._sitting.seat(seated, self._subject)
            rule = None if chair.history in (None, ALL) or chair.relay else history_rule(chair.history)
            if rule is not None:
                self._histories[speaker.name] = rule, chair.model.name
            if chair.relay:
                self._relays = (*self._relays, speaker.name)
            if chair.carries:
                self._carriers = (*self._carriers, speaker.name)
            self._groups[speaker.role] = Group((*self._groups.get(speaker.role, ()), speaker))
        return speakers

    def _verdict(
        self, decision: Decision, *, ended: str, ballots: Sequence[CastBallot] | None = None
    ) -> Verdict:
        """The verdict that says this, and how the debate stands."""
        purse = self.purse
        return Verdict(
            round=self.round,
            ratings=decision.ratings,
            winners=decision.winners,
            settled=decision.settled,
            ended=(purse.ended or self.stopped or ended) if ended == ROUND_LIMIT else ended,
            rounds=self.round,
            merge=decision.merge,
            deciding=decision.deciding,
            by=decision.by,
            agreed=decision.agreed,
            spread=decision.spread,
            missing=decision.missing,
            curtailed=purse.curtailed,
            lost=tuple(self.lost),
            ballots=tuple(self.ballots if ballots is None else ballots),
            usage=self._sitting.ledger.entries(),
            models=tuple(dict.fromkeys(map(_model, self._turns.talk))),
            unsent=self._unsent(),
        )

    def _unsent(self) -> tuple[str, ...]:
        """What was asked of the models of this debate and not sent, as far as they say so."""
        told: dict[str, None] = {}
        for chair in self._sitting.seating.chairs:
            if not chair.relay:
                told.update(
                    (f"{chair.model.name}: {one}", None) for one in unsent(chair.model, chair.sampling)
                )
        return tuple(told)


@lru_cache(maxsize=256)
def _alone(name: str) -> tuple[str]:
    """What a question is addressed to: one object in all questions to an agent of this name, of which a debate has many."""
    return (name,)


def _speakers(given: Iterable[Speaker]) -> Sequence[Speaker]:
    """Those who are addressed. Raises StrategyError for names."""
    known = (given,) if isinstance(given, str) else tuple(given)
    for one in known:
        if not isinstance(one, Speaker):
            raise _no_speaker(one)
    return known


def _no_speaker(given: object) -> StrategyError:
    return StrategyError(
        f"{shortened(repr(given), _LONGEST)} is not an agent at the table: floor.one(ROLE) is the one of a role, and floor.cast(ROLE) are all"
    )


def _numbers(messages: Message | Sequence[Message | None]) -> tuple[int, ...]:
    """The numbers of messages, as the transcript knows them. Raises StrategyError for what is none."""
    try:
        return tuple(map(_number, filter(_is_there, _listed(messages))))
    except AttributeError as error:
        raise StrategyError(
            f"{shortened(repr(messages), _LONGEST)} is not a message that was said here: hand on what floor.ask(...) gave, or "
            "floor.announce(...)"
        ) from error


def _listed(messages: Message | Sequence[Message | None]) -> Sequence[Message | None]:
    return (messages,) if isinstance(messages, Message) else messages


def _first(error: Exception) -> Exception:
    """The first error in what a task group raised."""
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error
