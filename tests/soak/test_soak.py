"""Many debates through every fault that an endpoint can have: all of them end, and nothing is lost, double or left open."""

import asyncio
import gc
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
from soak_cases import Watched, by_digest, cut_short, items, open_files, open_threads, request_ids

from agentdebate.debates.record import Record
from agentdebate.errors import DebateError, ModelError
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.cache import Cached
from agentdebate.models.dialects.presets import open_openai
from agentdebate.models.limits.limit import Limited
from agentdebate.models.retry import Retrying
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.cache import CompletionCache
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.testing.faults import FAULTS
from agentdebate.testing.server import FaultServer

DEBATES, AT_ONCE, SHARE = 60, 30, 0.2
PASSING = [name for name in FAULTS if name not in {"filtered", "thinking"}]
"""What asking again can get over: a reply that a filter or thinking took away is an error of its own."""
FAULTY = dict.fromkeys(PASSING, SHARE / len(PASSING))
STORE, CACHE = Path("soak.db"), Path("cache.db")


@dataclass
class Soaked:
    """What came of a run."""

    records: list[Record]
    server: FaultServer
    watched: Watched
    budget: Budget
    limited: Limited
    tasks: set["asyncio.Task[object] | None"]

    @property
    def stored(self) -> Counter[str]:
        return request_ids(STORE)


async def soak(debates: int = DEBATES, *, attempts: int) -> Soaked:
    """Hold the debates through everything that stands around an endpoint, with waits that are short."""
    async with FaultServer(faults=FAULTY, retry_after=0.05, latency=(0.0, 0.02), seed=6) as server:
        watched = Watched(open_openai("any", base_url=server.base_url, timeout=2.5, connections=AT_ONCE))
        limited, budget = Limited(watched, in_flight=AT_ONCE), Budget(tokens=10**9)
        retrying = Retrying(limited, attempts=attempts, first_wait=0.01, jitter=0.02)
        async with CompletionCache(CACHE) as cache:
            model = Cached(Budgeted(retrying, budget), cache)
            async with evaluate(
                items(debates),
                DevilsAdvocate(rounds=2),
                model=model,
                aspects="coherence",
                concurrency=AT_ONCE,
                store=STORE,
            ) as run:
                records = [record async for record in run]
            await model.aclose()
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    return Soaked(records, server, watched, budget, limited, set(tasks))


@pytest.mark.parametrize(
    ("attempts", "most", "least"), [(6, 2, 0), (1, 50, 8)], ids=["tried again", "tried once"]
)
def test_every_debate_ends_and_every_reply_that_came_is_in_the_store_once(
    attempts: int, most: int, least: int
) -> None:
    """Of 60 debates at most and at least so many fail."""
    soaked = asyncio.run(soak(attempts=attempts))
    records, server, watched = soaked.records, soaked.server, soaked.watched
    assert len(records) == len({record.id for record in records}) == DEBATES
    for record in records:
        assert (record.verdict is None) != (record.failure is None)
        assert record.failure is None or isinstance(record.error, ModelError | DebateError)
    assert least <= sum(record.failure is not None for record in records) <= most
    assert len(server.faults) > len(FAULTS) / 2, "too few kinds of faults were met to say anything"

    # A reply was paid for where it came whole; where the client had left before its end, nobody could have kept it.
    assert soaked.stored == watched.came
    assert set(soaked.stored.values()) == {1}
    assert watched.errors["CancelledError"] == 0
    on_the_way = cut_short(server.answered) - by_digest(soaked.stored)
    assert on_the_way.total() <= watched.errors["ModelTimeout"]
    assert by_digest(soaked.stored) <= cut_short(server.answered)

    assert sum(record.usage.calls for record in records) == soaked.stored.total()
    assert soaked.budget.spent.tokens == sum(record.usage.tokens for record in records)
    assert soaked.budget.reserved.tokens == 0
    assert (soaked.limited.running, soaked.limited.waiting) == (0, 0)


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="there is no /proc to look at")
def test_nothing_is_left_open() -> None:
    asyncio.run(soak(20, attempts=2))  # what is opened once for the whole process is open from here on
    gc.collect()
    files, threads = open_files(), open_threads()
    for path in (*Path().glob("soak.db*"), *Path().glob("cache.db*")):
        path.unlink()
    soaked = asyncio.run(soak(20, attempts=2))
    assert soaked.tasks == set()
    assert open_threads() - threads == set()
    assert open_files() - files == Counter()
