"""What runs cost, and what was varied in them."""

from typing import Any

import pytest

from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.prices import Entry, Price, PriceTable
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import strategy
from agentdebate.studies.cells import Cell, cell_of
from agentdebate.studies.controls import openings_cell
from agentdebate.tasks import Item
from agentdebate.usage import Usage

PRICES = PriceTable((Entry(("tiny",), Price(input=1.0, output=10.0)),))


def reply(request: ModelRequest) -> Completion:
    words = (
        "NO ISSUE" if request.context and request.context.purpose == "criticise" else "Fine.\n\nCoherence: 4"
    )
    usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=100)
    return Completion(text=words, model="tiny-of-today", usage=usage)


async def held(name: str, **options: Any) -> tuple[Cell, Cell]:
    """A run of two items as a cell, and its openings."""
    items = [
        Item(task="summarization", id=f"i{place}", fields={"source": "A.", "summary": "B."})
        for place in range(2)
    ]
    judge = strategy(name, **options)
    async with evaluate(
        items, judge, model=Function("tiny", reply), aspects="coherence", store="s.db"
    ) as run:
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
