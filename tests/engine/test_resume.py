"""A run that was cut short at any moment, resumed: the same debates, and nothing paid for twice."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_cases import TASK, TASKS, UNREADABLE, Played, end, scoring
from resume_cases import STORE, Case, Hashed, Held, held, judge, moments, on_disk, pairs, snapshot, texts

import agentdebate as ad
from agentdebate.errors import ServerFailed, UsageError
from agentdebate.models.base import Completion, ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.strategies.load import strategy

ASPECTS = ("fluency", "coherence")
EARLY = strategy("chateval-one-by-one", rounds=4, stop={"rule": "unanimous", "within": 1}, history="latest")
DEBATE = Case(strategy("debate"), texts(2), ASPECTS)
AT_ONCE = 3
"""Debates that are held at once."""


@pytest.mark.parametrize(
    ("this", "turns"),
    [(DEBATE, 0), (Case(EARLY, texts(4), ASPECTS), 40), (Case(strategy("drpe"), pairs(3), ("overall",)), 40)],
    ids=["debate", "ends early", "drpe"],
)
async def test_a_run_that_was_killed_at_any_call_ends_as_the_undisturbed_one(this: Case, turns: int) -> None:
    """And no call that is on disk is made again. `turns` has the model take its time, more for some calls than for others."""
    every = await moments(this, turns=turns)
    whole, asked = held(), on_disk()
    for cut in every[turns > 0 :: 3]:
        kept, model = on_disk(cut.store), Hashed()
        await judge(this, model, cut.store, resume="last")
        assert held(cut.store) == whole
        assert kept + model.paid == asked
        assert (cut.paid & model.paid).total() <= AT_ONCE  # answered, and not on disk yet


JUDGE = Played(play=end, name="mine")
FOUR = Function("four", lambda _: scoring(4))


# What was changed.


CRITIC = "---\nname: critic-strict\ntitle: Critic\nabout: A critic.\n---\n\nYou find fault with everything.\n"


async def cut_run(k: int = 5, **options: Any) -> tuple[Case, Held]:
    """A run of debates in this folder that was killed at its k-th call, and what it would have come to."""
    this = replace(DEBATE, options={"project": ad.Project(Path.cwd()), **options})
    cut = Path("cut.db")

    def watch(model: Hashed) -> None:
        if model.paid.total() >= k and not cut.exists():
            snapshot(cut)

    await judge(this, Hashed(watch, unreadable=0))
    whole = held()
    snapshot(Path(STORE), cut)
    return this, whole


def stored(**parts: Any) -> None:
    """Have the store say this of the run, or nothing where it is None."""
    with closing(sqlite3.connect(STORE)) as store:
        ((text,),) = store.execute("SELECT configuration FROM runs")
        found = {**json.loads(text), **parts}
        kept = json.dumps({name: value for name, value in found.items() if value is not None})
        store.execute("UPDATE runs SET configuration = ?", (kept,))
        store.commit()


def write(path: str, text: str) -> None:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")


CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "option": ({"strategy": strategy("debate", rounds=2)}, "strategy.rounds was 4 and is 2"),
    "scale": (
        {"tasks": {**TASKS, "text": TASK.rescaled({"fluency": ad.Scale(low=1, high=3)})}},
        "tasks.text.aspects was changed",
    ),
    "model": ({"model": "another"}, 'models.0.name was "hashed" and is "another"'),
    "sampling": ({"sampling": ad.Sampling(temperature=1)}, "sampling.temperature was absent and is 1.0"),
    "aspects": ({"aspects": ("fluency",)}, 'aspects was ["fluency", "coherence"] and is ["fluency"]'),
    "data": ({"configuration": {"data": {"sha256": "b"}}}, 'data.sha256 was "a" and is "b"'),
}


@pytest.mark.parametrize("change", CHANGES)
async def test_what_was_changed_is_named_before_anything_is_paid_for(change: str) -> None:
    this, _ = await cut_run(configuration={"data": {"sha256": "a"}})
    options, reason = CHANGES[change]
    this = replace(this, strategy=options.get("strategy", this.strategy))
    more = {name: value for name, value in options.items() if name not in {"strategy", "model"}}
    model, before = Hashed(name=options.get("model", "hashed")), held()
    with pytest.raises(UsageError) as raised:
        await judge(this, model, resume="last", **more)
    assert reason in str(raised.value)
    assert str(raised.value).endswith("Start a new run, put it back, or go on anyway (anyway=True)")
    assert (model.paid.total(), held()) == (0, before)


async def test_after_an_update_that_leaves_the_content_as_it_was_a_run_goes_on_by_itself() -> None:
    """Options and settings that only one of the two versions has say nothing of it."""
    this, whole = await cut_run()
    stored(agentdebate="0.0.9", patience=None, forgotten=1)
    await judge(this, Hashed(unreadable=0), resume="last")
    assert held() == whole


async def test_whoever_goes_on_anyway_pays_for_what_does_not_fit_any_more() -> None:
    """Another critic: what the scorer said before it stands, and what the critic said to it does not."""
    this, _ = await cut_run(8)
    write("agents/critic-strict.md", CRITIC)
    kept = on_disk()
    model = Hashed(unreadable=0)
    await judge(this, model, resume="last", anyway=True)
    whole = Hashed(unreadable=0)
    await judge(this, whole, "new.db")
    assert not kept & model.paid
    openings = {one for one in whole.paid if one in kept}
    assert openings
    assert {agent for _, agent, _ in openings} == {"scorer"}
    ended = {row["debate"] for row in held().rows}
    assert ended == {row["debate"] for row in held("new.db").rows}


# Debates that failed.


def down(while_: Callable[[ModelRequest], bool], error: str | Exception) -> Hashed:
    """A model that fails, or talks nonsense, for some requests."""

    class Down(Hashed):
        async def complete(self, request: ModelRequest) -> Completion:
            if not while_(request):
                return await super().complete(request)
            if isinstance(error, Exception):
                raise error
            return Completion(text=error, model="hashed")

    return Down(unreadable=0)


def revising(request: ModelRequest) -> bool:
    context = request.context
    return bool(context and context.purpose == "revise" and context.item.id == "i1")


async def broken(error: str | Exception) -> tuple[Case, Held]:
    """A run in whose second item nobody could revise a score, and what it would have come to."""
    await judge(DEBATE, Hashed(unreadable=0), "whole.db")
    records = await judge(DEBATE, down(revising, error))
    assert {record.id for record in records.values() if record.failure} <= {"i1/fluency", "i1/coherence"}
    assert any(record.failure for record in records.values())
    return DEBATE, held("whole.db")


@pytest.mark.parametrize("error", [ServerFailed("down"), UNREADABLE])
async def test_debates_that_failed_are_held_again_where_that_is_wanted(error: str | Exception) -> None:
    """With what was answered in them; what was answered in vain is asked for again."""
    this, whole = await broken(error)
    answered, model = on_disk() - on_disk(saying=UNREADABLE), Hashed(unreadable=0)
    await judge(this, model, resume="last", retry_failed=True)
    assert (held().transcripts, held().rows) == (whole.transcripts, whole.rows)
    assert model.paid
    assert model.paid == on_disk("whole.db") - answered


# Runs that are over, or not there.


async def cut_short(kept: int = 1) -> list[ad.Item]:
    """The items of a run that was left after so many records."""
    items = [one.model_copy(update={"group": "g", "human": {"fluency": 2.0}}) for one in texts(3)]
    async with evaluate(
        items, JUDGE, model=FOUR, tasks=TASKS, aspects="fluency", store=STORE, concurrency=1
    ) as run:
        async for _ in run:
            kept -= 1
            if not kept:
                break
    return items


def changed(item: ad.Item, **parts: Any) -> ad.Item:
    return item.model_copy(update=parts)


OTHERS: dict[str, tuple[Callable[[list[ad.Item]], list[ad.Item]], str]] = {
    "text": (
        lambda items: [items[0], changed(items[1], fields={**items[1].fields, "text": "Other."}), items[2]],
        r"run .* has the item 'i1' with other texts, .* \(None are those of the store\)",
    ),
    "human": (lambda items: [changed(items[0], human={"fluency": 3.0}), *items[1:]], "the item 'i0' with"),
    "fewer": (lambda items: items[:2], r"has items that are missing: 1, such as 'i2'"),
    "more": (lambda items: [*items, changed(items[0], id="i3")], "was begun without the item 'i3'"),
}


@pytest.mark.parametrize("case", OTHERS)
async def test_other_items_than_the_run_was_begun_with_are_refused_before_anything_is_asked(
    case: str,
) -> None:
    items, model = await cut_short(), Function("four", lambda _: pytest.fail("asked"))
    change, said = OTHERS[case]
    before = held()
    with pytest.raises(UsageError, match=said):
        async with evaluate(
            change(items), JUDGE, model=model, tasks=TASKS, aspects="fluency", store=STORE, resume="last",
            concurrency=1,
        ):  # fmt: skip
            pass
    assert held() == before


@pytest.mark.parametrize("given", ["list", "none", "stream"])
async def test_the_same_items_go_on_however_they_are_given(given: str) -> None:
    items = await cut_short()
    same: Any = {"list": items[::-1], "none": None, "stream": iter(items)}[given]
    async with evaluate(
        same, JUDGE, model=FOUR, tasks=TASKS, aspects="fluency", store=STORE, resume="last"
    ) as run:
        assert sorted([record.item.id async for record in run]) == ["i0", "i1", "i2"]
