"""What a debate did cost is a column."""

import sqlite3
from contextlib import closing

import pytest

from agentdebate.models.base import Completion
from agentdebate.models.function import Function
from agentdebate.models.prices import built_in
from agentdebate.runs.evaluation import evaluate
from agentdebate.tasks import Item
from agentdebate.usage import Usage

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}


async def test_what_a_debate_did_cost_is_a_column_where_its_price_is_known() -> None:
    usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=100)
    price = built_in().price_of("openai/gpt-4o-mini")
    assert price is not None
    for name in ("openai/gpt-4o-mini", "somebody/s-model"):
        reply = Completion(text="Fluency: 4", model=name, usage=usage)
        items = [Item(id="i1", task="summarization", fields=FIELDS)]
        model = Function(name, lambda _, reply=reply: reply)  # type: ignore[misc]  # a default binds it
        async with evaluate(items, "solo", model=model, aspects="fluency", store="runs.db") as run:
            async for _ in run:
                pass
    with closing(sqlite3.connect("runs.db")) as there:
        money = [row[0] for row in there.execute("select money from debates order by run")]
        plan = there.execute(
            "explain query plan select id from debates where run = 1 order by seconds limit 5"
        ).fetchall()
    assert money == [pytest.approx((1000 * price.input + 100 * price.output) / 1e6), None]
    assert "USING COVERING INDEX debates_seconds" in str(plan) or "USING INDEX debates_seconds" in str(plan)
