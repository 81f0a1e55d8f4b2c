"""Completions kept between runs: what is served, what is kept, and what is asked for how often."""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.codec import read
from agentdebate.errors import ModelError, RequestRefused, ServerFailed, StoreError
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, Sampling
from agentdebate.models.cache import Cached, Mode
from agentdebate.models.function import Function
from agentdebate.models.retry import Retrying
from agentdebate.models.scripted import Line, Scripted
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.cache import CompletionCache
from agentdebate.strategies.base import Strategy
from agentdebate.talk.messages import Verdict
from agentdebate.tasks import Item
from agentdebate.usage import Usage

SPENT = Usage(calls=1, prompt_tokens=50, completion_tokens=7)
ANSWER = Completion(text="fine", model="m-1", usage=SPENT, request_id="r-1")
REFUSED = replace(ANSWER, text="I will not.", finish="refusal")


@dataclass
class Memory:
    """A store that keeps completions in memory, and gives others their turn before it does."""

    kept: dict[str, Completion] = field(default_factory=dict)
    models: list[str] = field(default_factory=list)
    failing: bool = False

    async def get(self, key: str) -> Completion | None:
        await anyio.lowlevel.checkpoint()
        return self.kept.get(key)

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        await anyio.lowlevel.checkpoint()
        if self.failing:
            raise StoreError("the disk is full")
        self.kept[key] = completion
        self.models.append(model)


def ask(text: str = "Hi", *, sample: int = 0, **sampling: Any) -> ModelRequest:
    return ModelRequest((ChatMessage("user", text),), Sampling.model_validate(sampling), sample=sample)


def scripted(*lines: Line) -> Scripted:
    return Scripted(lines)


async def test_what_was_asked_for_once_is_served_and_marked() -> None:
    """Its usage stays what it was, for whoever wants to know what it cost."""
    store = Memory()
    first = await Cached(scripted(ANSWER), store).complete(ask())
    again = Cached(scripted(), store)
    second = await again.complete(ask())
    assert (first, first.cached) == (ANSWER, False)
    assert second == replace(ANSWER, cached=True)
    assert (again.served, again.asked, store.models) == (1, 0, ["scripted"])
    assert not store.kept[again.key(ask())].cached


async def test_reading_serves_what_is_there_and_writes_nothing() -> None:
    store = Memory()
    reading = Cached(scripted(ANSWER, "again"), store, "read")
    assert [(await reading.complete(ask())).text for _ in range(2)] == ["fine", "again"]
    assert store.kept == {}
    await Cached(scripted(ANSWER), store, "write").complete(ask())
    assert (await reading.complete(ask())).cached


async def test_writing_asks_always_and_keeps_the_last() -> None:
    store = Memory()
    writing = Cached(scripted("one", "two"), store, "write")
    given = [await writing.complete(ask()) for _ in range(2)]
    assert [(one.text, one.cached) for one in given] == [("one", False), ("two", False)]
    assert [one.text for one in store.kept.values()] == ["two"]


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("error", [ServerFailed("busy"), RequestRefused("no"), ValueError("a bug")])
async def test_an_error_is_raised_as_it_is_and_not_kept(mode: Mode, error: Exception) -> None:
    store = Memory()
    cached = Cached(scripted(error, ANSWER), store, mode)
    with pytest.raises(type(error)) as caught:
        await cached.complete(ask())
    assert caught.value is error
    assert store.kept == {}
    assert await cached.complete(ask()) == ANSWER


@pytest.mark.parametrize(
    ("finish", "kept"),
    [("stop", True), ("length", True), ("other", True), ("filter", False), ("refusal", False)],
)
async def test_only_the_models_own_answers_are_kept(finish: str, kept: bool) -> None:
    store = Memory()
    completion = read(Completion, {"text": "x", "model": "m", "finish": finish})
    assert await Cached(scripted(completion), store).complete(ask()) == completion
    assert bool(store.kept) == kept


class Endpoint(Scripted):
    """A scripted model with settings."""

    def __init__(self, name: str = "m", **settings: Any) -> None:
        super().__init__(["asked"], name=name)
        self.settings: Mapping[str, Any] = settings


HOST = {"base_url": "http://localhost/v1"}


@pytest.mark.parametrize(
    ("other", "request_"),
    [
        (Endpoint("n", **HOST), ask()),
        (Endpoint(**{**HOST, "base_url": "http://localhost/v2"}), ask()),
        (Endpoint(**HOST, sampling={"temperature": 0.5}), ask()),
        (Endpoint(**HOST, extra={"top_k": 3}), ask()),
        (Endpoint(**HOST), ask("Hello")),
        (Endpoint(**HOST), ask(temperature=0)),
        (Endpoint(**HOST), ask(n=2)),
        (Endpoint(**HOST), ask(sample=1)),
        (Endpoint(**HOST), replace(ask(), schema={"type": "object"})),
    ],
)
async def test_what_may_change_a_reply_is_asked_for(other: Model, request_: ModelRequest) -> None:
    store = Memory()
    await Cached(Endpoint(**HOST), store).complete(ask())
    asked = await Cached(other, store).complete(request_)
    assert (asked.text, asked.cached, len(store.kept)) == ("asked", False, 2)


