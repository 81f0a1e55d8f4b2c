"""Effort that goes into thinking: its name at each provider, and its tokens in budget and forecast."""

from functools import partial
from typing import Any

import pytest
from dialect_doubles import claude, gemini, generated, message
from endpoint_double import Endpoint, ask

import agentdebate as ad
from agentdebate.errors import RequestRefused, UsageError
from agentdebate.models.base import ModelRequest
from agentdebate.models.budget import FIRST, Budget, Budgeted
from agentdebate.models.function import Function
from agentdebate.models.limits.rate import Estimate
from agentdebate.models.tokens import THINKING
from agentdebate.runs.settings import Settings
from agentdebate.studies.sweep import SweepSetting, further_controls, planned, settings_of
from agentdebate.usage import Usage

ITEM = ad.Item(id="a", task="summarization", fields={"source": "One two.", "summary": "One."})


def at_openai(endpoint: Endpoint) -> Any:
    return endpoint.model("gpt-6-luna")


gemini25 = partial(gemini, name="gemini-2.5-flash")
gemini25pro = partial(gemini, name="gemini-2.5-pro")


@pytest.mark.parametrize(
    ("opened", "answer", "effort", "field", "sent"),
    [
        (at_openai, None, "xhigh", "reasoning_effort", "xhigh"),
        (claude, message(), "max", "output_config", {"effort": "max"}),
        (claude, message(), "none", "thinking", {"type": "disabled"}),
        (gemini, generated(), "low", "generationConfig", {"thinkingConfig": {"thinkingLevel": "LOW"}}),
        (gemini25, generated(), "none", "generationConfig", {"thinkingConfig": {"thinkingBudget": 0}}),
        (gemini25, generated(), "high", "generationConfig", {"thinkingConfig": {"thinkingBudget": 24576}}),
    ],
)
async def test_an_effort_is_sent_as_the_provider_names_it(
    opened: Any, answer: Any, effort: str, field: str, sent: object
) -> None:
    endpoint = Endpoint(answer) if answer else Endpoint()
    await opened(endpoint).complete(ask(effort=effort))
    assert endpoint.body[field] == sent


@pytest.mark.parametrize(
    ("opened", "effort", "takes"),
    [
        (claude, "minimal", "none, low, .*xhigh"),
        (gemini, "max", "minimal, .*xhigh"),
        (gemini, "none", "minimal, .*xhigh"),
        (gemini25, "xhigh", "none, minimal, .*high"),
        (gemini25pro, "none", "minimal, .*high"),
    ],
)
async def test_an_effort_that_the_provider_does_not_have_is_refused_with_those_it_has(
    opened: Any, effort: str, takes: str
) -> None:
    endpoint = Endpoint()
    with pytest.raises(RequestRefused, match=rf"'effort' \(it takes {takes}"):
        await opened(endpoint).complete(ask(effort=effort))
    assert endpoint.requests == []


async def test_a_temperature_is_sent_at_the_effort_none_alone() -> None:
    endpoint = Endpoint()
    model = at_openai(endpoint)
    for effort in ("none", "low"):
        await model.complete(ask(effort=effort, temperature=0.0))
    assert ["temperature" in body for body in endpoint.bodies] == [True, False]


@pytest.mark.parametrize(("own", "effort"), [(None, None), (None, "high"), ("high", None), ("high", "low")])
async def test_budgets_and_tokens_a_minute_foresee_the_thinking_of_a_first_call(
    own: Any, effort: Any
) -> None:
    budget, seen = Budget(tokens=10**6), list[int]()

    def reply(_: ModelRequest) -> str:
        seen.append(budget.reserved.tokens)
        return "3"

    class Own(Function):
        sampling = ad.Sampling(effort=own)

    request = ask(effort=effort) if effort else ask()
    await Budgeted(Own("m", reply), budget).complete(request)
    thinking = THINKING.get(effort or own, 0)
    assert seen[0] - FIRST - thinking in range(1, 100)

    estimate = Estimate(ad.Sampling(effort=own))
    first = estimate.of(request)
    assert int(first) - thinking in range(256, 300)
    estimate.learn(request, Usage(completion_tokens=100_000))
    assert estimate.of(request) > first
    assert estimate.of(ask(effort="none")) < 300


async def test_a_forecast_has_the_thinking_of_every_reply() -> None:
    plain, *high = [
        await ad.forecast([ITEM], "solo", model=f"openai/gpt-6-luna{own}", aspects="coherence", sampling=one)
        for own, one in (
            ("", ad.Sampling()),
            ("", ad.Sampling(effort="high")),
            (":effort=high", ad.Sampling()),
        )
    ]
    more = [one.usage.completion_tokens - plain.usage.completion_tokens for one in high]
    assert more == [THINKING["high"] * plain.usage.calls] * 2


def test_a_sweep_varies_the_effort_and_its_controls_have_that_of_their_cell() -> None:
    common = SweepSetting([ITEM], "solo", "s.db", Settings(model="openai/m"), controls=True)
    cells = planned(common, {"effort": ["low", "high"]})
    controls = [further_controls(common, cell)[0] for cell in cells]
    asked = [settings_of(common, one).sampling.effort for one in (*cells, *controls)]
    assert asked == ["low", "high"] * 2
    assert len({common.mark(one)["key"] for one in cells}) == len(cells)
    with pytest.raises(UsageError, match="effort: 'huge' is none of none, minimal"):
        planned(common, {"effort": ["huge"]})
