"""One run, several workers: each debate is held once, a worker that is gone is made up for, and what they share holds for all."""

from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
import sqlalchemy as sa
from resume_cases import Hashed, rows, summaries

from agentdebate.errors import BudgetSpent, UsageError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.budget import Budget
from agentdebate.models.function import Function
from agentdebate.project.project import builtin_root
from agentdebate.runs.evaluation import evaluate
from agentdebate.runs.work import crew, enqueue, stop, work
from agentdebate.store.crew import Leases, database_clock
from agentdebate.store.reader import read_store
from agentdebate.strategies.load import strategy
from agentdebate.usage import Usage

NewStore = Callable[[str], str]

PATIENCE = 180
"""Seconds after which a test gives up: what it waits for comes in one or two, and in many on a machine with too much to do."""


async def entered(store: str, count: int, model: Model, how: Any = "debate", **options: Any) -> str:
    return await enqueue(summaries(count), how, store=store, model=model, aspects="coherence", **options)


def working(run: str, store: str, model: Model, how: Any = "debate", **options: Any) -> Any:
    given: dict[str, Any] = {"aspects": "coherence", "lease": 30.0, "concurrency": 8, **options}
    return work(run, how, store=store, model=model, **given)


async def held(run: str, store: str, model: Model, how: Any = "debate", **options: Any) -> list[str]:
    async with working(run, store, model, how, **options) as evaluation:
        return [record.id async for record in evaluation]


async def together(*workers: Callable[[], Any]) -> list[Any]:
    """What each of them gives, all at work at the same time."""
    given: dict[int, Any] = {}

    async def one(place: int, worker: Callable[[], Any]) -> None:
        given[place] = await worker()

    async with anyio.create_task_group() as group:
        for place, worker in enumerate(workers):
            group.start_soon(one, place, worker)
    return [given[place] for place in range(len(workers))]


@pytest.fixture
def store(new_store: NewStore) -> str:
    return new_store("runs")


async def test_several_workers_come_to_what_one_process_does_and_hold_no_debate_twice(store: str) -> None:
    alone, model = Hashed(), Hashed()
    async with evaluate(summaries(30), "debate", model=alone, aspects="coherence", store="alone.db") as run:
        records = [record async for record in run]
    name = await entered(store, 30, model)
    shares = await together(*(partial(held, name, store, model) for _ in range(3)))
    assert Counter(debate for share in shares for debate in share) == Counter(record.id for record in records)
    assert rows(store, name) == rows("alone.db", run.id or "")
    assert model.paid == alone.paid
    with read_store(store) as reader:
        assert reader.run(name).ended is not None
        assert reader.run(name).verdicts == sum(record.verdict is not None for record in records)


class Stuck(Hashed):
    """A model that answers so many calls, and then none. It is `stuck` once so many wait."""

    def __init__(self, answers: int, waiting: int = 1) -> None:
        super().__init__()
        self._left, self._waiting = answers, waiting
        self.stuck = anyio.Event()

    async def complete(self, request: ModelRequest) -> Completion:
        self._left -= 1
        if self._left < 0:
            if self._left == -self._waiting:
                self.stuck.set()
            await anyio.sleep_forever()
        return await super().complete(request)


class Slow(Hashed):
    """A model that takes a moment for each answer from when it may give the first one, so that a run is not over too early."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = anyio.Event()

    async def complete(self, request: ModelRequest) -> Completion:
        await self.may_answer.wait()
        await anyio.sleep(0.1)
        return await super().complete(request)


class Moved:
    """The database's clock, moved ahead."""

    def __init__(self) -> None:
        self.by = 0.0

    def __call__(self, connection: sa.Connection) -> Any:
        return database_clock(connection) + self.by


