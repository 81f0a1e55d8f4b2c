"""Requests of ours by name, and the bodies that they are sent as."""

import json
from collections.abc import Mapping
from typing import Any

import httpx

from agentdebate.agents.reply_kind import with_confidence_key
from agentdebate.ballots.lineup import Candidate
from agentdebate.ballots.poll import poll_schema
from agentdebate.ballots.roster import roster_schema
from agentdebate.ballots.sheet import ballot_schema
from agentdebate.models.base import ChatMessage, ModelRequest, Sampling
from agentdebate.models.dialects.generate_content import open_gemini
from agentdebate.models.dialects.messages import open_anthropic
from agentdebate.models.dialects.presets import open_openai
from agentdebate.tasks import Aspect, Scale

ASPECTS = (
    Aspect(name="coherence", criterion="How well it hangs together.", scale=Scale(low=1, high=5)),
    Aspect(name="overall", criterion="How well it hangs together.", scale=Scale(low=0, high=1000)),
)
SCHEMAS = {
    "ballot": ballot_schema(ASPECTS),
    "roster": roster_schema(2),
    "poll": poll_schema(
        ("reader", "critic"), (Candidate("answer_1", "Answer A"), Candidate("answer_2", "Answer B"))
    ),
    "confidence": with_confidence_key(ballot_schema(ASPECTS)),
}
TALK = (
    ChatMessage("system", "Be brief."),
    ChatMessage("user", "Rate it."),
    ChatMessage("assistant", "3"),
    ChatMessage("user", "Why?"),
)
CASES: Mapping[str, ModelRequest] = {
    "plain": ModelRequest(TALK[:2]),
    "talk": ModelRequest(TALK),
    "no system": ModelRequest(TALK[1:2]),
    "sampling": ModelRequest(TALK, Sampling(temperature=0.0, top_p=0.5, max_tokens=99, stop=("END",))),
    "effort": ModelRequest(TALK, Sampling(effort="xhigh")),
    "no effort": ModelRequest(TALK, Sampling(effort="none")),
    "marked": ModelRequest(
        (ChatMessage("system", "The bridge is shut. " * 300), ChatMessage("user", "A: 3\nB: 4\nRate it.")),
        talk=("A: 3", "B: 4"),
    ),
    "marked chat": ModelRequest((ChatMessage("system", "The bridge is shut. " * 300), *TALK[1:])),
    "samples": ModelRequest(TALK, Sampling(n=4, presence_penalty=0.5)),
    **{f"schema {name}": ModelRequest(TALK, schema=schema) for name, schema in SCHEMAS.items()},
}
_REPLIES = {
    "anthropic": {"type": "message", "content": [{"type": "text", "text": "3"}], "stop_reason": "end_turn"},
    "gemini": {"candidates": [{"content": {"parts": [{"text": "3"}]}, "finishReason": "STOP"}]},
    "openai": {"choices": [{"message": {"content": "3"}, "finish_reason": "stop"}], "output": []},
}
_OPENERS = {"anthropic": open_anthropic, "gemini": open_gemini, "openai": open_openai}


async def sent(provider: str, request: ModelRequest, **options: Any) -> dict[str, Any]:
    """The body of a request as a provider's dialect sends it."""

    seen: list[bytes] = []

    def answer(came: httpx.Request) -> httpx.Response:
        seen.append(came.content)
        return httpx.Response(200, json=_REPLIES[provider])

    given = {"base_url": "http://127.0.0.1:9", "transport": httpx.MockTransport(answer), **options}
    model = _OPENERS[provider]("gpt-6-luna" if provider == "openai" else "tiny", **given)
    await model.complete(request)
    await model.aclose()
    body: dict[str, Any] = json.loads(seen[-1])
    return body


async def older(request: ModelRequest) -> dict[str, Any]:
    """The body of a request in the older version of Messages."""
    return await sent("anthropic", request, api_version="2023-06-01")
