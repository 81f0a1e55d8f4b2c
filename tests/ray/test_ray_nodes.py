"""A run that every node of a Ray cluster works on, to its end."""

import json
import os
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from patience import until

import agentdebate as ad
from agentdebate.cli.app import run as command
from agentdebate.store.reader import read_store

pytestmark = [pytest.mark.ray, pytest.mark.filterwarnings("default")]  # Ray's own modules warn

COUNT = 20
AT_ONCE = 4
QUEUE = ("run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "coherence", "--queue")


def entered(store: str, count: int, *model: str) -> None:
    """Have a run with so many items in the queue."""
    rows = ({"id": f"i{n}", "source": f"The bridge {n}.", "summary": "It closes."} for n in range(count))
    Path("data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert command((*QUEUE, *model, "--store", store)) == 0


@contextmanager
def serving() -> Iterator[dict[str, str]]:
    """Where a model is, and its ledger. Its replies follow from the requests, and take their time."""
    options = json.dumps({"latency": 0.3, "seed": 1})
    words = [sys.executable, "-m", "agentdebate.testing.server", options]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


def at_work(store: str) -> int:
    """The workers that have ended a debate and go on."""
    found = ad.crew("last", store=store)
    return 0 if found is None else sum(one.debates > 0 for one in found.working)


def told_to_the_dashboard(node: Any) -> str:
    """The line in which a node says to Ray's dashboard how many debates have ended there, or nothing."""
    port = Path(node.get_session_dir_path(), f"metrics_export_port_{node.node_id}")
    with urllib.request.urlopen(f"http://127.0.0.1:{port.read_text()}/metrics", timeout=60) as page:
        lines = page.read().decode().splitlines()
    return next((line for line in lines if line.startswith("ray_agentdebate_debates_total")), "")


def test_every_node_works_on_a_run_until_no_debate_is_left(ray_cluster: Any) -> None:
    ray_cluster.add_node(num_cpus=1)
    store = str(Path("runs.db").absolute())
    entered(store, COUNT)
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
    assert done.stderr.count(": done") == 2
    with read_store(store) as reader:
        head = reader.run("last")
    assert (head.verdicts, head.ended is not None) == (COUNT, True)
    found = ad.crew("last", store=store)
    assert found is not None
    assert [one.state for one in found.workers] == ["done", "done"]


def test_a_node_that_joins_works_and_when_it_is_killed_the_other_makes_up_for_it(ray_cluster: Any) -> None:
    """Nothing is judged twice, and at most what was in flight there is asked twice; each node says how many debates have ended there."""
    store = str(Path("runs.db").absolute())
    with serving() as model:
        entered(store, COUNT * 8, "--model", "openai/any", "--base-url", model["base_url"])
        words = [sys.executable, "-m", "agentdebate", "ray", "last", "--address", ray_cluster.address]
        there = ["--store", store, "--lease", "3", "-c", str(AT_ONCE), "--base-url", model["base_url"]]
        with subprocess.Popen([*words, *there], stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as ray:
            try:
                until(lambda: at_work(store) == 1)
                other = ray_cluster.add_node(num_cpus=1)
                until(lambda: at_work(store) == 2)
                for node in (ray_cluster.head_node, other):
                    until(lambda node=node: f'node="{node.node_id}"' in told_to_the_dashboard(node))  # type: ignore[misc]  # a default binds it
                ray_cluster.remove_node(other, allow_graceful=False)
                said, _ = ray.communicate(timeout=240)
            finally:
                ray.kill()
        with urllib.request.urlopen(model["ledger"]) as ledger:
            answered = json.load(ledger)["answered"]
    assert ray.returncode == 0, said
    found = ad.crew("last", store=store)
    assert found is not None
    assert sorted(one.state for one in found.workers) == ["done", "lost"]
    with read_store(store) as reader:
        head = reader.run("last")
        names = [row["debate"] for row in reader.rows(head.id)]
    assert (len(names), len(set(names)), head.ended is not None) == (COUNT * 8, COUNT * 8, True)
    assert sum(answered.values()) - len(answered) <= AT_ONCE
