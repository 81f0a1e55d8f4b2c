"""Checking a store: calls and messages that are missing are told, and none of a store that is whole."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from old_stores import write_old_store

from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.upkeep import check_store
from agentdebate.tasks import Item

STORE = "runs.db"
ITEMS = [
    Item(id=f"i{n}", task="summarization", fields={"source": "A bridge.", "summary": f"Bridge {n}."})
    for n in range(3)
]


class Judge:
    """A model that goes away after so many calls."""

    def __init__(self, calls: int = 1000) -> None:
        self.left = calls

    def __call__(self, request: ModelRequest) -> str:
        if not self.left:
            raise RuntimeError("the model is gone")
        self.left -= 1
        critic = request.context is not None and request.context.purpose == "criticise"
        return "The score is too high." if critic else "It reads well.\n\nFluency: 4"


async def held(*, calls: int = 1000, **how: Any) -> None:
    model = Function("m", Judge(calls))
    async with evaluate(
        ITEMS, "debate", model=model, aspects="fluency", store=STORE, concurrency=1, **how
    ) as run:
        [record async for record in run]


def changed(*statements: str) -> None:
    with closing(sqlite3.connect(STORE)) as there, there:
        for statement in statements:
            assert there.execute(statement).rowcount


def problems() -> list[str]:
    return [problem.partition(": ")[2] for problem in check_store(STORE).problems]


OF_SECOND = "talk = (select number from talks where debate = 'i1/fluency')"
LAST_CALL = f"(select max(number) from calls where {OF_SECOND})"
LAST_MESSAGE = f"(select max(seq) from messages where {OF_SECOND})"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        (f"delete from calls where {OF_SECOND} and number = 2", "call 2 is not there, and call 3 is"),
        (f"delete from calls where {OF_SECOND} and number < 3", "call 1 is not there, and call 3 is"),
        (f"delete from calls where {OF_SECOND} and number = {LAST_CALL}", "took 9 calls, and 8 of them are"),
        (f"delete from calls where {OF_SECOND}", "it took 9 calls, and 0 of them are there"),
        (f"delete from messages where {OF_SECOND} and seq = 3", "message 3 is not there, and message 4 is"),
        (f"update messages set seq = -1 where {OF_SECOND} and seq = 2", "message 2 is not there"),
        (f"delete from messages where {OF_SECOND} and seq = {LAST_MESSAGE}", "the verdict is missing"),
        (f"delete from messages where {OF_SECOND}", "the verdict is missing"),
    ],
)  # fmt: skip
async def test_what_is_missing_is_told_with_its_debate(statement: str, said: str) -> None:
    await held()
    assert problems() == []
    changed(statement)
    (problem,) = problems()
    assert problem.startswith("the debate 'i1/fluency' is damaged: ")
    assert said in problem


async def test_a_call_in_the_middle_of_a_debate_that_has_not_ended_is_missed() -> None:
    await held()
    changed(f"delete from debates where {OF_SECOND}", f"delete from calls where {OF_SECOND} and number = 2")
    assert problems() == ["the debate 'i1/fluency' is damaged: call 2 is not there, and call 3 is"]
    changed(f"delete from calls where {OF_SECOND} and number > 2")
    assert problems() == []  # as if it had been killed then


async def test_a_call_that_cannot_be_read_is_not_missing_as_well() -> None:
    await held()
    changed(f"update calls set completion = '{{' where {OF_SECOND} and number = 2")
    assert [problem.partition(" is ")[0] for problem in problems()] == ["call 2 of the debate 'i1/fluency'"]


@pytest.mark.parametrize("calls", [1, 10, 13, 16])
async def test_nothing_is_missing_from_debates_that_failed_and_were_held_again(calls: int) -> None:
    await held(calls=calls)
    assert problems() == []
    await held(resume="last", retry_failed=True)
    assert problems() == []


@pytest.mark.parametrize("schema", [1, 2])
def test_nothing_is_missing_from_a_store_of_an_older_version(schema: int) -> None:
    assert check_store(write_old_store(schema=schema)).problems == ()
