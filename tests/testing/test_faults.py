"""Every fault of the fault server is met as the error that the tree promises, and passes."""

from collections import Counter

import pytest
from served import ask, tell

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
