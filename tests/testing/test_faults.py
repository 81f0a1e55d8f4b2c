"""Every fault of the fault server is met as the error that the tree promises, and passes."""

import asyncio
from collections import Counter
from itertools import pairwise

import pytest
from served import ask, body, client, tell

from agentdebate.errors import (
    ConnectionFailed,
    ContentFiltered,
    MalformedReply,
    ModelError,
    ModelTimeout,
    RateLimited,
    ReplyTooLong,
    ServerFailed,
    UsageError,
)
from agentdebate.testing.faults import Faults
from agentdebate.testing.server import FaultServer

ERRORS: dict[str, type[ModelError]] = {
    "429": RateLimited,
    "500": ServerFailed,
    "503": ServerFailed,
    "529": ServerFailed,
    "reset-before": ConnectionFailed,
    "truncated": MalformedReply,
    "malformed-json": MalformedReply,
    "empty-choices": MalformedReply,
    "hang": ModelTimeout,
    "long": ReplyTooLong,
    "filtered": ContentFiltered,
}
ANSWERED = {"refusal": "refusal", "length": "length", "thinking": "length"}
FINAL = (ReplyTooLong, ContentFiltered)
"""Errors after which the same request is not sent again: an agent asks in other words, or its debate fails."""


def patience(fault: str) -> float:
    """Seconds that the client waits: few where nothing comes."""
    return 0.2 if fault == "hang" else 5.0


@pytest.mark.parametrize("fault", ERRORS)
async def test_a_fault_is_a_typed_error_that_another_try_may_pass(fault: str) -> None:
    async with FaultServer(faults=[fault], retry_after=7) as server:
        with pytest.raises(ModelError) as caught:
            await tell(server, ask(), within=patience(fault))
        [again] = await tell(server, ask())
        assert type(caught.value) is ERRORS[fault], repr(caught.value)
        assert caught.value.retry_after == (7 if fault == "429" else None)
        assert caught.value.retryable is (ERRORS[fault] not in FINAL)
        assert again.finish == "stop"
        assert again.text
        assert server.faults == Counter({fault: 1})
        assert server.answered.total() == 1
        assert server.requests == 2
        assert server.in_flight == 0


@pytest.mark.parametrize("fault", ANSWERED)
async def test_a_strange_completion_is_a_completion_all_the_same(fault: str) -> None:
    async with FaultServer(faults=[fault]) as server:
        strange, plain = await tell(server, ask(), ask())
        assert strange.finish == ANSWERED[fault]
        assert server.answered.total() == 2
        assert server.completion_tokens == (strange.usage.completion_tokens + plain.usage.completion_tokens)
        assert server.prompt_tokens == 2 * plain.usage.prompt_tokens


async def test_what_is_cut_is_the_beginning_of_the_whole_reply() -> None:
    async with FaultServer(faults=["length"]) as server:
        cut, whole = await tell(server, ask(logprobs=0), ask(logprobs=0))
    assert cut.logprobs is not None
    assert whole.logprobs is not None
    assert 0 < len(cut.text) < len(whole.text)
    assert whole.text.startswith(cut.text)
    assert whole.logprobs[: len(cut.logprobs)] == cut.logprobs
    assert cut.usage.completion_tokens == len(cut.logprobs) < whole.usage.completion_tokens


async def test_several_tries_meet_what_the_list_says_in_turn() -> None:
    async with FaultServer(faults=["500", None, "503"]) as server:
        met = [await _status(server) for _ in range(5)]
        other = await _status(server, "Another request")
    assert met == [500, 200, 503, 200, 200]
    assert other == 500


async def test_the_rates_of_a_run_are_those_asked_for_and_the_same_again() -> None:
    async def run(seed: int) -> list[int]:
        async with FaultServer(faults={"429": 0.2, "500": 0.1}, seed=seed) as server:
            statuses = await asyncio.gather(*(_status(server, str(number)) for number in range(200)))
            assert server.faults.total() == 200 - server.answered.total()
        return list(statuses)

    first, again, other = await run(1), await run(1), await run(2)
    assert first == again != other
    counts = Counter(first)
    assert 20 <= counts[429] <= 60
    assert 8 <= counts[500] <= 35


def test_a_request_that_fails_once_does_not_fail_for_ever() -> None:
    faults = Faults({"500": 0.5}, seed=3)
    tries = [faults.choose("a request", attempt) for attempt in range(40)]
    assert {"500", None} == set(tries)
    assert any(one != other for one, other in pairwise(tries))


@pytest.mark.parametrize(
    ("faults", "named"),
    [
        ({"resett-before": 0.1}, "reset-before"),
        (["timeout"], "timeout"),
        ({"500": 0.7, "503": 0.4}, "at most 1"),
        ({"500": -0.1}, "0 or more"),
        ({"500": float("nan")}, "0 or more"),
    ],
)
def test_faults_that_are_none_are_refused(faults: dict[str, float], named: str) -> None:
    with pytest.raises(UsageError, match=named):
        FaultServer(faults=faults)


async def _status(server: FaultServer, text: str = "Hello") -> int:
    async with (
        client() as session,
        session.post(f"{server.base_url}/chat/completions", json=body(text)) as answer,
    ):
        await answer.read()
        return answer.status
