"""What comes into a store while a run is written there: each debate once, and nothing of other runs."""

import pytest
import sqlalchemy as sa

from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import News, read_store
from agentdebate.tasks import Item
from agentdebate.testing import replying

FIELDS = {"source": "The cat sat.", "summary": "A cat sat."}
JUDGE = replying("Fine.\n\nCoherence: 3")


async def hold(*ids: str, store: str = "runs.db") -> str:
    items = [Item(fields=FIELDS, task="summarization", id=name) for name in ids]
    async with evaluate(items, "solo", model=JUDGE, aspects="coherence", store=store, concurrency=2) as run:
        async for _ in run:
            pass
    assert run.id is not None
    return run.id


def told(news: News) -> list[str]:
    return [row["debate"] for rows in news.rows() for row in rows]


@pytest.fixture(autouse=True)
def by_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts of two debates."""
    monkeypatch.setattr("agentdebate.store.schema.AT_ONCE", 2)


async def test_each_debate_of_the_run_is_told_once() -> None:
    await hold("x1", "x2", "x3")
    run = await hold("i1", "i2", "i3", "i4", "i5")
    await hold("y1", "y2", "y3")
    with read_store("runs.db") as reader:
        news = reader.news(run)
        assert sorted(told(news)) == [f"i{number}/coherence" for number in range(1, 6)]
        assert told(news) == []


async def test_what_is_written_later_is_told_later() -> None:
    run = await hold("i1")
    with read_store("runs.db") as reader:
        news = reader.news(run)
        assert told(news) == ["i1/coherence"]
        items = [Item(fields=FIELDS, task="summarization", id=name) for name in ("i1", "i2", "i3")]
        async with evaluate(
            items,
            "solo",
            model=JUDGE,
            aspects="coherence",
            store="runs.db",
            resume=run,
            anyway=True,
            earlier=False,
        ) as going_on:
            assert [record.id async for record in going_on] == ["i2/coherence", "i3/coherence"]
        assert sorted(told(news)) == ["i2/coherence", "i3/coherence"]


async def test_a_run_of_which_nothing_has_ended_has_no_news() -> None:
    await hold("i1")
    with read_store("runs.db") as reader:
        assert told(reader.news("another")) == []


async def test_a_reader_writes_nothing() -> None:
    await hold("i1")
    with (
        read_store("runs.db") as reader,
        reader.database._engine.connect() as connection,
        pytest.raises(sa.exc.OperationalError, match="readonly"),
    ):
        connection.execute(sa.text("DELETE FROM debates"))


async def test_debates_are_counted_named_and_found_without_reading_all() -> None:
    run = await hold("a", "a/b", "c")
    with read_store("runs.db") as reader:
        assert reader.not_ended(run) == 0
        assert reader.debates(run, item="a") == ["a/coherence"]
        assert reader.debates(run, item="a/b") == ["a/b/coherence"]
        assert reader.debates(run, most=2) == ["a/b/coherence", "a/coherence"]
        assert (reader.has(run, "c/coherence"), reader.has(run, "c")) == (True, False)
        row = reader.row(run, "c/coherence")
        assert row is not None
        assert (row["debate"], row["scores"]) == ("c/coherence", {"coherence": 3.0})
        assert reader.row(run, "c/fluency") is None
        assert reader.run(run).configuration["debates"] == 3
