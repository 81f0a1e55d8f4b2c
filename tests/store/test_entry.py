"""What a debate is sorted by and what it cost are columns."""

import sqlite3
from contextlib import closing

import pytest

from agentdebate.errors import UsageError
from agentdebate.models.base import Completion
from agentdebate.models.function import Function
from agentdebate.models.prices import built_in
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.debate_list import BY_ID, EVERY, DebateFilter, DebateList, DebateOrder
from agentdebate.store.engine import open_database
from agentdebate.store.reader import Reader
from agentdebate.tasks import Item
from agentdebate.usage import Usage

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}


async def test_what_people_sort_by_has_columns() -> None:
    scores = iter("2345")
    model = Function(
        "openai/gpt-4o-mini",
        lambda _: Completion(text=f"Fluency: {next(scores, 'none')}", model="gpt-4o-mini"),
    )
    items = [
        Item(
            id=f"i{number}",
            group="g",
            system="ab"[number % 2],
            task="summarization",
            fields=FIELDS,
            human={"fluency": 5.0 - number},
        )
        for number in range(5)
    ]
    async with evaluate(items, "solo", model=model, aspects="fluency", store="runs.db", concurrency=1) as run:
        records = [record async for record in run]
    assert len(records) == 5
    with closing(open_database("runs.db", reading=True)) as database:
        debates = DebateList(Reader(database), run.id or "")

        def ids(wanted: DebateFilter = EVERY, order: DebateOrder = BY_ID, **page: int) -> list[str]:
            return [row["id"] for row in debates.part(wanted, order, **page)]

        assert ids() == [f"i{number}" for number in range(5)]
        by_score = DebateOrder("score", "fluency", descending=True)
        assert ids(order=by_score) == ["i3", "i2", "i1", "i0", "i4"], "none comes last"
        assert ids(order=DebateOrder("human", "fluency"), most=2) == ["i4", "i3"]
        assert ids(DebateFilter(outcome="failure")) == ["i4"]
        chosen = DebateFilter(system="b", outcome="verdict", group="g")
        assert ids(chosen, DebateOrder(descending=True)) == ["i3", "i1"]
        assert ids(order=DebateOrder("calls"), start=4, most=1) == ["i4"], (
            "the last one was asked three times"
        )
    with pytest.raises(UsageError, match="not sorted by 'sistem'"):
        DebateOrder("sistem")
    with pytest.raises(UsageError, match="name the aspect"):
        DebateOrder("score")


async def test_what_a_debate_did_cost_is_a_column_where_its_price_is_known() -> None:
    usage = Usage(calls=1, prompt_tokens=1000, completion_tokens=100)
    price = next(entry.price for entry in built_in().entries if entry.fits("openai/gpt-4o-mini"))
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
