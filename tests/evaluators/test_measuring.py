"""An evaluator in the hands of many debates: batches, equal pairs, failures, cancellations."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from math import inf, nan
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.errors import DataError, EvaluatorFailed, MissingExtra, StoreError, UsageError
from agentdebate.evaluators.base import Evaluator, Pair, Range
from agentdebate.evaluators.measuring import Measuring, Statistics
from agentdebate.evaluators.rouge import Rouge
from agentdebate.evaluators.score_cache import ScoreCache


def pair(text: str) -> Pair:
    return Pair(("premise",), text)


@dataclass
class Lengths:
    """Scores a text with its length. It takes `turns` turns of the event loop, or until `gate` is open."""

    turns: int = 1
    gate: anyio.Event | None = None
    answer: Callable[[Sequence[str]], Any] = lambda texts: [float(len(text)) for text in texts]
    version: str = "1"
    batches: list[list[str]] = field(default_factory=list)
    done: list[list[str]] = field(default_factory=list)
    closed: int = 0
    _running: int = 0

    name, range, premise = "lengths", Range(0, 100), "source"

    async def score(self, pairs: Sequence[Pair]) -> list[float]:
        texts = [one.hypothesis for one in pairs]
        self.batches.append(texts)
        assert not self._running, "two batches at once"
        self._running += 1
        try:
            for _ in range(self.turns):
                await anyio.lowlevel.checkpoint()
            if self.gate:
                await self.gate.wait()
            scores: list[float] = self.answer(texts)
            self.done.append(texts)
            return scores
        finally:
            self._running -= 1

    async def aclose(self) -> None:
        self.closed += 1


async def measured(measuring: Measuring, *texts: str) -> list[Any]:
    """What debates that ask at the same time get, in order: scores and errors."""
    got: list[Any] = [None] * len(texts)

    async def debate(place: int, text: str) -> None:
        try:
            got[place] = await measuring.measure(pair(text))
        except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
            got[place] = error

    with nobody_hanging():
        async with anyio.create_task_group() as group:
            for place, text in enumerate(texts):
                group.start_soon(debate, place, text)
    return got


def nobody_hanging() -> AbstractContextManager[anyio.CancelScope]:
    return anyio.fail_after(60)


async def turns(count: int) -> None:
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


def test_the_double_is_an_evaluator() -> None:
    assert isinstance(Lengths(), Evaluator)


async def test_debates_that_ask_together_make_one_batch() -> None:
    evaluator = Lengths()
    assert await measured(Measuring(evaluator), "a", "bb", "ccc") == [1, 2, 3]
    assert evaluator.batches == [["a", "bb", "ccc"]]


async def test_what_comes_in_while_a_batch_runs_makes_the_next() -> None:
    evaluator = Lengths(gate=anyio.Event())
    measuring = Measuring(evaluator)
    with nobody_hanging():
        async with anyio.create_task_group() as group:
            group.start_soon(measuring.measure, pair("a"))
            await anyio.wait_all_tasks_blocked()
            for text in ("bb", "ccc"):
                group.start_soon(measuring.measure, pair(text))
            await anyio.wait_all_tasks_blocked()
            assert evaluator.batches == [["a"]]
            assert evaluator.gate
            evaluator.gate.set()
    assert evaluator.batches == [["a"], ["bb", "ccc"]]


async def test_a_batch_has_at_most_so_many_pairs_in_the_order_in_which_they_came() -> None:
    evaluator = Lengths()
    texts = [f"{number}" * (number + 1) for number in range(7)]
    assert await measured(Measuring(evaluator, batch=3), *texts) == [1, 2, 3, 4, 5, 6, 7]
    assert evaluator.batches == [texts[:3], texts[3:6], texts[6:]]


async def test_equal_pairs_are_computed_once() -> None:
    evaluator = Lengths()
    measuring = Measuring(evaluator, batch=2)
    assert await measured(measuring, "a", "bb", "a", "ccc", "bb", "a") == [1, 2, 1, 3, 2, 1]
    assert await measured(measuring, "a", "ccc") == [1, 3]
    assert evaluator.batches == [["a", "bb"], ["ccc"]]
    assert (measuring.statistics().computed, measuring.statistics().served) == (3, 5)


async def test_the_last_scores_are_kept() -> None:
    evaluator = Lengths()
    measuring = Measuring(evaluator, remember=2)
    for text in ("a", "bb", "ccc", "bb", "a"):
        await measuring.measure(pair(text))
    assert evaluator.batches == [["a"], ["bb"], ["ccc"], ["a"]]


async def test_pairs_are_equal_in_every_text() -> None:
    """Neither the order of the references nor where one ends may be mistaken."""
    evaluator = Lengths()
    measuring = Measuring(evaluator)
    for premise in (("a", "b"), ("b", "a"), ("ab",), ("a", "b", "")):
        await measuring.measure(Pair(premise, "x"))
    assert measuring.statistics().computed == 4


async def test_seconds_are_those_that_the_evaluator_takes() -> None:
    times = iter([10.0, 12.5, 20.0, 21.0])
    measuring = Measuring(Lengths(), clock=lambda: next(times))
    await measuring.measure(pair("a"))
    await measuring.measure(pair("a"))
    await measuring.measure(pair("bb"))
    assert measuring.statistics() == Statistics(computed=2, served=1, seconds=3.5)


def raising(error: Exception, bad: str = "bad") -> Callable[[Sequence[str]], Any]:
    def answer(texts: Sequence[str]) -> Any:
        if bad in texts:
            raise error
        return [float(len(text)) for text in texts]

    return answer


async def test_an_evaluator_that_raises_fails_its_batch_and_nothing_else() -> None:
    cause = RuntimeError("out of memory")
    evaluator = Lengths(answer=raising(cause))
    measuring = Measuring(evaluator, batch=2)
    first, second, third, fourth = await measured(measuring, "a", "bad", "ccc", "dddd")
    assert (third, fourth) == (3, 4)
    for error in (first, second):
        assert isinstance(error, EvaluatorFailed)
        assert str(error) == "evaluator 'lengths': out of memory"
        assert error.__cause__ is cause
    assert first is not second


async def test_a_failure_is_not_remembered() -> None:
    evaluator = Lengths(answer=raising(RuntimeError()))
    measuring = Measuring(evaluator, batch=2)
    await measured(measuring, "a", "bad")
    assert await measured(measuring, "a") == [1]
    assert measuring.statistics().computed == 1


async def test_a_text_that_cannot_be_scored_fails_alone() -> None:
    """A DataError is about one text, so that the batch is gone through pair by pair."""
    evaluator = Lengths(answer=raising(DataError("longer than the model takes")))
    first, second, third = await measured(Measuring(evaluator), "a", "bad", "ccc")
    assert (first, third) == (1, 3)
    assert isinstance(second, EvaluatorFailed)
    assert "longer than the model takes" in str(second)
    assert evaluator.batches == [["a", "bad", "ccc"], ["a"], ["bad"], ["ccc"]]


@pytest.mark.parametrize(
    "error", [UsageError("no such model"), MissingExtra("pip install"), StoreError("full")]
)
async def test_what_would_fail_every_debate_reaches_them_as_it_is(error: Exception) -> None:
    first, second = await measured(Measuring(Lengths(answer=raising(error))), "bad", "b")
    assert type(first) is type(second) is type(error)
    assert str(first) == str(second) == str(error)


@pytest.mark.parametrize("number", [nan, inf, -inf])
async def test_a_score_that_is_no_finite_number_fails_its_pair_alone(number: float) -> None:
    evaluator = Lengths(answer=lambda texts: [number if text == "bad" else 1.0 for text in texts])
    first, second = await measured(Measuring(evaluator), "bad", "b")
    assert isinstance(first, EvaluatorFailed)
    assert second == 1.0


@pytest.mark.parametrize("answer", [[1.0], [1.0] * 3, [], None, ["many", 1.0], [None, 1.0]])
async def test_what_is_no_list_of_as_many_scores_fails_the_batch(answer: Any) -> None:
    for error in await measured(Measuring(Lengths(answer=lambda _: answer)), "a", "b"):
        assert isinstance(error, EvaluatorFailed)


async def test_the_number_of_scores_is_said() -> None:
    (error, _) = await measured(Measuring(Lengths(answer=lambda _: [1.0])), "a", "b")
    assert str(error) == "evaluator 'lengths' gave 1 scores for 2 pairs"


async def test_a_batch_whose_leader_is_cancelled_goes_to_those_who_wait_for_it() -> None:
    evaluator = Lengths(gate=anyio.Event())
    measuring = Measuring(evaluator)
    leading = anyio.CancelScope()
    got: list[float] = []

    async def lead() -> None:
        with leading:
            await measuring.measure(pair("a"))

    async def wait() -> None:
        got.append(await measuring.measure(pair("bb")))

    with nobody_hanging():
        async with anyio.create_task_group() as group:
            group.start_soon(lead)
            group.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            leading.cancel()
            await anyio.wait_all_tasks_blocked()
            assert evaluator.gate
            evaluator.gate.set()
    assert got == [2]
    assert evaluator.batches == [["a", "bb"], ["bb"]]


async def test_what_nobody_waits_for_any_more_is_not_computed() -> None:
    evaluator = Lengths(gate=anyio.Event())
    measuring = Measuring(evaluator)
    with nobody_hanging():
        async with anyio.create_task_group() as group:
            group.start_soon(measuring.measure, pair("a"))
            await anyio.wait_all_tasks_blocked()
            async with anyio.create_task_group() as gone:
                gone.start_soon(measuring.measure, pair("bb"))
                await anyio.wait_all_tasks_blocked()
                gone.cancel_scope.cancel()
            assert evaluator.gate
            evaluator.gate.set()
    assert evaluator.batches == [["a"]]
    assert repr(measuring) == "<Measuring 'lengths': idle, 0 asked for>"


async def test_a_leader_that_asyncio_cancels_hands_over_too() -> None:
    evaluator = Lengths(gate=anyio.Event())
    measuring = Measuring(evaluator)
    leader = asyncio.create_task(measuring.measure(pair("a")))
    other = asyncio.create_task(measuring.measure(pair("a")))
    await anyio.wait_all_tasks_blocked()
    leader.cancel()
    assert evaluator.gate
    evaluator.gate.set()
    with nobody_hanging():
        assert await other == 1
    assert leader.cancelled()


async def test_closing_closes_the_evaluator() -> None:
    evaluator = Lengths()
    await Measuring(evaluator).aclose()
    assert evaluator.closed == 1


def test_a_batch_has_a_pair_at_least() -> None:
    with pytest.raises(UsageError, match="not 0"):
        Measuring(Lengths(), batch=0)


async def test_a_real_evaluator_scores_in_its_thread() -> None:
    measuring = Measuring(Rouge(kind="1"))
    assert await measured(measuring, "premise", "other") == [1.0, 0.0]


async def test_scores_on_disk_are_not_computed_again(tmp_path: Path) -> None:
    before, after = Lengths(), Lengths()
    async with closing(ScoreCache(tmp_path / "scores.db")) as cache:
        await measured(Measuring(before, cache=cache), "a", "bb")
    async with closing(ScoreCache(tmp_path / "scores.db")) as cache:
        measuring = Measuring(after, cache=cache)
        assert await measured(measuring, "a", "ccc", "bb") == [1, 3, 2]
    assert after.batches == [["ccc"]]
    assert (measuring.statistics().computed, measuring.statistics().served) == (1, 2)


async def test_another_version_of_an_evaluator_has_scores_of_its_own(tmp_path: Path) -> None:
    async with closing(ScoreCache(tmp_path / "scores.db")) as cache:
        await measured(Measuring(Lengths(), cache=cache), "a")
        newer = Lengths(version="2", answer=lambda texts: [7.0 for _ in texts])
        assert await measured(Measuring(newer, cache=cache), "a") == [7]


async def test_failures_are_not_kept_on_disk(tmp_path: Path) -> None:
    async with closing(ScoreCache(tmp_path / "scores.db")) as cache:
        odd = Lengths(answer=lambda texts: [nan if text == "bad" else 1.0 for text in texts])
        await measured(Measuring(odd, cache=cache), "a", "bad")
        assert await measured(Measuring(Lengths(), cache=cache), "a", "bad") == [1, 3]


async def test_a_cache_that_cannot_be_used_is_a_store_error_for_everyone_who_waits(tmp_path: Path) -> None:
    (tmp_path / "scores.db").write_text("no database " * 100)
    async with closing(ScoreCache(tmp_path / "scores.db")) as cache:
        for error in await measured(Measuring(Lengths(), cache=cache), "a", "b"):
            assert isinstance(error, StoreError)
            assert "scores.db" in str(error)


class closing:  # noqa: N801 - contextlib.aclosing wants a generator's type
    """A cache that is closed at the end."""

    def __init__(self, cache: ScoreCache) -> None:
        self.cache = cache

    async def __aenter__(self) -> ScoreCache:
        return self.cache

    async def __aexit__(self, *_: object) -> None:
        await self.cache.aclose()


@dataclass(frozen=True)
class Debate:
    """One that asks for a text's score after some turns of the event loop, and may be cancelled some turns later."""

    text: str
    start: int
    cancelled: int | None


