"""Stores that an earlier version wrote are brought over by `store copy`: verdicts, transcripts, calls and costs equal, the rest goes on."""

import gzip
import hashlib
import json
import sqlite3
import subprocess
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import doors
import pytest
from postgres_cluster import Cluster, programs
from scripted_endpoint import ScriptedEndpoint

FIXTURES = Path(__file__).parent / "fixtures"
KEPT = (
    "id",
    "group",
    "system",
    "aspects",
    "outcome",
    "scores",
    "winners",
    "settled",
    "ended",
    "rounds",
    "human",
    "calls",
)


def laid(name: str) -> str:
    """Lay a fixture into the current folder."""
    Path(name).write_bytes(gzip.decompress((FIXTURES / f"{name}.gz").read_bytes()))
    return name


def digest(text: object) -> str:
    """A text in eight characters."""
    return hashlib.sha256(str(text).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def told(store: str) -> dict[str, Any]:
    """Each run of a store by its strategy, with texts as digests."""
    return {
        strategy: {
            "verdicts": [{name: row[name] for name in KEPT} for row in run["verdicts"]],
            "messages": [
                f"{sender} {kind} {round_} {digest(text)}" for sender, kind, round_, text in run["messages"]
            ],
            "calls": [f"{agent} {digest(sent)} {digest(text)}" for agent, sent, text in run["calls"]],
            "costs": run["costs"],
        }
        for strategy, run in doors.stored(store).items()
    }


def test_a_store_with_every_strategy_is_brought_over(
    new_store: Callable[[str], str], golden: Callable[..., None]
) -> None:
    source, target = laid("strategies.db"), new_store("brought")
    done = doors.typed("store", "copy", "--store", source, "--to", target)
    assert done.code == 0, done.err
    found = told(target)
    assert len(found) == 28
    golden("strategies", found)


def test_labels_that_people_gave_are_read_beside_the_store_that_they_are_about(
    new_store: Callable[[str], str],
) -> None:
    source, target = laid("strategies.db"), new_store("brought")
    assert doors.typed("store", "copy", "--store", source, "--to", target).code == 0
    labels = ("--data", str(FIXTURES / "labels.jsonl"), "--on", "id", "--aspects", "relevance")
    run = doors.runs(target)["debate"]
    (row,) = doors.agreed(run, "--store", target, *labels, "--statistic", "mean-absolute-error")
    verdicts = {one["id"]: one["scores"]["relevance"] for one in doors.stored(target)["debate"]["verdicts"]}
    lines = (FIXTURES / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    given = {one["id"]: one["relevance"] for one in map(json.loads, lines)}
    assert (row["n"], row["missing"]) == (2, 0)
    assert row["value"] == sum(abs(verdicts[name] - given[name]) for name in given) / 2


def test_a_run_that_was_stopped_half_way_goes_on(
    new_store: Callable[[str], str], endpoint: ScriptedEndpoint, golden: Callable[..., None]
) -> None:
    source, target = laid("half.db"), new_store("whole")
    lay_data(source)
    assert doors.typed("store", "copy", "--store", source, "--to", target).code == 0
    before = told(target)["debate"]
    golden("half", before)
    goes_on(target, endpoint, "resume", before)


def lay_data(store: str) -> None:
    """Lay the data of the run into the current folder, and have the run begun here: the folder of its writer is no more."""
    rows = [
        {
            "id": f"i{n}",
            "source": f"The bridge is shut. #{n}",
            "summary": f"It is shut. #{n}",
            "human": {"relevance": 1 + n % 5},
        }
        for n in range(1, 13)
    ]
    doors.write_rows("data.jsonl", rows)
    with closing(sqlite3.connect(store)) as file, file:
        (told,) = file.execute("SELECT configuration FROM runs").fetchone()
        folder = json.loads(told)["command"]["folder"]
        file.execute("UPDATE runs SET configuration = ?", (told.replace(folder, str(Path.cwd())),))


def goes_on(store: str, endpoint: ScriptedEndpoint, command: str, before: dict[str, Any]) -> None:
    """Go on with the run of a store: all twelve debates end, those that had ended as they did, and what was paid is not paid again."""
    allowed = ("--allow-endpoint", endpoint.root.removeprefix("http://"), "--base-url", endpoint.base_url)
    done = doors.typed(command, "last", "--store", store, "--anyway", *allowed)
    assert done.code == 0, done.err
    after = {row["id"]: row for row in told(store)["debate"]["verdicts"]}
    assert len(after) == 12
    assert {row["outcome"] for row in after.values()} == {"verdict"}
    assert [after[row["id"]] for row in before["verdicts"]] == before["verdicts"]
    assert len(endpoint.received) <= 2 * (12 - len(before["verdicts"]))


@pytest.mark.postgres
def test_a_queue_of_postgresql_that_was_half_worked_off_goes_on(
    cluster: Cluster, endpoint: ScriptedEndpoint
) -> None:
    store = cluster.new_database()
    found = programs()
    assert found is not None
    script = laid("queue.sql")
    subprocess.run(
        [found / "psql", "--quiet", "--dbname", store, "--file", script], check=True, capture_output=True
    )
    before = told(store)["debate"]
    assert 0 < len(before["verdicts"]) < 12
    goes_on(store, endpoint, "work", before)
