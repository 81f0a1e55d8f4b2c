"""A run that every node of a Ray cluster works on, to its end."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.cli.app import run as command
from agentdebate.store.reader import read_store

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("default")]  # Ray's own modules warn

COUNT = 20
QUEUE = ("run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--queue")


def test_every_node_works_on_a_run_until_no_debate_is_left(ray_cluster: Any) -> None:
    ray_cluster.add_node(num_cpus=1)
    store = str(Path("runs.db").absolute())
    rows = ({"id": f"i{n}", "source": f"The bridge {n}.", "summary": "It closes."} for n in range(COUNT))
    Path("data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert command((*QUEUE, "--store", store)) == 0
    words = [sys.executable, "-m", "agentdebate", "ray", "last", "--address", ray_cluster.address]
    done = subprocess.run(
        [*words, "--store", store],
        capture_output=True,
        text=True,
        env={**os.environ},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "2 nodes worked on run" in done.stderr
    with read_store(store) as reader:
        head = reader.run("last")
    assert (head.verdicts, head.ended is not None) == (COUNT, True)
    found = ad.crew("last", store=store)
    assert found is not None
    assert [one.state for one in found.workers] == ["done", "done"]
