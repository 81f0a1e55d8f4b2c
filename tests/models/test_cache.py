"""Completions that are kept, and keys of requests: equal for what decides the reply, and the same from version to version."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, get_args

import anyio
import anyio.lowlevel
import pytest

from agentdebate.codec import read
from agentdebate.errors import RequestRefused, ServerFailed, StoreError
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, Sampling
from agentdebate.models.cache import Cached, Mode
from agentdebate.models.script import Line, Scripted
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


async def test_what_was_asked_for_once_is_served_and_marked() -> None:
    """Its usage stays what it was, for whoever wants to know what it cost."""
    store = Memory()
    first = await Cached(Scripted([ANSWER]), store).complete(ask())
    again = Cached(Scripted([]), store)
    second = await again.complete(ask())
    assert (first, first.cached) == (ANSWER, False)
    assert second == replace(ANSWER, cached=True)
    assert (again.served, again.asked, store.models) == (1, 0, ["scripted"])
    assert not store.kept[again.key(ask())].cached


@pytest.mark.parametrize("mode", get_args(Mode))
@pytest.mark.parametrize("error", [ServerFailed("busy"), RequestRefused("no"), ValueError("a bug")])
async def test_an_error_is_raised_as_it_is_and_not_kept(mode: Mode, error: Exception) -> None:
    store = Memory()
    cached = Cached(Scripted([error, ANSWER]), store, mode)
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
    assert await Cached(Scripted([completion]), store).complete(ask()) == completion
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
        (Endpoint(**HOST), ask(sample=1)),
        (Endpoint(**HOST), replace(ask(), schema={"type": "object"})),
    ],
)
async def test_what_may_change_a_reply_is_asked_for(other: Model, request_: ModelRequest) -> None:
    store = Memory()
    await Cached(Endpoint(**HOST), store).complete(ask())
    asked = await Cached(other, store).complete(request_)
    assert (asked.text, asked.cached, len(store.kept)) == ("asked", False, 2)


async def test_a_reply_is_served_whatever_it_cost_and_took() -> None:
    store = Memory()
    await Cached(Endpoint(**HOST, tier="flex", timeout=900), store).complete(ask())
    assert (await Cached(Endpoint(**HOST), store).complete(ask())).cached


async def test_equal_requests_at_once_are_asked_once() -> None:
    cached = Cached(Scripted([ANSWER]), Memory())
    given = await asyncio.gather(*(cached.complete(ask()) for _ in range(5)))
    assert [one.text for one in given] == ["fine"] * 5
    assert [one.cached for one in given] == [False, True, True, True, True]
    assert (cached.asked, cached.served) == (1, 4)


@pytest.mark.parametrize("first", [ServerFailed("busy"), REFUSED])
async def test_who_waits_for_a_failure_or_a_refusal_asks_for_itself(first: Line) -> None:
    cached = Cached(Scripted([first, ServerFailed("busy too"), ANSWER]), Memory())
    given = await asyncio.gather(*(cached.complete(ask()) for _ in range(4)), return_exceptions=True)
    assert given[0] == first
    assert str(given[1]) == "busy too"
    assert given[2:] == [ANSWER, replace(ANSWER, cached=True)]


async def settled() -> None:
    """Let everybody go on as far as they can."""
    for _ in range(30):
        await asyncio.sleep(0)


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
    task = asyncio.create_task(Cached(Scripted([ANSWER]), store).complete(ask()))
    await store.reached.wait()
    await settled()
    assert not task.done()
    store.go.set()
    assert await task == ANSWER


# Keys of requests.


ASKED = ModelRequest(
    (ChatMessage("system", "You judge."), ChatMessage("user", 'Rate "it"\n\ud83d \x07 ü')),
    Sampling(temperature=0.5, stop=("END",)),
    {"type": "object", "properties": {"score": {"type": "integer"}}},
)


def test_a_key_stays_what_it_is() -> None:
    """Caches and stores have completions under it."""
    assert ASKED.key() == "d54124c33265276cdcb578a480b46da371a32869675c268fe3b22f6d27943b03"
    assert (
        replace(ASKED, sample=2).key() == "011c4d8f95fe19828bd93fa192bf2d6ce9e1bbe194ad83a3a0023eed326bbd29"
    )


def test_what_was_heard_and_parameters_at_their_usual_values_do_not_change_it() -> None:
    same = replace(ASKED, talk=("it",), sampling=Sampling(temperature=0.5, stop=("END",), n=1, seed=None))
    assert same.key() == ASKED.key()
