"""What comes back from an endpoint: completions, whatever is left out or null."""

import json
import math
from typing import Any

import httpx
import pytest
from endpoint_double import SCHEMA, Endpoint, ask
from fault_cases import reply
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.codec import json_text, read
from agentdebate.errors import ContentFiltered, MalformedReply, ModelError, RequestRefused
from agentdebate.models.base import Completion, TokenLogprob


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


async def test_a_refusal_is_the_text_and_the_finish() -> None:
    completion = await completed(reply(message={"content": None, "refusal": "I would rather not."}))
    assert (completion.text, completion.finish) == ("I would rather not.", "refusal")


async def test_a_filtered_reply_is_an_error() -> None:
    with pytest.raises(ContentFiltered):
        await completed(reply(finish_reason="content_filter"))


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
