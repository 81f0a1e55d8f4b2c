"""A run on disk: everything said, paid and decided is there, however the run ended."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from engine_cases import ITEM, TASK, TASKS, Played, end, scoring

import agentdebate as ad
from agentdebate.debates.record import Record
from agentdebate.errors import StoreError, UsageError
from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.models.scripted import Scripted
from agentdebate.runs.evaluation import evaluate
from agentdebate.store import writer
from agentdebate.store.debate_writer import Entry
from agentdebate.store.reader import Reader, read_store
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


def missing(reader: Reader, run: str, record: Record) -> list[str]:
    """What of a record is not in the store as it was."""
    stored = {row["debate"]: row for row in reader.rows(run)}
    calls = reader.calls(run, record.id)
    checks = {
        "row": stored.get(record.id) == {"debate": record.id, **json.loads(json.dumps(record.row()))},
        "messages": reader.messages(run, record.id) == record.transcript,
        "calls": [(c.number, c.agent, c.attempt, c.shown, c.key, c.completion) for c in calls]
        == [
            (n, c.agent, c.attempt, c.shown, c.request.key(), c.completion)
            for n, c in enumerate(record.calls, 1)
        ],
        "item": reader.item(run, record.item.id) == record.item,
    }
    return [name for name, there in checks.items() if not there]


async def test_how_the_run_was_held_is_in_the_store() -> None:
    scaled = TASK.rescaled({"fluency": ad.Scale(low=1, high=3)})
    options = {"patience": 2, "deadline": 60.0, "form": "text", "together": True, "concurrency": 3}
    sampling = ad.Sampling(temperature=0, seed=7)
    more = {"aspects": ["fluency"], "tasks": {"text": scaled}, "configuration": {"note": "mine"}}
    await run(replying("Fluency: 2", name="mine"), items(1), **options, **more, sampling=sampling)
    with read_store(STORE) as reader:
        head = reader.run("last")
    kept = dict(head.configuration)
    assert {name: kept[name] for name in options} == options
    assert (kept["sampling"], kept["aspects"], kept["note"]) == (
        {"temperature": 0, "seed": 7},
        ["fluency"],
        "mine",
    )
    assert {name: ad.Task.model_validate(task) for name, task in kept["tasks"].items()} == {"text": scaled}
    assert kept["models"] == [{"name": "mine"}]
    assert kept["strategy"]["name"] == "mine"
    assert head.task == "text"


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


class Stalling:
    """A model that never answers for some items, and says when as many as that wait for it."""

    def __init__(self, *stalled: str) -> None:
        self.stalled, self.waiting = set(stalled), 0
        self.all_wait = asyncio.Event()
        self.model = Function("stalling", self.reply)

    async def reply(self, request: ModelRequest) -> str:
        assert request.context
        if request.context.item.id in self.stalled:
            self.waiting += 1
            if self.waiting == len(self.stalled):
                self.all_wait.set()
            await asyncio.Event().wait()
        return scoring(4)


async def test_what_had_finished_is_in_the_store_after_the_run_was_cancelled() -> None:
    stalling, all_others = Stalling("i1", "i3"), asyncio.Event()
    records: list[Record] = []

    async def main() -> None:
        async with evaluate(
            items(6), JUDGE, model=stalling.model, aspects="fluency", tasks=TASKS, store=STORE
        ) as evaluation:
            async for record in evaluation:
                records.append(record)
                if len(records) == 4:
                    all_others.set()

    running = asyncio.create_task(main())
    await stalling.all_wait.wait()
    await all_others.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    with read_store(STORE) as reader:
        head = reader.run("last")
        assert [missing(reader, head.id, record) for record in records] == [[]] * 4
        assert (head.verdicts, head.failures, head.ended) == (4, 0, None)
        stopped = sorted(reader.going_on(head.id))
        assert stopped == ["i1/fluency", "i3/fluency"]
        assert [m.kind for m in reader.messages(head.id, "i1/fluency")] == ["brief", "ask"]


async def test_a_run_whose_last_debate_was_held_has_an_end_however_its_records_were_taken() -> None:
    async with evaluate(
        items(3), JUDGE, model=replying(scoring(4)), aspects="fluency", tasks=TASKS, store=STORE
    ) as evaluation:
        records = aiter(evaluation)
        for _ in range(3):
            await anext(records)
        with pytest.raises(StopAsyncIteration):
            await anext(records)
    with read_store(STORE) as reader:
        assert reader.run("last").ended is not None


async def test_a_store_in_memory_is_refused_before_anything_is_paid_for() -> None:
    model = Scripted([])
    with pytest.raises(UsageError, match="':memory:', which is gone when the run ends"):
        await run(model, items(1), store=":memory:")
    assert model.requests == []


async def test_a_store_that_cannot_be_written_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """As itself, and not as a failure of each debate."""

    def broken(self: writer.RunWriter, batch: Any) -> None:
        if any(isinstance(part, Entry) and part.values.get("call") for part in batch.parts):
            raise StoreError("the store runs.db cannot be written: disk full")
        insert(self, batch)

    insert = writer.RunWriter._insert
    monkeypatch.setattr(writer.RunWriter, "_insert", broken)
    with pytest.raises(StoreError, match="disk full"):
        await run(replying(scoring(4)), items(5))


NO_STORE = """
import asyncio, sys
import agentdebate as ad

async def main():
    item = ad.Item(task="summarization", id="1", fields={"source": "A cat sat.", "summary": "A cat."})
    async with ad.evaluate([item], "solo", aspects="fluency") as run:
        assert [record.verdict is not None async for record in run] == [True]

asyncio.run(main())
print(*(name for name in ("sqlalchemy", "httpx", "aiohttp") if name in sys.modules))
"""


def test_a_run_without_a_store_and_an_endpoint_loads_no_database_and_no_http_client() -> None:
    done = subprocess.run([sys.executable, "-c", NO_STORE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
