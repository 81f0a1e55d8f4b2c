"""Runs are copied whole from store to store, whatever the database, and what they come to is the same in each."""

import os
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from postgres_cluster import Cluster

import agentdebate as ad
from agentdebate.cli.app import run as command
from agentdebate.errors import StoreError, UsageError
from agentdebate.models.function import Function
from agentdebate.store.crew import Leases
from agentdebate.store.engine import open_database
from agentdebate.store.reader import read_store
from agentdebate.store.schema import insert_rows
from agentdebate.store.upkeep import check_store, copy_runs

NewStore = Callable[[str], str]

LONG = "A bridge at Kelby closes for eleven weeks, since it has to be repaired before the summer comes. "


async def judged(word: str, store: str | Path = "one.db") -> str:
    """A run with a failure, whose replies have a word and a character of their own."""

    def answer(request: ad.ModelRequest) -> str:
        broken = "second" in str(request.messages)
        return "I cannot say." if broken else f"{LONG} {word} \N{SNOWMAN}\ud800\0\n\nFluency: 4"

    items = [
        ad.Item(
            id=name,
            task="summarization",
            fields={"source": LONG * 3, "summary": f"{LONG} {name}"},
            human={"fluency": 2},
        )
        for name in ("first", "second")
    ]
    async with ad.evaluate(items, "solo", model=Function("m", answer), aspects="fluency", store=store) as run:
        assert len([record async for record in run]) == len(items)
    return run.id or ""


def everything(store: str | Path, run: str) -> list[object]:
    with read_store(store) as reader:
        return [reader.run(run), *reader.rows(run), *reader.said(run), *reader.asked(run), *reader.items(run)]


def there(store: str) -> bool:
    return Path(store).exists()


async def test_every_run_of_a_file_arrives_in_another_and_reads_the_same() -> None:
    runs = [await judged("one"), await judged("two")]
    copied = copy_runs("one.db", "two.db")
    assert [(one.content.run, one.was_there) for one in copied] == [(run, False) for run in runs]
    assert [one.content.items for one in copied] == [2, 2]
    for run in runs:
        assert everything("two.db", run) == everything("one.db", run)
    assert check_store("one.db").runs == check_store("two.db").runs == tuple(one.content for one in copied)


async def test_runs_go_to_a_database_server_and_back(cluster: Cluster) -> None:
    url, runs = cluster.new_database(), [await judged("one"), await judged("two")]
    other = await judged("three", url)
    copy_runs("one.db", url)
    copy_runs(url, "back.db")
    for run in runs:
        assert everything(url, run) == everything("one.db", run) == everything("back.db", run)
    sums = {one.run: one for one in check_store(url).runs}
    assert [sums[run] for run in runs] == list(check_store("one.db").runs)
    assert {one.run: one for one in check_store("back.db").runs} == sums
    assert other in sums


async def test_a_copied_run_stands_beside_runs_that_number_texts_and_debates_otherwise() -> None:
    run, there = await judged("one"), await judged("other", "two.db")
    before = everything("two.db", there)
    copy_runs("one.db", "two.db", run[:-1])
    assert everything("two.db", run) == everything("one.db", run)
    assert everything("two.db", there) == before


async def test_a_copy_that_is_begun_again_leaves_alone_what_is_there() -> None:
    first = await judged("one")
    copy_runs("one.db", "two.db")
    second = await judged("two")
    assert [(one.content.run, one.was_there) for one in copy_runs("one.db", "two.db")] == [
        (first, True),
        (second, False),
    ]


async def test_nothing_of_a_run_arrives_where_copying_it_is_stopped_half_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    run = await judged("one")
    entered = insert_rows

    def stopped(connection: Any, table: Any, rows: Any, **how: Any) -> None:
        if table.name == "documents":
            raise KeyboardInterrupt
        entered(connection, table, rows, **how)

    with monkeypatch.context() as patched:
        patched.setattr("agentdebate.store.debate_writer.insert_rows", stopped)
        with pytest.raises(KeyboardInterrupt):
            copy_runs("one.db", "two.db")
    info = ad.store.store_info("two.db")
    assert (info.runs, info.debates, info.calls) == (0, 0, 0)
    assert [one.was_there for one in copy_runs("one.db", "two.db")] == [False]
    assert everything("two.db", run) == everything("one.db", run)


async def test_a_run_with_other_content_is_not_taken_for_the_same() -> None:
    run = await judged("one")
    copy_runs("one.db", "two.db")
    with closing(sqlite3.connect("two.db", isolation_level=None)) as there:
        there.execute("update debates set row_sum = row_sum + 1")
    with pytest.raises(UsageError, match=f"two.db has a run {run} with other content than one.db"):
        copy_runs("one.db", "two.db")


