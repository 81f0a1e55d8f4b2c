"""One run on several processes while things fail: workers killed at random, a network link cut, the database server restarted.

    python -m benchmarks failures [--kills] [--link] [--restarts] [--quick]

On PostgreSQL. The link is one of two network namespaces, which takes root and `ip`. Verdicts are compared with those of one
process that nothing disturbs.
"""

import asyncio
import os
import random
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from tempfile import TemporaryDirectory
from typing import Any

import agentdebate as ad
from agentdebate.testing.server import FaultServer
from benchmarks.aim import Aim, aims_table
from benchmarks.workers import COMMAND, data_of, ended, enter_items, kill, load, server, verdicts, worker

AT_ONCE = 8
STRATEGY = "debate"
SEED = 20
HOSTS = (("agentdebate-one", "10.211.1"), ("agentdebate-two", "10.211.2"))
"""The namespaces of two hosts, and the networks between each and this machine."""


@dataclass
class Crowd:
    """Workers of one run."""

    store: str
    url: str
    lease: float
    processes: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    def begin(self) -> None:
        """Have one worker more."""
        words = (f"--lease={self.lease:g}",)
        self.processes.append(worker(self.store, self.url, *words, at_once=AT_ONCE))

    def holding(self) -> list[int]:
        """The workers that hold debates at the moment, by their places here."""
        crew = ad.crew("last", store=self.store)
        assert crew is not None
        at_work = {int(one.name.split("-")[-2]) for one in crew.working if one.held}
        return [place for place, process in enumerate(self.processes) if process.pid in at_work]

    def kill_one(self, place: int) -> None:
        """Kill a worker, by SIGKILL, and begin another."""
        gone = self.processes.pop(place)
        gone.kill()
        gone.wait()
        self.begin()


