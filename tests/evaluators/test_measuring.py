"""An evaluator in the hands of many debates: batches, equal pairs, failures, cancellations."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf, nan
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.errors import DataError, EvaluatorFailed, MissingExtra, UsageError
from agentdebate.evaluators.base import Pair, Range
from agentdebate.evaluators.measuring import Measuring


def pair(text: str) -> Pair:
    return Pair(("premise",), text)


@dataclass
class Lengths:
    """Scores a text with its length. It takes `turns` turns of the event loop."""

    turns: int = 1
    answer: Callable[[Sequence[str]], Any] = lambda texts: [float(len(text)) for text in texts]
    version: str = "1"
    batches: list[list[str]] = field(default_factory=list)
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
            scores: list[float] = self.answer(texts)
            return scores
        finally:
            self._running -= 1

    async def aclose(self) -> None:
        """Nothing to let go of."""


async def measured(measuring: Measuring, *texts: str) -> list[Any]:
    """Return what debates that ask at the same time get, in order: scores and errors."""
    got: list[Any] = [None] * len(texts)

    async def debate(place: int, text: str) -> None:
        try:
            got[place] = (await measuring.timed(pair(text)))[0]
        except Exception as error:  # noqa: BLE001 - whatever it is, the test looks at it
            got[place] = error

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            for place, text in enumerate(texts):
                group.start_soon(debate, place, text)
    return got


async def turns(count: int) -> None:
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


def raising(error: Exception) -> Callable[[Sequence[str]], Any]:
    def answer(texts: Sequence[str]) -> Any:
        if "bad" in texts:
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


@pytest.mark.parametrize("error", [UsageError("no such model"), MissingExtra("pip install")])
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
    """Return what each debate that was not cancelled before got: a score or an error."""
    got: dict[int, Any] = {}

    async def hold(number: int, debate: Debate, scope: anyio.CancelScope) -> None:
        await turns(debate.start)
        with scope:
            try:
                got[number] = (await measuring.timed(pair(debate.text)))[0]
            except EvaluatorFailed as error:
                got[number] = error

    async def cancel(scope: anyio.CancelScope, after: int) -> None:
        await turns(after)
        scope.cancel()

    with anyio.fail_after(60):
        async with anyio.create_task_group() as group:
            for number, debate in enumerate(debates):
                scope = anyio.CancelScope()
                group.start_soon(hold, number, debate, scope)
                if debate.cancelled is not None:
                    group.start_soon(cancel, scope, debate.start + debate.cancelled)
    return got


def is_right(text: str, outcome: float | EvaluatorFailed, batches: Sequence[Sequence[str]]) -> bool:
    """Tell whether a text's score is its length, and its failure its own or its batch's."""
    if isinstance(outcome, float):
        return text not in {"bad", "long"} and outcome == len(text)
    return text in {"bad", "long"} or any({"bad", text} <= set(texts) for texts in batches)


@settings(max_examples=100)
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
