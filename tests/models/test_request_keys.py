"""Digests of requests are written by hand from parts; they say the same as JSON that is written whole."""

import hashlib
import json
from dataclasses import replace

from endpoint_double import SCHEMA, Endpoint, ask
from hypothesis import example, given
from hypothesis import strategies as st

from agentdebate.models.base import ChatMessage, ModelRequest, RequestKeys, Sampling

TEXTS = st.text(st.characters(codec=None, exclude_categories=()))
ROLES = st.sampled_from(["system", "user", "assistant"])
MESSAGES = st.lists(st.builds(ChatMessage, ROLES, TEXTS), max_size=4).map(tuple)
NUMBERS = st.none() | st.floats(0, 2, exclude_min=True)
SAMPLINGS = st.builds(
    Sampling,
    temperature=NUMBERS,
    top_p=st.none() | st.floats(0, 1, exclude_min=True),
    seed=st.none() | st.integers(),
    max_tokens=st.none() | st.integers(1),
    n=st.integers(1, 3),
    logprobs=st.none() | st.integers(0, 20),
    frequency_penalty=NUMBERS,
    stop=st.lists(TEXTS, max_size=2).map(tuple),
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(TEXTS, JSON, max_size=3)
REQUESTS = st.builds(ModelRequest, MESSAGES, SAMPLINGS, st.none() | OBJECTS, sample=st.integers(0, 3))
HALVES = ModelRequest((ChatMessage("system", "\ud83d"), ChatMessage("user", "a\ude00\x7f\u2028\0")))
"""Texts with halves of characters, as a cut in the wrong place leaves them."""


async def test_requests_of_other_parameters_are_sent_with_these() -> None:
    endpoint = Endpoint()
    model = endpoint.model(temperature=0.5)
    for request in (ask(temperature=1.0), ask(), ask(temperature=None), ask(seed=7), ask(temperature=1.0)):
        await model.complete(request)
    assert [body.get("temperature") for body in endpoint.bodies] == [1.0, 0.5, None, 0.5, 1.0]
    assert [body.get("seed") for body in endpoint.bodies] == [None, None, None, 7, None]


@given(REQUESTS)
@example(HALVES)
def test_the_digest_of_a_request_is_that_of_its_json_with_the_keys_in_order(request_: ModelRequest) -> None:
    """Completions of earlier versions are found by it."""
    parts = {
        "messages": [[one.role, one.content] for one in request_.messages],
        "sampling": request_.sampling.model_dump(exclude_defaults=True),
        "schema": request_.schema,
        **({"sample": request_.sample} if request_.sample else {}),
    }
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert request_.key() == hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


@given(st.lists(REQUESTS, min_size=1, max_size=4))
@example([HALVES, HALVES])
def test_requests_that_begin_alike_have_the_keys_that_they_have_alone(requests: list[ModelRequest]) -> None:
    keys = RequestKeys()
    system = [ChatMessage("system", "Judge."), ChatMessage("user", "Judge."), ChatMessage("system", "\ud800")]
    alike = [replace(one, messages=(first, *one.messages)) for one in requests for first in system]
    for one in (*requests, *alike, *alike, ModelRequest(())):
        assert keys.of(one) == one.key()


def test_more_system_messages_than_are_kept_give_the_same_keys() -> None:
    keys = RequestKeys()
    some = [
        ModelRequest((ChatMessage("system", f"You are {n}."), ChatMessage("user", "Go."))) for n in range(40)
    ]
    assert [keys.of(one) for one in (*some, *some)] == [one.key() for one in (*some, *some)]
    assert repr(keys) == "<RequestKeys that begin with 16 system messages>"


def test_the_digest_of_a_request_stays_what_it_was() -> None:
    request = ask("Grüße", schema=SCHEMA, temperature=0.0, stop=("END",))
    assert request.key() == "007cb16f7875ec484aa3d3895a5a36988bcf8cf501eea7d4e489387ccac10df6"
