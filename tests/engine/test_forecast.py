"""Forecasts: what a run will cost, held against what a run with the same words does cost."""

import json
from typing import Any

import pytest
from engine_cases import ANN, BEN, ITEM, TASK

from agentdebate.debates.ready import ready
from agentdebate.errors import DataError, UsageError
from agentdebate.models.base import Call
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.models.tokens import AROUND, count
from agentdebate.runs.forecast import Forecast, forecast
from agentdebate.runs.rehearsal import MadeUp
from agentdebate.strategies.fusion import Fusion
from agentdebate.strategies.geval import GEval
from agentdebate.strategies.load import strategy
from agentdebate.strategies.one_by_one import OneByOne
from agentdebate.tasks import Item
from agentdebate.usage import Usage

PRICES = PriceTable((Entry(("cheap",), Price(input=1, output=2)),))
FLUENT = TASK.model_copy(update={"aspects": TASK.aspects[:1]})


@pytest.fixture(autouse=True)
def _no_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TIKTOKEN_CACHE_DIR", "DATA_GYM_CACHE_DIR"):
        monkeypatch.delenv(name, raising=False)


def texts(*lengths: int) -> list[Item]:
    return [
        Item(id=str(number), task="text", fields={"text": "Word " * length, "reference": "Words."})
        for number, length in enumerate(lengths)
    ]


async def foreseen(items: list[Item], name: str = "debate", **more: Any) -> Forecast:
    return await forecast(
        items, more.pop("strategy", None) or strategy(name), tasks={"text": more.pop("task", FLUENT)}, model="openai/cheap",
        prices=PRICES, **more,
    )  # fmt: skip


async def held(items: list[Item], name: str = "debate") -> list[Call]:
    """The calls of a real run of debates, with a model that says the same."""
    model = Function("cheap", MadeUp().reply, structured=True)
    async with ready(strategy(name), model=model, tasks={"text": FLUENT}) as debate:
        return [call for item in items for call in (await debate.hold(item)).calls]


@pytest.mark.parametrize("name", ["solo", "debate", "debate-tiebreaker", "chateval-one-by-one"])
async def test_where_every_item_is_rehearsed_it_is_what_such_a_run_takes(name: str) -> None:
    items = texts(5, 50, 500)
    found, calls = await foreseen(items, name), await held(items, name)
    prompt = sum(
        sum(count(message.content).n + AROUND for message in call.request.messages)
        + (count(json.dumps(call.request.schema)).n if call.request.schema else 0)
        for call in calls
    )
    assert found.usage == Usage(
        calls=len(calls),
        prompt_tokens=prompt,
        cache_write_tokens=prompt,
        completion_tokens=sum(count(call.completion.text).n for call in calls),
    )
    assert (found.items, found.debates, len(found.shares)) == (3, 3, 1)


async def test_where_no_item_can_be_judged_that_is_an_error_and_no_cost_of_nothing() -> None:
    blank = [Item(id=name, task="text", fields={"text": " "}) for name in "ab"]
    with pytest.raises(DataError, match=r"none of 2 items .*: 'text': item b has no text"):
        await foreseen(blank)
    with pytest.raises(DataError, match="'reference': evaluator 'rouge-1' compares with it"):
        await foreseen([ITEM], task=TASK, strategy=Fusion())


async def test_an_endpoint_of_the_offline_judge_is_refused_as_a_run_refuses_it() -> None:
    with pytest.raises(UsageError, match="offline model takes no options, not base_url"):
        await forecast(texts(5), "debate", tasks={"text": FLUENT}, base_url="http://localhost:1/v1")


async def test_what_is_found_out_once_for_all_items_is_counted_once() -> None:
    """Evaluation steps, once an aspect; a plan, once a task."""
    steps = await foreseen(texts(*[50] * 20), task=TASK, strategy=GEval(samples=1))
    assert steps.usage.calls == 2 * 20 + 2
    plan = await foreseen(texts(*[50] * 20), task=TASK, strategy=Fusion(samples=1))
    assert plan.usage.calls == 20 + 1


async def test_an_unknown_price_is_unknown_for_the_whole_and_says_how_to_give_one() -> None:
    chosen = OneByOne(cast={"debaters": (ANN, BEN.model_copy(update={"model": "openai/llama3"}))})
    found = await foreseen(texts(50), strategy=chosen)
    assert [share.money is None for share in found.shares] == [False, True]
    assert found.money is None
    assert 'match = "openai/llama3"' in "\n".join(found.assumptions)
