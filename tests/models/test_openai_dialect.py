"""An endpoint's refusals: what is spelled another way, what is left out, and what is an error."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from endpoint_double import ADDRESS, SCHEMA, Endpoint, ask, failed, refusal, reply

from agentdebate.errors import RequestRefused, ServerFailed
from agentdebate.models.dialects.chat_completions import open_openai

LIMIT = "Unsupported parameter: 'max_tokens' is not supported here. Use 'max_completion_tokens' instead."
HOT = "Unsupported value: 'temperature' does not support 0 with this model. Only the default is supported."
LOG = "agentdebate.models.dialects.endpoint_model"


async def test_the_token_limit_is_spelled_the_other_way_and_that_is_remembered() -> None:
    endpoint = Endpoint(
        failed(400, refusal(LIMIT, param="max_tokens", code="unsupported_parameter")), reply()
    )
    model = endpoint.model()
    await model.complete(ask(max_tokens=5))
    await model.complete(ask(max_tokens=6))
    assert [body.get("max_tokens") for body in endpoint.bodies] == [5, None, None]
    assert [body.get("max_completion_tokens") for body in endpoint.bodies] == [None, 5, 6]


async def test_a_token_limit_that_neither_spelling_sets_is_an_error() -> None:
    endpoint = Endpoint(
        failed(400, "Unknown parameter: 'max_tokens'"),
        failed(400, "Unknown parameter: 'max_completion_tokens'"),
    )
    with pytest.raises(RequestRefused, match="max_completion_tokens"):
        await endpoint.model().complete(ask(max_tokens=5))
    assert len(endpoint.requests) == 2


@pytest.mark.parametrize(
    "said",
    [
        refusal(HOT, param="temperature", code="unsupported_value"),
        refusal(HOT),
        refusal("`temperature` is deprecated for this model."),
        {"detail": [{"type": "extra_forbidden", "loc": ["body", "temperature"], "msg": "Extra inputs"}]},
    ],
)
async def test_a_refused_temperature_is_left_out_with_one_warning(
    said: object, caplog: pytest.LogCaptureFixture
) -> None:
    endpoint = Endpoint(failed(400, said), reply())
    model = endpoint.model()
    for _ in range(3):
        await model.complete(ask(temperature=0))
    assert ["temperature" in body for body in endpoint.bodies] == [True, False, False, False]
    warnings = [record for record in caplog.records if record.levelno == logging.WARNING]
    assert [record.getMessage() for record in warnings] == [
        "openai/tiny at 127.0.0.1:9 takes no temperature: requests go out without it"
    ]


async def test_a_wrong_value_is_no_reason_to_leave_a_parameter_out() -> None:
    endpoint = Endpoint(failed(400, refusal("temperature must be at most 2", param="temperature")))
    with pytest.raises(RequestRefused, match="at most 2"):
        await endpoint.model().complete(ask(temperature=3))
    assert len(endpoint.requests) == 1


@pytest.mark.parametrize(
    ("sampling", "name"),
    [({"seed": 1}, "seed"), ({"logprobs": 2}, "logprobs"), ({"stop": ("x",)}, "stop"), ({"n": 2}, "n")],
)
async def test_what_somebody_relies_on_is_never_left_out(sampling: dict[str, Any], name: str) -> None:
    endpoint = Endpoint(
        failed(400, refusal(f"'{name}' is not supported with this model", param=name)), reply()
    )
    with pytest.raises(RequestRefused, match=name):
        await endpoint.model().complete(ask(**sampling))
    assert len(endpoint.requests) == 1


async def test_a_schema_goes_from_form_to_form_until_the_endpoint_takes_one() -> None:
    endpoint = Endpoint(
        failed(
            400,
            "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
        ),
        failed(400, refusal("Unknown parameter", param="response_format.schema")),
        reply(),
    )
    model = endpoint.model()
    assert model.structured
    completion = await model.complete(ask(schema=SCHEMA))
    kinds = [body.get("response_format", {}).get("type") for body in endpoint.bodies]
    assert kinds == ["json_schema", "json_object", None]
    assert not completion.structured
    assert not model.structured


async def test_a_server_error_that_names_the_schema_is_a_refusal_of_it() -> None:
    """llama-cpp-python answers 500 to a form that it does not know."""
    said = "{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'input': 'json_schema'}"
    endpoint = Endpoint(failed(500, said), reply())
    completion = await endpoint.model().complete(ask(schema=SCHEMA))
    assert endpoint.body["response_format"] == {"type": "json_object", "schema": SCHEMA}
    assert completion.structured


async def test_any_other_server_error_is_no_refusal() -> None:
    endpoint = Endpoint(failed(500, "temperature sensor unknown"))
    with pytest.raises(ServerFailed):
        await endpoint.model().complete(ask(schema=SCHEMA, temperature=0))
    assert len(endpoint.requests) == 1


async def test_a_schema_that_is_itself_wrong_is_an_error() -> None:
    endpoint = Endpoint(
        failed(400, refusal("Invalid schema for response_format 'Rating'", param="response_format"))
    )
    with pytest.raises(RequestRefused, match="Invalid schema"):
        await endpoint.model().complete(ask(schema=SCHEMA))


async def test_a_form_that_was_chosen_is_kept() -> None:
    endpoint = Endpoint(failed(400, refusal("not supported", param="response_format")), reply())
    with pytest.raises(RequestRefused):
        await endpoint.model(schema="json_schema").complete(ask(schema=SCHEMA))


async def test_a_missing_system_role_is_learnt() -> None:
    endpoint = Endpoint(failed(400, "System role not supported"), reply())
    await endpoint.model().complete(ask("Hi", system="Be brief."))
    assert endpoint.body["messages"] == [{"role": "user", "content": "Be brief.\n\nHi"}]


async def test_a_refused_extra_field_is_an_error() -> None:
    endpoint = Endpoint(failed(400, "Unrecognized request argument supplied: top_k"), reply())
    with pytest.raises(RequestRefused, match="top_k"):
        await endpoint.model(extra={"top_k": 3}).complete(ask())


async def test_several_refusals_are_learnt_one_after_the_other(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, LOG)
    endpoint = Endpoint(failed(400, LIMIT), failed(400, HOT), failed(400, "unsupported: top_p"), reply())
    completion = await endpoint.model().complete(ask(max_tokens=5, temperature=0, top_p=0.5))
    assert completion.text == "fine"
    assert set(endpoint.body) == {"model", "messages", "max_completion_tokens"}
    assert "with max_completion_tokens in place of max_tokens from now on" in caplog.text
    assert "without temperature from now on" in caplog.text


async def test_calls_under_way_at_once_learn_together(caplog: pytest.LogCaptureFixture) -> None:
    """Each is refused once at most and none fails; the log says it once."""
    caplog.set_level(logging.INFO, LOG)
    requests: list[bool] = []
    all_here = asyncio.Event()

    async def handler(request: httpx.Request) -> httpx.Response:
        hot = b"temperature" in request.content
        requests.append(hot)
        if len(requests) == 20:
            all_here.set()
        await all_here.wait()
        return httpx.Response(400, json=refusal(HOT)) if hot else httpx.Response(200, json=reply())

    model = open_openai("tiny", base_url=ADDRESS, transport=httpx.MockTransport(handler))
    completions = await asyncio.gather(*(model.complete(ask(temperature=0)) for _ in range(20)))
    assert {completion.text for completion in completions} == {"fine"}
    assert (requests.count(True), requests.count(False)) == (20, 20)
    assert len([record for record in caplog.records if record.name == LOG]) == 2
