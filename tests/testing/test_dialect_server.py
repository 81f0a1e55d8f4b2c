"""The fault server in the other dialects: Messages and generateContent, with the same replies, faults, limits and ledger."""

from collections.abc import Mapping
from typing import Any

import pytest
from dialects.dialect_server import DialectServer
from served import SUMMARY, ask

from agentdebate.debates.ready import ready
from agentdebate.errors import MalformedReply, ModelError, RateLimited, ReplyTooLong, ServerFailed
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.dialects.generate_content import open_gemini
from agentdebate.models.dialects.messages import open_anthropic
from agentdebate.models.retry import Retrying

OPENERS: Mapping[str, Any] = {"anthropic": open_anthropic, "gemini": open_gemini}
EACH = pytest.mark.parametrize("provider", OPENERS)


async def tell(
    provider: str, server: DialectServer, *requests: ModelRequest, **options: Any
) -> list[Completion]:
    """Return what our dialect makes of the server's answers, one after the other."""
    model = OPENERS[provider]("tiny", base_url=server.root, timeout=60.0, **options)
    try:
        return [await model.complete(request) for request in requests]
    finally:
        await model.aclose()


@EACH
async def test_a_debate_is_held_in_each_dialect(provider: str) -> None:
    async with DialectServer(
        faults={"429": 0.25, "529": 0.25, "truncated": 0.25}, retry_after=0, seed=2
    ) as server:
        inner: Model = OPENERS[provider]("tiny", base_url=server.root)
        model = Retrying(inner, attempts=20, first_wait=0, jitter=0)
        async with ready("debate", model=model) as debate:
            record = await debate.hold(SUMMARY, "coherence")
        await model.aclose()
        assert record.failure is None
        assert record.verdict is not None
        assert [name.partition(" at ")[0] for name in record.verdict.models] == [f"{provider}/tiny"]
        assert server.faults.total() > 0


@EACH
@pytest.mark.parametrize(
    ("fault", "error"),
    [
        ("429", RateLimited),
        ("500", ServerFailed),
        ("529", ServerFailed),
        ("malformed-json", MalformedReply),
        ("empty-choices", MalformedReply),
        ("truncated", MalformedReply),
        ("long", ReplyTooLong),
    ],
)
async def test_faults_are_the_same_errors(provider: str, fault: str, error: type[ModelError]) -> None:
    async with DialectServer(faults=[fault], retry_after=7) as server:
        with pytest.raises(error) as caught:
            await tell(provider, server, ask())
        assert type(caught.value) is error
        assert caught.value.retry_after == (7.0 if fault == "429" else None)


@EACH
@pytest.mark.parametrize("fault", ["length", "thinking"])
async def test_a_reply_that_is_cut_says_so(provider: str, fault: str) -> None:
    async with DialectServer(faults=[fault]) as server:
        [completion] = await tell(provider, server, ask())
        assert completion.finish == "length"
        assert bool(completion.text) is (fault == "length")
        assert bool(completion.usage.reasoning_tokens) is (fault == "thinking")


async def test_a_function_is_shown_the_request_as_it_came_and_may_answer_in_full() -> None:
    seen: list[Mapping[str, Any]] = []
    reply = {"type": "message", "content": [{"type": "text", "text": "4"}], "stop_reason": "end_turn"}

    def answer(body: Mapping[str, Any]) -> Mapping[str, Any]:
        seen.append(body)
        return reply

    async with DialectServer(replies=answer) as server:
        [completion] = await tell("anthropic", server, ask())
    assert (completion.text, seen[0]["max_tokens"]) == ("4", 8192)
