"""Agents: what their models are shown, what happens to replies that cannot be used, and several samples of one reply."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import anyio
import anyio.lowlevel
import pytest
from engine_cases import FLUENCY, NO_ISSUE, OBJECTION, UNREADABLE, end, hold, said, scoring

from agentdebate.agents.samples import complete, sample
from agentdebate.ballots.sheet import ballot_schema
from agentdebate.codec import read
from agentdebate.errors import (
    ContextTooLong,
    ModelError,
    RequestRefused,
    ServerFailed,
    StoreError,
    UnreadableReply,
)
from agentdebate.models.base import ChatMessage, Completion, Finish, ModelRequest, Sampling
from agentdebate.models.function import Function
from agentdebate.models.script import Scripted
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Critique, Verdict
from agentdebate.talk.purposes import CRITICISE, RULE
from agentdebate.testing import replying


async def test_a_reply_that_cannot_be_read_is_asked_for_again_with_what_was_wrong() -> None:
    record = await hold(end, Scripted([UNREADABLE, scoring(9), scoring(4)]))
    first, second, third = record.calls
    assert [call.attempt for call in record.calls] == [1, 2, 3]
    assert [(m.role, m.content) for m in second.request.messages[: len(first.request.messages)]] == [
        (m.role, m.content) for m in first.request.messages
    ]
    reply, problem = second.request.messages[-2:]
    assert (reply.role, reply.content) == ("assistant", UNREADABLE)
    assert problem.role == "user"
    assert "no score for fluency (1 to 5)" in problem.content
    assert "not on its scale" in third.request.messages[-1].content
    assert third.request.messages[:-2] == first.request.messages, (
        "the third try has one question back, not two"
    )
    assert (first.shown, second.shown) == (third.shown, third.shown)
    assert record.verdict is not None
    reading = record.verdict.ballots[0].ballot.reading
    assert (reading.attempts, len(reading.problems)) == (3, 2)
    assert "no score" in reading.problems[0]


LOOP = "Fluent it is. " + "The summary is as fluent as the source, and the source is fluent. " * 12


@pytest.mark.parametrize(
    ("text", "finish", "says", "warmer", "repeated"),
    [
        (LOOP, "stop", "again and again", 0.8, 2),
        ("A long reply that comes to no", "length", "was cut off", 0, 0),
    ],
)
async def test_a_reply_that_was_cut_or_repeats_itself_is_left_out_of_the_question_back(
    text: str, finish: Finish, says: str, warmer: float, repeated: int
) -> None:
    """A model at a temperature of 0 that sees its long reply writes it once more; one that loops is asked at a higher one."""
    broken = Completion(text=text, model="m", finish=finish)
    record = await hold(end, Scripted([broken, broken, scoring(4)]), sampling=Sampling(temperature=0))
    first, *others = (call.request for call in record.calls)
    assert [again.sampling.temperature for again in others] == [warmer] * 2
    for again in others:
        assert len(again.messages) == len(first.messages)
        assert text[-28:] not in again.messages[-1].content
        assert again.messages[-1].content.startswith(first.messages[-1].content)
        assert says in again.messages[-1].content
    assert len({call.request.key() for call in record.calls}) == 3
    assert record.verdict is not None
    reading = record.verdict.ballots[0].ballot.reading
    assert (reading.attempts, reading.repeated, len(reading.problems)) == (3, repeated, 2)


@pytest.mark.parametrize("patience", [1, 3])
async def test_patience_ends_in_a_failure_that_names_the_agent(patience: int) -> None:
    record = await hold(end, replying(UNREADABLE), patience=patience)
    assert (record.verdict, len(record.calls)) == (None, patience)
    assert record.failure is not None
    assert (record.failure.error, record.failure.agent) == ("UnreadableReply", "ann")
    assert isinstance(record.error, UnreadableReply)
    assert len(record.error.problems) == patience
    assert f"{patience} replies could not be read" in record.failure.reason


async def criticised(floor: Floor) -> Verdict:
    await floor.ask(floor.cast("debaters")[1], CRITICISE)
    return await end(floor)


CUT_CRITIQUES = ["NO ISSUE", "The score is fine. NO ISSUE", "The dates are wrong, and the order of the"]
LOOPING = ["NO ISSUE\n" * 40, "The dates are wrong. " * 20, LOOP]


@pytest.mark.parametrize(
    ("text", "finish"), [*((text, "length") for text in CUT_CRITIQUES), *((text, "stop") for text in LOOPING)]
)
async def test_a_critique_that_was_cut_or_loops_is_asked_for_again_and_then_unreadable(
    text: str, finish: Literal["length", "stop"]
) -> None:
    broken = Completion(text=text, model="m", finish=finish)
    record = await hold(criticised, Scripted([broken, OBJECTION, scoring(4)]))
    (critique,) = said(record, "critique")
    assert isinstance(critique, Critique)
    assert (critique.no_issue, critique.text) == (False, OBJECTION)
    assert [call.agent for call in record.calls] == ["ben", "ben", "ann"]
    record = await hold(criticised, Scripted([broken] * 3))
    assert record.failure is not None
    assert record.failure.error == "UnreadableReply"


SCHEMA = ballot_schema([FLUENCY])


@pytest.mark.parametrize(
    ("form", "structured", "schema"),
    [("auto", True, SCHEMA), ("auto", False, None), ("schema", False, SCHEMA), ("schema", True, SCHEMA),
     ("text", True, None), ("text", False, None)],
)  # fmt: skip
async def test_a_schema_is_sent_as_the_form_says(
    form: str, structured: bool, schema: dict[str, Any] | None
) -> None:
    async def play(floor: Floor) -> Verdict:
        await floor.ask(floor.cast("debaters")[0])
        await floor.ask(floor.cast("debaters")[1], CRITICISE)
        await floor.ask(floor.cast("debaters")[2], RULE)
        return await end(floor)

    reply = '{"reason": "Fine.", "fluency": 4}'
    words = {"speak": "x", "criticise": NO_ISSUE, "score": reply, "rule": reply}
    record = await hold(play, replying(words, structured=structured), form=form)
    assert [call.request.schema for call in record.calls] == [None, None, schema, schema]
    assert ("JSON" in record.calls[-1].request.messages[-1].content) == (schema is not None)
    assert record.verdict is not None
    how = "schema" if schema and structured else "text"
    assert {cast.ballot.reading.how for cast in record.verdict.ballots} == {how}


Kept = list[tuple[ModelRequest, Completion]]


def request(n: int, *, sitting: int = 0, seed: int | None = None) -> ModelRequest:
    """A request for n samples; a sitting's seed is the run's and its own number."""
    started = None if seed is None else seed + sitting
    sampling = Sampling(n=n, seed=started, temperature=0.5)
    return ModelRequest((ChatMessage("user", "Judge."),), sampling, sample=sitting)


class Bench:
    """A model made of a function, with what was asked of it and what was kept."""

    def __init__(self, answer: Callable[[ModelRequest], Completion | Awaitable[Completion]]) -> None:
        self.asked: list[ModelRequest] = []
        self.kept: Kept = []
        self._answer = answer

    async def keep(self, made: ModelRequest, completion: Completion) -> None:
        self.kept.append((made, completion))

    async def complete(self, wanted: ModelRequest) -> Completion:
        async def answer(made: ModelRequest) -> Completion:
            self.asked.append(made)
            said = self._answer(made)
            return said if isinstance(said, Completion) else await said

        return await complete(Function("bench", answer), wanted, self.keep)

    @property
    def numbers(self) -> list[int]:
        """The sample numbers of what was asked for singly."""
        return sorted(made.sample for made in self.asked if made.sampling.n == 1)


def completed(*texts: str, **more: object) -> Completion:
    return read(Completion, {"text": texts[0], "others": texts[1:], "model": "bench", **more})


def at_most(given: int) -> Callable[[ModelRequest], Completion]:
    """An endpoint that gives so many samples at most. Each says which it is."""
    return lambda made: completed(*(f"s{made.sample + k}" for k in range(min(made.sampling.n, given))))


def refusing(made: ModelRequest) -> Completion:
    """An endpoint that gives one sample a request and refuses to give several."""
    if made.sampling.n > 1:
        raise RequestRefused("n has to be 1")
    return completed(f"s{made.sample}")


def texts(completion: Completion) -> list[str]:
    return [completion.text, *completion.others]


@pytest.mark.parametrize("given", range(1, 5))
async def test_what_is_lacking_is_asked_for_one_by_one(given: int) -> None:
    bench = Bench(at_most(given))
    assert texts(await bench.complete(request(4))) == ["s0", "s1", "s2", "s3"]
    assert [made.sampling.n for made in bench.asked] == [4, *[1] * (4 - given)]
    assert bench.numbers == list(range(given, 4))


async def test_what_came_before_a_cancellation_is_kept_and_the_rest_is_stopped() -> None:
    stopped: list[int] = []

    async def answer(made: ModelRequest) -> Completion:
        if made.sampling.n > 1 or made.sample == 1:
            return completed(f"s{made.sample}")
        try:
            while len(bench.kept) < 2:
                await anyio.lowlevel.checkpoint()
            scope.cancel()
            await anyio.sleep_forever()
        except anyio.get_cancelled_exc_class():
            stopped.append(made.sample)
            raise
        raise AssertionError("it was cancelled")

    bench = Bench(answer)
    with anyio.fail_after(60), anyio.CancelScope() as scope:
        await bench.complete(request(4))
    assert scope.cancelled_caught
    assert [made.sample for made, _ in bench.kept] == [0, 1]
    assert sorted(stopped) == [2, 3]


async def test_samples_that_cannot_be_had_are_left_out() -> None:
    def answer(made: ModelRequest) -> Completion:
        if made.sample in {1, 3}:
            raise ServerFailed("down")
        return refusing(made)

    bench = Bench(answer)
    completion = await bench.complete(request(5))
    assert texts(completion) == ["s0", "s2", "s4"]
    assert completion.lost == ("ServerFailed: down",) * 2
    assert [made.sample for made, _ in bench.kept] == [0, 2, 4]


@pytest.mark.parametrize(
    ("n", "error"),
    [(1, RequestRefused("no such model")), (8, ContextTooLong("too long")), (8, ServerFailed("down"))],
)
async def test_what_single_samples_would_not_mend_is_raised_at_once(n: int, error: ModelError) -> None:
    def answer(made: ModelRequest) -> Completion:
        raise error

    bench = Bench(answer)
    with pytest.raises(type(error)):
        await bench.complete(request(n))
    assert len(bench.asked) == 1


@pytest.mark.parametrize("given", [1, 8])
async def test_a_full_disk_is_raised_as_what_it_is(given: int) -> None:
    """Not as a group of errors, which nobody would know again."""

    async def keep(made: ModelRequest, completion: Completion) -> None:
        if given > 1 or made.sampling.n == 1:
            raise StoreError("the disk is full")

    with pytest.raises(StoreError, match="disk is full"):
        await complete(Function("bench", at_most(given)), request(4), keep)


def test_no_two_samples_of_any_sitting_have_one_key_or_one_seed() -> None:
    sittings = [request(4, sitting=sitting, seed=100) for sitting in range(3)]
    singles = [sample(made, number) for made in sittings for number in range(4)]
    assert len({made.key() for made in [*sittings, *singles]}) == 15
    assert sorted(made.sample for made in singles) == list(range(12))
    assert [made.sampling.seed for made in singles] == list(range(100, 112))
