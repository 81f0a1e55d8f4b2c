"""A debate's documents: what was in flight moves into them, nothing is lost, they are small, and a byte that is changed is found."""

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from small_runs import ITEM, call, in_flight, opening, record, said

import agentdebate as ad
from agentdebate.errors import StoreError
from agentdebate.store.debate_writer import enter_ended
from agentdebate.store.documents import packed, unpacked
from agentdebate.store.reader import read_store
from agentdebate.store.upkeep import check_store
from agentdebate.store.writer import rewrite_run

NewStore = Callable[[str], str]


@pytest.mark.parametrize("failed", [False, True], ids=["verdict", "failure"])
async def test_what_was_in_flight_moves_into_documents_as_a_debate_ends(
    new_store: NewStore, failed: bool
) -> None:
    place = new_store("runs")
    async with opening(place) as writer:
        writer.item(ITEM, 1)
        writer.open("d").message(said(1))
        await writer.open("d").call(1, call(1))
        with read_store(place) as reader:
            assert len(reader.going_on(writer.run)) == 1
            before = reader.messages(writer.run, "d"), reader.calls(writer.run, "d")
        await writer.open("d", paid=await writer.paid("d")).record(record("d", (said(1),), failed=failed))
    with read_store(place) as reader:
        assert (reader.messages(writer.run, "d"), reader.calls(writer.run, "d")) == before
        assert len(reader.going_on(writer.run)) == 0


