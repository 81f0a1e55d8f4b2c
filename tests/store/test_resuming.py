"""Taking up a run on disk: what is cleared away, what is kept, and what is given to whom."""

import sqlite3
from collections import Counter
from contextlib import closing

import pytest
from small_runs import ITEM, STORE, call, opening, record

from agentdebate.errors import StoreError
from agentdebate.store.reader import read_store
from agentdebate.store.writer import RunWriter, rewrite_run
from agentdebate.talk.messages import Ask, Message, Plan, Statement


async def left(text: str = "Fine.") -> str:
    """A run with a debate that ended, one that failed and one that was cut short; each has asked ann, and then ben."""
    async with opening() as writer:
        writer.item(ITEM, 1)
        for name in ("ended", "failed", "cut"):
            said: list[Message] = [
                Ask(seq=1, sender="floor", to=("ann",), purpose="speak", reply="statement"),
                Statement(seq=2, sender="ann", to=("floor",), answers=1, text="x", model="m"),
                Ask(seq=3, sender="floor", to=("ben",), purpose="speak", reply="statement"),
            ]
            for message in said:
                writer.open(name).message(message)
            await writer.open(name).call(1, call(agent="ann", ask=1, shown=(), text=text))
            await writer.open(name).call(2, call(agent="ben", ask=3, text=text))
            if name != "cut":
                await writer.open(name, paid=await writer.paid(name)).record(
                    record(name, tuple(said), failed=name == "failed")
                )
    return str(writer.run)


def rows(what: str) -> list[tuple[str, int]]:
    with read_store(STORE) as reader:
        run = reader.run("last").id
        said, asked = (name for name, _ in reader.said(run)), (call.debate for call in reader.asked(run))
        named = list(said if what == "messages" else asked)
    return sorted(Counter(named).items())


async def given(writer: RunWriter, debate: str) -> list[tuple[int, str]]:
    """The calls of a debate that are given again."""
    return [(one.number, one.agent) for one in await writer.paid(debate) if one.ask]


async def test_what_a_debate_said_that_was_cut_short_is_cleared_away_and_its_calls_are_kept() -> None:
    run = await left()
    async with rewrite_run(STORE, run) as writer:
        assert writer.begun is not None
        assert writer.begun.ended == {"ended", "failed"}
        assert await given(writer, "cut") == [(1, "ann"), (2, "ben")]
        assert await given(writer, "ended") == await given(writer, "new") == []
        assert rows("messages") == [("ended", 3), ("failed", 3)]
    assert rows("calls") == [("cut", 2), ("ended", 2), ("failed", 2)]


async def test_a_debate_that_failed_has_not_ended_where_it_is_to_be_held_again() -> None:
    """What was answered in it is given again; what was not answered is kept and not given."""
    run = await left()
    async with rewrite_run(STORE, run, retry_failed=True) as writer:
        assert writer.begun is not None
        assert writer.begun.ended == {"ended"}
        assert await given(writer, "failed") == [(1, "ann")]
        assert len(await writer.paid("failed")) == 2
        assert await given(writer, "cut") == [(1, "ann"), (2, "ben")]
        assert rows("messages") == [("ended", 3)]
    assert rows("calls") == [("cut", 2), ("ended", 2), ("failed", 2)]
    with read_store(STORE) as reader:
        assert (reader.run(run).verdicts, reader.run(run).failures) == (1, 0)


async def test_who_was_not_shown_an_item_serves_every_debate() -> None:
    run = await left()
    async with rewrite_run(STORE, run) as writer:
        assert writer.begun is not None
        assert [(one.agent, one.number) for one in writer.begun.common] == [
            ("ann", 1)
        ]  # of the one that was cut


async def test_what_was_found_out_once_comes_with_the_debate_that_found_it() -> None:
    plan = Plan(sender="planner", to=("floor",), answers=1, text="Read it.", model="m")
    run = await left()
    found = list[str]()

    async def find() -> Plan:
        found.append("found")
        return plan

    for debate, times in (("cut", 1), ("other", 1), ("cut", 2)):
        async with rewrite_run(STORE, run) as writer:
            assert await writer.search("plan", debate, find) == ("cut", plan)
        assert len(found) == times
    with closing(sqlite3.connect(STORE)) as store, store:
        store.execute("""update found set data = replace(data, '"text":', '"text":"Other.","text":')""")
    async with rewrite_run(STORE, run) as writer:
        with pytest.raises(StoreError, match="the key 'text' stands twice in one object"):
            await writer.search("plan", "other", find)


async def test_items_and_tasks_go_on_where_they_were() -> None:
    run = await left()
    async with rewrite_run(STORE, run) as writer:
        for number, (name, task) in enumerate({"i1": "summarization", "i2": "dialogue"}.items(), 1):
            writer.item(ITEM.model_copy(update={"id": name, "task": task}), number)
    with closing(sqlite3.connect(STORE)) as store:
        assert store.execute("select id, number from items order by number").fetchall() == [
            ("i1", 1),
            ("i2", 2),
        ]
    with read_store(STORE) as reader:
        assert reader.run(run).task == "summarization, dialogue"
