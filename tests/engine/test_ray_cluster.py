"""Where a run cannot be worked on by Ray, and what is said of it. What Ray does is in tests/ray."""

import os
import sys
from types import SimpleNamespace
from typing import Any

import pytest

from agentdebate.errors import MissingExtra, UsageError
from agentdebate.models.function import Function
from agentdebate.runs.evaluation import evaluate
from agentdebate.runs.ray_cluster import work_on_ray
from agentdebate.runs.work import enqueue
from agentdebate.tasks import Item

ITEM = Item(id="i", task="summarization", fields={"source": "A.", "summary": "B."})
MODEL = Function("judge", lambda _: "Coherence: 3")


async def hold() -> None:
    raise AssertionError("there is no node to call it on")


def nobody(**_: Any) -> None:
    raise ConnectionError("nobody there")


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Ray whose clusters nobody answers for."""
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=nobody))
    for name in ("ray.util", "ray.util.scheduling_strategies"):
        monkeypatch.setitem(sys.modules, name, SimpleNamespace())


async def queued() -> str:
    return await enqueue([ITEM], "solo", store="runs.db", model=MODEL, aspects="coherence")


async def test_a_cluster_that_is_not_there_is_named_and_nobody_is_told_of_its_use(ray: None) -> None:
    with pytest.raises(UsageError, match=r"no Ray cluster at 127\.0\.0\.1:1: nobody there; start it"):
        await work_on_ray(await queued(), hold, store="runs.db", address="127.0.0.1:1")
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == "0"


async def test_a_run_without_a_queue_is_refused(ray: None) -> None:
    async with evaluate([ITEM], "solo", model=MODEL, aspects="coherence", store="runs.db") as run:
        assert [record async for record in run]
    with pytest.raises(UsageError, match="has no queue"):
        await work_on_ray(run.id or "", hold, store="runs.db")


async def test_without_ray_the_line_that_installs_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"agentdebate\[ray\]"):
        await work_on_ray(await queued(), hold, store="runs.db")
