"""One run on several processes: what a lease costs, how work grows with workers, a takeover, and what limits and budgets allow.

On a SQLite file, and on PostgreSQL where it is installed. `--quick` measures for a shorter time.
"""

import asyncio
import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio

import agentdebate as ad
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.composition import Around
from agentdebate.models.function import Function
from agentdebate.models.limits.budget import Budget
from agentdebate.models.limits.shared import SharedLimits
from agentdebate.store.engine import open_database
from agentdebate.store.entry import Known, enter, enter_run
from agentdebate.store.leases import Leases, lease_entry
from agentdebate.store.reader import read_store
from agentdebate.store.session import Session
from agentdebate.usage import Usage
from benchmarks.aim import Aim, aims_table, table
from benchmarks.endpoint import serving
from benchmarks.machinery import ITEM

BATCH = 64
AT_ONCE = 50
LATENCY = 0.2
MINUTE = 60.0
REQUESTS = 1000
SCORE = "Fine.\n\nCoherence: 4"

NewStore = Callable[[], str]


@contextmanager
def stores() -> Iterator[dict[str, NewStore]]:
    """By kind of database, what makes a new store."""
    with tempfile.TemporaryDirectory() as folder:
        count = iter(range(1000))
        kinds: dict[str, NewStore] = {"SQLite": lambda: f"{folder}/{next(count)}.db"}
        cluster = _cluster()
        if cluster is None:
            print("PostgreSQL is not installed: measured on SQLite alone")
            yield kinds
            return
        try:
            cluster.start()
            yield {**kinds, "PostgreSQL": cluster.new_database}
        finally:
            cluster.remove()