async def undisturbed(url: str, count: int) -> Mapping[str, Any]:
    """What the same items come to where one process holds them."""
    with TemporaryDirectory() as folder, data_of(count) as data:
        store = f"{folder}/alone.db"
        said = ("run", STRATEGY, data, "--task", "summarization", "--aspects", "coherence")
        there = ("--model", "openai/any", "--base-url", url, "--store", store)
        process = await asyncio.create_subprocess_exec(
            *COMMAND, *said, *there, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        assert await process.wait() == 0
        return verdicts(store)


async def until(true: Callable[[], bool], seconds: float, every: float = 0.2) -> bool:
    """Whether it came true in that many seconds."""
    end = time.monotonic() + seconds
    while not await asyncio.to_thread(true):
        if time.monotonic() > end:
            return False
        await asyncio.sleep(every)
    return True


def extra(model: FaultServer) -> int:
    """Calls that were answered more than once."""
    return sum(model.answered.values()) - len(model.answered)


@asynccontextmanager
async def crowd(
    cluster: Any, model: FaultServer, count: int, workers: int, lease: float
) -> AsyncIterator[tuple[Crowd, str]]:
    """So many workers at work on a run, with its name; what is left of them at the end is killed."""
    store = cluster.new_database()
    run = await asyncio.to_thread(enter_items, store, model.base_url, count, STRATEGY)
    made = Crowd(store, model.base_url, lease)
    try:
        for _ in range(workers):
            made.begin()
        assert await until(lambda: ended(store, run) > 0, 120), "no worker has begun"
        yield made, run
    finally:
        kill(made.processes)


async def kills(cluster: Any, *, quick: bool) -> list[Aim]:
    """Twenty workers of four killed at random moments."""
    times, count = (4, 120) if quick else (20, 1000)
    draws = random.Random(SEED)
    async with FaultServer(seed=1, latency=0.2) as other, FaultServer(seed=1, latency=0.2) as model:
        killed = 0
        async with crowd(cluster, model, count, 4, lease=5.0) as (made, run):
            while killed < times and ended(made.store, run) < count:
                await asyncio.sleep(draws.uniform(0.2, 2.0))
                places = await asyncio.to_thread(made.holding)
                if places:
                    made.kill_one(draws.choice(places))
                    killed += 1
            before = ended(made.store, run)
            done = await until(partial(_is_over, made.store, run, count), 300)
            assert done, f"{ended(made.store, run)} of {count} debates have ended"
        same = verdicts(made.store) == await undisturbed(other.base_url, count)
    print(f"kills: {killed} kills until {before} of {count} debates had ended; {load()}", flush=True)
    return [
        Aim("kill -9 of one of 4 workers, times", killed, times, least=True, digits=0),
        Aim("verdicts equal to an undisturbed run's, and each once (1: yes)", same, 1, least=True, digits=0),
        Aim("calls made twice (bound: those in flight)", extra(model), killed * AT_ONCE, digits=0),
    ]


async def restarts(cluster: Any, *, quick: bool) -> list[Aim]:
    """The server restarted three times under two workers: stopped, crashed, and crashed for a while."""
    count = 60 if quick else 400
    async with FaultServer(seed=1, latency=0.2) as other, FaultServer(seed=1, latency=0.2) as model:
        async with crowd(cluster, model, count, 2, lease=10.0) as (made, run):
            for mode, away in (("fast", 0.0), ("immediate", 0.0), ("immediate", 8.0)):
                await asyncio.to_thread(cluster.stop, mode)
                await asyncio.sleep(away)
                await asyncio.to_thread(cluster.start)
                now = ended(made.store, run)
                assert await until(partial(_has, made.store, run, min(now + count // 8, count)), 120)
            at_last = ended(made.store, run)
            assert await until(partial(_is_over, made.store, run, count), 300)
            left = [one.wait() for one in made.processes]
        same = verdicts(made.store) == await undisturbed(other.base_url, count)
    print(f"restarts: the last one until {at_last} of {count} debates had ended; {load()}", flush=True)
    return [
        Aim("workers that stayed to the end, of 2", left.count(0), 2, least=True, digits=0),
        Aim("three restarts: verdicts equal (1: yes)", same, 1, least=True, digits=0),
        Aim("calls made twice (bound: those in flight)", extra(model), 3 * 2 * AT_ONCE, digits=0),
    ]


def _has(store: str, run: str, count: int) -> bool:
    return ended(store, run) >= count


def _is_over(store: str, run: str, count: int) -> bool:
    return ended(store, run) == count


@contextmanager
def two_hosts() -> Iterator[None]:
    """Two network namespaces, each with a link of its own to this machine. Raises CalledProcessError where that is not allowed."""
    try:
        for number, (name, net) in enumerate(HOSTS):
            _ip("netns", "add", name)
            _ip("link", "add", f"adlink{number}", "type", "veth", "peer", "name", "out", "netns", name)
            _ip("addr", "add", f"{net}.1/24", "dev", f"adlink{number}")
            _ip("link", "set", f"adlink{number}", "up")
            for words in (("addr", "add", f"{net}.2/24", "dev", "out"), ("link", "set", "out", "up")):
                _ip("-n", name, *words)
        yield
    finally:
        for name, _ in HOSTS:
            subprocess.run(["ip", "netns", "del", name], check=False, stderr=subprocess.DEVNULL)


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


async def link(cluster: Any, *, quick: bool) -> list[Aim]:
    """Two hosts of which one is cut off, by the link between them and the database and model, for longer than a lease."""
    count, lease, cut = (120, 5.0, 20.0) if quick else (400, 60.0, 90.0)
    store = cluster.new_database()
    async with (
        FaultServer(seed=1, latency=1.0, host="0.0.0.0") as model,
        FaultServer(seed=1, latency=0.2) as other,
    ):
        port = model.root.rpartition(":")[2]
        run = await asyncio.to_thread(enter_items, store, f"http://127.0.0.1:{port}/v1", count, STRATEGY)
        hosts = [_host(name, net, store, port, lease) for name, net in HOSTS]
        try:
            assert await until(partial(_both_at_work, store, run), 120), "two workers begin"
            held = _debates(store, run)
            _ip("link", "set", "adlink0", "down")
            begun = time.monotonic()
            await asyncio.sleep(cut)
            while_cut = _debates(store, run)
            _ip("link", "set", "adlink0", "up")
            print(
                f"link: cut for {time.monotonic() - begun:.0f} s; {ended(store, run)} of {count}", flush=True
            )
            assert await until(partial(_is_over, store, run, count), 400), ended(store, run)
            took = time.monotonic() - begun
            codes = [await asyncio.to_thread(one.wait, 90) for one in hosts]
            after = _debates(store, run)
        finally:
            kill(hosts)
        same = verdicts(store) == await undisturbed(other.base_url, count)
    crew = ad.crew(run, store=store)
    assert crew is not None
    states = [one.state for one in crew.workers]
    print(
        f"link: over {took:.0f} s after the cut; exit codes {codes}, {states}, held {held}, {while_cut}, {after}; {load()}"
    )
    first = HOSTS[0][0]
    return [
        Aim("debates that the cut-off host entered", while_cut[first] - held[first], AT_ONCE, digits=0),
        Aim("link cut: verdicts equal, and each once (1: yes)", same, 1, least=True, digits=0),
        Aim("calls made twice (bound: those in flight)", extra(model), AT_ONCE, digits=0),
    ]


def _host(name: str, net: str, store: str, port: str, lease: float) -> "subprocess.Popen[bytes]":
    before = (
        "ip",
        "netns",
        "exec",
        name,
        "unshare",
        "--uts",
        "sh",
        "-c",
        f'hostname {name}; exec "$@"',
        "sh",
    )
    here = store.replace("127.0.0.1", f"{net}.1")
    return worker(here, f"http://{net}.1:{port}/v1", f"--lease={lease:g}", at_once=AT_ONCE, before=before)


def _debates(store: str, run: str) -> dict[str, int]:
    """Debates that each host says it has ended."""
    crew = ad.crew(run, store=store)
    assert crew is not None
    return {name: sum(one.debates for one in crew.workers if one.name.startswith(name)) for name, _ in HOSTS}


def _both_at_work(store: str, run: str) -> bool:
    return all(_debates(store, run).values())


PARTS: Mapping[str, Callable[..., Coroutine[Any, Any, list[Aim]]]] = {
    "kills": kills,
    "link": link,
    "restarts": restarts,
}


def main() -> None:
    """Print the tables."""
    words = sys.argv[1:]
    chosen = [name for name in PARTS if f"--{name}" in words] or list(PARTS)
    quick = "--quick" in words
    aims: list[Aim] = []
    print(load())
    if "link" in chosen and (os.geteuid() != 0 or shutil.which("ip") is None):
        chosen.remove("link")
        print("link: not measured, for it takes root and `ip` to make network namespaces")
    apart = "link" in chosen
    with (
        two_hosts() if apart else nullcontext(),
        server([f"{net}.1" for _, net in HOSTS] if apart else ()) as cluster,
    ):
        if cluster is None:
            print("PostgreSQL is not installed: nothing is measured")
            return
        for name in chosen:
            aims += asyncio.run(PARTS[name](cluster, quick=quick))
    print("\n".join(aims_table(aims)))
