"""Runs are copied whole from store to store, whatever the database, and deleted whole; a run that somebody writes stays."""

import os
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from postgres_cluster import Cluster
from run_locks import hold
from small_runs import everything

import agentdebate as ad
from agentdebate.errors import StoreError, UsageError
from agentdebate.models.function import Function
from agentdebate.store.crew import Leases
from agentdebate.store.engine import open_database
from agentdebate.store.schema import HEAD, insert_rows
from agentdebate.store.upkeep import check_store, copy_runs, delete_run, store_info

LONG = "A bridge at Kelby closes for eleven weeks, since it has to be repaired before the summer comes. "


async def judged(word: str, store: str | Path = "one.db") -> str:
    """A run with a failure, whose replies have a word and a character of their own."""

    def answer(request: ad.ModelRequest) -> str:
        broken = "second" in str(request.messages)
        return "I cannot say." if broken else f"{LONG} {word} \N{SNOWMAN}\ud800\0\n\nFluency: 4"

    about: Any = {"task": "summarization", "human": {"fluency": 2}}
    texts = {name: {"source": LONG * 3, "summary": f"{LONG} {name}"} for name in ("first", "second")}
    items = [ad.Item(id=name, fields=fields, **about) for name, fields in texts.items()]
    async with ad.evaluate(items, "solo", model=Function("m", answer), aspects="fluency", store=store) as run:
        assert len([record async for record in run]) == len(items)
    return run.id or ""


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


async def test_a_copy_that_is_begun_again_leaves_alone_what_is_there() -> None:
    first = await judged("one")
    copy_runs("one.db", "two.db")
    second = await judged("two")
    assert [one.run for one in copy_runs("one.db", "two.db")] == [first, second]
    assert everything("two.db", first) == everything("one.db", first)


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
        patched.setattr("agentdebate.store.upkeep.insert_rows", stopped)
        with pytest.raises(KeyboardInterrupt):
            copy_runs("one.db", "two.db")
    info = ad.store.store_info("two.db")
    assert (info.runs, info.debates, info.calls) == (0, 0, 0)
    assert len(copy_runs("one.db", "two.db")) == 1
    assert everything("two.db", run) == everything("one.db", run)


async def test_a_run_with_other_content_is_not_taken_for_the_same() -> None:
    run = await judged("one")
    copy_runs("one.db", "two.db")
    with closing(sqlite3.connect("two.db", isolation_level=None)) as there:
        there.execute("update debates set said = said + 1")
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


async def test_what_cannot_be_copied_leaves_no_store_behind() -> None:
    await judged("one")
    with pytest.raises(UsageError, match="there is no run 'nobody'"):
        copy_runs("one.db", "two.db", "nobody")
    with pytest.raises(UsageError, match="the store itself"):
        copy_runs("one.db", f"..{os.sep}{Path.cwd().name}{os.sep}one.db")
    for work in (lambda: copy_runs("none.db", "two.db"), lambda: store_info("two.db")):
        with pytest.raises(UsageError, match="there is no store"):
            work()


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
    with pytest.raises(UsageError, match=f"agentdebate stop {run}"):
        copy_runs("one.db", "two.db")


# From here on: deleting runs.

TABLES = ("runs", "items", "debates", "documents", "scores", "costs", "in_flight", "found")


def counted(store: str = "runs.db") -> dict[str, int]:
    with closing(sqlite3.connect(store)) as there:
        return {table: there.execute(f"select count(*) from {table}").fetchone()[0] for table in TABLES}


async def test_a_run_goes_with_all_that_is_its_own_and_nothing_else() -> None:
    one, alone = await judged("one", "runs.db"), counted()
    before = everything("runs.db", one)
    two = await judged("two", "runs.db")
    gone = delete_run("runs.db", two)
    assert (gone.run, gone.items, gone.debates, gone.calls) == (two, 2, 2, 4)
    assert counted() == alone
    assert everything("runs.db", one) == before
    with pytest.raises(UsageError, match="there is no run"):
        delete_run("runs.db", two)


async def test_a_run_that_a_process_writes_is_not_deleted() -> None:
    run = await judged("one", "runs.db")
    before = counted()
    with hold("runs.db", run), pytest.raises(UsageError, match="process is at work"):
        delete_run("runs.db", run)
    assert counted() == before


def size_of(store: str) -> int:
    there = Path(store).stat()
    assert there.st_mode & 0o777 == 0o600
    return there.st_size


async def test_the_room_of_a_deleted_run_is_given_back() -> None:
    await judged("one", "runs.db")
    small = size_of("runs.db")
    for seed in range(3):
        await judged(random.Random(seed).randbytes(90_000).hex(), "runs.db")
    assert size_of("runs.db") > 2 * small
    for _ in range(3):
        delete_run("runs.db", "last")
    info = store_info("runs.db")
    assert (info.runs, info.debates, info.calls, info.schema) == (1, 2, 4, int(HEAD))
    assert info.bytes == pytest.approx(small, rel=0.3)
