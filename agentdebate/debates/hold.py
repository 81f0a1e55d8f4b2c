"""One debate held: a strategy on a debate's floor, from its first message to a verdict or a typed failure."""

import time
from collections.abc import Sequence
from contextlib import suppress
from math import isfinite

import anyio
from pydantic import ValidationError

from agentdebate.agents.debate import LATEST_BALLOTS, Debate
from agentdebate.agents.subject import Subject
from agentdebate.ballots.ballot import Rating
from agentdebate.codec import read
from agentdebate.debates.record import Record
from agentdebate.errors import (
    AgentDebateError,
    AgentFailed,
    BudgetSpent,
    DataError,
    DebateCurtailed,
    ModelError,
    StoreError,
    StrategyError,
    TooFewBallots,
    UserError,
)
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Failure, Message, Transcript, Verdict
from agentdebate.wrong_values import WrongValue, in_words


async def hold(strategy: Strategy, debate: Debate) -> Record:
    """Hold the debate to its end.

    What would end every other debate too (a prompt to be mended, a refused key, a full disk) is raised.
    """
    started, error = time.perf_counter(), None
    ending: Verdict | Failure
    try:
        async with debate.open():
            verdict = await _talk(strategy, debate)
        ending = check_verdict(verdict, strategy.title, debate.subject)
    except Exception as raised:  # noqa: BLE001 - a debate ends with a verdict or a failure that holds the cause
        ending, error = _failure(raised, debate.bus.sent)
    said = debate.bus.send(ending)
    subject, transcript = debate.subject, Transcript(debate.bus.sent, debate=debate.name)
    return Record(
        id=debate.name,
        item=subject.item,
        task=subject.task.name,
        aspects=tuple(aspect.name for aspect in subject.aspects),
        strategy=strategy.title,
        verdict=said.after(transcript) if isinstance(said, Verdict) else None,
        failure=said if isinstance(said, Failure) else None,
        transcript=transcript,
        calls=tuple(debate.calls),
        error=error,
        seconds=time.perf_counter() - started,
    )


async def _talk(strategy: Strategy, debate: Debate) -> Verdict:
    """Hold the talk and return the verdict; where the debate may take no more, the one salvaged from what there is."""
    strategy.check(debate.subject.task, debate.subject.aspects)
    floors: list[Floor] = []
    try:
        with anyio.CancelScope(deadline=debate.purse.deadline):
            return await strategy.debate(Floor(debate, floors))
        raise debate.purse.used_up("seconds")  # nothing else leaves the scope without a verdict
    except DebateCurtailed as short:
        return _salvaged(strategy, floors, short)
    finally:
        floors.clear()  # each floor knows them all


def _salvaged(strategy: Strategy, floors: Sequence[Floor], short: DebateCurtailed) -> Verdict:
    """The verdict over the ballots that there are, those of every sitting. Raises DebateCurtailed where there are none."""
    verdicts: list[Verdict] = []
    for floor in floors:
        with suppress(TooFewBallots):
            verdicts.append(strategy.salvage(floor))
    if not verdicts:
        raise DebateCurtailed(f"{short}, with too few ballots") from None
    if len(floors) == 1:
        return verdicts[0]
    return floors[0].combined(verdicts, how=LATEST_BALLOTS, missing=len(floors) - len(verdicts))


def _failure(raised: Exception, sent: Sequence[Message]) -> tuple[Failure, Exception]:
    """The failure that an error comes to, and its cause. Raises the cause where it ends the run."""
    error = cause = ending_of(raised)
    if isinstance(error, AgentFailed) and isinstance(error.__cause__, AgentDebateError):
        cause = error.__cause__  # AgentFailed holds the others
    if _ends_run(cause):
        raise cause from None
    at = sent[-1].round if sent else 0
    return Failure.of(cause, round=at, agent=getattr(error, "agent", None)), cause


def ending_of(error: Exception) -> Exception:
    """The error behind what a task group raised: an agent's before what it made the strategy raise."""
    if isinstance(error, ExceptionGroup):
        return ending_of((error.subgroup(AgentFailed) or error).exceptions[0])
    earlier: BaseException | None = (
        error  # an agent's error over which the strategy stumbled; what it raises on purpose stands for itself
    )
    while earlier is not None and not isinstance(earlier, AgentDebateError):
        earlier = earlier.__context__
    return earlier if isinstance(earlier, AgentFailed) else error


def _ends_run(error: Exception) -> bool:
    """Tell whether every other debate would end with it too.

    Of UserErrors, an item that lacks something fails alone, and so does an object that a strategy's code made of one reply.
    """
    if isinstance(error, ModelError):
        return error.ends_run
    return isinstance(error, UserError | StoreError | BudgetSpent) and not isinstance(
        error, DataError | WrongValue
    )


def check_verdict(verdict: object, title: str, subject: Subject) -> Verdict:
    """The verdict, with its types checked.

    Raises StrategyError for what is not a verdict, and for one that rates nothing, or something else than what is asked for. A verdict
    that abstains rates nothing. A single aspect may lack a rating, and scores that were computed need not lie on a scale.
    """
    try:
        found = read(Verdict, verdict)
    except ValidationError as error:
        raise StrategyError(
            f"{title} returned no verdict: {in_words(error)}; end with `return floor.verdict(...)`"
        ) from error
    texts = subject.order
    asked = [
        Rating(aspect=aspect.name, candidate=text, score=0.0).name
        for aspect in subject.aspects
        for text in texts or (None,)
    ]
    rated = [rating.name for rating in found.ratings]
    once = (
        len(set(rated)) == len(rated)
        and set(asked).issuperset(rated)
        and set(texts).issuperset(found.winners)
    )
    if not (
        once and bool(rated) != bool(found.abstained) and all(isfinite(one.score) for one in found.ratings)
    ):
        raise StrategyError(
            f"{title} returned a verdict that does not fit its item, {found.line()}: it rates these, each once and by a finite number, or "
            f"abstains: {', '.join(asked)}; its winners are among the texts: {', '.join(texts) or 'none are compared'}"
        )
    return found
