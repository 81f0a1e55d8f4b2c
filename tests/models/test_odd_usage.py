"""Replies that state their usage in an odd way: in every dialect they are used, and their usage is as good as not stated."""

import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from dialect_doubles import claude, gemini, generated, message
from endpoint_double import Endpoint, ask, reply

from agentdebate.models.base import Model
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.usage import Usage

UNKNOWN = Usage(calls=1)
Opened = Callable[[Endpoint], Model]

DIALECTS = [
    pytest.param(
        Endpoint.model, reply(), "usage", ("prompt_tokens", "completion_tokens"), id="chat completions"
    ),
    pytest.param(claude, message(), "usage", ("input_tokens", "output_tokens"), id="messages"),
    pytest.param(
        gemini,
        generated(),
        "usageMetadata",
        ("promptTokenCount", "candidatesTokenCount"),
        id="generateContent",
    ),
]
ODD = ["null", '"12"', "[1]", "-1", "NaN", "1e999", "1.5", "true", "{}", "9" * 5000, "-" + "9" * 5000]


async def answered(opened: Opened, body: str) -> Usage:
    """The usage of the reply in a body."""
    completion = await opened(Endpoint(httpx.Response(200, content=body.encode()))).complete(ask())
    assert completion.text == "fine"
    return completion.usage


@pytest.mark.parametrize(("opened", "said", "key", "names"), DIALECTS)
@pytest.mark.parametrize("odd", ODD)
async def test_an_odd_usage_costs_no_reply_and_counts_as_unknown(
    opened: Opened, said: dict[str, Any], key: str, names: tuple[str, str], odd: str
) -> None:
    for usage in ("odd", *({**said[key], name: "odd"} for name in names)):
        body = json.dumps({**said, key: usage}).replace('"odd"', odd)
        assert await answered(opened, body) == UNKNOWN, usage


@pytest.mark.parametrize(("opened", "said", "key", "names"), DIALECTS)
async def test_a_usage_without_the_prompt_s_tokens_is_unknown(
    opened: Opened, said: dict[str, Any], key: str, names: tuple[str, str]
) -> None:
    for usage in ({}, {names[1]: 4}):
        assert await answered(opened, json.dumps({**said, key: usage})) == UNKNOWN
    without = {name: value for name, value in said.items() if name != key}
    assert await answered(opened, json.dumps(without)) == UNKNOWN


@pytest.mark.parametrize(("opened", "said", "key", "names"), DIALECTS)
async def test_a_budget_counts_the_prompt_itself_where_only_half_of_the_usage_can_be_read(
    opened: Opened, said: dict[str, Any], key: str, names: tuple[str, str]
) -> None:
    budget = Budget(tokens=10_000)
    half = {**said, key: {**said[key], names[0]: -1}}
    await Budgeted(opened(Endpoint(half)), budget).complete(ask("word " * 500))
    assert budget.spent.tokens > 500


async def test_a_number_of_many_digits_in_a_text_stays_as_it_is() -> None:
    digits = "7" * 5000
    body = json.dumps({**reply(digits), "usage": "odd"}).replace('"odd"', "9" * 5000)
    completion = await Endpoint(httpx.Response(200, content=body.encode())).model().complete(ask())
    assert completion.text == digits
