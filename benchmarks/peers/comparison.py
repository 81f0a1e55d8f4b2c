"""A comparison under way: every pass goes through all cells and peers in turn, so that a slow hour of the machine is everybody's."""

import json
import os
import platform
import subprocess
import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

from benchmarks.cores import APART, SERVER
from benchmarks.endpoint import serving
from benchmarks.peers.cell import Cell, Plan
from benchmarks.peers.environment import CHECKOUT, build
from benchmarks.peers.figures import Figures, typical
from benchmarks.peers.peer import PEERS, Peer
from benchmarks.peers.texts import CALLS

LIMIT = 300.0
"""Seconds after which a run is given up."""
SHOWN = ("agentdebate", "aiohttp", "httpx", "autogen-agentchat", "langgraph", "langchain-openai", "openai")
"""Packages whose versions are told."""


@dataclass
class Comparison:
    """What was measured by now, and what was not."""

    passes: dict[tuple[str, Cell], list[Figures]] = field(default_factory=dict)
    """Figures by peer and cell, one a pass."""
    missing: dict[str, str] = field(default_factory=dict)
    """Why a peer was not run, or not in one of the cells."""
    versions: dict[str, dict[str, str]] = field(default_factory=dict)
    """Of the packages in the environment of each peer."""
    machine: dict[str, Any] = field(default_factory=dict)

    def figures(self, peer: str, cell: Cell) -> Figures | None:
        """The median of the passes; None where there is none."""
        found = self.passes.get((peer, cell))
        return typical(found) if found else None

    @property
    def peers(self) -> list[str]:
        """Everyone with a figure, in the order of PEERS."""
        there = {peer for peer, _ in self.passes}
        return [name for name in PEERS if name in there]

    @property
    def every(self) -> Iterator[Figures]:
        """The figures of every run."""
        for found in self.passes.values():
            yield from found

    def to_json(self) -> str:
        """All of it, every pass."""
        rows = [
            {"peer": peer, **asdict(cell), **asdict(one)}
            for (peer, cell), found in self.passes.items()
            for one in found
        ]
        head = {"machine": self.machine, "missing": self.missing, "versions": self.versions}
        return json.dumps({**head, "runs": rows}, indent=1)

    @classmethod
    def from_json(cls, text: str) -> "Comparison":
        """What was written."""
        read = json.loads(text)
        passes: dict[tuple[str, Cell], list[Figures]] = {}
        for row in read["runs"]:
            cell = Cell(row.pop("at_once"), row.pop("latency"))
            passes.setdefault((row.pop("peer"), cell), []).append(Figures(**row))
        return cls(passes, read["missing"], read["versions"], read["machine"])


def compare(plan: Plan, passes: int, results: Path, *, add: bool = False) -> Comparison:
    """Measure, and write what there is by now to a file after every run. `add` goes on with what the file has already."""
    made = Comparison.from_json(results.read_text(encoding="utf-8")) if add else Comparison(machine=machine())
    for name in {name for peer, cell in plan for name in (peer.name, in_cell(peer.name, cell))}:
        made.missing.pop(name, None)
    peers = list(dict.fromkeys(peer for peer, _ in plan))
    pythons, reasons = build(peers)
    made.missing |= {each.name: reasons[each.environment] for each in peers if each.environment in reasons}
    there = [(peer, cell) for peer, cell in plan if peer.environment in pythons]
    results.parent.mkdir(parents=True, exist_ok=True)
    with serving(0.0, core=SERVER) as warm:
        for number in range(1, passes + 1):
            for latency, planned in groupby(there, key=lambda one: one[1].latency):
                with serving(latency, core=SERVER) as url:
                    for peer, cell in planned:
                        python, which = pythons[peer.environment], f"pass {number} of {passes}"
                        _run(made, peer, cell, python=python, urls=(warm, url), which=which)
                        results.write_text(made.to_json(), encoding="utf-8")
    return made


def _run(
    made: Comparison, peer: Peer, cell: Cell, *, python: Path, urls: tuple[str, str], which: str
) -> None:
    """One run in a process of its own: `urls` are of the endpoint to warm up at, and of the one to be measured at.

    One that went wrong is not tried again in the next pass.
    """
    name = in_cell(peer.name, cell)
    if name in made.missing:
        return
    began = time.perf_counter()
    try:
        figures, versions = _measured(peer, python, urls, cell)
    except RunFailedError as error:
        made.missing[name] = str(error)
        print(f"{which}   {name}: {error}", flush=True)
        return
    made.passes.setdefault((peer.name, cell), []).append(figures)
    made.versions[peer.name] = {name: versions[name] for name in SHOWN if name in versions}
    print(
        f"{which}   {name}: {figures.cpu_us:.0f} us a call, {figures.rate:.0f} calls/s, "
        f"{figures.peak_mb:.0f} MB, load {figures.load:.1f} ({time.perf_counter() - began:.1f} s)",
        flush=True,
    )


class RunFailedError(Exception):
    """Why a run has no figures, in a line."""


def _measured(
    peer: Peer, python: Path, urls: tuple[str, str], cell: Cell
) -> tuple[Figures, Mapping[str, str]]:
    """The figures and versions of a run. Raises RunFailedError."""
    debates = cell.debates(peer)
    command = [str(python), "-m", "benchmarks.peers.child", peer.holds, *urls]
    command += [str(debates), str(cell.at_once), str(cell.latency)]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        done = subprocess.run(
            command, cwd=CHECKOUT, env=alone, capture_output=True, text=True, check=False, timeout=LIMIT
        )
    except subprocess.TimeoutExpired:
        raise RunFailedError(f"not within {LIMIT:.0f} s") from None
    if done.returncode:
        raise RunFailedError((done.stderr.strip().splitlines() or ["it did not say why"])[-1])
    read = json.loads(done.stdout.splitlines()[-1])
    figures = Figures(**read["figures"])
    if figures.calls != debates * CALLS:
        raise RunFailedError(f"{figures.calls:.0f} calls and not {debates * CALLS}: it is another debate")
    return figures, read["versions"]


def in_cell(peer: str, cell: Cell) -> str:
    """A peer in a cell, in words."""
    return f"{peer}, {cell.at_once:,} at once, replies after {cell.latency * 1000:,.0f} ms"


def machine() -> dict[str, Any]:
    """Where this is measured, and when."""
    return {
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
        "cores": os.cpu_count(),
        "apart": APART,
        "began": time.strftime("%Y-%m-%d %H:%M"),
    }