async def test_where_the_end_cannot_be_entered_everything_stays_in_flight(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stopped(*given: Any, **named: Any) -> None:
        enter_ended(*given, **named)
        raise sqlite3.OperationalError("disk is full")

    async def ends() -> None:
        async with opening() as writer:
            await writer.open("d").call(1, call(1))
            monkeypatch.setattr("agentdebate.store.debate_writer.enter_ended", stopped)
            await writer.open("d", paid=await writer.paid("d")).record(record("d", ()))

    with pytest.raises(StoreError, match="disk is full"):
        await ends()
    assert in_flight() == (0, 1)
    with closing(sqlite3.connect("runs.db")) as there:
        assert there.execute("select count(*) from debates").fetchone() == (0,)
        assert there.execute("select count(*) from documents").fetchone() == (0,)


async def test_what_an_earlier_holding_paid_for_is_in_the_documents_and_in_the_costs() -> None:
    async with opening() as writer:
        await writer.open("d").call(1, call(1))
    async with rewrite_run("runs.db", writer.run) as again:
        talk = again.open("d", paid=await again.paid("d"))
        await talk.keep(call(2))
        await talk.record(record("d", (said(1),)))
    with read_store("runs.db") as reader:
        assert [one.number for one in reader.calls(writer.run, "d")] == [1, 2]
        (share,) = reader.shares(writer.run)
        assert (share.agent, share.served, share.usage.calls, share.usage.tokens) == ("ann", "m", 2, 24)
    assert in_flight() == (0, 0)


def test_a_document_that_would_flood_the_memory_is_not_unpacked() -> None:
    bomb = packed("x" * (80 << 20))
    assert len(bomb) < 1 << 20
    with pytest.raises(ValueError, match="more than 64 MiB"):
        unpacked(bomb)


async def test_a_long_text_is_stored_once_and_what_was_said_of_it_comes_back_everywhere() -> None:
    """And a byte of it that was changed damages the debates about it, which are named."""
    text = random.Random(1).randbytes(20_000).hex()
    items = [
        ad.Item(id=name, task="summarization", fields={"source": text, "summary": f"Of {name}."})
        for name in ("i1", "i2")
    ]
    replies = {"Of i1.": "Said of it.\n\nFluency: 4", "Of i2.": "Hm."}

    def reply(request: ad.ModelRequest) -> str:
        return next(said for about, said in replies.items() if about in str(request.messages))

    model = ad.Function("m", reply)
    async with ad.evaluate(items, "solo", model=model, aspects="fluency", store="runs.db") as run:
        held = {record.id: record async for record in run}
    ad.store.copy_runs("runs.db", "copy.db")
    for place in ("runs.db", "copy.db"):
        with ad.open_store(place) as store:
            found = {record.id: record for record in store.run().records()}
            assert found["i1/fluency"].transcript == held["i1/fluency"].transcript
            assert text in str(found["i1/fluency"].calls[0].sent)
    with closing(sqlite3.connect("runs.db")) as there:
        item, talk = there.execute(
            "select length(i.data), length(c.talk) + length(c.calls) from debates d join documents c on c.debate = d.number "
            "join items i on i.id = d.item where d.id = 'i1/fluency'"
        ).fetchone()
    assert talk < item / 5
    replies["Of i2."] = "Better.\n\nFluency: 3"
    async with ad.evaluate(
        items, "solo", model=model, aspects="fluency", store="runs.db", resume="last", retry_failed=True
    ) as run:
        assert {record.id: record.outcome.name async for record in run}["i2/fluency"] == "verdict"
    with closing(sqlite3.connect("runs.db")) as there, there:
        there.execute(
            "update items set data = substr(data, 1, 900) || x'00' || substr(data, 902) where id = 'i1'"
        )
    problems = ad.store.check_store("runs.db").problems
    assert any("the item 'i1'" in problem for problem in problems)
    assert all("i1" in problem for problem in problems)


# A byte that is changed, in any text of a debate: `store check` names the debate.


STORE, COPY = "runs.db", "copy.db"
FIELDS = {"source": "The bridge closes in March.", "summary": "A bridge closes."}

FOUND = [
    *(("documents", name) for name in ("talk", "calls", "talk_sum", "calls_sum")),
    *(("items", name) for name in ("id", "data")),
    ("in_flight", "entry"),
]
"""Columns in which a changed byte is found: texts. Nothing says what was in the narrow ones, which are read as they are."""


@pytest.fixture
async def run() -> str:
    """A run with two debates that have ended, and one that is being held."""
    items = [
        ad.Item(
            id=f"i{n}", task="summarization", fields=FIELDS, group="g", system="s", human={"coherence": 2.5}
        )
        for n in range(2)
    ]
    async with ad.evaluate(items, "debate", store=STORE, aspects="coherence") as held:
        assert len([record async for record in held]) == 2
    assert held.id is not None
    async with rewrite_run(STORE, held.id) as writer:
        writer.open("i9/coherence").message(said())
        await writer.open("i9/coherence").call(2, call())
    assert check_store(STORE).problems == ()
    return held.id


def flipped(value: Any, rng: random.Random) -> Any:
    """A value of which one bit of one byte is another one."""
    if isinstance(value, int):
        return value ^ (1 << rng.randrange(8))
    data = bytearray(value.encode() if isinstance(value, str) else value)
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(7)
    return bytes(data).decode("utf-8", "replace") if isinstance(value, str) else bytes(data)


def rows_of(table: str, column: str) -> list[tuple[int, Any]]:
    """The rows of a table by their numbers, with what is in a column."""
    with closing(sqlite3.connect(STORE)) as there:
        return there.execute(f"select rowid, {column} from {table} order by rowid").fetchall()


def change(table: str, column: str, row: int, value: Any) -> None:
    """Change a column in a row of a copy of the store."""
    shutil.copy(STORE, COPY)
    with closing(sqlite3.connect(COPY, isolation_level=None)) as there:
        there.execute(f"update {table} set {column} = ? where rowid = ?", (value, row))


@pytest.mark.parametrize(("table", "column"), FOUND, ids=lambda one: one)
@pytest.mark.usefixtures("run")
def test_a_check_finds_a_changed_byte(table: str, column: str) -> None:
    rng, rows = random.Random(f"{table} {column}"), rows_of(table, column)
    for _ in range(6):
        place, value = rng.choice(rows)
        new = flipped(value, rng)
        try:
            change(table, column, place, new)
        except sqlite3.IntegrityError:  # another row has that key
            continue
        assert check_store(COPY).problems, f"{table}.{column} was {value!r}, and is {new!r}"