@pytest.mark.parametrize(
    "other", [Endpoint(**HOST, timeout=1.0), Endpoint(**HOST, connections=999), Retrying(Endpoint(**HOST))]
)
async def test_what_cannot_change_a_reply_does_not_count(other: Model) -> None:
    store = Memory()
    await Cached(Endpoint(timeout=60.0, **HOST), store).complete(ask())
    assert (await Cached(other, store).complete(ask())).cached


async def test_equal_requests_at_once_are_asked_once() -> None:
    cached = Cached(scripted(ANSWER), Memory())
    given = await asyncio.gather(*(cached.complete(ask()) for _ in range(5)))
    assert [one.text for one in given] == ["fine"] * 5
    assert [one.cached for one in given] == [False, True, True, True, True]
    assert (cached.asked, cached.served) == (1, 4)


@pytest.mark.parametrize("first", [ServerFailed("busy"), REFUSED])
async def test_who_waits_for_a_failure_or_a_refusal_asks_for_itself(first: Line) -> None:
    cached = Cached(scripted(first, ServerFailed("busy too"), ANSWER), Memory())
    given = await asyncio.gather(*(cached.complete(ask()) for _ in range(4)), return_exceptions=True)
    assert given[0] == first
    assert str(given[1]) == "busy too"
    assert given[2:] == [ANSWER, replace(ANSWER, cached=True)]


class Held(Function):
    """A model that answers when it is let go, in the order in which it was asked."""

    def __init__(self) -> None:
        super().__init__("held", self._answer)
        self.asked: list[asyncio.Future[str]] = []

    async def _answer(self, request: ModelRequest) -> str:
        self.asked.append(asyncio.get_running_loop().create_future())
        return await self.asked[-1]


async def settled() -> None:
    """Let everybody go on as far as they can."""
    for _ in range(30):
        await asyncio.sleep(0)


async def test_when_the_one_who_asks_is_cancelled_another_takes_over() -> None:
    held = Held()
    cached = Cached(held, Memory())
    tasks = [asyncio.create_task(cached.complete(ask())) for _ in range(3)]
    await settled()
    assert len(held.asked) == 1
    tasks[0].cancel()
    await settled()
    assert (len(held.asked), held.asked[0].cancelled()) == (2, True)
    held.asked[1].set_result("late")
    given = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(given[0], asyncio.CancelledError)
    assert [one.text for one in given[1:] if isinstance(one, Completion)] == ["late", "late"]


class Slow(Memory):
    """A store that takes until it is let go to keep something."""

    def __init__(self) -> None:
        super().__init__()
        self.reached, self.go = anyio.Event(), anyio.Event()

    async def put(self, key: str, completion: Completion, *, model: str) -> None:
        self.reached.set()
        await self.go.wait()
        await super().put(key, completion, model=model)


async def test_a_completion_is_used_when_it_is_on_disk_and_not_before() -> None:
    store = Slow()
    task = asyncio.create_task(Cached(scripted(ANSWER), store).complete(ask()))
    await store.reached.wait()
    await settled()
    assert not task.done()
    store.go.set()
    assert await task == ANSWER


async def test_what_is_paid_for_is_kept_and_given_to_others_even_if_the_asker_is_cancelled() -> None:
    store = Slow()
    cached = Cached(scripted(ANSWER), store)
    given: list[Completion] = []

    async def asking(scope: anyio.CancelScope) -> None:
        with scope:
            given.append(await cached.complete(ask()))
            await anyio.lowlevel.checkpoint()
            given.clear()  # never, where it is cancelled

    async with anyio.create_task_group() as group:
        first = anyio.CancelScope()
        group.start_soon(asking, first)
        await store.reached.wait()
        other = asyncio.create_task(cached.complete(ask()))
        first.cancel()
        await settled()
        store.go.set()
        assert (await other).cached
    assert (cached.asked, list(store.kept.values())) == (1, [ANSWER])


async def test_after_a_store_failed_nothing_more_is_paid_for_and_what_is_there_is_served() -> None:
    store = Memory()
    cached = Cached(scripted("one", "two", "three"), store)
    await cached.complete(ask("a"))
    store.failing = True
    given = await asyncio.gather(*(cached.complete(ask("b")) for _ in range(3)), return_exceptions=True)
    assert [(type(one), str(one)) for one in given] == [(StoreError, "the disk is full")] * 3
    assert len({id(one) for one in given}) == 3
    assert (await cached.complete(ask("a"))).cached
    assert cached.asked == 2


@dataclass
class Uncertain:
    """A model that takes its time, fails, or refuses, as it is told. It sees to it that no two equal requests overlap."""

    fates: list[tuple[int, str]]
    calls: int = 0
    now: Counter[str] = field(default_factory=Counter)
    answered: list[str] = field(default_factory=list)

    async def answer(self, request: ModelRequest) -> Completion:
        text = request.messages[0].content
        steps, fate = self.fates[self.calls % len(self.fates)]
        self.calls += 1
        number = self.calls
        self.now[text] += 1
        assert self.now[text] == 1, f"{text} is asked twice at a time"
        try:
            for _ in range(steps):
                await asyncio.sleep(0)
        finally:
            self.now[text] -= 1
        if fate == "fails":
            raise ModelError(f"{text}-{number}")
        finish = "refusal" if fate == "refuses" else "stop"
        return read(Completion, {"text": f"{text}-{number}", "model": "m", "finish": finish})


