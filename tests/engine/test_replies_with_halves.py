"""Debates over replies with half a character: the next agent is sent a replacement character, and the reply is kept as it came."""

import json
from pathlib import Path

import httpx
import pytest

import agentdebate as ad

HALF = "Fine \ud83d here.\n\nConsistency: 4"
ITEM = ad.Item(task="summarization", id="i", fields={"source": "The bridge closes.", "summary": "It closes."})
REPLIES = {
    "openai/m": {"choices": [{"message": {"role": "assistant", "content": HALF}, "finish_reason": "stop"}]},
    "anthropic/m": {"content": [{"type": "text", "text": HALF}], "stop_reason": "end_turn"},
    "gemini/m": {"candidates": [{"content": {"parts": [{"text": HALF}]}, "finishReason": "STOP"}]},
}


@pytest.mark.parametrize("name", REPLIES)
async def test_the_next_agent_is_sent_a_text_that_utf8_can_carry(name: str, tmp_path: Path) -> None:
    sent: list[bytes] = []

    def answer(request: httpx.Request) -> httpx.Response:
        sent.append(request.content)
        return httpx.Response(200, content=json.dumps(REPLIES[name]).encode())

    model = ad.model(name, base_url="http://127.0.0.1:9", transport=httpx.MockTransport(answer))
    place = str(tmp_path / "half.db")
    async with ad.evaluate([ITEM], "debate", model=model, aspects="consistency", store=place) as run:
        (record,) = [record async for record in run]
    await model.aclose()
    assert record.verdict is not None
    heard = [json.dumps(json.loads(body)) for body in sent if b"Fine" in body]
    assert heard
    assert all("Fine \\ufffd here." in body for body in heard)
    with ad.open_store(place) as store:
        assert {call.completion.text for call in store.run("last").calls()} == {HALF}
