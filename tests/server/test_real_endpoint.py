"""The client against a real server with a tiny model of random weights: nonsense in content, real in form."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from agentdebate.errors import ConnectionFailed, ContextTooLong
from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.chat_completions import OpenAIChat, open_openai

pytestmark = pytest.mark.server

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"fluency": {"enum": [1, 2, 3, 4, 5]}, "relevance": {"enum": [1, 2, 3]}},
    "required": ["fluency", "relevance"],
    "additionalProperties": False,
}


@asynccontextmanager
async def opened(address: str, **options: object) -> AsyncIterator[OpenAIChat]:
    model = open_openai("tiny", base_url=address, api_key_env="AGENTDEBATE_NO_SUCH_KEY", **options)
    try:
        yield model
    finally:
        await model.aclose()


def ask(
    text: str = "How fluent is it?", schema: dict[str, Any] | None = None, **sampling: Any
) -> ModelRequest:
    messages = ChatMessage("system", "You judge texts."), ChatMessage("user", text)
    return ModelRequest(messages, Sampling(**{"max_tokens": 24, **sampling}), schema)


async def test_a_plain_request_is_answered(server_address: str) -> None:
    async with opened(server_address) as model:
        completion = await model.complete(ask())
    assert completion.text
    assert completion.model == "tiny"
    assert completion.usage.prompt_tokens > 10
    assert completion.usage.completion_tokens > 0
    assert completion.latency > 0
    assert completion.request_id
    assert not completion.structured


async def test_equal_seeds_give_equal_texts_and_others_do_not(server_address: str) -> None:
    async with opened(server_address) as model:
        texts = [(await model.complete(ask(seed=seed, temperature=1))).text for seed in (5, 5, 6)]
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


async def test_log_probabilities_come_back(server_address: str) -> None:
    async with opened(server_address) as model:
        completion = await model.complete(ask(logprobs=3, seed=1))
        bare = await model.complete(ask(logprobs=0, seed=1))
    assert completion.logprobs
    assert bare.logprobs
    assert all(token.logprob <= 0 for token in completion.logprobs)
    assert all(1 <= len(token.top) <= 3 for token in completion.logprobs)
    assert all(token.top == () for token in bare.logprobs)


@pytest.mark.parametrize("form", ["json_object", "auto"])
async def test_a_schema_is_kept_to(server_address: str, form: str) -> None:
    """The form "auto" gets there by way of the form that this server does not know."""
    async with opened(server_address, schema=form) as model:
        completions = [
            await model.complete(ask(schema=SCHEMA, seed=seed, max_tokens=64)) for seed in range(3)
        ]
    for completion in completions:
        ratings = json.loads(completion.text)
        assert completion.structured
        assert ratings.keys() == {"fluency", "relevance"}
        assert ratings["fluency"] in SCHEMA["properties"]["fluency"]["enum"]


async def test_a_request_that_does_not_fit_is_context_too_long(server_address: str) -> None:
    async with opened(server_address) as model:
        with pytest.raises(ContextTooLong) as caught:
            await model.complete(ask("long " * 4000))
    assert (caught.value.status, caught.value.retryable) == (400, False)


async def test_samples_that_the_server_passes_over_are_not_made_up(server_address: str) -> None:
    """It ignores n. Agents ask for the others one by one."""
    async with opened(server_address) as model:
        assert (await model.complete(ask(n=2))).others == ()


async def test_a_server_that_is_not_there_is_a_failed_connection(server_address: str) -> None:
    async with opened("http://127.0.0.1:1/v1") as model:
        with pytest.raises(ConnectionFailed, match=r"127\.0\.0\.1:1"):
            await model.complete(ask())


async def test_many_requests_at_once_are_all_answered(server_address: str) -> None:
    async with opened(server_address) as model:
        requests = [ask(f"Text {number}", seed=number, max_tokens=8) for number in range(32)]
        completions = await asyncio.gather(*map(model.complete, requests))
    assert len(completions) == 32
    assert all(completion.usage.completion_tokens for completion in completions)