@dataclass
class Caller:
    """Someone who asks after some steps, and may be cancelled after some more."""

    text: str
    start: int
    cancel: int | None
    scoped: bool
    """Whether by its scope, which a shield holds off, or by its task, which nothing does."""
    got: Completion | ModelError | None = None

    async def hold(self, model: Model) -> None:
        scope = anyio.CancelScope()
        task = asyncio.create_task(self._ask(model, scope))
        if self.cancel is not None:
            for _ in range(self.start + self.cancel):
                await asyncio.sleep(0)
            stop: Callable[[], object] = scope.cancel if self.scoped else task.cancel
            stop()
        with suppress(asyncio.CancelledError):
            await task

    async def _ask(self, model: Model, scope: anyio.CancelScope) -> None:
        for _ in range(self.start):
            await asyncio.sleep(0)
        with scope:
            try:
                self.got = await model.complete(ask(self.text))
            except ModelError as error:
                self.got = error


FATES = st.lists(
    st.tuples(st.integers(0, 6), st.sampled_from(["answers", "answers", "fails", "refuses"])),
    min_size=1,
    max_size=8,
)
CALLERS = st.lists(
    st.builds(Caller, st.sampled_from("ab"), st.integers(0, 8), st.none() | st.integers(0, 8), st.booleans()),
    min_size=1,
    max_size=9,
)


@settings(max_examples=200)
@given(FATES, CALLERS, st.sampled_from(["on", "read"]))
def test_equal_requests_are_asked_one_at_a_time_and_each_gets_its_own_completion(
    fates: list[tuple[int, str]], callers: list[Caller], mode: Mode
) -> None:
    """However requests, failures, refusals and cancellations come together: nobody hangs, gets what is another's, or has
    another's failure."""
    model, store = Uncertain(fates), Memory()
    cached = Cached(Function("m", model.answer), store, mode)

    async def everybody() -> None:
        async with asyncio.timeout(60):
            await asyncio.gather(*(caller.hold(cached) for caller in callers))

    asyncio.run(everybody())
    for caller in callers:
        assert caller.got is not None or caller.cancel is not None
        said = (
            ""
            if caller.got is None
            else caller.got.text
            if isinstance(caller.got, Completion)
            else str(caller.got)
        )
        assert not said or said.startswith(f"{caller.text}-")
    _check_shared(callers, mode)
    assert (mode == "on") or not store.kept
    assert len(cached._flights) == 0


def _check_shared(callers: list[Caller], mode: Mode) -> None:
    got = [caller.got for caller in callers if caller.got is not None]
    own = [one for one in got if isinstance(one, ModelError) or one.finish == "refusal"]
    assert len({str(one) for one in own}) == len(own)
    assert not any(one.cached for one in own if isinstance(one, Completion))
    answers = [one for one in got if isinstance(one, Completion) and one.finish == "stop"]
    fresh = Counter(one.text for one in answers if not one.cached)
    assert all(count == 1 for count in fresh.values())
    if mode == "on":
        assert len({one.text for one in answers}) == len({one.text[0] for one in answers})


class Counting(Function):
    """A judge whose scores go up and down with every call. It gives at most three samples at a time."""

    def __init__(self) -> None:
        super().__init__("counting", self._judge)
        self.calls = 0

    def _judge(self, request: ModelRequest) -> Completion:
        self.calls += 1
        first, *others = (self._score(request, n) for n in range(min(request.sampling.n, 3)))
        return Completion(text=first, others=tuple(others), model="counting", usage=SPENT)

    def _score(self, request: ModelRequest, number: int) -> str:
        assert request.context is not None
        score = 1 + (self.calls * 7 + number) % 5
        return "\n".join(f"{line.aspect.label}: {score}" for line in request.context.lines)


ITEMS = [
    Item(
        task="summarization",
        id=f"item-{n}",
        fields={"source": f"It rained for {n} days.", "summary": "It rained.", "reference": "Rain fell."},
    )
    for n in range(6)
]


async def run(model: Model, strategy: Strategy, *, concurrency: int) -> dict[str, tuple[object, ...]]:
    """What the debates decided, by item."""
    async with CompletionCache("completions.db") as store:
        cached = Cached(model, store)
        held = evaluate(ITEMS, strategy, model=cached, aspects="coherence", concurrency=concurrency)
        async with held as records:
            found = {record.item.id: decided(record.verdict) async for record in records}
    return dict(sorted(found.items()))


def decided(verdict: Verdict | None) -> tuple[object, ...]:
    """A verdict, but for when it came and what it cost."""
    assert verdict is not None
    return verdict.scores, verdict.ballots, verdict.spread, verdict.ended, verdict.missing
