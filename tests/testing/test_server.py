"""The fault server: replies as scripted, latency, limits, its ledger, and how it starts and stops."""

import asyncio
import io
import json
import math
from collections.abc import Mapping
from typing import Any

import pytest
from served import ask, body, client, tell, until

from agentdebate.errors import RateLimited, RequestRefused, UsageError
from agentdebate.testing.chance import digest, share
from agentdebate.testing.latency import constant, latency, lognormal, uniform
from agentdebate.testing.limits import Bucket, Limits, duration
from agentdebate.testing.server import FaultServer


async def test_replies_come_in_the_order_of_the_list_and_then_end() -> None:
    raw = {"choices": [{"message": {"content": "as it is"}, "finish_reason": "stop"}]}
    async with FaultServer(replies=["one", raw, "three"]) as server:
        assert [one.text for one in await tell(server, ask(), ask(), ask())] == ["one", "as it is", "three"]
        with pytest.raises(RequestRefused, match="list of replies has come to its end"):
            await tell(server, ask())


async def test_a_function_makes_replies_of_the_request() -> None:
    def said(request: Mapping[str, Any]) -> str:
        return f"{request['model']} heard {request['messages'][-1]['content']}"

    async with FaultServer(replies=said) as server:
        [found] = await tell(server, ask("a word", n=2))
    assert found.text == "tiny heard a word"
    assert found.others == (found.text,)


@pytest.mark.parametrize("fault", ["refusal", "length", "invalid-utf8", "duplicated-usage", "malformed-json"])
async def test_a_reply_written_out_in_full_can_be_spoiled_too(fault: str) -> None:
    async with (
        FaultServer(replies=[{"choices": "none"}], faults=[fault]) as server,
        client() as session,
        session.post(f"{server.base_url}/chat/completions", json=body()) as answer,
    ):
        assert answer.status == 200
        assert await answer.read()


def test_a_text_is_no_list_of_replies() -> None:
    with pytest.raises(UsageError, match="lambda"):
        FaultServer(replies="Coherence: 4")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (b"{", "not JSON"),
        (b"[]", "messages"),
        (json.dumps({"messages": []}).encode(), "messages"),
        (json.dumps({"messages": ["x"]}).encode(), "messages"),
        (json.dumps(body(stream=True)).encode(), "stream"),
        (json.dumps(body(n=0)).encode(), "'n'"),
    ],
)
async def test_a_wrong_request_is_called_wrong(sent: bytes, said: str) -> None:
    async with FaultServer(faults={"500": 1.0}) as server, client() as session:
        async with session.post(f"{server.base_url}/chat/completions", data=sent) as answer:
            assert answer.status == 400
            assert said in (await answer.json())["error"]["message"]
        assert server.answered.total() == 0


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/models", 200),
        ("GET", "/ledger", 200),
        ("GET", "/", 404),
        ("GET", "/v1/chat/completions", 405),
    ],
)
async def test_other_paths(method: str, path: str, status: int) -> None:
    async with FaultServer() as server, client() as session:
        async with session.request(method, server.root + path) as answer:
            assert answer.status == status
            assert await answer.json()
        assert server.requests == 0


async def test_a_request_and_its_answer_may_be_long() -> None:
    long = "word " * 600_000
    sent = io.BytesIO(json.dumps(body(long)).encode())
    async with FaultServer(replies=[long]) as server, client() as session:
        async with session.post(f"{server.base_url}/chat/completions", data=sent) as answer:
            found = await answer.json()
        assert server.ledger.prompt_tokens == len(long) / 4
    assert found["choices"][0]["message"]["content"] == long


async def test_the_ledger_says_what_was_seen_and_given() -> None:
    async with FaultServer(faults=["500"], latency=0.05) as server, client() as session:
        address = f"{server.base_url}/chat/completions"

        async def post(text: str) -> None:
            async with session.post(address, json=body(text)) as answer:
                await answer.read()

        await asyncio.gather(*map(post, "abc"))
        await post("a")
        async with session.get(f"{server.root}/ledger") as answer:
            told = await answer.json()
    assert told.pop("prompt_tokens") == 1
    assert told.pop("completion_tokens") > 1
    assert told.pop("cached_tokens") == told.pop("cache_write_tokens") == 0
    assert told == {
        "requests": 4,
        "answered": {digest(body("a")): 1},
        "faults": {"500": 3},
        "in_flight": 0,
        "most_in_flight": 3,
    }


async def test_a_client_that_leaves_is_not_counted_as_answered() -> None:
    async with FaultServer(latency=30) as server:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await tell(server, ask())
        await until(lambda: not server.in_flight)
        assert (server.requests, server.answered.total()) == (1, 0)


async def test_latency_is_waited_for() -> None:
    async with FaultServer(latency=0.1) as server:
        [found] = await tell(server, ask())
    assert found.latency >= 0.09


async def test_tokens_arrive_one_after_the_other() -> None:
    async with FaultServer(replies=["one two three four five"], per_token=0.02) as server:
        [found] = await tell(server, ask())
    assert found.text == "one two three four five"
    assert found.latency >= 0.09


