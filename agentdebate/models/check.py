"""A check of a model: whether it can be reached, and what it can do, by a call of each kind."""

import json
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.errors import ConnectionFailed, ModelError, ModelTimeout, UsageError
from agentdebate.models.base import ChatMessage, Completion, Model, ModelRequest, Sampling
from agentdebate.models.prices import Price, PriceTable, cost, prices
from agentdebate.models.prompt_cache import prompt_caching_of
from agentdebate.models.registry import open_bare, provider_of
from agentdebate.usage import Usage, total
from agentdebate.visible import is_blank

_SECONDS = 30.0
"""Seconds that a call may take where nothing else is said."""
_LIMIT = 2048
"""Tokens of a reply: thinking counts in it."""
_USUAL_FLOOR = 1024
_SCHEMA = {
    "title": "Answer",
    "type": "object",
    "properties": {"answer": {"type": "string", "enum": ["yes", "no"]}},
    "required": ["answer"],
    "additionalProperties": False,
}
_FILLER = "This sentence only makes the prompt long enough for a cache to keep it. "


@dataclass(frozen=True, slots=True)
class Tried:
    """A kind of call that was tried."""

    kind: str
    works: bool | None
    """Success; None if it was not tried."""
    note: str = ""
    """Result, or the reason why it does not work."""
    seconds: float = 0.0
    usage: Usage = Usage()  # noqa: RUF009 - it is frozen, and all share it
    money: float | None = None
    """Cost; None where the model's price is not known."""


@dataclass(frozen=True, slots=True)
class Check:
    """Result of a check: each kind of call in the order in which it was tried."""

    model: str
    tried: tuple[Tried, ...]
    currency: str | None = None

    @property
    def reached(self) -> bool:
        """Tell whether the model gave a text."""
        return bool(self.tried) and self.tried[0].works is True

    @property
    def usage(self) -> Usage:
        """Usage of all calls."""
        return total(one.usage for one in self.tried)

    @property
    def seconds(self) -> float:
        """Seconds that all calls took."""
        return sum(one.seconds for one in self.tried)

    @property
    def money(self) -> float | None:
        """Cost of all calls; None where the model's price is not known."""
        return None if self.currency is None else sum(one.money or 0.0 for one in self.tried)

    def as_dict(self) -> dict[str, Any]:
        """The trial as JSON."""
        whole = {"model": self.model, "reached": self.reached, "seconds": self.seconds, "money": self.money}
        return {**whole, "currency": self.currency, "tried": [asdict(one) for one in self.tried]}


async def check(
    model: str | Model,
    *,
    table: PriceTable | None = None,
    heard: Callable[[Tried], object] | None = None,
    **options: Any,
) -> Check:
    """Ask a model for a text, a reply held to a schema, log-probabilities, and a prompt out of the endpoint's cache.

    Nothing is tried again, so that it takes seconds. `table` has the prices (None: the project's and ours), `heard` is told of
    each kind as it was tried, and `options` go to the provider. What does not work is in the result, not raised; after a refused
    key, an unknown model or an endpoint that cannot be reached nothing else is tried. Raises UsageError where the model cannot be
    opened, such as for want of a key.
    """
    if model == "offline":
        raise UsageError("the offline judge reads no prompts and has no endpoint: there is nothing to check")
    opened = model
    if isinstance(opened, str):
        usual = {"timeout": _SECONDS} if provider_of(opened) is not None else {}
        opened = open_bare(opened, **{**usual, **options})
    price = (prices() if table is None else table).price_of(opened.name)
    tried: list[Tried] = []
    ended = ""
    try:
        for kind, (requests, judge) in _kinds(opened).items():
            if ended:
                one = Tried(kind, works=None, note=f"not tried: {ended}")
            else:
                one, ended = await _try(opened, kind, requests, judge, price)
            tried.append(one)
            if heard is not None:
                heard(one)
    finally:
        if isinstance(model, str):
            await opened.aclose()
    return Check(opened.name, tuple(tried), price.currency if price else None)


_Judge = Callable[[list[Completion]], str]
"""Says of completions why the kind of call does not work; nothing where it does."""


def _kinds(model: Model) -> dict[str, tuple[tuple[ModelRequest, ...], _Judge]]:
    """The kinds of calls, each with its requests, which are made one after the other."""
    caching = prompt_caching_of(model)
    floor = caching.floor if caching else _USUAL_FLOOR
    # A quarter longer than the floor, as far as four characters are a token.
    brief = ChatMessage("system", _FILLER * (floor * 5 // len(_FILLER) + 1))
    return {
        "text": ((_ask(),), _text),
        "schema": ((_ask(schema=_SCHEMA),), _schema),
        "logprobs": ((_ask(logprobs=1),), _logprobs),
        "prompt caching": ((_ask(brief), _ask(brief)), _cached),
    }


def _ask(
    *before: ChatMessage, schema: dict[str, Any] | None = None, logprobs: int | None = None
) -> ModelRequest:
    question = ChatMessage("user", "Reply with the single word yes.")
    return ModelRequest((*before, question), Sampling(max_tokens=_LIMIT, logprobs=logprobs), schema)


async def _try(
    model: Model, kind: str, requests: tuple[ModelRequest, ...], judge: _Judge, price: Price | None
) -> tuple[Tried, str]:
    """Result of one kind of call, and why no other makes sense, where none does."""
    started = time.perf_counter()
    said: list[Completion] = []
    ended = ""
    try:
        for request in requests:
            said.append(await model.complete(request))  # noqa: PERF401 - what was paid for before an error counts
        note = judge(said)
    except ModelError as error:
        name = type(error).__name__
        note = f"{name}: {error}"
        ended = name if error.ends_run or isinstance(error, ConnectionFailed | ModelTimeout) else ""
    usage = total(one.usage for one in said)
    money = None if price is None else cost(usage, price)
    return Tried(kind, not note, note, time.perf_counter() - started, usage, money), ended


def _text(said: list[Completion]) -> str:
    return f"an empty reply (finish: {said[0].finish})" if is_blank(said[0].text) else ""


def _schema(said: list[Completion]) -> str:
    if not said[0].structured:
        return "the endpoint does not hold replies to schemas: forms are asked for in words"
    try:
        answer = json.loads(said[0].text)
    except ValueError:
        return f"the reply is not JSON: {said[0].text[:60]!r}"
    fits = isinstance(answer, dict) and answer.get("answer") in {"yes", "no"}
    return "" if fits else f"the reply does not fit the schema: {said[0].text[:60]!r}"


def _logprobs(said: list[Completion]) -> str:
    return "" if said[0].logprobs else "the reply has none"


def _cached(said: list[Completion]) -> str:
    usage = said[1].usage
    if usage.cached_tokens:
        return ""
    return f"nothing of {usage.prompt_tokens} prompt tokens was read from a cache the second time"
