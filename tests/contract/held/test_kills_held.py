"""Runs that are killed, stopped or taken over end with the same verdicts as if nothing had happened, on both databases."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import doors
import pytest
from patience import until
from scripted_endpoint import ScriptedEndpoint

ROWS = [
    {"id": f"i{n}", "source": f"The bridge is shut. #{n}", "summary": f"It is shut. #{n}"}
    for n in range(1, 13)
]
LIMIT = 60
"""Seconds after which a test gives up."""
LEASE = ("--lease", "2")


@pytest.fixture(autouse=True)
def _data() -> None:
    """Twelve items."""
    doors.write_rows("data.jsonl", ROWS)


def words(endpoint: ScriptedEndpoint, store: str) -> tuple[str, ...]:
    """A run over the items by DEBATE, which takes two calls an item."""
    return (
        "run", "debate", "data.jsonl", "--task", "summarization", "--aspects", "relevance", "--store", store,
        "--model", "openai/m", "--base-url", endpoint.base_url, "--concurrency", "2",
    )  # fmt: skip


def allowed(endpoint: ScriptedEndpoint) -> tuple[str, str]:
    """The consent that a stored address needs."""
    return "--allow-endpoint", endpoint.root.removeprefix("http://")


@contextmanager
def process(*typed: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command line in a process of its own, killed at the end."""
    command = [sys.executable, "-m", "agentdebate", *typed]
    begun = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ.copy()
    )
    try:
        yield begun
    finally:
        begun.kill()
        begun.communicate()


def verdicts(store: str) -> dict[str, Any]:
    """What each debate of the last run came to; each is there once."""
    rows = doors.typed("export", "last", "--store", store).json
    kept = ("scores", "outcome", "settled", "ended", "rounds")
    found = {row["id"]: {name: row[name] for name in kept} for row in rows}
    assert len(found) == len(rows)
    return found


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The scores of an undisturbed run: they follow from the items' markers."""
    return {
        f"i{n}": {
            "scores": {"relevance": float(1 + n % 5)},
            "outcome": "verdict",
            "settled": True,
            "ended": "agreement",
            "rounds": 1,
        }
        for n in range(1, len(ROWS) + 1)
    }


def test_a_killed_run_goes_on_and_pays_again_only_for_what_was_in_flight(
    new_store: Callable[[str], str], endpoint: ScriptedEndpoint, expected: dict[str, Any]
) -> None:
    store = new_store("killed")
    endpoint.delay = 0.05
    kills = (4, 10)
    begin: tuple[str, ...] = words(endpoint, store)
    for asked in kills:
        with process(*begin) as running:
            until(lambda asked=asked: len(endpoint.received) >= asked)  # type: ignore[misc]  # a default binds it
            running.send_signal(signal.SIGKILL)
            running.wait(LIMIT)
        begin = ("resume", "last", "--store", store, *allowed(endpoint))
    assert doors.typed(*begin).code == 0
    assert verdicts(store) == expected
    assert len(endpoint.received) <= 2 * len(ROWS) + 2 * len(kills)


def test_ctrl_c_ends_a_run_with_130_and_the_way_to_go_on(
    endpoint: ScriptedEndpoint, expected: dict[str, Any]
) -> None:
    endpoint.delay = 0.05
    with process(*words(endpoint, "agentdebate.db")) as running:
        until(lambda: len(endpoint.received) >= 4)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=LIMIT)
        assert running.returncode == 130
        assert b"resume" in said
    assert doors.typed("resume", "last", *allowed(endpoint)).code == 0
    assert verdicts("agentdebate.db") == expected


def queued(endpoint: ScriptedEndpoint, store: str) -> tuple[str, ...]:
    """Enter the run for workers, and give the command line of one."""
    assert doors.typed(*words(endpoint, store), "--queue").code == 0
    return ("work", "last", "--store", store, *LEASE, *allowed(endpoint), "--concurrency", "2")


def test_what_a_killed_worker_held_is_taken_over(
    new_store: Callable[[str], str], endpoint: ScriptedEndpoint, expected: dict[str, Any]
) -> None:
    store = new_store("taken")
    worker = queued(endpoint, store)
    endpoint.delay = 0.05
    with ExitStack() as stack:
        first, second = (stack.enter_context(process(*worker)) for _ in range(2))
        until(lambda: len(endpoint.received) >= 6)
        first.send_signal(signal.SIGKILL)
        assert second.wait(LIMIT) == 0
    assert verdicts(store) == expected


def test_a_worker_that_wakes_after_its_lease_changes_nothing(
    new_store: Callable[[str], str], endpoint: ScriptedEndpoint, expected: dict[str, Any]
) -> None:
    store = new_store("woken")
    worker = queued(endpoint, store)
    endpoint.delay = 0.05
    with process(*worker) as sleeper:
        until(lambda: len(endpoint.received) >= 3)
        sleeper.send_signal(signal.SIGSTOP)
        with process(*worker) as other:
            assert other.wait(LIMIT) == 0
        done = verdicts(store)
        sleeper.send_signal(signal.SIGCONT)
        sleeper.wait(LIMIT)
    assert done == verdicts(store) == expected


def test_processes_of_one_command_share_the_debates(
    new_store: Callable[[str], str], endpoint: ScriptedEndpoint, expected: dict[str, Any]
) -> None:
    store = new_store("shared")
    with process(*words(endpoint, store), "-j", "2") as running:
        assert running.wait(LIMIT) == 0
    assert verdicts(store) == expected
    assert len(endpoint.received) == 2 * len(ROWS)


def test_a_run_copied_to_another_store_is_the_same(
    new_store: Callable[[str], str], endpoint: ScriptedEndpoint, expected: dict[str, Any]
) -> None:
    assert doors.typed(*words(endpoint, "agentdebate.db")).code == 0
    store = new_store("copied")
    assert doors.typed("store", "copy", "--store", "agentdebate.db", "--to", store).code == 0
    assert verdicts(store) == expected
    for what in ("messages", "calls", "costs"):
        rows = [
            doors.typed("export", "last", "--what", what, "--store", place).out
            for place in ("agentdebate.db", store)
        ]
        assert [json.loads(line) for line in rows[0].split("\n") if line] == [
            json.loads(line) for line in rows[1].split("\n") if line
        ]
