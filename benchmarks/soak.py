"""What is left of a run whose endpoint fails at every fifth try, and of one whose process is killed again and again.

2,000 debates through every fault that the fault server has: how they end, whether each whole reply that came is in the store
once, what is left open, and memory on the way. 200 debates with 20 kills: whether they come to what an undisturbed run comes
to, and how many calls were answered twice.
"""

import asyncio
import json
import logging
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import Counter, deque
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import agentdebate as ad
from agentdebate.errors import ModelTimeout
from agentdebate.models.base import Completion, Model, ModelRequest
from agentdebate.models.composition import Around, Limits
from agentdebate.models.dialects.chat_completions import open_openai
from agentdebate.models.wrapper import Wrapper
from agentdebate.strategies.devils_advocate import DevilsAdvocate
from agentdebate.testing.faults import FAULTS
from benchmarks.resident import resident_mb

DEBATES, AT_ONCE, SHARE = 2000, 64, 0.2
KILLED, KILLS, HELD = 200, 20, 8
"""Debates of the run that is killed, how often it is, and how many of them are held at once."""
TIMES = frozenset(("time", "seconds", "stages", "number", "run", "latency", "request_id"))
"""What differs between any two runs."""


class Watched(Wrapper):
    """Notes which replies came whole, by the server's own ids, and how often time ran out before."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self.came, self.late = Counter[str](), 0

    async def complete(self, request: ModelRequest) -> Completion:
        """Answer the request."""
        try:
            completion = await self.model.complete(request)
        except ModelTimeout:
            self.late += 1
            raise
        self.came[completion.request_id or ""] += 1
        return completion


class Server:
    """A fault server in a process of its own."""

    def __init__(self, where: Mapping[str, str]) -> None:
        self.base_url, self._ledger = where["base_url"], where["ledger"]

    def ledger(self) -> dict[str, Any]:
        """What it saw and gave."""
        with urllib.request.urlopen(self._ledger) as answer:
            found: dict[str, Any] = json.load(answer)
        return found

    def answered(self) -> Counter[str]:
        """Whole replies by request."""
        return Counter(self.ledger()["answered"])


@contextmanager
def serving(**options: Any) -> Iterator[Server]:
    """A fault server, for as long as the block runs."""
    command = [sys.executable, "-m", "agentdebate.testing.server", json.dumps(options)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield Server(json.loads(process.stdout.readline()))
        finally:
            process.terminate()


def items(count: int) -> Iterator[ad.Item]:
    """So many summaries, one at a time."""
    for number in range(count):
        fields = {"source": "The bridge closes in March.", "summary": f"A bridge closes; take {number}."}
        yield ad.Item(task="summarization", id=f"s{number}", fields=fields)


async def hold(model: ad.models.Model, store: Path) -> tuple[Counter[str], dict[int, float], list[str]]:
    """Hold the debates: how they ended, memory after so many of them, and the tasks that are left.

    Memory is the least of the last fifty before, for answers of many megabytes come and go.
    """
    ends, memory, last = Counter[str](), {}, deque[float](maxlen=50)
    strategy = DevilsAdvocate(rounds=2)
    async with ad.evaluate(
        items(DEBATES), strategy, model=model, aspects="coherence", concurrency=AT_ONCE, store=store
    ) as run:
        async for record in run:
            ends[record.failure.error if record.failure else "verdict"] += 1
            last.append(resident_mb())
            if ends.total() in {DEBATES // 4, DEBATES}:
                memory[ends.total()] = min(last)
    await model.aclose()
    left = asyncio.all_tasks() - {asyncio.current_task()}
    return ends, memory, [repr(task) for task in left]


def soak(folder: Path) -> None:
    """Print what came of the debates through faults."""
    faults = dict.fromkeys(FAULTS, SHARE / len(FAULTS))
    with serving(faults=faults, retry_after=0.05, latency=(0.01, 0.05)) as server:
        watched = Watched(open_openai("any", base_url=server.base_url, timeout=2.0, connections=AT_ONCE))
        before, began = open_files(), time.monotonic()
        ends, memory, tasks = asyncio.run(
            hold(Around(Limits(in_flight=AT_ONCE)).compose(watched), folder / "soak.db")
        )
        took, ledger = time.monotonic() - began, server.ledger()
    stored = Counter(request_ids(folder / "soak.db"))
    answered = sum(ledger["answered"].values())
    print(f"{DEBATES} debates, faults at {SHARE:.0%} of tries: {dict(ends)} in {took:.0f} s")
    print(
        f"faults met     {sum(ledger['faults'].values())} of {ledger['requests']} tries, {len(ledger['faults'])} kinds of {len(FAULTS)}"
    )
    print(f"replies        {answered} answered, {watched.came.total()} came, {stored.total()} stored")
    print(f"lost, twice    {(watched.came - stored).total()}, {(stored - watched.came).total()}")
    print(f"on the way     {answered - watched.came.total()}, with {watched.late} tries that ran out of time")
    print(f"left open      {len(tasks)} tasks, {threads()} threads, {len(open_files() - before)} files")
    print(
        "memory         "
        + ", ".join(f"{megabytes:.1f} MB after {count}" for count, megabytes in memory.items())
    )


def request_ids(store: Path) -> list[str]:
    """The server's ids of the calls that a store has."""
    with closing(sqlite3.connect(store)) as there:
        return [json.loads(data)["request_id"] for (data,) in there.execute("select completion from calls")]