TEXTS = st.sampled_from(["a", "bb", "ccc", "dddd", "bad", "long"])
DEBATES = st.lists(st.builds(Debate, TEXTS, st.integers(0, 8), st.none() | st.integers(0, 12)), max_size=12)


def moody(texts: Sequence[str]) -> list[float]:
    if "bad" in texts:
        raise RuntimeError("bad")
    if "long" in texts:
        raise DataError("long")
    return [float(len(text)) for text in texts]


async def held(measuring: Measuring, debates: Sequence[Debate]) -> dict[int, Any]:
    """What each debate that was not cancelled before got: a score or an error."""
    got: dict[int, Any] = {}

    async def hold(number: int, debate: Debate, scope: anyio.CancelScope) -> None:
        await turns(debate.start)
        with scope:
            try:
                got[number] = await measuring.measure(pair(debate.text))
            except EvaluatorFailed as error:
                got[number] = error

    async def cancel(scope: anyio.CancelScope, after: int) -> None:
        await turns(after)
        scope.cancel()

    with nobody_hanging():
        async with anyio.create_task_group() as group:
            for number, debate in enumerate(debates):
                scope = anyio.CancelScope()
                group.start_soon(hold, number, debate, scope)
                if debate.cancelled is not None:
                    group.start_soon(cancel, scope, debate.start + debate.cancelled)
    return got


