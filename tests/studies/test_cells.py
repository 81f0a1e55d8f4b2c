"""What runs cost, and what was varied in them."""

from typing import Any

import pytest

from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.meta.figure import Bootstrap
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.report.sweep import sweep
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import strategy
from agentdebate.studies.cells import Cell, Cost, cell_of
from agentdebate.studies.controls import openings_cell, samples_by_calls, samples_by_tokens
from agentdebate.tasks import Item
from agentdebate.usage import Usage

PRICES = PriceTable((Entry(("tiny",), Price(input=1.0, output=10.0)),))


def reply(request: ModelRequest) -> Completion:
    words = (
        "NO ISSUE" if request.context and request.context.purpose == "criticise" else "Fine.\n\nCoherence: 4"
    )
    usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=100)
    return Completion(text=words, model="tiny-of-today", usage=usage)


def stammer(request: ModelRequest) -> Completion:
    """Say at first nothing that can be read."""
    again = any(one.content == "Mute." for one in request.messages)
    return Completion(text="Fine.\n\nCoherence: 4" if again else "Mute.", model="tiny-of-today")


async def held(name: str, say: Any = reply, **options: Any) -> tuple[Cell, Cell]:
    """A run of two items as a cell, and its openings."""
    items = [
        Item(task="summarization", id=f"i{place}", fields={"source": "A.", "summary": "B."})
        for place in range(2)
    ]
    judge = strategy(name, **options)
    async with evaluate(items, judge, model=Function("tiny", say), aspects="coherence", store="s.db") as run:
        _ = [record async for record in run]
    with read_store("s.db") as reader:
        head = reader.run("last")
        cell = cell_of(reader, head, PRICES, label="here")
        return cell, openings_cell(reader, head, PRICES, cell)


async def test_a_run_costs_what_its_calls_took_by_the_price_of_the_model_that_was_opened() -> None:
    cell, _ = await held("debate")
    assert (cell.debates, cell.failures, cell.cost.calls, cell.calls_each) == (2, 0, 4, 2.0)
    assert (cell.cost.prompt_tokens, cell.cost.completion_tokens) == (4000, 400)
    assert cell.cost.money == pytest.approx((4000 + 10 * 400) / 1_000_000)


async def test_what_a_run_was_held_with_is_read_from_its_configuration_and_verdicts() -> None:
    cell, _ = await held("debate", rounds=3)
    assert cell.varied == {
        "strategy": "debate",
        "model": "tiny",
        "persona": "scorer, critic-strict",
        "agents": "1",
        "rounds": "3",
    }


async def test_openings_cost_the_calls_that_were_made_for_them_alone() -> None:
    cell, openings = await held("chateval-simultaneous", ballots="every")
    assert (cell.cost.calls, openings.cost.calls) == (12, 6)
    assert (openings.kind, openings.beside, openings.failures) == ("openings", "here", 0)
    assert openings.cost.money == pytest.approx((cell.cost.money or 0) / 2)
    assert "3 a debate" in openings.note


async def test_a_strategy_without_ballots_of_agents_has_no_openings() -> None:
    _, openings = await held("geval", mode="sampled", samples=2)
    assert openings.failures == 2
    assert "no ballots of single agents" in openings.note


async def test_a_cell_that_was_held_before_as_a_control_is_a_cell_and_not_compared_with_itself() -> None:
    item = Item(
        task="summarization", id="i", fields={"source": "A.", "summary": "B."}, human={"coherence": 4}
    )
    given: dict[str, Any] = {"aspects": "coherence", "store": "s.db", "bootstrap": Bootstrap(resamples=0)}
    await sweep([item], "debate", model="offline", **given)
    found = await sweep(
        [item], "debate", vary={"strategy": ["debate", "solo"]}, model="offline", controls=True, **given
    )
    assert [one.kind for one in found.cells if not one.beside] == ["run", "run"]
    assert [row[0] for row in found.table.texts if row[0]] == ["debate", "solo"]
    assert "not held of strategy=debate; strategy=solo; the talk" in found.caption
    pairs = {(one["cell"], one["control"]) for one in found.differences}
    assert ("strategy=debate", "solo, offline") in pairs
    assert ("strategy=solo", "solo, offline") not in pairs


async def test_the_single_judge_is_sampled_as_often_as_a_debate_asked_whatever_was_asked_again() -> None:
    cell, _ = await held("jury", stammer)
    assert (cell.calls_each, samples_by_calls("s.db", cell)) == (6, 3)


@pytest.mark.parametrize(("tokens", "samples"), [(4000, 4), (4400, 4), (10_000, 10), (100, 1)])
def test_the_single_judge_is_sampled_until_it_took_the_tokens_of_a_debate(tokens: int, samples: int) -> None:
    assert samples_by_tokens(cell_with(tokens), cell_with(3000), 3) == samples


def test_without_tokens_the_single_judge_is_sampled_as_often_as_before() -> None:
    assert samples_by_tokens(cell_with(0), cell_with(0), 3) == 3


def cell_with(tokens: int) -> Cell:
    """Two debates that took so many tokens each."""
    cost = Cost(calls=2, cached=0, prompt_tokens=2 * tokens, completion_tokens=0, money=None)
    return Cell("a", "r", "run", {}, (), debates=2, outcomes=OutcomeCounts({}), cost=cost)
