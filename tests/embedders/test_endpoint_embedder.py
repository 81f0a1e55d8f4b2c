"""An embeddings endpoint: what it is sent, and what it may answer."""

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import httpx
import pytest
import respx

from agentdebate.embedders.endpoint import EndpointEmbedder
from agentdebate.errors import (
    ConnectionFailed,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    ServerFailed,
)

KEY = "sk-very-secret-0123456789"
ADDRESS = "http://embed.test/v1"


def entry(index: object, embedding: object) -> dict[str, object]:
    return {"object": "embedding", "index": index, "embedding": embedding}


def body(*entries: Mapping[str, object]) -> dict[str, object]:
    return {"object": "list", "data": entries, "model": "embed-1", "usage": {"prompt_tokens": 3}}


def lengths(request: httpx.Request) -> httpx.Response:
    """Answers each text with its length, the last one first."""
    texts = json.loads(request.content)["input"]
    entries = [entry(index, [len(text), 1.0]) for index, text in enumerate(texts)]
    return httpx.Response(200, json=body(*reversed(entries)))


@pytest.fixture
def route() -> Iterator[respx.Route]:
    with respx.mock(using="httpx", assert_all_called=False) as router:
        yield router.post(f"{ADDRESS}/embeddings").mock(side_effect=lengths)


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """What was waited before further tries, in no time."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    return waited


async def embed(texts: Sequence[str] = ("a",), **options: Any) -> list[list[float]]:
    embedder = EndpointEmbedder("embed-1", **{"base_url": ADDRESS, **options})
    try:
        return await embedder.embed(texts)
    finally:
        await embedder.aclose()


@pytest.mark.parametrize(
    ("failure", "kind"),
    [
        (httpx.Response(429, headers={"retry-after": "7"}), RateLimited),
        (httpx.Response(503), ServerFailed),
        (httpx.Response(200, json={"error": {"message": "Busy.", "code": 502}}), ServerFailed),
        (httpx.ConnectError, ConnectionFailed),
        (httpx.ReadTimeout, ModelTimeout),
    ],
)
async def test_an_error_that_may_pass_is_tried_again(
    route: respx.Route,
    waits: list[float],
    failure: httpx.Response | type[httpx.TransportError],
    kind: type[ModelError],
) -> None:
    route.mock(side_effect=[failure, httpx.Response(200, json=body(entry(0, [0.5])))])
    assert await embed() == [[0.5]]
    assert len(waits) == 1
    route.mock(side_effect=[failure] * 5)
    with pytest.raises(ModelError) as caught:
        await embed()
    assert type(caught.value) is kind
    assert len(waits) == 5


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (b"", "no embeddings: the body"),
        (b"<html>", "in place of a reply came a web page: <html>"),
        (b'{"data": [{"index": 0}]}', "no embeddings: data.0.embedding"),
        (b'{"data": [{"index": "0", "embedding": [1]}]}', "data.0.index"),
        (b'{"data": [{"embedding": [1]}, {"embedding": [1]}]}', "data.0.index"),
        (body(entry(0, [1])), "1 embeddings for 2 texts"),
        (body(entry(0, [1]), entry(1, [1]), entry(2, [1])), "3 embeddings for 2 texts"),
        (body(entry(0, [1]), entry(0, [1])), "indices are not 0 to 1"),
        (body(entry(0, []), entry(1, [])), "data.0.embedding"),
        (body(entry(0, [1]), entry(1, [None])), "data.1.embedding.0"),
        (body(entry(0, [1]), entry(1, "AACAPw==")), "data.1.embedding"),
        (b'{"data": [{"index": 0, "embedding": [1]}, {"index": 1, "embedding": [NaN]}]}', "data.1.embedding"),
    ],
)
async def test_anything_but_one_finite_vector_a_text_is_malformed(
    route: respx.Route, waits: list[float], answer: bytes | dict[str, object], says: str
) -> None:
    content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
    route.mock(return_value=httpx.Response(200, content=content))
    with pytest.raises(MalformedReply, match=says) as caught:
        await embed(["a", "b"])
    assert (caught.value.model, caught.value.status) == ("openai/embed-1", 200)


async def test_calls_whose_vectors_differ_in_length_are_malformed(route: respx.Route) -> None:
    """A call takes 256 texts."""
    calls = [body(*(entry(number, [1]) for number in range(256))), body(entry(0, [1, 2]))]
    route.mock(side_effect=[httpx.Response(200, json=call) for call in calls])
    with pytest.raises(MalformedReply, match="openai/embed-1: embeddings of different lengths: 1, 2"):
        await embed([str(number) for number in range(257)])


@pytest.mark.parametrize("status", [200, 401])
async def test_the_key_is_in_no_error(
    route: respx.Route, monkeypatch: pytest.MonkeyPatch, waits: list[float], status: int
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    said = {"error": {"message": f"bad key {KEY}"}, "data": KEY}
    route.mock(return_value=httpx.Response(status, json=said, headers={"x-request-id": KEY}))
    with pytest.raises(ModelError) as caught:
        await embed()
    assert KEY not in f"{caught.value} {caught.value.request_id} {caught.value.__cause__}"
