"""What goes out to an endpoint, addresses, headers and fields, and what comes back from it."""

import json
import math
from typing import Any

import httpx
import pytest
from endpoint_double import ADDRESS, KEY, SCHEMA, Endpoint, ask
from fault_cases import reply
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.codec import json_text, read
from agentdebate.errors import MalformedReply, ModelError, RequestRefused, UsageError
from agentdebate.models.base import Completion, TokenLogprob
from agentdebate.models.dialects.dialect import dialect_of
from agentdebate.models.dialects.presets import open_openai


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)


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


# What comes back: completions, whatever is left out or null.


async def completed(body: dict[str, Any], **sampling: Any) -> Completion:
    return await Endpoint(body).model().complete(ask(**sampling))


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, ""),
        ("", ""),
        ([{"type": "text", "text": "a"}, {"type": "image"}, {"type": "text", "text": "b"}], "ab"),
        (["a", {"text": None}, 3], "a"),
    ],
)
async def test_content_may_be_null_or_parts(content: object, text: str) -> None:
    assert (await completed(reply(content))).text == text


async def test_a_choice_without_a_text_and_a_reason_is_a_refusal() -> None:
    completion = await completed(reply("", finish_reason=None))
    assert (completion.text, completion.finish) == ("refused: no reason given", "refusal")


async def test_a_refusal_is_the_text_and_the_finish() -> None:
    completion = await completed(reply(message={"content": None, "refusal": "I would rather not."}))
    assert (completion.text, completion.finish) == ("I would rather not.", "refusal")


LOGPROBS = {
    "content": [
        {
            "token": "a",
            "logprob": -0.5,
            "bytes": [97],
            "top_logprobs": [{"token": "a", "logprob": -0.5}, {"token": "b", "logprob": -1.5}],
        },
        {"token": "!", "logprob": None, "top_logprobs": None},
    ]
}


async def test_log_probabilities_are_read_with_their_alternatives() -> None:
    completion = await completed(reply("a!", logprobs=LOGPROBS), logprobs=2)
    assert completion.logprobs == (
        TokenLogprob(token="a", logprob=-0.5, top=(("a", -0.5), ("b", -1.5))),
        TokenLogprob(token="!", logprob=-9999.0),
    )


async def test_log_probabilities_that_were_passed_over_are_an_error() -> None:
    with pytest.raises(RequestRefused, match="no log-probabilities"):
        await completed(reply("a"), logprobs=0)


async def test_a_log_probability_that_is_no_number_is_malformed() -> None:
    tokens = {"content": [{"token": "a", "logprob": math.nan}]}
    body = json.dumps(reply("a", logprobs=tokens)).encode()
    endpoint = Endpoint(httpx.Response(200, content=body))
    with pytest.raises(MalformedReply, match="not a number"):
        await endpoint.model().complete(ask(logprobs=0))


async def test_further_samples_are_the_others() -> None:
    choices = [{"message": {"content": text}, "finish_reason": "stop"} for text in "abc"]
    completion = await completed(reply(choices=choices), n=3)
    assert (completion.text, completion.others) == ("a", ("b", "c"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@st.composite
def almost_replies(draw: st.DrawFn) -> Any:
    """A good reply or error with one of its values replaced by some JSON."""
    good = reply("a", logprobs=LOGPROBS)
    root: Any = draw(
        st.sampled_from([good, {"error": {"message": "m", "code": "c"}}, {"detail": [{"loc": ["x"]}]}])
    )
    root = json.loads(json.dumps(root))
    at = root
    while True:
        name = draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
        inner = at[name]
        if not isinstance(inner, dict | list) or not inner or draw(st.integers(0, 3)) == 0:
            at[name] = draw(JSON)
            return root
        at = inner


@settings(max_examples=100)
@given(
    st.binary(max_size=40) | (JSON | almost_replies()).map(lambda value: json.dumps(value).encode()),
    st.sampled_from([200, 200, 200, 204, 302, 400, 401, 404, 422, 429, 500, 503, 599]),
    st.sampled_from([None, 0, 1]),
)
async def test_any_body_is_a_completion_or_a_typed_error(
    body: bytes, status: int, logprobs: int | None
) -> None:
    model = Endpoint(httpx.Response(status, content=body)).model()
    try:
        completion = await model.complete(ask(schema=SCHEMA, temperature=0, seed=1, logprobs=logprobs))
    except ModelError as error:
        shown = str(error)
    else:
        shown = ""
        assert read(Completion, json.loads(json_text(completion))) == completion
    assert len(shown) < 700
