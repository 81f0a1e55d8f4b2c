"""The floor: asking, asking all, telling, rounds, deadlines, and what breaks its rules."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from engine_cases import OBJECTION, end, hold, said, scoring

from agentdebate.errors import StrategyError, TurnTimeout
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Ask, Purpose, Reply, Statement, Tell, Verdict
from agentdebate.talk.purposes import RULE, SCORE
from agentdebate.testing import replying, run_jumping, transcript_memories

WORDS = {"speak": "x", "score": scoring(4), "criticise": OBJECTION, "summarise": "x", "rule": scoring(2)}
HOUR = 3600.0


async def test_an_agent_that_is_asked_for_nothing_in_particular_speaks() -> None:
    async def play(floor: Floor) -> Verdict:
        assert type(await floor.ask(floor.cast("debaters")[0])) is Statement
        return await end(floor)

    record = await hold(play, replying(WORDS))
    assert [m.purpose for m in said(record, "ask") if isinstance(m, Ask)] == ["speak", "score"]


def slow(order: dict[str, int]) -> Function:
    """A model that makes each agent wait some turns of the loop before it scores."""

    async def reply(request: ModelRequest) -> str:
        assert request.context
        for _ in range(order.get(request.context.agent, 0)):
            await anyio.lowlevel.checkpoint()
        return scoring(4)

    return Function("slow", reply)


@pytest.mark.parametrize("order", [{"ann": 9}, {"cat": 9}, {"ann": 5, "ben": 9}, {}])
async def test_replies_of_several_come_in_cast_order_whoever_is_done_first(order: dict[str, int]) -> None:
    async def play(floor: Floor) -> Verdict:
        debaters = floor.cast("debaters")
        replies = await floor.ask_all(debaters, SCORE)
        assert [reply.sender for reply in replies] == [debater.name for debater in debaters]
        again = await floor.ask_all(reversed(debaters), SCORE)
        assert [reply.sender for reply in again] == ["cat", "ben", "ann"]
        return floor.verdict(replies[0], settled=True, ended="agreement")

    record = await hold(play, slow(order))
    assert record.verdict, record.failure


async def test_what_nobody_is_told_nobody_knows() -> None:
    async def play(floor: Floor) -> Verdict:
        debaters = floor.cast("debaters")
        for debater in debaters:
            await floor.ask(debater)
        return await end(floor)

    record = await hold(play, replying(WORDS))
    assert transcript_memories(record.transcript) == {"ann": (1, 3, 9), "ben": (1, 5), "cat": (1, 7)}


async def test_telling_puts_messages_into_the_memories_of_those_told() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, cat = debaters = floor.cast("debaters")
        one, two = await floor.ask(ann), await floor.ask(ben)
        await floor.tell(one, to=ben)
        await floor.tell([two, one], to=debaters.others(ann))
        await floor.tell([], to=cat)
        await floor.tell(one, to=[])
        return await end(floor)

    record = await hold(play, replying(WORDS))
    tells = [(m.to, m.heard) for m in said(record, "tell") if isinstance(m, Tell)]
    assert tells == [(("ben",), (3,)), (("ben", "cat"), (5, 3))]
    assert transcript_memories(record.transcript) == {"ann": (1, 3, 9), "ben": (1, 5, 3), "cat": (1, 5, 3)}


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


async def test_a_verdict_holds_every_ballot_what_each_cost_and_who_spoke() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        await floor.ask(ann, SCORE)
        for _ in floor.rounds(1):
            await floor.ask(ben)
            ruling = await floor.ask(ben, RULE)
        return floor.verdict(ruling, settled=False, ended="ruling", merge="ruling")

    record = await hold(play, replying(WORDS, name="mine"))
    verdict = record.verdict
    assert verdict is not None
    assert [(c.agent, c.round, c.model, c.ballot.scores) for c in verdict.ballots] == [
        ("ann", 0, "mine", {"fluency": 4.0}),
        ("ben", 1, "mine", {"fluency": 2.0}),
    ]
    assert [record.transcript[c.message - 1].kind for c in verdict.ballots] == ["score", "ruling"]
    assert [(s.agent, s.round, s.usage.calls) for s in verdict.usage] == [("ann", 0, 1), ("ben", 1, 2)]
    assert (verdict.score, verdict.settled, verdict.ended, verdict.merge) == (2.0, False, "ruling", "ruling")
    assert verdict.models == ("mine",)
    assert verdict == record.transcript[-1]


Play = Callable[[Floor], Awaitable[Any]]


async def unknown_role(floor: Floor) -> None:
    floor.cast("debater")


async def one_of_several(floor: Floor) -> None:
    floor.one("debaters")


async def no_verdict(floor: Floor) -> Reply:
    return await floor.ask(floor.cast("debaters")[0])


async def never_said(floor: Floor) -> None:
    said = Statement(sender="ann", to=(), answers=0, text="x", seq=99)
    await floor.tell(said, to=floor.cast("debaters")[0])


async def not_said_yet(floor: Floor) -> None:
    await floor.ask(floor.cast("debaters")[0], hearing=[Statement(sender="ann", to=(), answers=0, text="x")])


@pytest.mark.parametrize(
    ("play", "reason"),
    [
        (unknown_role, r"no role 'debater'\. Did you mean 'debaters'"),
        (one_of_several, "'debaters' takes one agent, and the cast gives it 3"),
        (no_verdict, "returned no verdict"),
        (never_said, "message 99 was never said"),
        (not_said_yet, "message 0 was never said"),
    ],
)
async def test_a_broken_rule_of_the_floor_ends_the_debate(play: Play, reason: str) -> None:
    record = await hold(play, replying(WORDS))
    assert record.verdict is None
    assert isinstance(record.error, StrategyError)
    assert record.failure is not None
    assert record.failure.error == "StrategyError"
    with pytest.raises(StrategyError, match=reason):
        raise record.error


async def test_a_stranger_cannot_be_asked() -> None:
    async def play(floor: Floor) -> Verdict:
        return await floor.ask(replace(floor.cast("debaters")[1], name="bem"))  # type: ignore[return-value]

    record = await hold(play, replying(WORDS))
    assert record.failure is not None
    assert record.failure.error == "UnknownAddress"
    assert "Did you mean 'ben'" in record.failure.reason


async def test_nobody_can_be_asked_for_a_kind_that_no_agent_gives(tmp_path: Path) -> None:
    """And no model is paid for trying."""
    turns = tmp_path / "prompts" / "turns"
    turns.mkdir(parents=True)
    (turns / "sing.md").write_text("---\nname: sing\nabout: x\n---\nSing.\n")

    async def play(floor: Floor) -> Statement:
        return await floor.ask(floor.cast("debaters")[0], Purpose("sing", Statement, "song"))

    record = await hold(play, replying("x"))
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("StrategyError", "ann")
    assert "'song'" in record.failure.reason
    assert record.calls == ()


def test_a_turn_that_takes_longer_than_the_deadline_ends_the_debate() -> None:
    async def never(request: ModelRequest) -> str:
        await anyio.sleep(100 * HOUR)
        return scoring(4)

    async def main() -> float:
        record = await hold(end, Function("never", never), deadline=HOUR)
        assert record.failure is not None
        assert (record.failure.error, record.failure.agent) == ("TurnTimeout", "ann")
        assert record.failure.reason == "ann did not answer within 3600 seconds"
        assert isinstance(record.error, TurnTimeout)
        return anyio.current_time()

    assert run_jumping(main()) == pytest.approx(HOUR)


def test_a_strategy_may_go_on_without_an_agent_that_is_late() -> None:
    """Its reply is in the transcript when it comes, and answers nothing else."""

    async def uneven(request: ModelRequest) -> str:
        assert request.context
        await anyio.sleep(1.5 * HOUR if request.context.agent == "ann" else 0.8 * HOUR)
        return scoring(4 if request.context.agent == "ann" else 2)

    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        with pytest.raises(TurnTimeout):
            await floor.ask(ann, SCORE)
        score = await floor.ask(ben, SCORE)
        return floor.verdict(score, settled=True, ended="one opinion")

    record = run_jumping(hold(play, Function("uneven", uneven), deadline=HOUR))
    assert record.verdict is not None
    assert (record.verdict.score, [m.sender for m in said(record, "score")]) == (2.0, ["ann", "ben"])


async def test_rounds_end_when_nobody_of_a_panel_is_left() -> None:
    held: list[int] = []

    async def play(floor: Floor) -> Verdict:
        debaters = floor.cast("debaters")
        for number in floor.rounds(5):
            held.append(number)
            await floor.try_ask_all(debaters[:number], SCORE)
        return floor.merged(floor.latest)

    record = await hold(play, replying("x"))
    assert held == [1, 2, 3]
    assert record.failure is not None
    assert record.failure.error == "TooFewBallots"


async def test_what_is_announced_is_the_floors_whatever_its_envelope_says() -> None:
    async def play(floor: Floor) -> Verdict:
        ann, ben, _ = floor.cast("debaters")
        score = await floor.ask(ann, SCORE)
        found = await floor.announce(replace(score, sender="ben", round=7), to=ben)
        assert (found.sender, found.to, found.round, found.answers, found.model) == (
            "floor",
            ("ben",),
            0,
            0,
            "",
        )
        return floor.verdict(score, settled=True, ended="agreement")

    record = await hold(play, replying(WORDS))
    assert record.verdict, record.failure
    assert transcript_memories(record.transcript)["ben"] == (1, 4)