def test_latencies_are_distributed_as_they_say() -> None:
    shares = [share(number) for number in range(2000)]
    assert {constant(0.3)(one) for one in shares} == {0.3}
    flat = sorted(uniform(1, 3)(one) for one in shares)
    assert 1 <= flat[0] < 1.05
    assert 1.9 < flat[1000] < 2.1
    assert 2.95 < flat[-1] <= 3
    skewed = sorted(lognormal(0.2, 0.5)(one) for one in shares)
    assert 0.19 < skewed[1000] < 0.21
    assert skewed[-1] - skewed[1000] > 3 * (skewed[1000] - skewed[0])
    assert math.isfinite(lognormal(0.2)(0.0))


@pytest.mark.parametrize(
    ("written", "low", "high"),
    [
        (0.2, 0.2, 0.2),
        ("0.2", 0.2, 0.2),
        ("uniform:0.1,0.3", 0.15, 0.25),
        ("lognormal:2", 2, 2),
        ("constant:1", 1, 1),
    ],
)
def test_a_latency_can_be_written(written: float | str, low: float, high: float) -> None:
    assert low <= latency(written)(0.5) <= high


@pytest.mark.parametrize(
    "written", ["slow", "uniform:1", "uniform:3,1", "normal:1,2", "-1", "lognormal:0", "nan"]
)
def test_what_is_no_latency_is_refused(written: str) -> None:
    with pytest.raises(UsageError, match="latency"):
        latency(written)


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_empties_and_fills_up_again() -> None:
    clock = Clock()
    bucket = Bucket(60, clock)
    for _ in range(60):
        assert bucket.wait(1) == 0
        bucket.take(1)
    assert bucket.wait(1) == pytest.approx(1.0)
    assert bucket.reset == pytest.approx(60.0)
    clock.now = 1.5
    assert bucket.wait(1) == 0
    assert bucket.left == pytest.approx(1.5)
    clock.now = 1000
    assert bucket.wait(60) == 0
    assert bucket.left == 60
    assert bucket.wait(61) == math.inf


def test_a_call_that_exceeds_one_limit_takes_nothing_of_the_other() -> None:
    clock = Clock()
    limits = Limits(10, 100, clock=clock)
    assert limits.admit(90) is None
    exceeded = limits.admit(40)
    assert exceeded is not None
    assert exceeded[0] == "tokens"
    assert exceeded[1] == pytest.approx(18.0)
    assert limits.headers() == {
        "x-ratelimit-limit-requests": "10",
        "x-ratelimit-remaining-requests": "9",
        "x-ratelimit-reset-requests": "6s",
        "x-ratelimit-limit-tokens": "100",
        "x-ratelimit-remaining-tokens": "10",
        "x-ratelimit-reset-tokens": "54s",
    }


@pytest.mark.parametrize(
    ("seconds", "written"), [(0, "0ms"), (0.02, "20ms"), (1.5, "1.5s"), (60, "1m0s"), (61.25, "1m1.25s")]
)
def test_durations_are_written_as_openai_does(seconds: float, written: str) -> None:
    assert duration(seconds) == written


async def test_calls_beyond_the_limit_are_told_to_wait() -> None:
    async with FaultServer(requests_per_minute=2) as server, client() as session:
        address = f"{server.base_url}/chat/completions"
        told = []
        for _ in range(2):
            async with session.post(address, json=body()) as answer:
                assert answer.status == 200
                told.append(answer.headers["x-ratelimit-remaining-requests"])
        with pytest.raises(RateLimited) as caught:
            await tell(server, ask())
        assert told == ["1", "0"]
        assert caught.value.retry_after is not None
        assert 0 < caught.value.retry_after <= 30
        assert server.faults == {"limited": 1}


@pytest.mark.parametrize("rate", [0, -1, float("nan"), float("inf")])
def test_a_limit_lets_something_through(rate: float) -> None:
    with pytest.raises(UsageError, match="above 0"):
        FaultServer(tokens_per_minute=rate)


async def test_a_server_closes_in_the_middle_of_answers() -> None:
    server = FaultServer(faults={"hang": 1.0})
    slow = FaultServer(latency=600)
    async with client() as session:
        async with asyncio.timeout(None) as leaving, server, slow:
            calls = [
                asyncio.create_task(_post(session, one.base_url)) for one in (server, slow) for _ in range(3)
            ]
            await until(lambda: server.in_flight + slow.in_flight == 6)
            leaving.reschedule(asyncio.get_running_loop().time() + 60)  # a tenth of what the slow one takes
        ended = await asyncio.gather(*calls, return_exceptions=True)
    assert all(isinstance(one, Exception) for one in ended)
    assert (server.in_flight, slow.in_flight) == (0, 0)
    assert server.answered.total() == 0


async def test_a_server_can_be_closed_twice_and_started_again() -> None:
    server = FaultServer()
    with pytest.raises(UsageError, match="not running"):
        _ = server.base_url
    for _ in range(2):
        async with server:
            await tell(server, ask())
            assert "127.0.0.1" in repr(server)
        await server.aclose()
    assert "not running" in repr(server)
    assert server.requests == 2


async def test_a_port_that_is_taken_is_an_error_and_leaves_nothing_open() -> None:
    async with FaultServer() as first:
        port = int(first.root.rpartition(":")[2])
        with pytest.raises(OSError, match="address already in use"):
            await FaultServer(port=port).start()


async def _post(session: Any, base_url: str) -> int:
    async with session.post(f"{base_url}/chat/completions", json=body()) as answer:
        await answer.read()
        return int(answer.status)
