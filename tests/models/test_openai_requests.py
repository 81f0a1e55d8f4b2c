"""What goes out to an endpoint: addresses, headers, fields."""

from typing import Any

import httpx
import pytest
from endpoint_double import ADDRESS, KEY, Endpoint, ask
from fault_cases import reply

from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.dialects.dialect import dialect_of
from agentdebate.models.dialects.presets import open_openai


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
    plain: dict[str, Any] = {"temperature": 0, "top_p": 0.5, "seed": 3, "max_tokens": 9, "n": 3}
    plain |= {"frequency_penalty": 0.1, "presence_penalty": -0.1}
    await endpoint.model().complete(ask(**plain, logprobs=2, stop=("END",)))
    sent = {name: value for name, value in endpoint.body.items() if name not in {"model", "messages"}}
    assert sent == {**plain, "logprobs": True, "top_logprobs": 2, "stop": ["END"]}


async def test_extra_fields_go_before_ours() -> None:
    endpoint = Endpoint()
    await endpoint.model(extra={"top_k": 5, "temperature": 1.0}).complete(ask(temperature=0))
    assert (endpoint.body["top_k"], endpoint.body["temperature"]) == (5, 1.0)


async def test_log_probabilities_of_a_model_without_them_are_refused_before_sending() -> None:
    endpoint = Endpoint()
    with pytest.raises(RequestRefused, match="logprobs"):
        await endpoint.model("gpt-5-mini").complete(ask(logprobs=1))
    assert endpoint.requests == []


async def test_a_key_is_sent_as_a_bearer_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", f" {KEY}\n")
    endpoint = Endpoint()
    await endpoint.model(api_key_env="MY_KEY", headers={"X-Team": "nlg"}).complete(ask())
    assert endpoint.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert endpoint.requests[0].headers["x-team"] == "nlg"


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


EARLIER = ("o3-mini", "openai/o3-mini", "O3-Mini", "gpt-5-nano-2026-01-01")
LATER = ("gpt-6-luna", "gpt-6.1-terra", "gpt-6-astra", "gpt-6.2-sol", "openai/gpt-6.1-sol", "gpt-5.6-sol")


@pytest.mark.parametrize(
    ("name", "effort", "drops", "refuses"),
    [
        *((name, None, {"temperature"}, None) for name in EARLIER),
        *(
            (name, how, {"temperature", "top_p"}, {"logprobs"})
            for name in LATER
            for how in (None, "low", "max")
        ),
        *((name, "none", set(), set()) for name in ("gpt-6-luna", "gpt-6.1-terra", "gpt-5.4-mini")),
    ],
)
def test_a_reasoning_model_is_known_by_its_name(
    name: str, effort: str | None, drops: set[str], refuses: set[str] | None
) -> None:
    """A later one takes no sampling while it thinks, and all of it where it does not."""
    found = dialect_of(name).at(effort)
    assert drops <= found.drops
    assert refuses in (None, found.refuses)
    assert drops or not found.drops
    assert found.limit == "max_completion_tokens"