async def test_debates_of_a_worker_that_slept_are_taken_over_and_it_enters_nothing_afterwards(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, quick, clock, later = Stuck(7, waiting=4), Hashed(), Moved(), Moved()

    def goes_by(clock: Moved) -> None:
        monkeypatch.setattr("agentdebate.runs.work.Leases", partial(Leases, clock=clock))

    goes_by(clock)
    name = await entered(store, 12, slow)
    async with working(name, store, slow, concurrency=4, lease=60.0) as asleep:
        with anyio.fail_after(PATIENCE):
            await slow.stuck.wait()
        before = rows(store, name)
        later.by = 61  # to the other the first one is gone, whatever it says
        goes_by(later)
        assert len(await held(name, store, quick, lease=60.0)) + len(before) == 12
        after = rows(store, name)
        clock.by = 200  # it wakes
        with anyio.fail_after(PATIENCE):
            assert len([record async for record in asleep]) == len(before)
    assert rows(store, name) == after
    found = crew(name, store=store)
    assert found is not None
    assert [one.state for one in found.workers] == ["done", "done"]
    assert found.lost >= 4
    doubled = sum((slow.paid + quick.paid).values()) - len(slow.paid + quick.paid)
    assert doubled == 0, "what was on disk was not paid for again"


async def test_a_worker_that_is_called_off_gives_its_debates_back_at_once(store: str) -> None:
    slow, quick = Stuck(5), Hashed()
    name = await entered(store, 6, slow)
    async with working(name, store, slow, concurrency=3, lease=60.0):
        with anyio.fail_after(PATIENCE):
            await slow.stuck.wait()
    with anyio.fail_after(PATIENCE):
        await held(name, store, quick, lease=60.0)
    assert len(rows(store, name)) == 6
    assert max((slow.paid + quick.paid).values()) == 1


async def test_stop_ends_all_workers_and_the_run_goes_on_with_the_next(store: str) -> None:
    model = Slow()
    name = await entered(store, 100, model)
    first: list[str] = []
    there: list[None] = []

    async def one() -> bool:
        async with working(name, store, model, concurrency=4) as evaluation:
            there.append(None)
            if len(there) == 2:
                model.may_answer.set()
            async for record in evaluation:
                first.append(record.id)
                if len(first) == 5:
                    assert stop(name, store=store) == 2
            return bool(evaluation.run.shift.told)

    with anyio.fail_after(PATIENCE):
        assert await together(one, one) == [True, True]
    found = crew(name, store=store)
    assert found is not None
    assert (found.state, found.held) == ("stopped", 0)
    assert found.left == 100 - len(rows(store, name)) > 0
    rest = await held(name, store, model, concurrency=64)
    assert len(rows(store, name)) == 100
    assert not set(first) & set(rest)
    assert max(model.paid.values()) == 1


async def test_debates_that_failed_are_put_back_into_the_queue(store: str) -> None:
    """By one worker that is told to; what was answered in vain is asked for again, and nothing else."""
    asked, broken = Counter[str](), True

    def reply(request: ModelRequest) -> str:
        asked[request.context.item.id if request.context else ""] += 1
        return "Hm." if broken and "sat 1." in str(request.messages) else "Fine.\n\nCoherence: 4"

    model = Function("judge", reply)
    name = await entered(store, 3, model, "solo")
    assert len(await held(name, store, model, "solo")) == 3
    before = dict(asked)
    with read_store(store) as reader:
        assert (reader.run(name).verdicts, reader.run(name).failures) == (2, 1)
    broken = False
    assert await held(name, store, model, "solo", retry_failed=True) == ["i1/coherence"]
    with read_store(store) as reader:
        head = reader.run(name)
    assert (head.verdicts, head.failures, head.ended is not None) == (3, 0, True)
    assert asked == Counter({**before, "i1": before["i1"] + 1})
    assert await held(name, store, model, "solo", retry_failed=True) == []


async def test_what_differs_is_named_before_anything_is_taken(store: str) -> None:
    model = Hashed()
    name = await entered(store, 2, model, strategy("debate", rounds=2))
    with pytest.raises(UsageError, match=r"strategy\.rounds was 2 and is 3"):
        await held(name, store, model, strategy("debate", rounds=3))
    with pytest.raises(UsageError, match=r"models\.0\.name was"):
        await held(name, store, Hashed(name="another"), strategy("debate", rounds=2))
    assert len(await held(name, store, model, strategy("debate", rounds=3), anyway=True)) == 2


def kinder() -> None:
    """Have a scorer of the project's own, which is built in but for a word."""
    Path("agents").mkdir()
    built_in = builtin_root() / "agents" / "scorer.md"
    Path("agents/scorer.md").write_text(
        f"{built_in.read_text(encoding='utf-8')}\nBe kind.\n", encoding="utf-8"
    )


async def test_after_an_update_a_queue_is_worked_on_where_its_content_is_unchanged(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("agentdebate.runs.configuration.__version__", "0.0.1")
        earlier.setattr("agentdebate.runs.work.code_of", lambda _: {"version": "0.0.1", "strategy": {}})
        names = [await entered(store, 2, Hashed()) for _ in range(2)]
    assert len(await held(names[0], store, Hashed())) == 2
    kinder()
    with pytest.raises(UsageError, match=r"content files have changed: agents/scorer\. .*anyway=True"):
        await held(names[1], store, Hashed())


async def test_a_run_without_a_queue_and_one_of_a_queue_are_gone_on_with_in_their_own_ways(
    store: str,
) -> None:
    model = Hashed()
    async with evaluate(summaries(1), "debate", model=model, aspects="coherence", store=store) as run:
        assert [record.id async for record in run]
    with pytest.raises(UsageError, match=f"run {run.id} has no queue"):
        await held(run.id or "", store, model)
    with pytest.raises(UsageError, match="has no queue"):
        stop(run.id or "", store=store)
    name = await entered(store, 1, model)
    with pytest.raises(UsageError, match=f"go on with agentdebate work {name}"):
        async with evaluate(
            summaries(1), "debate", model=model, aspects="coherence", store=store, resume=name
        ):
            pass


# From here on: what they share.


async def test_what_one_worker_has_found_out_the_others_do_not_pay_for(store: str) -> None:
    """G-Eval's steps are written in one debate, for all of the run."""
    asked = Counter[str]()

    async def reply(request: ModelRequest) -> str:
        assert request.context is not None
        asked[request.context.purpose] += 1
        await anyio.sleep(0.02)
        return "1. Read it.\n2. Score it." if request.context.purpose == "steps" else "- Coherence: 4"

    model = Function("judge", reply)
    how = strategy("geval", mode="single")
    name = await entered(store, 12, model, how)
    await together(*(partial(held, name, store, model, how, concurrency=3) for _ in range(3)))
    with read_store(store) as reader:
        assert reader.run(name).verdicts == 12
    steps, forms = sorted(asked.values())
    assert (steps <= 3, forms) == (True, 12), "steps once by each that began at once, and a form each"


def priced(budget: int) -> tuple[Model, Budget, Counter[str]]:
    """A model whose calls cost 100 tokens each, and a budget of so many."""
    calls = Counter[str]()

    def reply(_: ModelRequest) -> Completion:
        calls["made"] += 1
        usage = Usage(calls=1, prompt_tokens=90, completion_tokens=10)
        return Completion(text="Fine.\n\nCoherence: 3", model="judge", usage=usage)

    return Function("judge", reply), Budget(tokens=budget), calls


async def test_a_worker_that_begins_hears_what_others_have_spent_of_the_budget(store: str) -> None:
    name = await entered(store, 160, priced(1)[0], "solo")
    model, budget, made = priced(8_000)
    with pytest.raises(BudgetSpent, match="the budget is spent"):
        await held(name, store, model, "solo", budget=budget, concurrency=4)
    assert 0 < made["made"] <= 80
    model, budget, made = priced(8_000)
    with pytest.raises(BudgetSpent, match="the budget that all workers share is spent"):
        await held(name, store, model, "solo", budget=budget)
    assert made["made"] < 10
    model, budget, made = priced(12_000)
    with pytest.raises(BudgetSpent):
        await held(name, store, model, "solo", budget=budget)
    assert 0 < made["made"] <= 40
