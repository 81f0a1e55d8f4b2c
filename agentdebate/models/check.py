"""Whether a model can be reached, and what it can do: a call of each kind."""

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.errors import ConnectionFailed, ModelError, ModelTimeout, UsageError
from agentdebate.models.abilities import abilities_of
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, Sampling
from agentdebate.models.prices import PriceTable, cost, prices
from agentdebate.models.prompt_caching import prompt_caching_of
from agentdebate.models.registry import open_bare, provider_of
from agentdebate.usage import Usage, total
from agentdebate.visible import is_blank

OFFLINE = "offline"
_OUT_OF_REACH = (ConnectionFailed, ModelTimeout)
_SECONDS = 30.0
"""Seconds that a call may take where nothing else is said."""
_LIMIT = 2048
"""Tokens of a reply: thinking counts in it."""
_USUAL_FLOOR = 1024
_QUESTION = "Reply with the single word yes."
_SCHEMA = {
    "title": "Answer",
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_NOTHING = Usage()
_FILLER = "This sentence only makes the prompt long enough for a cache to keep it. "


@dataclass(frozen=True, slots=True)
class Tried:
    """A kind of call that was tried."""

    kind: str
    works: bool | None
    """None where it was not tried."""
    note: str = ""
    """What came of it, or why it does not work."""
    seconds: float = 0.0
    usage: Usage = _NOTHING
    money: float | None = None
    """What it cost; None where the model's price is not known."""

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Check:
    """What came of a check: each kind of call in the order in which it was tried."""

    model: str
    tried: tuple[Tried, ...]
    currency: str | None = None

    @property
    def reached(self) -> bool:
        """Whether the model gave a text."""
        return bool(self.tried) and self.tried[0].works is True

    @property
    def usage(self) -> Usage:
        """What all calls took."""
        return total(one.usage for one in self.tried)

    @property
    def seconds(self) -> float:
        """How long all calls took."""
        return sum(one.seconds for one in self.tried)

    @property
    def money(self) -> float | None:
        """What all calls cost; None where the model's price is not known."""
        known = [one.money for one in self.tried if one.money is not None]
        return sum(known) if self.currency is not None else None

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON."""
        whole = {"model": self.model, "reached": self.reached, "seconds": self.seconds, "money": self.money}
        return {**whole, "currency": self.currency, "tried": [one.as_dict() for one in self.tried]}


@dataclass(frozen=True, slots=True)
class _Kind:
    name: str
    requests: tuple[ModelRequest, ...]
    """Asked one after the other."""
    judge: Callable[[Model, list[Completion]], tuple[bool, str]]


async def check(
    model: str | Model,
    *,
    table: PriceTable | None = None,
    heard: Callable[[Tried], object] | None = None,
    **options: Any,
) -> Check:
    """Ask a model for a text, a reply held to a schema, temperature 0, two completions, log-probabilities, a seed and a cached prompt.

    Nothing is tried again, so that it takes seconds. `table` has the prices (None: the project's and ours), `heard` is told of
    each kind as it was tried, and `options` go to the provider. What does not work is in the result, not raised; after a refused
    key, an unknown model or an endpoint that cannot be reached nothing else is tried. Raises UsageError where the model cannot be
    opened, such as for want of a key.
    """
    if model == OFFLINE:
        raise UsageError("the offline judge reads no prompts and has no endpoint: there is nothing to check")
    opened = _open(model, options) if isinstance(model, str) else model
    price = (prices() if table is None else table).price_of(opened.name)
    told: list[Tried] = []
    ended = ""
    try:
        for kind in _kinds(opened):
            if ended:
                one = Tried(kind.name, works=None, note=f"not tried: {ended}")
            else:
                one, ended = await _try(
                    opened, kind, lambda usage: None if price is None else cost(usage, price)
                )
            told.append(one)
            if heard is not None:
                heard(one)
    finally:
        if isinstance(model, str):
            await opened.aclose()
    return Check(opened.name, tuple(told), price.currency if price else None)


def _open(name: str, options: Mapping[str, Any]) -> Model:
    """The model, which is waited for less long than in a run where its provider is one of ours."""
    usual = {"timeout": _SECONDS} if provider_of(name) is not None else {}
    return open_bare(name, **{**usual, **options})


async def _try(model: Model, kind: _Kind, priced: Callable[[Usage], float | None]) -> tuple[Tried, str]:
    """What came of a kind of call, and why no other makes sense, where none does."""
    started = time.perf_counter()
    completions: list[Completion] = []
    ended = ""
    try:
        for request in kind.requests:
            completions.append(await model.complete(request))  # noqa: PERF401 - what was paid for before an error counts
        works, note = kind.judge(model, completions)
    except ModelError as error:
        works, note = False, f"{type(error).__name__}: {error}"
        ended = type(error).__name__ if error.ends_run or isinstance(error, _OUT_OF_REACH) else ""
    usage = total(one.usage for one in completions)
    seconds = time.perf_counter() - started
    return Tried(kind.name, works, note, seconds, usage, priced(usage)), ended


def _kinds(model: Model) -> tuple[_Kind, ...]:
    caching = prompt_caching_of(model)
    floor = caching.floor if caching else _USUAL_FLOOR
    return (
        _Kind("text", (_ask(),), _said_something),
        _Kind("schema", (_ask(schema=_SCHEMA),), _fits),
        _Kind("temperature", (_ask(Sampling(temperature=0)),), _took_temperature),
        _Kind("n", (_ask(Sampling(n=2)),), _gave_two),
        _Kind("logprobs", (_ask(Sampling(logprobs=1)),), _gave_logprobs),
        _Kind("seed", (_ask(Sampling(seed=1)),), _said_something),
        _Kind("prompt caching", (_long(floor), _long(floor)), _read_from_cache),
    )


def _ask(sampling: Sampling = Sampling(), schema: dict[str, Any] | None = None) -> ModelRequest:
    limited = Sampling(max_tokens=_LIMIT).overlaid(sampling)
    return ModelRequest((ChatMessage("user", _QUESTION),), limited, schema)


def _long(floor: int) -> ModelRequest:
    """A request whose brief is a quarter longer than the floor, as far as four characters are a token."""
    brief = _FILLER * (floor * 5 // len(_FILLER) + 1)
    messages = ChatMessage("system", brief), ChatMessage("user", _QUESTION)
    return ModelRequest(messages, Sampling(max_tokens=_LIMIT))


def _said_something(_: Model, said: list[Completion]) -> tuple[bool, str]:
    one = said[0]
    return (False, f"an empty reply (finish: {one.finish})") if is_blank(one.text) else (True, "")


def _fits(_: Model, said: list[Completion]) -> tuple[bool, str]:
    if not said[0].structured:
        return False, "the endpoint does not hold replies to schemas: forms are asked for in words"
    try:
        answer = json.loads(said[0].text)
    except ValueError:
        return False, f"the reply is not JSON: {said[0].text[:60]!r}"
    fits = isinstance(answer, dict) and answer.get("answer") in {"yes", "no"}
    return fits, "" if fits else f"the reply does not fit the schema: {said[0].text[:60]!r}"


def _took_temperature(model: Model, _: list[Completion]) -> tuple[bool, str]:
    told = abilities_of(model)
    left_out = told is not None and "temperature" in told.leaves_out(Sampling(temperature=0))
    return not left_out, "requests go out without it" if left_out else ""


def _gave_two(_: Model, said: list[Completion]) -> tuple[bool, str]:
    given = 1 + len(said[0].others)
    return given > 1, "" if given > 1 else "one completion a request: several are asked for one by one"


def _gave_logprobs(_: Model, said: list[Completion]) -> tuple[bool, str]:
    return (True, "") if said[0].logprobs else (False, "the reply has none")


def _read_from_cache(_: Model, said: list[Completion]) -> tuple[bool, str]:
    first, second = (one.usage for one in said)
    if second.cached_tokens:
        return True, f"{second.cached_tokens} of {second.prompt_tokens} prompt tokens read the second time"
    return False, f"nothing of {first.prompt_tokens} prompt tokens was read from a cache the second time"
