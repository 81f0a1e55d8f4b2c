"""Every row of a debate goes in through one door, and what guards the door is one argument."""

import ast
import inspect
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import anyio
import pytest
import sqlalchemy as sa

from agentdebate.errors import AgentDebateError, StoreError, UsageError
from agentdebate.models.base import Call, ChatMessage, Completion, ModelRequest, Sampling
from agentdebate.models.function import Function
from agentdebate.models.prices import built_in
from agentdebate.models.scripted import Scripted
from agentdebate.runs.evaluation import evaluate
from agentdebate.store import resuming, writer
from agentdebate.store.debate_list import BY_ID, EVERY, DebateFilter, DebateList, DebateOrder
from agentdebate.store.engine import open_database
from agentdebate.store.reader import Reader
from agentdebate.store.writer import write_run
from agentdebate.talk.messages import Statement
from agentdebate.tasks import Item
from agentdebate.usage import Usage

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}


class Guard:
    """Refuses some debates, and remembers what it was asked."""

    def __init__(self, *refused: str) -> None:
        self.refused, self.asked = set(refused), list[str]()

    def __call__(self, connection: sa.Connection, debates: Sequence[str]) -> dict[str, AgentDebateError]:
        assert connection.in_transaction()
        self.asked += debates
        return {
            debate: StoreError(f"{debate} is held elsewhere") for debate in debates if debate in self.refused
        }


def opening(guard: Guard | None = None) -> Any:
    return write_run("runs.db", strategy="solo", model="m", configuration={}, guard=guard)


def call(number: int) -> Call:
    request = ModelRequest(
        (ChatMessage("system", "brief"), ChatMessage("user", f"{number}")), Sampling(temperature=0)
    )
    return Call("scorer", 0, 1, 1, (1,), request, Completion(text="Fine.", model="m"))


def said(text: str = "x") -> Statement:
    return Statement(sender="a", to=(), seq=1, answers=1, text=text)


def debates_of(what: str) -> list[str]:
    with closing(sqlite3.connect("runs.db")) as there:
        query = "select debate from in_flight where call = ? order by 1"
        return [row[0] for row in there.execute(query, (what == "calls",))]


async def test_of_a_debate_that_the_guard_refuses_nothing_is_written_and_others_go_on() -> None:
    guard = Guard("lost")
    async with opening(guard) as run, anyio.create_task_group() as group:
        run.message("lost", said())
        with pytest.raises(StoreError, match="lost is held elsewhere"):
            await run.call("lost", 1, call(1))
        group.start_soon(run.call, "kept", 1, call(1))
        run.message("kept", said())
    assert (debates_of("messages"), debates_of("calls")) == (["kept"], ["kept"])
    assert set(guard.asked) == {"lost", "kept"}


async def test_a_debate_is_refused_from_when_its_lease_was_lost() -> None:
    guard = Guard()
    async with opening(guard) as run:
        await run.call("d", 1, call(1))
        guard.refused.add("d")
        for number in (2, 3):
            with pytest.raises(StoreError, match="d is held elsewhere"):
                await run.call("d", number, call(number))
    assert debates_of("calls") == ["d"]


async def test_every_table_of_a_debate_is_behind_the_guard(monkeypatch: pytest.MonkeyPatch) -> None:
    """A whole evaluation whose guard refuses everything leaves no row of its debate."""
    guard = Guard("i1/fluency")
    opened = writer.write_run
    monkeypatch.setattr(writer, "write_run", lambda *given, **named: opened(*given, **named, guard=guard))
    item = Item(id="i1", task="summarization", fields=FIELDS, human={"fluency": 3.0})

    async def judge() -> None:
        options: dict[str, Any] = {"aspects": "fluency", "store": "runs.db"}
        async with evaluate([item], "solo", model=Scripted(["Fluency: 4"]), **options) as run:
            async for _ in run:
                pass

    with pytest.raises(StoreError, match="held elsewhere"):
        await judge()
    with closing(sqlite3.connect("runs.db")) as there:
        for table in ("in_flight", "debates", "documents", "scores", "costs", "found"):
            assert there.execute(f"select count(*) from {table}").fetchone() == (0,), table


def test_nothing_else_in_the_writer_inserts() -> None:
    for module in (writer, resuming):
        names = {
            node.attr
            for node in ast.walk(ast.parse(inspect.getsource(module)))
            if isinstance(node, ast.Attribute)
        }
        assert "insert" not in names


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
