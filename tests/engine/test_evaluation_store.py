"""A run on disk: the options of its models without their keys, and a store that cannot be one or cannot be written."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ITEM, TASKS, Played, end, scoring

import agentdebate as ad
from agentdebate.debates.record import Record
from agentdebate.errors import StoreError, UsageError
from agentdebate.models.scripted import Scripted
from agentdebate.runs.evaluation import evaluate
from agentdebate.store import writer
from agentdebate.store.debate_writer import Line
from agentdebate.store.reader import read_store
from agentdebate.testing import replying

STORE = Path("runs.db")
JUDGE = Played(play=end, name="mine")


def items(count: int) -> list[ad.Item]:
    return [
        ITEM.model_copy(update={"id": f"i{number}", "human": {"fluency": 3.0}}) for number in range(count)
    ]


async def run(model: Any, some: Iterable[ad.Item], **options: Any) -> tuple[str, dict[str, Record]]:
    """Evaluate into the store: the run's id and its records by debate."""
    options = {"aspects": "fluency", "tasks": TASKS, "store": STORE, **options}
    async with evaluate(some, JUDGE, model=model, **options) as evaluation:
        records = {record.id: record async for record in evaluation}
        assert evaluation.id is not None
        assert evaluation.id in repr(evaluation)
    return evaluation.id, records


async def test_the_options_of_models_are_in_the_store_and_keys_are_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    key = "one-very-secret-key"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    model = ad.model(
        "openai/tiny",
        base_url=f"http://127.0.0.1:9/v1?api-version=2&code={key}",
        headers={"X-Team": "another-secret"},
        extra={
            "top_k": 5,
            "api_key": "a-third-one",
            "note": f"not {key}",
            "inner": [{"access_token": "four"}],
        },
        temperature=0.5,
    )
    await run(model, [], aspects=None)
    await model.aclose()
    with read_store(STORE) as reader:
        (kept,) = reader.run("last").configuration["models"]
    assert kept == {
        "name": "openai/tiny at 127.0.0.1:9",
        "base_url": "http://127.0.0.1:9/v1?api-version=2&code=[key]",
        "headers": ["X-Team"],
        "extra": {"top_k": 5, "api_key": "[key]", "note": "not [key]", "inner": [{"access_token": "[key]"}]},
        "sampling": {"temperature": 0.5},
    }


async def test_a_store_in_memory_is_refused_before_anything_is_paid_for() -> None:
    model = Scripted([])
    with pytest.raises(UsageError, match="not one of :memory:"):
        await run(model, items(1), store=":memory:")
    assert model.requests == []


async def test_a_store_that_cannot_be_written_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """As itself, and not as a failure of each debate."""

    def broken(self: writer.RunWriter, batch: Any) -> None:
        if any(isinstance(part, Line) and part.call for part in batch.parts):
            raise StoreError("the store runs.db cannot be written: disk full")
        insert(self, batch)

    insert = writer.RunWriter._insert
    monkeypatch.setattr(writer.RunWriter, "_insert", broken)
    with pytest.raises(StoreError, match="disk full"):
        await run(replying(scoring(4)), items(5))
