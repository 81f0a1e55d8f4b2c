"""The client against llama.cpp's server with a real model."""

import asyncio
import json
from typing import Any

import pytest

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.debates.ready import ready
from agentdebate.errors import ContextTooLong
from agentdebate.models.base import ChatMessage, Model, ModelRequest, Sampling
from agentdebate.strategies.load import strategy
from agentdebate.tasks import Item

pytestmark = [pytest.mark.local, pytest.mark.asyncio(loop_scope="session")]

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"fluency": {"enum": [1, 2, 3, 4, 5]}, "relevance": {"enum": [1, 2, 3]}},
    "required": ["fluency", "relevance"],
    "additionalProperties": False,
}
ITEM = Item(
    task="summarization",
    id="bridge",
    fields={"source": "The bridge is repaired from March.", "summary": "The bridge is repaired."},
)


def ask(text: str = "Say hello.", schema: dict[str, Any] | None = None, **sampling: Any) -> ModelRequest:
    messages = ChatMessage("system", "You judge texts."), ChatMessage("user", text)
    return ModelRequest(messages, Sampling(**{"max_tokens": 12, **sampling}), schema)


async def test_a_plain_request_is_answered(local_model: Model) -> None:
    completion = await local_model.complete(ask())
    assert completion.text
    assert completion.model == "smollm2"
    assert completion.usage.prompt_tokens > 10
    assert completion.usage.completion_tokens > 0
    assert not completion.structured


async def test_a_schema_is_kept_to(local_model: Model) -> None:
    completion = await local_model.complete(ask("How fluent is it?", SCHEMA, max_tokens=40))
    ratings = json.loads(completion.text)
    assert completion.structured
    assert ratings.keys() == {"fluency", "relevance"}


async def test_log_probabilities_come_back_for_the_tokens_of_the_text(local_model: Model) -> None:
    completion = await local_model.complete(ask(logprobs=3))
    assert completion.logprobs
    assert "".join(token.token for token in completion.logprobs).startswith(completion.text[:10])
    assert all(token.logprob <= 0 and 0 < len(token.top) <= 3 for token in completion.logprobs)


async def test_a_request_that_does_not_fit_is_context_too_long(local_model: Model) -> None:
    with pytest.raises(ContextTooLong):
        await local_model.complete(ask("long " * 9000))


async def test_more_requests_than_slots_are_all_answered(local_model: Model) -> None:
    requests = [ask(f"Text {number}", max_tokens=4) for number in range(10)]
    completions = await asyncio.gather(*map(local_model.complete, requests))
    assert all(completion.usage.completion_tokens for completion in completions)


async def test_the_expected_score_is_read_from_the_log_probabilities_of_a_real_reply(
    local_model: Model,
) -> None:
    settings = DebateSettings(form="schema", sampling=Sampling(max_tokens=60, seed=1))
    async with ready(
        strategy("geval", mode="expected", steps="task"), model=local_model, settings=settings
    ) as debate:
        record = await debate.hold(ITEM, "coherence")
    assert record.verdict is not None, record.failure
    (cast,) = record.verdict.ballots
    assert cast.ballot.reading.how == "expected"
    assert cast.ballot.reading.mass is not None
    assert 0.5 < cast.ballot.reading.mass <= 1
    assert record.verdict.score is not None
    assert 1 < record.verdict.score < 5
