"""Prompt caching: where requests are marked, and which call goes first."""

import asyncio
from typing import Any

import httpx
import pytest
from dialect_doubles import claude, message
from endpoint_double import Endpoint
from fault_cases import reply
from hypothesis import given
from hypothesis import strategies as st

import agentdebate as ad
from agentdebate.models.base import ChatMessage, Completion, ModelRequest
from agentdebate.models.budget import MARGIN, Budget, Budgeted
from agentdebate.models.dialects.presets import open_openai
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable, built_in
from agentdebate.models.prompt_cache import BriefFirst, PromptCaching, pieces
from agentdebate.models.registry import open_bare
from agentdebate.models.tokens import estimated
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


PART = {"type": "text", "text": BRIEF, "prompt_cache_breakpoint": {"mode": "explicit"}}
EXPLICIT = {"mode": "explicit"}


@pytest.mark.parametrize(
    ("name", "brief", "given", "system", "options"),
    [
        ("gpt-6-luna", BRIEF, {}, [PART], EXPLICIT),
        ("gpt-5.6-sol", BRIEF, {}, [PART], EXPLICIT),
        ("gpt-6-luna", "Short.", {}, "Short.", EXPLICIT),
        ("gpt-6-luna", BRIEF, {"prompt_cache": "off"}, BRIEF, EXPLICIT),
        (
            "gpt-6-luna",
            BRIEF,
            {"extra": {"prompt_cache_options": {"mode": "implicit"}}},
            BRIEF,
            {"mode": "implicit"},
        ),
        ("gpt-5.1", BRIEF, {}, BRIEF, None),
        ("gpt-6-luna", BRIEF, {"base_url": "http://127.0.0.1:9/v1"}, BRIEF, None),
    ],
)
async def test_openai_is_told_what_to_keep_where_its_models_take_marks_and_then_keeps_nothing_else(
    name: str,
    brief: str,
    given: dict[str, Any],
    system: object,
    options: object,
    *,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
    endpoint = Endpoint()
    await open_openai(name, transport=httpx.MockTransport(endpoint), **given).complete(asks(brief))
    assert endpoint.body["messages"][0]["content"] == system
    assert endpoint.body.get("prompt_cache_options") == options
    assert endpoint.body["messages"][1] == {"role": "user", "content": "Rate it."}


@pytest.mark.parametrize(
    ("ttl", "told", "end", "writes"),
    [
        ("5m", {"ephemeral_5m_input_tokens": 9}, "", 6.25),
        ("1h", {"ephemeral_1h_input_tokens": 9}, " 1h-writes", 10),
    ],
)
async def test_claude_keeps_marked_prompts_for_minutes_or_for_an_hour_each_at_its_price(
    ttl: str, told: dict[str, int], end: str, writes: float
) -> None:
    endpoint = Endpoint(message(usage={"cache_creation_input_tokens": 9, "cache_creation": told}))
    said = await claude(endpoint, prompt_cache_ttl=ttl).complete(asks())
    mark = MARK["cache_control"] | ({"ttl": ttl} if ttl == "1h" else {})
    assert endpoint.body["system"][0]["cache_control"] == mark
    assert said.model == f"claude-opus-5-1 at 127.0.0.1:9{end}"
    price = built_in().price_of(f"anthropic/claude-opus-5 at{end}" if end else "anthropic/claude-opus-5")
    assert price
    assert price.cache_write == writes


INPUT, WRITE = 4.0, 5.0
PRICES = PriceTable((Entry(("*",), Price(input=INPUT, output=0, cache_write=WRITE)),))


@pytest.mark.parametrize(
    ("model", "words", "share", "writes"),
    [
        ("anthropic/claude-opus-5", 5, 0, WRITE),  # too short for a mark
        ("anthropic/claude-opus-5", 5000, 0.9, WRITE),
        ("anthropic/claude-opus-5:prompt_cache_ttl=1h", 5000, 0.9, 2 * INPUT),
        ("anthropic/claude-opus-5:prompt_cache=off", 5000, 0, WRITE),
        ("openai/gpt-6-luna", 5000, 0.9, WRITE),
        ("openai/gpt-6-luna:prompt_cache=off", 5000, 0, WRITE),
        ("azure/gpt-6-luna", 5000, 1, WRITE),  # it marks by itself
    ],
)
async def test_forecasts_and_budgets_pay_for_writing_what_is_marked_and_for_nothing_else(
    model: str, words: int, share: float, writes: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    fields = {"source": "The bridge closes. " * words, "summary": "A bridge closes."}
    item = ad.Item(id="a", task="summarization", fields=fields)
    told = await ad.forecast([item], "solo", model=model, aspects="coherence", prices=PRICES)
    tokens = told.usage.prompt_tokens
    extra = (told.money or 0) * 1e6 / tokens - INPUT
    assert share * (writes - INPUT) <= extra <= (share and 1) * (writes - INPUT)

    for variable in ("ANTHROPIC_API_KEY", "OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"):
        monkeypatch.setenv(variable, "none")
    monkeypatch.setenv("AZURE_OPENAI_ENDPOINT", "https://x.openai.azure.com")
    seen, budget = list[float](), Budget(money=100.0)

    def answer(_: httpx.Request) -> httpx.Response:
        seen.append(budget.reserved.money)
        return httpx.Response(200, json=message() if model.startswith("anthropic") else reply("fine"))

    budget.prices = PRICES
    opened = Budgeted(open_bare(model, transport=httpx.MockTransport(answer)), budget)
    request = asks("The bridge closes. " * words)
    await opened.complete(request)
    extra = seen[0] * 1e6 / (MARGIN * estimated(request)) - INPUT
    assert share * (writes - INPUT) - 0.1 <= extra <= (share and 1) * (writes - INPUT) + 0.1


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