def _cluster() -> Any:
    """The server of the tests, where PostgreSQL is installed."""
    place = Path(__file__).parents[1] / "tests" / "postgres_cluster.py"
    spec = importlib.util.spec_from_file_location("postgres_cluster", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.programs()
    return module.Cluster(found) if found else None


def items(count: int) -> list[ad.Item]:
    """Items that all differ."""
    source = ITEM.fields["source"]
    return [
        ITEM.model_copy(
            update={"id": f"i{number}", "fields": {**ITEM.fields, "source": f"{number}. {source}"}}
        )
        for number in range(count)
    ]


def lease_cost(store: str, debates: int) -> float:
    """Milliseconds a debate for taking it and for entering its end, in batches."""
    database = open_database(store, create=True)
    try:
        head = {
            "id": "run",
            "created": 1.0,
            "strategy": "s",
            "task": "t",
            "model": "m",
            "configuration": "{}",
        }
        number = database.change(partial(enter_run, row=head))
        entries = [
            lease_entry(f"d{place}", place=place, item=f"i{place}", item_number=place, aspects=["coherence"])
            for place in range(debates)
        ]
        database.change(partial(enter, run=number, entries=entries, known=Known()))
        leases, session = Leases(number, "one"), Session(database, "run", alone=False)
        begun = time.perf_counter()
        while taken := session.write(lambda connection: leases.take(connection, BATCH), durable=False):
            session.write(partial(_end, leases=leases, names=[one.debate for one in taken]))
        session.close()
        return (time.perf_counter() - begun) * 1000 / debates
    finally:
        database.close()


def _end(connection: Any, *, leases: Leases, names: list[str]) -> None:
    assert not leases.guard(connection, names, ending=names)
    leases.forget(names)


def enter_items(store: str, url: str, count: int) -> str:
    """Enter a run by the command line, whose workers are processes; its name."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.jsonl"
        rows = ({"id": item.id, **item.fields} for item in items(count))
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        words = ("run", "solo", str(data), "--task", "summarization", "--aspects", "coherence", "--queue")
        model = ("--model", "openai/any", "--base-url", url)
        subprocess.run([*_COMMAND, *words, *model, "--store", store], check=True, stderr=subprocess.DEVNULL)
    with read_store(store) as reader:
        return reader.run("last").id


_COMMAND = (sys.executable, "-m", "agentdebate")


def worker(store: str, url: str, *words: str) -> "subprocess.Popen[bytes]":
    """A worker in a process of its own."""
    there = ("--store", store, "--base-url", url, "-c", str(AT_ONCE), "--quiet", *words)
    return subprocess.Popen([*_COMMAND, "work", "last", *there], stderr=subprocess.DEVNULL)


def throughput(store: str, url: str, workers: int, seconds: float) -> float:
    """Debates a second of so many workers, from when all of them are at work, for so many seconds or until none is left."""
    run = enter_items(store, url, round(workers * AT_ONCE / LATENCY * (seconds + 4)))
    processes = [worker(store, url) for _ in range(workers)]
    try:
        while (crew := ad.crew(run, store=store)) is None or sum(
            one.debates > 0 for one in crew.workers
        ) < workers:
            time.sleep(0.1)
        first, begun = ended(store, run), time.perf_counter()
        time.sleep(seconds)
        return (ended(store, run) - first) / (time.perf_counter() - begun)
    finally:
        for one in processes:
            one.kill()
            one.wait()


def ended(store: str, run: str) -> int:
    """Debates that have ended."""
    with read_store(store) as reader:
        return reader.run(run).ended_debates


def takeover(store: str, url: str, lease: float) -> float:
    """Seconds beyond the lease after which the last debate of a killed worker has been held by another."""
    run = enter_items(store, url, 60)
    first = worker(store, url, f"--lease={lease:g}")
    while ended(store, run) < 1:
        time.sleep(0.02)
    first.kill()
    first.wait()
    killed = time.perf_counter()
    with worker(store, url, f"--lease={lease:g}") as other:
        other.wait()
    return time.perf_counter() - killed - lease


async def minute(store: str, seconds: float) -> tuple[int, float]:
    """The most calls in any minute, and the calls a minute over the whole time, of four workers held to 1,000 a minute."""
    calls: list[float] = []

    def reply(_: ModelRequest) -> str:
        calls.append(time.monotonic())
        return SCORE

    count = round(REQUESTS * (seconds / MINUTE + 1.5))
    run = await ad.enqueue(
        items(count), "solo", store=store, model=Function("judge", reply), aspects="coherence"
    )

    async def one() -> None:
        around = Around(in_flight=AT_ONCE, shared=SharedLimits(requests_per_minute=REQUESTS))
        model = around.compose(Function("judge", reply))
        async with ad.work(
            run, "solo", store=store, model=model, aspects="coherence", around=around, concurrency=AT_ONCE
        ) as part:
            async for _ in part:
                pass

    with anyio.move_on_after(seconds):
        async with anyio.create_task_group() as group:
            for _ in range(4):
                group.start_soon(one)
    within = [
        sum(1 for other in calls if at <= other < at + MINUTE) for at in calls[:: max(1, len(calls) // 300)]
    ]
    minutes = max(1, -(-seconds // MINUTE))
    return max(within), len(calls) / minutes


async def overspend(store: str, allowed: int) -> tuple[int, int]:
    """Tokens that four workers have spent of a budget, and how many a call takes."""
    spent = 0
    each = 100

    def reply(_: ModelRequest) -> Completion:
        usage = Usage(calls=1, prompt_tokens=each - 10, completion_tokens=10)
        return Completion(text=SCORE, model="judge", usage=usage)

    def priced() -> tuple[Model, Around, Budget]:
        budget = Budget(tokens=allowed)
        around = Around(budget=budget, shared=SharedLimits())
        return around.compose(Function("judge", reply)), around, budget

    count = 2 * allowed // each
    run = await ad.enqueue(items(count), "solo", store=store, model=priced()[0], aspects="coherence")

    async def one() -> None:
        nonlocal spent
        model, around, budget = priced()
        with suppress(ad.AgentDebateError):
            async with ad.work(
                run, "solo", store=store, model=model, aspects="coherence", around=around
            ) as part:
                async for _ in part:
                    pass
        spent += budget.spent.tokens

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(one)
    return spent, each


def main() -> None:
    """Print the tables."""
    quick = "--quick" in sys.argv
    aims: list[Aim] = []
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with stores() as kinds, serving(LATENCY, core=0) as url:
        for kind, new_store in kinds.items():
            cost = lease_cost(new_store(), 640 if quick else 12_800)
            aims.append(Aim(f"{kind}: claim and entry of a debate", cost, 0.1, unit=" ms", digits=3))
        new_store = kinds.get("PostgreSQL", kinds["SQLite"])
        seconds = 5.0 if quick else 15.0
        rates = {count: throughput(new_store(), url, count, seconds) for count in (1, 2, 4)}
        aims += [
            Aim(f"{count} workers, of linear", rates[count] / (count * rates[1]), 0.9, least=True)
            for count in (2, 4)
        ]
        lease = 3.0 if quick else 60.0
        aims.append(Aim("takeover beyond the lease", takeover(new_store(), url, lease), 5.0, unit=" s"))
        spent, each = asyncio.run(overspend(new_store(), 20_000))
        aims.append(Aim("budget of 20,000 tokens, spent", spent, 20_000 + 4 * each, digits=0))
        most, mean = asyncio.run(minute(new_store(), 20.0 if quick else 119.0))
        aims.append(Aim("most calls in any minute, of 1,000", most, 1020, digits=0))
        aims.append(Aim("calls a minute over the whole time", mean, 980, least=True, digits=0))
    lines = [(str(count), f"{rate:,.0f}") for count, rate in rates.items()]
    print("\n".join([*table(("workers", "debates a second"), lines), "", *aims_table(aims)]))
    print(f"load {os.getloadavg()[0]:.1f} at the end")
