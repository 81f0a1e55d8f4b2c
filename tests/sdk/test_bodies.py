"""The types of the providers' own packages check every body that we send."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, get_args, get_origin, get_type_hints

import pytest
from bodies import CASES, older, sent

from agentdebate.models.base import ModelRequest, Sampling
from agentdebate.models.dialects.dialect import dialect_of

pytestmark = pytest.mark.sdk
EACH = pytest.mark.parametrize("case", CASES)


@EACH
async def test_bodies_of_chat_completions_are_what_the_package_of_openai_types(case: str, chat: Any) -> None:
    body = await sent("openai", CASES[case], prompt_cache="on", tier="flex")
    chat.validate_python(body)
    assert ("prompt_cache_breakpoint" in json.dumps(body)) == case.startswith("marked")


async def test_marks_of_an_hour_are_what_the_package_of_anthropic_types(closed: Any) -> None:
    body = await sent("anthropic", CASES["marked"], prompt_cache_ttl="1h")
    closed.validate_python(body)
    assert json.dumps(body).count('"ttl": "1h"') == 2


@EACH
async def test_messages_bodies_are_what_the_package_of_anthropic_types(case: str, closed: Any) -> None:
    body = await sent("anthropic", CASES[case])
    closed.validate_python(body)
    # The types hold no sampling parameter any more, and so no request of the newer version may.
    assert not {"temperature", "top_p", "top_k"} & body.keys()


async def test_the_older_version_has_what_the_package_of_anthropic_has_and_a_temperature(closed: Any) -> None:
    body = await older(CASES["sampling"])
    assert body.pop("temperature") == 0.0
    assert body.pop("top_p") == 0.5
    closed.validate_python(body)


@EACH
async def test_schemas_are_those_that_anthropics_package_would_send(case: str) -> None:
    from anthropic import transform_schema

    form = (await sent("anthropic", CASES[case])).get("output_config", {}).get("format")
    if case.startswith("schema"):
        # Sent through its own rewriting, ours is as it was, but for the type that it leaves out beside an enum.
        assert transform_schema(form["schema"]) == _without_type_of_enums(form["schema"])
    else:
        assert form is None


@EACH
async def test_generate_content_bodies_are_what_the_package_of_google_types(case: str) -> None:
    from google.genai import types

    body = dict(await sent("gemini", CASES[case]))
    config = body.pop("generationConfig", {})
    system = body.pop("systemInstruction", None)
    for content in (*body.pop("contents"), *([system] if system else [])):
        types.Content.model_validate(content)
    types.GenerateContentConfig.model_validate(config)
    assert body == {}


@EACH
async def test_bodies_of_both_interfaces_are_what_the_package_of_openai_types(case: str) -> None:
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming
    from openai.types.responses.response_create_params import ResponseCreateParamsNonStreaming

    request = CASES[case]
    chat = await sent("openai", request, tier="flex")
    if request.sampling.stop:  # which Responses has no field for
        request = ModelRequest(request.messages, Sampling(temperature=0.0, top_p=0.5, max_tokens=99))
    with closed_types(CompletionCreateParamsNonStreaming) as known:
        known.validate_python(chat)
    with closed_types(ResponseCreateParamsNonStreaming) as known:
        known.validate_python(await sent("openai", request, tier="flex", api="responses"))


def test_the_models_of_responses_alone_are_those_of_the_package_of_openai() -> None:
    from openai.types.shared.chat_model import ChatModel
    from openai.types.shared.responses_model import ResponsesModel

    # A union of str, the models of both, and those of Responses alone; of the former some are described as its alone.
    alone = get_args(get_args(ResponsesModel)[-1])
    assert {name for name in alone if dialect_of(name).api != "responses"} == set()
    told = {name for name in get_args(ChatModel) if dialect_of(name).api == "responses"}
    assert all("-pro" in name or "codex" in name for name in told)


async def test_the_tier_flex_is_named_as_the_packages_of_google_and_openai_name_it() -> None:
    from google.genai import types
    from openai.types.chat import ChatCompletion

    body = await sent("gemini", CASES["plain"], tier="flex")
    assert types.ServiceTier(body["serviceTier"]) is types.ServiceTier.FLEX
    assert "'flex'" in str(ChatCompletion.model_fields["service_tier"].annotation)


def _without_type_of_enums(schema: Any) -> Any:
    if isinstance(schema, dict):
        kept = {name: value for name, value in schema.items() if not (name == "type" and "enum" in schema)}
        return {name: _without_type_of_enums(value) for name, value in kept.items()}
    return [_without_type_of_enums(one) for one in schema] if isinstance(schema, list) else schema


@pytest.fixture(scope="module")
def closed() -> Iterator[Any]:
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming

    with closed_types(MessageCreateParamsNonStreaming) as known:
        yield known


@pytest.fixture(scope="module")
def chat() -> Iterator[Any]:
    """The same of chat completions."""
    from openai.types.chat.completion_create_params import CompletionCreateParamsNonStreaming

    with closed_types(CompletionCreateParamsNonStreaming) as known:
        yield known


@contextmanager
def closed_types(body: Any) -> Iterator["Eager"]:
    """A check of bodies that refuses what the types do not name, at every depth."""
    from pydantic import TypeAdapter

    changed: list[type] = []
    for kind in _typed_dicts(body, set()):
        if "__pydantic_config__" not in vars(kind):
            kind.__pydantic_config__ = {"extra": "forbid"}
            changed.append(kind)
    yield Eager(TypeAdapter(body))
    for kind in changed:
        del kind.__pydantic_config__  # type: ignore[attr-defined]  # set above


class Eager:
    """Validates, and walks what the types call an Iterable: that is checked only as it is walked."""

    def __init__(self, adapter: Any) -> None:
        self._adapter = adapter

    def validate_python(self, body: Mapping[str, Any]) -> None:
        """Raises ValidationError."""
        _walked(self._adapter.validate_python(body))


def _walked(value: Any) -> None:
    if isinstance(value, Mapping):
        for one in value.values():
            _walked(one)
    elif hasattr(value, "__iter__") and not isinstance(value, str):
        for one in value:
            _walked(one)


def _typed_dicts(kind: Any, seen: set[Any]) -> set[Any]:
    """All typed dictionaries within one."""
    if get_origin(kind) is not None:
        for inner in get_args(kind):
            _typed_dicts(inner, seen)
    elif hasattr(kind, "__total__") and kind not in seen:
        seen.add(kind)
        for inner in get_type_hints(kind, include_extras=False).values():
            _typed_dicts(inner, seen)
    return seen
