"""Prompt caching: where requests are marked, and which call goes first."""

import asyncio
from typing import Any

from dialect_doubles import claude, message
from endpoint_double import Endpoint
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.models.base import ChatMessage, Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.prompt_cache import BriefFirst, PromptCaching, pieces
from agentdebate.testing import run_jumping

BRIEF = "The bridge is closed. " * 200
MARK = {"cache_control": {"type": "ephemeral"}}


def asks(brief: str = BRIEF, text: str = "Rate it.", **more: Any) -> ModelRequest:
    return ModelRequest((ChatMessage("system", brief), ChatMessage("user", text)), **more)


async def test_the_brief_and_the_end_of_what_was_heard_are_marked() -> None:
    endpoint = Endpoint(message())
    await claude(endpoint).complete(asks(text="Heard:\nA: yes\nB: no\nRate it.", talk=("A: yes", "B: no")))
    assert endpoint.body["system"] == [{"type": "text", "text": BRIEF, **MARK}]
    assert endpoint.body["messages"] == [
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Heard:\nA: yes"},
                {"type": "text", "text": "\nB: no", **MARK},
                {"type": "text", "text": "\nRate it."},
            ],
        }
    ]


async def test_a_chat_is_marked_at_its_last_turn() -> None:
    endpoint = Endpoint(message())
    turns = (ChatMessage("user", "One?"), ChatMessage("assistant", "1"), ChatMessage("user", "Two?"))
    await claude(endpoint).complete(ModelRequest((ChatMessage("system", BRIEF), *turns)))
    contents = [one["content"] for one in endpoint.body["messages"]]
    assert contents == ["One?", "1", [{"type": "text", "text": "Two?", **MARK}]]


async def test_short_prompts_and_prompts_without_caching_go_out_as_they_are() -> None:
    for model, brief in ((claude, "Short."), (lambda one: claude(one, prompt_cache="off"), BRIEF)):
        endpoint = Endpoint(message())
        await model(endpoint).complete(asks(brief, talk=("Rate",)))
        assert endpoint.body["system"] == brief
        assert endpoint.body["messages"] == [{"role": "user", "content": "Rate it."}]


@given(st.text(), st.lists(st.text()))
def test_pieces_put_together_are_the_text(content: str, talk: list[str]) -> None:
    assert "".join(pieces(content, talk)) == content


async def test_chat_completions_name_the_brief_where_they_are_told_to() -> None:
    endpoint = Endpoint()
    keys = []
    for brief, text in ((BRIEF, "One"), (BRIEF, "Two"), (f"{BRIEF}!", "One"), ("Short.", "One")):
        await endpoint.model(prompt_cache="on").complete(asks(brief, text))
        keys.append(endpoint.body.get("prompt_cache_key"))
    assert keys[0] == keys[1] != keys[2]
    assert keys[0] is not None
    assert keys[3] is None


async def test_chat_completions_elsewhere_are_not_sent_a_key_by_themselves() -> None:
    endpoint = Endpoint()
    await endpoint.model().complete(asks())
    assert "prompt_cache_key" not in endpoint.body


class Slow(Function):
    """Notes when calls begin, and takes ten seconds for each."""

    def __init__(self) -> None:
        super().__init__("slow", lambda _: "fine")
        self.begun: list[tuple[float, str]] = []
        self.prompt_caching = PromptCaching(1024)

    async def complete(self, request: ModelRequest) -> Completion:
        self.begun.append((asyncio.get_running_loop().time(), request.messages[-1].content))
        await asyncio.sleep(10)
        return Completion(text="fine", model="slow")


def test_the_first_call_over_a_brief_goes_alone_and_then_all_others_at_once() -> None:
    async def main() -> list[tuple[float, str]]:
        slow = Slow()
        model = BriefFirst(slow, slow.prompt_caching)
        await asyncio.gather(*(model.complete(asks(text=text)) for text in "abc"))
        return slow.begun

    assert run_jumping(main()) == [(0, "a"), (10, "b"), (10, "c")]
