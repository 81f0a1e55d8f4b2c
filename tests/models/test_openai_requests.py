"""What goes out to an endpoint: addresses, headers, fields."""

from typing import Literal

import httpx
import pytest
from endpoint_double import ADDRESS, KEY, SCHEMA, Endpoint, ask, reply

from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.base import ChatMessage, Model, ModelRequest
from agentdebate.models.dialects.chat_completions import OpenAIChat, open_openai


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


async def test_a_plain_request_has_nothing_but_model_and_messages() -> None:
    endpoint = Endpoint()
    await endpoint.model().complete(ask("Hi"))
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hi"}]
    assert endpoint.body == {"model": "tiny", "messages": messages}
    assert str(endpoint.requests[0].url) == f"{ADDRESS}/chat/completions"
    assert endpoint.requests[0].headers["content-type"] == "application/json"


async def test_every_sampling_parameter_is_sent_under_its_name() -> None:
    endpoint = Endpoint(reply(logprobs={"content": []}, choices=[{"message": {"content": ""}}] * 3))
    await endpoint.model().complete(
        ask(
            temperature=0,
            top_p=0.5,
            seed=3,
            max_tokens=9,
            n=3,
            logprobs=2,
            frequency_penalty=0.1,
            presence_penalty=-0.1,
            stop=("END",),
        )
    )
    sent = {name: value for name, value in endpoint.body.items() if name not in {"model", "messages"}}
    assert sent == {
        "temperature": 0,
        "top_p": 0.5,
        "seed": 3,
        "max_tokens": 9,
        "n": 3,
        "logprobs": True,
        "top_logprobs": 2,
        "frequency_penalty": 0.1,
        "presence_penalty": -0.1,
        "stop": ["END"],
    }


async def test_sampling_options_fill_what_a_request_leaves_open() -> None:
    endpoint = Endpoint()
    await endpoint.model(temperature=0.5, sampling={"max_tokens": 7}).complete(ask(temperature=0))
    assert (endpoint.body["temperature"], endpoint.body["max_tokens"]) == (0, 7)


async def test_extra_fields_go_before_ours() -> None:
    endpoint = Endpoint()
    await endpoint.model(extra={"top_k": 5, "temperature": 1.0}).complete(ask(temperature=0))
    assert (endpoint.body["top_k"], endpoint.body["temperature"]) == (5, 1.0)


@pytest.mark.parametrize(
    ("form", "sent"),
    [
        (
            "json_schema",
            {"type": "json_schema", "json_schema": {"name": "Rating", "strict": True, "schema": SCHEMA}},
        ),
        ("json_object", {"type": "json_object", "schema": SCHEMA}),
        ("none", None),
    ],
)
async def test_a_schema_is_sent_in_the_chosen_form(form: str, sent: object) -> None:
    endpoint = Endpoint()
    model = endpoint.model(schema=form)
    completion = await model.complete(ask(schema=SCHEMA))
    assert endpoint.body.get("response_format") == sent
    assert completion.structured is model.structured is (form != "none")


async def test_a_reply_without_a_schema_is_not_structured() -> None:
    assert not (await Endpoint().model().complete(ask())).structured


async def test_a_title_that_is_no_name_is_not_sent_as_one() -> None:
    endpoint = Endpoint()
    await endpoint.model().complete(ask(schema={**SCHEMA, "title": "two words"}))
    assert endpoint.body["response_format"]["json_schema"]["name"] == "reply"


@pytest.mark.parametrize(
    ("roles", "sent"),
    [
        (("system", "user"), [("user", "system 0\n\nuser 1")]),
        (("system", "system", "user"), [("user", "system 0\n\nsystem 1\n\nuser 2")]),
        (("system", "assistant"), [("user", "system 0"), ("assistant", "assistant 1")]),
        (("user", "assistant"), [("user", "user 0"), ("assistant", "assistant 1")]),
    ],
)
async def test_without_a_system_role_its_text_goes_to_the_user(
    roles: tuple[Literal["system", "user", "assistant"], ...], sent: list[tuple[str, str]]
) -> None:
    endpoint = Endpoint()
    said = tuple(ChatMessage(role, f"{role} {place}") for place, role in enumerate(roles))
    await endpoint.model(system=False).complete(ModelRequest(said))
    assert [(message["role"], message["content"]) for message in endpoint.body["messages"]] == sent