async def test_a_text_that_was_changed_is_not_copied_and_is_found_by_a_check() -> None:
    run = await judged("one")
    with closing(sqlite3.connect("one.db", isolation_level=None)) as there:
        talk = bytearray(there.execute("select talk from documents where debate = 1").fetchone()[0])
        talk[len(talk) // 2] ^= 1
        there.execute("update documents set talk = ? where debate = 1", (bytes(talk),))
    with pytest.raises(StoreError, match=r"the debate 'first/.*its bytes are not those that were stored"):
        copy_runs("one.db", "two.db")
    assert ad.store.store_info("two.db").runs == 0
    found = check_store("one.db")
    assert any(run in problem and "not those that were stored" in problem for problem in found.problems)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ("delete from documents where debate = 2", "a document of it is missing"),
        ("update debates set row = '{'", "it is not JSON"),
        ("update documents set calls = substr(calls, 2)", "its bytes are not those that were stored"),
        ("update runs set configuration = '[]'", "the run itself is damaged"),
    ],
)
async def test_a_check_names_what_is_damaged(
    change: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await judged("one")
    with closing(sqlite3.connect("one.db", isolation_level=None)) as there:
        there.execute(change)
    assert any(said in problem for problem in check_store("one.db").problems)
    assert command(["store", "check", "--store", "one.db"]) == 1
    assert said in capsys.readouterr().out


async def test_what_cannot_be_copied_leaves_no_store_behind() -> None:
    await judged("one")
    with pytest.raises(UsageError, match="there is no run 'nobody'"):
        copy_runs("one.db", "two.db", "nobody")
    with pytest.raises(UsageError, match="the store itself"):
        copy_runs("one.db", f"..{os.sep}{Path.cwd().name}{os.sep}one.db")
    with pytest.raises(UsageError, match="there is no store"):
        copy_runs("none.db", "two.db")
    assert not there("two.db")


async def queued(store: str, model: ad.models.Model) -> str:
    """A run of a queue, of which a worker has held two debates and begun a third before it was called off."""
    items = [
        ad.Item(id=f"i{n}", task="summarization", fields={"source": LONG * 3, "summary": f"{LONG} {n}"})
        for n in range(5)
    ]
    run = await ad.enqueue(items, "debate", store=store, model=model, aspects="fluency")
    async with ad.work(run, "debate", store=store, model=model, aspects="fluency", concurrency=1) as part:
        assert [(await anext(aiter(part))).id for _ in range(2)] == ["i0/fluency", "i1/fluency"]
    return run


async def test_a_queue_goes_over_and_is_worked_on_in_the_other_store(new_store: NewStore) -> None:
    asked = Counter[str]()

    def answer(request: ad.ModelRequest) -> str:
        asked[str(request.messages)] += 1
        critic = request.context is not None and request.context.purpose == "criticise"
        return "NO ISSUE" if critic else f"{LONG}\n\nFluency: 4"

    model, there = Function("m", answer), new_store("two")
    run = await queued("one.db", model)
    left = ad.crew(run, store="one.db")
    assert [one.was_there for one in copy_runs("one.db", there)] == [False]
    assert [one.was_there for one in copy_runs("one.db", there)] == [True]
    found = ad.crew(run, store=there)
    assert left is not None
    assert found is not None
    assert (found.state, found.left, found.held, found.workers) == ("queued", left.left, 0, ())
    async with ad.work(run, "debate", store=there, model=model, aspects="fluency") as part:
        rest = [record.id async for record in part]
    assert len(rest) == left.left
    with read_store(there) as reader:
        assert (reader.run(run).verdicts, reader.run(run).ended is None) == (5, False)
    assert set(asked.values()) == {1}, "what was on disk in the first store was not paid for again"
    after = ad.crew(run, store="one.db")
    assert after is not None
    assert after.left == left.left, "and there nothing has changed"


async def test_a_run_that_workers_are_at_work_on_is_not_copied() -> None:
    run = await ad.enqueue(
        [ad.Item(id="i", task="summarization", fields={"source": LONG, "summary": LONG})],
        "solo",
        store="one.db",
        model=Function("m", lambda _: "Fluency: 4"),
        aspects="fluency",
    )
    database = open_database("one.db")
    with closing(database):
        database.change(Leases(1, "one").join)
    with pytest.raises(UsageError, match=f"agentdebate stop {run} ends them"):
        copy_runs("one.db", "two.db")
