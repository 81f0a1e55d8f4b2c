"""The usual reply is read in one pass, and to the same completion as by the reader of all others."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentdebate.codec import json_text, read
from agentdebate.errors import ModelError
from agentdebate.models.base import Completion, Sampling
from agentdebate.models.dialects.usual_reply import usual_completion
from agentdebate.models.dialects.wire import ChatReply
from agentdebate.models.reply_size import MOST

ABOUT: dict[str, Any] = {"structured": True, "model": "asked", "latency": 0.5}

TEXTS = st.text(max_size=8) | st.sampled_from(["\ufeffx", "", " two  blanks ", "\x1b[2J"])
COUNTS = st.integers(-2, 10**9) | st.sampled_from([None, True, 1.5, "7", 10**400, [1]])
DETAILS = (
    st.none() | st.dictionaries(st.sampled_from(["cached_tokens", "reasoning_tokens"]), COUNTS) | st.just(3)
)
USAGES = (
    st.fixed_dictionaries(
        {"prompt_tokens": COUNTS, "completion_tokens": COUNTS},
        optional={"prompt_tokens_details": DETAILS, "completion_tokens_details": DETAILS},
    )
    | st.none()
    | st.just([1])
)
MESSAGES = st.fixed_dictionaries(
    {}, optional={"content": TEXTS | st.none() | st.lists(TEXTS), "refusal": st.none() | TEXTS, "role": TEXTS}
) | st.just("hello")
ENDS = st.sampled_from(["stop", "length", "content_filter", "refusal", "tool_calls", None, 7])
CHOICES = st.fixed_dictionaries(
    {"message": MESSAGES}, optional={"finish_reason": ENDS, "logprobs": st.none()}
)
REPLIES: st.SearchStrategy[object] = st.fixed_dictionaries(
    {},
    optional={
        "choices": st.lists(CHOICES, max_size=2) | st.none() | st.just({"0": {}}),
        "model": TEXTS | st.none() | st.just(4),
        "id": TEXTS | st.none() | st.just(4),
        "usage": USAGES,
        "error": st.none() | TEXTS,
    },
) | st.lists(st.integers())


def usual(body: bytes, request_id: str | None = None) -> Completion | None:
    return usual_completion(body, **ABOUT, request_id=request_id)


def otherwise(body: bytes, request_id: str | None = None) -> Completion | None:
    try:
        return ChatReply.read(body).completion(Sampling(), **ABOUT, request_id=request_id)
    except ModelError:
        return None


def reply(**changes: Any) -> dict[str, Any]:
    message = {"role": "assistant", "content": "Coherence: 4", "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
    usage = {"prompt_tokens": 900, "completion_tokens": 24, "total_tokens": 924}
    return {"id": "chatcmpl-1", "model": "tiny", "choices": [choice], "usage": usage, **changes}


@given(REPLIES, st.none() | st.just("req-1"))
def test_what_is_read_in_one_pass_is_what_the_other_reader_reads(said: Any, request_id: str | None) -> None:
    body = json.dumps(said).encode()
    found = usual(body, request_id)
    assert found is None or found == otherwise(body, request_id)


@given(st.binary(max_size=30))
def test_any_bytes_are_read_or_left_to_the_other_reader(body: bytes) -> None:
    assert usual(body) is None


def test_the_reply_of_usual_endpoints_is_read_in_one_pass() -> None:
    details = {"cached_tokens": 8, "audio_tokens": 0}, {"reasoning_tokens": 3, "audio_tokens": 0}
    usage = {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13}
    detailed = {**usage, "prompt_tokens_details": details[0], "completion_tokens_details": details[1]}
    for one in (reply(), reply(usage=detailed), reply(usage={**usage, "prompt_tokens_details": None})):
        body = json.dumps(one).encode()
        assert usual(body) is not None
        assert usual(body) == otherwise(body)
    found = usual(json.dumps(reply(usage=detailed)).encode())
    assert found is not None
    assert (found.usage.cached_tokens, found.usage.reasoning_tokens) == (8, 3)


def test_a_completion_that_is_read_in_one_pass_is_stored_as_any_other() -> None:
    body = json.dumps(reply()).encode()
    found, other = usual(body), otherwise(body)
    assert found is not None
    assert other is not None
    assert json_text(found) == json_text(other)
    assert read(Completion, json.loads(json_text(found))) == found


def test_a_reply_that_may_be_too_long_is_left_to_the_other_reader() -> None:
    message = {"content": "w" * (MOST + 1)}
    assert usual(json.dumps(reply(choices=[{"message": message, "finish_reason": "stop"}])).encode()) is None
