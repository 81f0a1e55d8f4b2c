"""Where a run cannot be worked on by Ray, and what is said of it. What Ray does is in tests/ray."""

import os
import sys
from types import SimpleNamespace
from typing import Any

import anyio
import pytest

from agentdebate.cli.app import run as command
from agentdebate.models.function import Function
from agentdebate.runs.work import enqueue
from agentdebate.tasks import Item

ITEM = Item(id="i", task="summarization", fields={"source": "A.", "summary": "B."})
MODEL = Function("judge", lambda _: "Coherence: 3")


def nobody(**_: Any) -> None:
    raise ConnectionError("nobody there")


async def queued() -> None:
    await enqueue([ITEM], "solo", store="runs.db", model=MODEL, aspects="coherence")


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
    anyio.run(queued)
    assert command(["ray", "last", "--store", "runs.db", "--address", "127.0.0.1:1"]) == 2
    assert says in capsys.readouterr().err
    assert ray is None or os.environ["RAY_USAGE_STATS_ENABLED"] == "0"
