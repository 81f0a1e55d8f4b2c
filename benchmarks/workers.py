"""What benchmarks of several processes on one run share: stores, runs that are entered, workers, and what has come of it."""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import agentdebate as ad
from agentdebate.store.reader import read_store
from benchmarks.sample_debate import ITEM

NewStore = Callable[[], str]

COMMAND = (sys.executable, "-m", "agentdebate")


def load() -> str:
    """The machine's load of the last minute, in words."""
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


@contextmanager
def server() -> Iterator[Any]:
    """The server of the tests where PostgreSQL is installed, waiting for the disk as servers do; else None."""
    place = Path(__file__).parents[1] / "tests" / "postgres_cluster.py"
    spec = importlib.util.spec_from_file_location("postgres_cluster", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = module.programs()
    if not found:
        yield None
        return
    made = module.Cluster(found, fsync=True)
    try:
        made.start()
        yield made
    finally:
        made.remove()


@contextmanager
def stores() -> Iterator[dict[str, NewStore]]:
    """By kind of database, what makes a new store."""
    with tempfile.TemporaryDirectory() as folder, server() as made:
        count = iter(range(1000))
        kinds: dict[str, NewStore] = {"SQLite": lambda: f"{folder}/{next(count)}.db"}
        if made is None:
            print("PostgreSQL is not installed: measured on SQLite alone")
        else:
            kinds["PostgreSQL"] = made.new_database
        yield kinds


def items(count: int) -> list[ad.Item]:
    """Items that all differ."""
    source = ITEM.fields["source"]
    return [
        ITEM.model_copy(
            update={"id": f"i{number}", "fields": {**ITEM.fields, "source": f"{number}. {source}"}}
        )
        for number in range(count)
    ]


def enter_items(store: str, url: str, count: int, strategy: str = "solo", *words: str) -> str:
    """Enter a run by the command line, whose workers are processes; its name."""
    with data_of(count) as data:
        said = ("run", strategy, data, "--task", "summarization", "--aspects", "coherence", "--queue")
        model = ("--model", "openai/any", "--base-url", url)
        subprocess.run(
            [*COMMAND, *said, *model, *words, "--store", store], check=True, stderr=subprocess.DEVNULL
        )
    with read_store(store) as reader:
        return reader.run("last").id


@contextmanager
def data_of(count: int) -> Iterator[str]:
    """A data file with so many items."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder) / "data.jsonl"
        rows = ({"id": item.id, **item.fields} for item in items(count))
        data.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        yield str(data)


def worker(
    store: str, url: str, *words: str, at_once: int, before: Sequence[str] = ()
) -> "subprocess.Popen[bytes]":
    """A worker in a process of its own, begun by what goes `before` its command."""
    there = ("--store", store, "--base-url", url, "-c", str(at_once), "--quiet", *words)
    return subprocess.Popen([*before, *COMMAND, "work", "last", *there], stderr=subprocess.DEVNULL)


def processor_seconds(process: "subprocess.Popen[bytes]") -> float:
    """The seconds of processors that a process took, once it has ended."""
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime


def kill(processes: Sequence["subprocess.Popen[bytes]"]) -> None:
    """Kill processes, those that have ended included."""
    for one in processes:
        one.kill()
        one.wait()
