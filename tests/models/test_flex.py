"""The tier flex: asked at half the price, and at the standard tier where it has no room."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from dialect_doubles import gemini, generated, google_error
from endpoint_double import Endpoint, ask, refusal
from fault_cases import reply
from limit_double import jumping

import agentdebate as ad
from agentdebate.errors import NoRoom, RateLimited, ServerFailed, TurnTimeout, UsageError
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Around
from agentdebate.models.dialects.options import OpenAIOptions
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable, built_in
from agentdebate.testing import run_jumping

ITEM = ad.Item(id="a", task="summarization", fields={"source": "One two.", "summary": "One."})
FULL = httpx.Response(429, json=refusal("Resource unavailable", code="resource_unavailable"))
QUOTA = {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": "PerMinute"}]}
PRICE = Price(input=2, output=8, cached_input=1)
HALF = Price(input=1, output=4, cached_input=0.5)


class Busy(Endpoint):
    """Has no room at flex."""

    def __call__(self, request: httpx.Request) -> httpx.Response:
        answer = super().__call__(request)
        return FULL if self.body["service_tier"] == "flex" else answer


@pytest.mark.parametrize(
    ("opened", "answer", "field"),
    [
        (Endpoint.model, reply("fine", service_tier="flex"), "service_tier"),
        (gemini, generated(), "serviceTier"),
    ],
)
async def test_the_tier_is_asked_for_and_named_where_the_reply_came_from_it(
    opened: Any, answer: Any, field: str
) -> None:
    endpoint = Endpoint(answer)
    said = await opened(endpoint, tier="flex").complete(ask())
    assert (endpoint.body[field], said.model.endswith(" flex")) == ("flex", True)


@pytest.mark.parametrize(
    ("tier", "given", "seconds"), [("flex", {}, 900), ("flex", {"timeout": 5}, 5), (None, {}, 60)]
)
def test_a_call_at_flex_waits_15_minutes(tier: Any, given: dict[str, Any], seconds: float) -> None:
    assert OpenAIOptions.read({"tier": tier, **given}).timeout == seconds


@pytest.mark.parametrize(
    ("tier", "more", "seconds"), [("flex", {}, 1800), ("flex", {"deadline": 8}, 8), (None, {}, 300)]
)
def test_a_turn_has_half_an_hour_where_its_agent_has_the_tier_flex(
    tier: Any, more: Any, seconds: int
) -> None:
    class Stuck(Function):
        def __init__(self) -> None:
            super().__init__("stuck", lambda _: asyncio.get_running_loop().create_future())
            self.tier = tier

    async def main() -> str:
        solo = ad.strategy("solo", models={"scorer": Stuck()})
        with pytest.raises(TurnTimeout) as caught:
            await ad.debate(ITEM, solo, aspects="coherence", **more)
        return str(caught.value)

    assert f"within {seconds} seconds" in run_jumping(main())


@pytest.mark.parametrize("name", ["anthropic/claude-opus-5", "mistral/m", "vllm/m", "openrouter/m"])
def test_a_provider_without_such_a_tier_takes_no_option_of_it(name: str) -> None:
    with pytest.raises(UsageError, match="tier"):
        ad.model(name, tier="flex", base_url="http://127.0.0.1:9")


@jumping
async def test_flex_without_room_is_tried_again_and_then_answered_once_at_the_standard_tier_which_is_said(
    caplog: pytest.LogCaptureFixture,
) -> None:
    endpoint = Busy(reply("fine", service_tier="default"))
    budget = Budget(money=1.0)
    budget.prices = PriceTable((Entry(("*",), PRICE),))
    model = Around(budget=budget).compose(endpoint.model(tier="flex"))
    caplog.set_level(logging.WARNING)

    said = await model.complete(ask())
    assert [body["service_tier"] for body in endpoint.bodies] == ["flex"] * 5 + ["default"]
    assert not said.model.endswith("flex")
    assert sum("flex has no room" in record.getMessage() for record in caplog.records) == 1


@jumping
async def test_flex_without_an_answer_in_time_is_asked_at_the_standard_tier_at_once() -> None:
    endpoint = Endpoint(httpx.ReadTimeout("late"), reply("fine"))
    model = Around().compose(endpoint.model(tier="flex"))
    assert (await model.complete(ask())).text == "fine"
    assert [body["service_tier"] for body in endpoint.bodies] == ["flex", "default"]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (google_error(503, "UNAVAILABLE", "Busy"), NoRoom),
        (google_error(429, "RESOURCE_EXHAUSTED", "Busy"), NoRoom),
        (google_error(429, "RESOURCE_EXHAUSTED", "Slow", QUOTA), RateLimited),
        (google_error(500, "INTERNAL", "Oh"), ServerFailed),
    ],
)
async def test_a_quota_and_a_failed_server_are_no_want_of_room(answer: Any, kind: type[Exception]) -> None:
    status = answer["error"]["code"]
    with pytest.raises(kind):
        await gemini(Endpoint(httpx.Response(status, json=answer)), tier="flex").complete(ask())


@pytest.mark.parametrize(("tier", "share"), [("flex", 0.5), ("default", 1.0)])
async def test_the_budget_spends_the_price_of_the_tier_that_answered(tier: str, share: float) -> None:
    spent = []
    for served in (tier, "default"):
        budget = Budget(money=1.0)
        budget.prices = PriceTable((Entry(("*",), PRICE),))
        answer = reply("fine", service_tier=served, usage={"prompt_tokens": 100, "completion_tokens": 10})
        await Around(budget=budget).compose(Endpoint(answer).model(tier="flex")).complete(ask())
        spent.append(budget.spent_money or 0.0)
    assert spent[0] == share * spent[1] > 0


@pytest.mark.parametrize("name", ["openai/m at flex", "openai/m at here:80 flex"])
def test_a_table_prices_a_model_at_flex_at_half(name: str) -> None:
    table = PriceTable((Entry(("openai/m",), PRICE),))
    assert (table.price_of(name), table.price_served("m-2026 at flex", "openai/m")) == (HALF, HALF)
    whole, half = (built_in().price_served(f"gpt-5.1{at}", "openai/gpt-5.1") for at in ("", " at flex"))
    assert whole
    assert half == whole.at(" flex") != whole


async def test_a_forecast_at_flex_is_half() -> None:
    name, flex = "openai/gpt-5.1", "openai/gpt-5.1:tier=flex"
    cases: list[tuple[str, dict[str, str], Any]] = [
        (name, {}, None),
        (name, {}, "flex"),
        (flex, {}, None),
        (name, {"scorer": flex}, None),
    ]
    whole, *halves = [
        await ad.forecast(
            [ITEM], ad.strategy("solo", models=own), model=model, aspects="coherence", tier=tier
        )
        for model, own, tier in cases
    ]
    assert [one.money for one in halves] == [pytest.approx((whole.money or 0) / 2)] * 3
    assert whole.money
