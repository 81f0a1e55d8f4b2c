"""One run, several workers: debates come back from those that leave, what they share holds for all, and a restarted server loses nothing."""

import asyncio
import os
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import anyio
import pytest
from resume_cases import Hashed, rows, summaries

import agentdebate as ad
from agentdebate.cli.app import run as command
from agentdebate.errors import BudgetSpent, UsageError
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.project.project import builtin_root
from agentdebate.store.reader import read_store

NewStore = Callable[[str], str]

PATIENCE = 240
"""Seconds after which a test gives up: what it waits for comes in one or two, and in many on a machine with too much to do."""


async def entered(store: str, count: int, model: Model, how: Any = "debate", **options: Any) -> str:
    return await ad.enqueue(summaries(count), how, store=store, model=model, aspects="coherence", **options)


def working(run: str, store: str, model: Model, how: Any = "debate", **options: Any) -> Any:
    given: dict[str, Any] = {"aspects": "coherence", "lease": 30.0, "concurrency": 8, **options}
    return ad.work(run, how, store=store, model=model, **given)


async def held(run: str, store: str, model: Model, how: Any = "debate", **options: Any) -> list[str]:
    async with working(run, store, model, how, **options) as evaluation:
        return [record.id async for record in evaluation]


@pytest.fixture
def store(new_store: NewStore) -> str:
    return new_store("runs")


class Stuck(Hashed):
    """A model that answers so many calls, and then none."""

    def __init__(self, answers: int) -> None:
        super().__init__()
        self._left, self.stuck = answers, anyio.Event()

    async def complete(self, request: ModelRequest) -> Completion:
        self._left -= 1
        if self._left < 0:
            self.stuck.set()
            await anyio.sleep_forever()
        return await super().complete(request)


async def test_a_worker_that_waits_for_the_lease_of_one_that_fell_silent_says_so(
    store: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    slow, quick = Stuck(0), Hashed()
    name = await entered(store, 1, slow)
    async with working(name, store, slow, concurrency=1, lease=600.0):
        with anyio.fail_after(PATIENCE):
            await slow.stuck.wait()
        monkeypatch.setattr("agentdebate.runs.worker.SILENT", -1.0)  # as if it had said nothing for a while
        async with anyio.create_task_group() as group:
            group.start_soon(held, name, store, quick)
            with anyio.fail_after(PATIENCE):
                while not caplog.messages:  # noqa: ASYNC110 - a log tells nobody when it grows
                    await anyio.sleep(0.05)
            group.cancel_scope.cancel()
    assert re.fullmatch(r"waiting until [\d:]{8} for leases of silent workers: 1", caplog.messages[0])


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


async def test_debates_that_failed_are_put_back_into_the_queue(store: str) -> None:
    """By one worker that is told to; what was answered in vain is asked for again, and nothing else."""
    asked, broken = Counter[str](), True

    def reply(request: ModelRequest) -> str:
        asked[request.context.item.id if request.context else ""] += 1
        return "Hm." if broken and "sat 1." in str(request.messages) else "Fine.\n\nCoherence: 4"

    model = ad.Function("judge", reply)
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
    name = await entered(store, 2, model, ad.strategy("debate", rounds=2))
    with pytest.raises(UsageError, match=r"strategy\.rounds was 2 and is 3"):
        await held(name, store, model, ad.strategy("debate", rounds=3))
    with pytest.raises(UsageError, match=r"models\.0\.name was"):
        await held(name, store, Hashed(name="another"), ad.strategy("debate", rounds=2))
    assert len(await held(name, store, model, ad.strategy("debate", rounds=3), anyway=True)) == 2


async def test_after_an_update_a_queue_is_worked_on_where_its_content_is_unchanged(
    store: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as earlier:
        earlier.setattr("agentdebate.runs.configuration.__version__", "0.0.1")
        names = [await entered(store, 2, Hashed()) for _ in range(2)]
    assert len(await held(names[0], store, Hashed())) == 2
    built_in = (builtin_root() / "agents" / "scorer.md").read_text(encoding="utf-8")
    Path("agents").mkdir()  # noqa: ASYNC240 - nothing else runs here
    Path("agents/scorer.md").write_text(f"{built_in}\nBe kind.\n", encoding="utf-8")  # noqa: ASYNC240
    with pytest.raises(UsageError, match=r"content files have changed \(1\): agents/scorer\. .*anyway=True"):
        await held(names[1], store, Hashed())


async def test_a_run_without_a_queue_and_one_of_a_queue_are_gone_on_with_in_their_own_ways(
    store: str,
) -> None:
    model = Hashed()
    async with ad.evaluate(summaries(1), "debate", model=model, aspects="coherence", store=store) as run:
        assert [record.id async for record in run]
    with pytest.raises(UsageError, match=f"run {run.id} has no queue"):
        await held(run.id or "", store, model)
    with pytest.raises(UsageError, match="has no queue"):
        ad.stop(run.id or "", store=store)
    name = await entered(store, 1, model)
    with pytest.raises(UsageError, match=f"go on with agentdebate work {name}"):
        async with ad.evaluate(
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

    model = ad.Function("judge", reply)
    how = ad.strategy("geval", mode="single")
    name = await entered(store, 12, model, how)
    await asyncio.gather(*(held(name, store, model, how, concurrency=3) for _ in range(3)))
    with read_store(store) as reader:
        assert reader.run(name).verdicts == 12
    steps, forms = sorted(asked.values())
    assert (steps <= 3, forms) == (True, 12), "steps once by each that began at once, and a form each"


def priced(budget: int) -> tuple[Model, ad.Budget, Counter[str]]:
    """A model whose calls cost 100 tokens each, and a budget of so many."""
    calls = Counter[str]()

    def reply(_: ModelRequest) -> Completion:
        calls["made"] += 1
        usage = ad.Usage(calls=1, prompt_tokens=90, completion_tokens=10)
        return Completion(text="Fine.\n\nCoherence: 3", model="judge", usage=usage)

    return ad.Function("judge", reply), ad.Budget(tokens=budget), calls


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


# The driver leaves a socket to Python's collector where a server goes away while it is being asked for a connection.
def nobody(**_: Any) -> None:
    raise ConnectionError("nobody there")


@pytest.mark.parametrize(
    ("ray", "says"),
    [
        (SimpleNamespace(init=nobody), "no Ray cluster at 127.0.0.1:1: nobody there; start it"),
        (None, "agentdebate[ray]"),
    ],
)
def test_a_cluster_or_a_package_that_is_not_there_is_named_and_nobody_is_told_of_its_use(
    ray: Any, says: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    monkeypatch.setitem(sys.modules, "ray", ray)
    anyio.run(entered, "runs.db", 1, Hashed(), "solo")
    assert command(["ray", "last", "--store", "runs.db", "--address", "127.0.0.1:1"]) == 2
    assert says in capsys.readouterr().err
    assert ray is None or os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
