"""Hashed replies: they are readable as what is asked for, and equal requests get equal ones."""

import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from served import PAIR, REPLY, SUMMARY, THREE, ask, body, client, tell

from agentdebate.agents.debate_settings import Form
from agentdebate.debates.ready import ready
from agentdebate.debates.record import Record
from agentdebate.models.dialects.presets import open_openai
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item
from agentdebate.testing.chance import Draws
from agentdebate.testing.chat import Asked
from agentdebate.testing.forms import answer
from agentdebate.testing.replies import hashed
from agentdebate.testing.schemas import fitting
from agentdebate.testing.server import FaultServer

SINGLE = ("solo", "debate", "debate-tiebreaker", "chateval-simultaneous", "chateval-recruited", "multiagent")
COMPARING = (
    "solo", "debate", "chateval", "drpe-static", "drpe", "llmscore", "faireval", "chateval-summarizer",
)  # fmt: skip


async def hold(
    strategy: str | Strategy, item: Item, form: Form = "auto", aspects: str | None = None
) -> Record:
    async with FaultServer() as server:
        model = open_openai("tiny", base_url=server.base_url)
        try:
            async with ready(strategy, model=model, form=form) as debate:
                return await debate.hold(item, aspects)
        finally:
            await model.aclose()


def check(record: Record) -> None:
    """A verdict, and no reply that had to be asked for again."""
    assert record.failure is None, record.failure
    assert record.verdict is not None
    assert {call.attempt for call in record.calls} == {1}


@pytest.mark.parametrize("form", ["auto", "text"])
@pytest.mark.parametrize("strategy", SINGLE)
@pytest.mark.parametrize("item", [SUMMARY, REPLY], ids=lambda item: item.task)
async def test_a_debate_about_one_text_has_a_verdict(strategy: str, item: Item, form: Form) -> None:
    check(await hold(strategy, item, form))


@pytest.mark.parametrize("form", ["auto", "text"])
@pytest.mark.parametrize("strategy", COMPARING)
@pytest.mark.parametrize("item", [PAIR, THREE], ids=lambda item: item.task)
async def test_a_debate_about_several_texts_has_a_verdict(strategy: str, item: Item, form: Form) -> None:
    check(await hold(strategy, item, form))


@pytest.mark.parametrize("form", ["auto", "text"])
@pytest.mark.parametrize("strategy", ["fusion", "llmsel", "debate-with-evidence"])
async def test_a_plan_names_evaluators_that_there_are(strategy: str, form: Form) -> None:
    check(
        await hold(
            strategy,
            SUMMARY.model_copy(update={"fields": {**SUMMARY.fields, "reference": "It closes."}}),
            form,
        )
    )


async def test_critics_agree_and_object() -> None:
    """Or a debate could end in one way only."""
    prompt = "Review the score.\n\nIf you have nothing to object to, write NO ISSUE on a line of its own."
    said = {answer(prompt, Draws(number)) == "NO ISSUE" for number in range(40)}
    assert said == {True, False}


async def test_log_probabilities_spell_the_text_and_are_probabilities() -> None:
    async with FaultServer() as server:
        [found] = await tell(server, ask("Rate it.\n\nFluency: [whole number from 1 to 5]", logprobs=5))
    assert found.logprobs is not None
    assert "".join(one.token for one in found.logprobs) == found.text
    assert len(found.logprobs) == found.usage.completion_tokens
    for one in found.logprobs:
        assert len(one.top) == len(dict(one.top)) == 5
        assert one.top[0] == (one.token, one.logprob)
        assert [value for _, value in one.top] == sorted((value for _, value in one.top), reverse=True)
        assert math.fsum(math.exp(value) for _, value in one.top) <= 1.0


@pytest.mark.parametrize("limit", ["max_tokens", "max_completion_tokens"])
async def test_a_token_limit_cuts_the_reply(limit: str) -> None:
    async with FaultServer() as server, client() as session:
        address = f"{server.base_url}/chat/completions"
        async with session.post(address, json={**body(), limit: 3}) as answered:
            found = await answered.json()
    assert found["choices"][0]["finish_reason"] == "length"
    assert found["usage"]["completion_tokens"] == 3


SCHEMAS: list[tuple[dict[str, object], object]] = [
    ({"const": 3}, (3,)),
    ({"enum": ["a", "b"]}, ("a", "b")),
    ({"type": "integer", "minimum": 2, "maximum": 4}, (2, 3, 4)),
    ({"type": "number", "minimum": 0.5, "maximum": 2.5}, (0.5, 2.5)),
    ({"type": ["boolean", "null"]}, (True, False, None)),
    ({"anyOf": [{"const": 1}, {"const": "x"}]}, (1, "x")),
    ({"$ref": "#/$defs/grade", "$defs": {"grade": {"enum": [7]}}}, (7,)),
]


@pytest.mark.parametrize(("schema", "allowed"), SCHEMAS)
def test_a_value_fits_its_schema(schema: dict[str, object], allowed: tuple[object, ...]) -> None:
    found = [fitting(schema, Draws(number)) for number in range(60)]
    assert all(one in allowed for one in found)
    assert all(one in found for one in allowed)


def test_a_schema_without_end_comes_to_one() -> None:
    assert fitting({"type": "object", "properties": {"again": {"$ref": "#"}}}, Draws(1))


@given(st.text(max_size=200))
@settings(max_examples=60)
def test_whatever_the_prompt_there_is_a_reply(text: str) -> None:
    asked = Asked.read(json.dumps(body(text)).encode())
    assert hashed(asked).strip()
    assert hashed(asked) == hashed(asked)