def open_files() -> Counter[str]:
    """What this process has open."""
    found = Counter[str]()
    for path in Path("/proc/self/fd").iterdir():
        with suppress(FileNotFoundError):  # the one with which the folder is listed
            found[str(path.readlink())] += 1
    return found


def threads() -> int:
    """How many threads there are beside this one."""
    return len(threading.enumerate()) - 1


def kills(folder: Path) -> None:
    """Print what came of the run that was killed."""
    write(folder / "data.jsonl")
    with serving(latency=(0.01, 0.05)) as server:
        command = [
            *(
                "run",
                "debate",
                "data.jsonl",
                "--task=summarization",
                "--aspects=coherence",
                "--set=rounds=2",
            ),
            *(f"--concurrency={HELD}", "--model=openai/any", f"--base-url={server.base_url}"),
        ]
        with start(folder, *command, "--store=whole.db") as process:
            process.wait()
        ideal, began = server.answered(), time.monotonic()
        done = kill_and_go_on(folder, server, command, ideal.total())
        took, twice = time.monotonic() - began, server.answered() - ideal - ideal
    same = {
        what: exported(folder, "whole.db", what) == exported(folder, "killed.db", what)
        for what in ("verdicts", "messages", "calls")
    }
    print(f"{KILLED} debates killed {done} times, {HELD} at once: {took:.0f} s")
    print("as undisturbed " + ", ".join(f"{what} {'yes' if equal else 'NO'}" for what, equal in same.items()))
    print(f"answered twice {twice.total()} of {ideal.total()} (at most {done * HELD})")


def write(path: Path) -> None:
    """Write the items of the run that is killed."""
    rows = ({"id": item.id, **item.fields} for item in items(KILLED))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")


def kill_and_go_on(folder: Path, server: Server, command: list[str], calls: int) -> int:
    """Begin the run, kill it at random moments and resume it each time; returns how often it was killed alive."""
    chance, before, done = random.Random(6), calls, 0
    for place in sorted(chance.sample(range(1, calls), KILLS)):
        words = command if not done else ["resume", "--allow-endpoint=127.0.0.1"]
        with start(folder, *words, "--store=killed.db") as process:
            while server.answered().total() < before + place and process.poll() is None:
                time.sleep(0.002)
            time.sleep(chance.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            done += process.wait() == -signal.SIGKILL
    with start(folder, "resume", "--allow-endpoint=127.0.0.1", "--store=killed.db") as process:
        process.wait()
    return done


def start(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    """A command in a process of its own."""
    nowhere = subprocess.DEVNULL
    return subprocess.Popen(
        [sys.executable, "-m", "agentdebate", *words], cwd=folder, stdout=nowhere, stderr=nowhere
    )


def exported(folder: Path, store: str, what: str) -> list[str]:
    """What a run came to, without what differs between any two."""
    command = [sys.executable, "-m", "agentdebate", "export", f"--store={store}", f"--what={what}"]
    out = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout
    return sorted(json.dumps(timeless(json.loads(line)), sort_keys=True) for line in out.splitlines())


def timeless(value: Any) -> Any:
    """JSON without what differs between any two runs."""
    if isinstance(value, dict):
        return {name: timeless(inner) for name, inner in value.items() if name not in TIMES}
    return value


def main() -> None:
    """Run both."""
    logging.getLogger("agentdebate").setLevel(logging.ERROR)  # every try that failed is a warning
    with tempfile.TemporaryDirectory() as name:
        soak(Path(name))
        kills(Path(name))