def is_right(text: str, outcome: float | EvaluatorFailed, batches: Sequence[Sequence[str]]) -> bool:
    """Whether a text's score is its length, and its failure its own or its batch's."""
    if isinstance(outcome, float):
        return text not in {"bad", "long"} and outcome == len(text)
    return text in {"bad", "long"} or any({"bad", text} <= set(texts) for texts in batches)


@settings(max_examples=300)
@given(DEBATES, st.integers(1, 4), st.integers(0, 5))
def test_whoever_is_not_cancelled_gets_the_score_or_the_failure(
    debates: list[Debate], batch: int, slow: int
) -> None:
    """Whatever comes when, and whoever is cancelled: nobody hangs, and nobody gets what is another's."""
    evaluator = Lengths(turns=slow, answer=moody)
    measuring = Measuring(evaluator, batch=batch)
    got = anyio.run(held, measuring, debates)
    assert all(number in got for number, debate in enumerate(debates) if debate.cancelled is None)
    assert all(is_right(debates[number].text, outcome, evaluator.batches) for number, outcome in got.items())
    assert all(len(set(texts)) == len(texts) <= batch for texts in evaluator.batches)
    assert repr(measuring) == "<Measuring 'lengths': idle, 0 asked for>"


@given(
    DEBATES.map(lambda debates: [replace(debate, cancelled=None) for debate in debates]), st.integers(1, 4)
)
def test_what_was_computed_is_never_computed_again(debates: list[Debate], batch: int) -> None:
    evaluator = Lengths(answer=moody)
    measuring = Measuring(evaluator, batch=batch)
    got = anyio.run(held, measuring, debates)
    computed = [text for texts in evaluator.done for text in texts]
    done = measuring.statistics()
    assert len(set(computed)) == len(computed) == done.computed
    assert done.computed + done.served == sum(isinstance(outcome, float) for outcome in got.values())
