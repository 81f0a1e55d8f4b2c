"""A store that is opened to be read: its runs as objects and tables, lazily, with its connections closed in the end."""

import gc
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from small_runs import call, opening

import agentdebate as ad
from agentdebate.debates.outcome import VERDICT

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}

NewStore = Callable[[str], str]

pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")


@pytest.fixture(autouse=True)
def _collected() -> Iterator[None]:
    """Report what a test leaves open in that test."""
    yield
    gc.collect()


async def hold(store: str, count: int) -> list[ad.Record]:
    items = [
        ad.Item(fields=FIELDS, task="summarization", id=f"i{n}", group="g", human={"coherence": 2.0 + n})
        for n in range(count)
    ]
    async with ad.evaluate(items, "debate", store=store, aspects=["coherence", "fluency"]) as run:
        return [record async for record in run]


async def test_a_run_has_its_items_records_transcripts_ballots_and_calls(new_store: NewStore) -> None:
    place = new_store("runs")
    held = {record.id: record for record in await hold(place, 3)}
    with ad.open_store(place) as store:
        run = store.run("last")
        assert [one.id for one in store.runs()] == [run.id]
        assert [item.id for item in run.items()] == ["i0", "i1", "i2"]
        records = list(run.records())
        assert [record.id for record in records] == sorted(held)
        for record in records:
            live = held[record.id]
            assert (record.verdict, record.scores, record.outcome) == (live.verdict, live.scores, VERDICT)
            assert record.transcript == live.transcript
            assert record.item == live.item
            assert len(record.calls) == len(live.calls)
            assert record.row() == {"debate": record.id, **live.row()}
        spoken = run.messages()
        assert len(list(spoken)) == len(list(spoken)) > 6, "as often as one likes"
        verdicts = [(name, held[name].verdict) for name in sorted(held)]
        cast = [(name, one.agent) for name, verdict in verdicts if verdict for one in verdict.ballots]
        assert [(row["debate"], row["agent"]) for row in run.ballots()] == cast
        assert len(run.calls()) == sum(len(record.calls) for record in held.values())
        assert len(run.records()) == 6
        assert run.state == "ended"


class TestOpening:
    async def test_plain_use_leaves_nothing_open(self) -> None:
        """An unclosed connection would be a ResourceWarning, which is an error here."""
        await hold("runs.db", 2)
        calls = iter(ad.open_store("runs.db").run().calls())
        assert next(calls).number == 1
        del calls
        gc.collect()

    async def test_after_closing_it_nothing_is_read_any_more(self) -> None:
        await hold("runs.db", 1)
        with ad.open_store("runs.db") as store:
            run = store.run()
        store.close()
        with pytest.raises(ad.StoreError, match="has been closed: open it again"):
            list(run.items())
        with pytest.raises(ad.StoreError, match="has been closed"):
            store.run()

    async def test_a_damaged_call_makes_costs_an_error_and_not_a_smaller_sum(self) -> None:
        async with opening() as writer:
            await writer.open("d").call(1, call())
        with closing(sqlite3.connect("runs.db")) as file:
            file.execute("UPDATE in_flight SET entry = 'x' WHERE call")
            file.commit()
        with ad.open_store("runs.db") as store, pytest.raises(ad.StoreError, match=r"runs\.db.*call 1"):
            store.run().costs()
