"""The floor and the debates on it: asking, rounds, deadlines, what breaks the rules, what ends them and what is left of them."""

import asyncio
import gc
import weakref
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import ITEM, OBJECTION, TASKS, end, hold, scoring

import agentdebate as ad
from agentdebate.errors import ContentError, StrategyError, UsageError
from agentdebate.models.limits.limit import Limited
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Message, Reply, Statement, Verdict
from agentdebate.talk.purposes import SCORE
from agentdebate.talk.turn_clock import TurnClock, in_line, turn_clock
from agentdebate.testing import replying, run_jumping, transcript_memories

WORDS = {"speak": "x", "score": scoring(4), "criticise": OBJECTION, "summarise": "x", "rule": scoring(2)}
HOUR = 3600.0


async def test_rounds_count_on_from_where_they_were() -> None:
    counted: list[int] = []

    async def play(floor: Floor) -> Verdict:
        ann = floor.cast("debaters")[0]
        await floor.ask(ann)
        for number in floor.rounds(2):
            counted.append(number)
            await floor.ask(ann)
        for number in floor.rounds(9):
            counted.append(number)
            break
        assert repr(floor) == "<Floor round 3, cast debaters>"
        return await end(floor)

    record = await hold(play, replying(WORDS))
    assert counted == [1, 2, 3]
    assert [m.round for m in record.transcript if isinstance(m, Reply)] == [0, 1, 2, 3]
    assert record.verdict is not None
    assert (record.verdict.rounds, record.verdict.round) == (3, 3)


UNSAID = Statement(sender="ann", to=(), answers=0, text="x")


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (lambda floor: floor.cast("debater"), r"no role 'debater'\. Did you mean 'debaters'"),
        (lambda floor: floor.one("debaters"), "'debaters' takes one agent, and the cast gives it 3"),
        (lambda floor: floor.ask(floor.cast("debaters")[0]), "returned no verdict"),
        (lambda floor: floor.tell(replace(UNSAID, seq=99), to=floor.cast("debaters")), "message 99 was never said"),
        (lambda floor: floor.ask(floor.cast("debaters")[0], hearing=[UNSAID]), "message 0 was never said"),
    ],
)  # fmt: skip
async def test_a_broken_rule_of_the_floor_ends_the_debate(play: Any, reason: str) -> None:
    record = await hold(play, replying(WORDS))
    assert record.failure is not None
    assert record.failure.error == "StrategyError"
    assert record.error is not None
    with pytest.raises(StrategyError, match=reason):
        raise record.error


async def test_what_is_announced_is_the_floors_whatever_its_envelope_says() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        score = await floor.ask(ann, SCORE)
        found = await floor.announce(replace(score, sender="ben", round=7), to=ben)
        envelope = (found.sender, found.to, found.round, found.answers, found.model)
        assert envelope == ("floor", ("ben",), 0, 0, "")
        return floor.verdict(score, settled=True, ended="agreement")

    record = await hold(play, replying(WORDS))
    assert record.verdict, record.failure
    assert transcript_memories(record.transcript)["ben"] == (1, 4)


# What ends a debate.


async def test_by_the_paper_s_search_the_words_agree_anywhere() -> None:
    words = {"scorer": [scoring(4)], "critic": ["I cannot say NO ISSUE here."]}
    record = await hold(DevilsAdvocate(agreement="literal"), ad.Scripted(words))
    assert record.verdict is not None, record.failure
    assert (record.verdict.ended, record.verdict.rounds) == ("agreement", 1)


async def test_a_missing_prompt_is_raised_and_no_failure_of_the_debate() -> None:
    """It would end every other debate too, and the user can mend it."""

    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0], ad.talk.Purpose("rebut", ad.talk.Statement))
        return await end(floor)

    with pytest.raises(ContentError, match="no turn prompt 'rebut'"):
        await hold(play, replying("x"))


@pytest.mark.parametrize(
    ("item", "aspects", "says"),
    [
        (ITEM.model_copy(update={"task": ""}), None, "item-1 names no task"),
        (ITEM, "fluencey", "no aspect 'fluencey'. Did you mean 'fluency'"),
        (ITEM, (), "no aspect"),
        (ITEM, ("fluency", "fluency"), "'fluency' twice"),
    ],
)
async def test_a_task_or_aspect_that_does_not_exist_is_the_callers_mistake(
    item: Any, aspects: Any, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        await hold(end, replying("4"), item=item, aspects=aspects)


# The time that a turn may take, and what is no part of it.


def test_a_turn_that_takes_longer_than_the_deadline_ends_the_debate() -> None:
    async def never(request: ad.ModelRequest) -> str:
        await anyio.sleep(100 * HOUR)
        return scoring(4)

    async def main() -> float:
        record = await hold(end, ad.Function("never", never), deadline=HOUR)
        assert record.failure is not None
        assert (record.failure.error, record.failure.agent) == ("TurnTimeout", "ann")
        assert record.failure.reason == "ann did not answer within 3600 seconds"
        return anyio.current_time()

    assert run_jumping(main()) == pytest.approx(HOUR)


def test_debates_that_wait_in_line_for_a_limit_are_not_late() -> None:
    """Two calls a minute and eight seconds a turn: the last of six debates waits for minutes."""

    async def main() -> None:
        model = Limited(ad.Function("m", lambda _: scoring(3)), requests_per_minute=2)
        items = [ITEM.model_copy(update={"id": str(number)}) for number in range(6)]
        options: dict[str, Any] = {"model": model, "aspects": "fluency", "deadline": 8, "tasks": TASKS}
        async with ad.evaluate(items, "solo", **options) as evaluation:
            assert [record.failure async for record in evaluation] == [None] * 6
        assert asyncio.get_running_loop().time() >= 120

    run_jumping(main())


def test_a_clock_stands_still_while_any_call_of_the_turn_waits() -> None:
    async def main() -> None:
        clock = TurnClock(10)
        turn_clock.set(clock)
        await asyncio.sleep(4)
        with in_line():
            with in_line():
                await asyncio.sleep(100)
            await asyncio.sleep(100)
        await clock.ended
        assert asyncio.get_running_loop().time() == pytest.approx(210, abs=0.01)

    run_jumping(main())


# What a debate leaves behind: its record, and nothing beside it.


class Watching:
    """A listener, which everything that holds the debate's bus keeps alive."""

    def __init__(self) -> None:
        self.heard = 0

    def __call__(self, message: Message) -> None:
        self.heard += 1


@pytest.fixture
def _no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("_no_collection")
@pytest.mark.parametrize("strategy", ["debate", "chateval-one-by-one", "solo"])
async def test_what_a_debate_held_is_free_when_it_ends(strategy: str) -> None:
    """By the count of references: no collection of cycles is waited for, which in a long run come seldom."""
    item = ad.Item(task="summarization", fields={"source": "A bridge closes.", "summary": "A bridge closes."})
    async with ad.ready(strategy, project=ad.Project()) as debate:
        watching = Watching()
        there = weakref.ref(watching)
        record = await debate.hold(item, "coherence", listeners=[watching])
        assert record.verdict is not None, "a failure holds its traceback"
        assert watching.heard == len(record.transcript) > 0
        del watching
        assert there() is None