async def test_a_reasoning_model_gets_its_own_spelling_without_a_temperature() -> None:
    endpoint = Endpoint()
    await endpoint.model("router/o3-mini").complete(ask(temperature=0, max_tokens=5))
    assert endpoint.body["max_completion_tokens"] == 5
    assert not {"temperature", "max_tokens"} & endpoint.body.keys()


async def test_log_probabilities_of_a_model_without_them_are_refused_before_sending() -> None:
    endpoint = Endpoint()
    with pytest.raises(RequestRefused, match="logprobs"):
        await endpoint.model("gpt-5-mini").complete(ask(logprobs=1))
    assert endpoint.requests == []


async def test_the_token_limit_is_spelled_as_the_option_says() -> None:
    endpoint = Endpoint()
    await endpoint.model(max_tokens_field="max_completion_tokens").complete(ask(max_tokens=5))
    assert endpoint.body["max_completion_tokens"] == 5


async def test_a_key_is_sent_as_a_bearer_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    endpoint = Endpoint()
    await endpoint.model(api_key_env="MY_KEY", headers={"X-Team": "nlg"}).complete(ask())
    assert endpoint.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert endpoint.requests[0].headers["x-team"] == "nlg"


async def test_a_server_of_your_own_needs_no_key() -> None:
    endpoint = Endpoint()
    await endpoint.model().complete(ask())
    assert "authorization" not in endpoint.requests[0].headers


def test_the_providers_own_address_needs_a_key() -> None:
    with pytest.raises(UsageError, match="OPENAI_API_KEY"):
        open_openai("gpt-4o-mini")


async def test_a_query_in_the_address_is_kept() -> None:
    endpoint = Endpoint()
    await endpoint.model(base_url=f"{ADDRESS}?api-version=1").complete(ask())
    assert str(endpoint.requests[0].url) == f"{ADDRESS}/chat/completions?api-version=1"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"base_ur": ADDRESS}, "base_url"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": "soon"}, "timeout"),
        ({"connections": 0}, "connections"),
        ({"schema": "xml"}, "schema"),
        ({"temperature": -1}, "temperature"),
        ({"extra": {"stream": True}}, "stream"),
        ({"extra": {"x": object()}}, "extra"),
        ({"extra": {"x": float("nan")}}, "extra"),
        ({"base_url": "127.0.0.1:8080"}, "http://"),
        ({"base_url": "ftp://host/v1"}, "http://"),
        ({"base_url": "http://host:port/v1"}, "base_url"),
        ({"base_url": "http://me:hunter2000@host/v1"}, "api_key_env"),
        ({"headers": {"X-Key": "two\nlines"}}, "X-Key"),
        ({"api_key": KEY}, "api_key_env"),
    ],
)
def test_an_option_that_means_nothing_is_a_usage_error(options: dict[str, object], says: str) -> None:
    with pytest.raises(UsageError, match=says) as caught:
        open_openai("tiny", **{"base_url": ADDRESS, **options})
    assert "hunter2000" not in str(caught.value)
    assert KEY not in str(caught.value)


def test_a_model_needs_a_name() -> None:
    with pytest.raises(UsageError, match="name a model"):
        open_openai(" ", base_url=ADDRESS)


async def test_it_is_a_model_with_the_providers_name_and_the_host_of_another() -> None:
    model = Endpoint().model("org/tiny")
    assert isinstance(model, Model)
    assert isinstance(model, OpenAIChat)
    told = ("openai/org/tiny at 127.0.0.1:9", "<OpenAIChat org/tiny at 127.0.0.1:9>")
    assert (model.name, repr(model)) == told


async def test_a_closed_model_says_so() -> None:
    model = Endpoint().model()
    await model.aclose()
    await model.aclose()
    with pytest.raises(UsageError, match="closed"):
        await model.complete(ask())


async def test_text_that_is_no_unicode_is_sent_as_json_all_the_same() -> None:
    """A lone surrogate from a broken data file must not be an error of the encoder."""
    sent: list[bytes] = []

    def handler(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(200, json=reply())

    await Endpoint().model(transport=httpx.MockTransport(handler)).complete(ask("a\ud800b"))
    assert rb"a\ud800b" in sent[0]
