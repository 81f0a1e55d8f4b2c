"""The same debate by hand, here, in AutoGen and in LangGraph: CPU, calls a second, wall and memory.

    python -m benchmarks peers [--quick] [--peers NAME ...] [--at-once N ...] [--latency S ...] [--passes N] [--write]

Every peer gets a virtual environment of its own, made by pip from the configured index and kept in build/peers; a peer that
cannot be installed is named and left out. Peer and endpoint have a core each. Every pass goes through all cells and peers in
turn, so that a slow hour of the machine is everybody's. Everything takes half an hour, --quick three minutes.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import dropwhile, groupby

from benchmarks.aim import Aim, aims_table, table
from benchmarks.cores import APART, SERVER
from benchmarks.endpoint import serving
from benchmarks.page import SPEED, write_parts
from benchmarks.peers import peer
from benchmarks.peers.environment import CHECKOUT, NotBuiltError, interpreter
from benchmarks.peers.peer import PEERS, Cell, Figures, Peer, typical
from benchmarks.peers.texts import CALLS

AT_ONCE = (20, 200, 1000)
LATENCIES = (0.0, 0.2, 2.0)
FRAMEWORKS = Cell(200, 0.0)
"""The cell in which frameworks are measured."""
PASSES = 3
PATIENCE = 300.0
"""Seconds after which a run is given up."""
SHOWN = ("aiohttp", "httpx", "autogen-agentchat", "langgraph", "langchain-openai", "openai", "inspect_ai")
"""Packages whose versions are printed."""
HEAD = ("at once", "", *(f"{what}, 0 ms" for what in ("calls/s", "CPU us a call")), "CPU us a call, 200 ms")
HEAD += ("ideal wall / wall, 200 ms", "ideal wall / wall, 2 s", "peak MB")
Plan = Sequence[tuple[Peer, Cell]]


class RunFailedError(Exception):
    """The reason why a run has no figures, in a line."""


@dataclass
class Comparison:
    """Figures by peer and cell, one a pass, and the peers that could not be run."""

    passes: dict[tuple[str, Cell], list[Figures]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def figures(self, name: str, cell: Cell) -> Figures | None:
        """The median of the passes; None where there is none."""
        found = self.passes.get((name, cell))
        return typical(found) if found else None

    def peak(self, name: str, at_once: int) -> float | None:
        """The most memory at so many debates at once, whatever the latency."""
        cells = [cell for who, cell in self.passes if who == name and cell.at_once == at_once]
        return max((one.peak_mb for cell in cells if (one := self.figures(name, cell))), default=None)


def main(words: Sequence[str] | None = None) -> int:
    """Compare, and print. The options are those after the names of benchmarks. 1 where no peer could be run."""
    given = dropwhile(lambda word: not word.startswith("-"), sys.argv[1:])
    options = _parser().parse_args(list(given) if words is None else words)
    made = compare(planned(options), options.passes or (1 if options.quick else PASSES))
    shown = parts(made)
    print("\n" + "\n\n".join(shown.values()))
    for name, reason in made.missing.items():
        print(f"NOT RUN: {name}: {reason}")
    if options.write and made.passes:
        write_parts(SPEED, "peers", shown)
    return 0 if made.passes else 1


def planned(options: argparse.Namespace) -> Plan:
    """Say who is measured where: frameworks only where their CPU is compared, all others everywhere."""
    peers = [PEERS[name] for name in options.peers]
    quick = (Cell(200, 0.0), Cell(20, 0.2), Cell(200, 0.2))
    every = [Cell(each, after) for after in options.latency for each in options.at_once]
    cells = quick if options.quick else every
    return [(one, cell) for cell in cells for one in peers if not one.framework or cell == FRAMEWORKS]


def compare(plan: Plan, passes: int) -> Comparison:
    """Measure every cell of a plan so many times."""
    made = Comparison()
    with serving(0.0, core=SERVER) as warm:
        for _ in range(passes):
            for latency, cells in groupby(plan, key=lambda one: one[1].latency):
                with serving(latency, core=SERVER) as url:
                    for one, cell in cells:
                        _add(made, one, cell, urls=(warm, url))
    return made


def _add(made: Comparison, one: Peer, cell: Cell, *, urls: tuple[str, str]) -> None:
    """Measure once; a peer that failed is not tried again."""
    if one.name in made.missing:
        return
    try:
        figures, versions = measured(one, urls, cell)
    except (NotBuiltError, RunFailedError) as error:
        made.missing[one.name] = str(error)
        return
    made.passes.setdefault((one.name, cell), []).append(figures)
    made.versions |= {name: versions[name] for name in SHOWN if name in versions}
    print(f"{one.name}, {cell}: {figures.cpu_us:.0f} us a call, load {figures.load:.1f}", flush=True)


def measured(one: Peer, urls: tuple[str, str], cell: Cell) -> tuple[Figures, dict[str, str]]:
    """Figures and versions of a run in a process of its own. Raises NotBuiltError and RunFailedError."""
    debates = cell.debates(one)
    command = [str(interpreter(one)), "-m", "benchmarks.peers.child", one.holds, *urls]
    command += [str(debates), str(cell.at_once), str(cell.latency)]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    try:
        done = subprocess.run(
            command, cwd=CHECKOUT, env=alone, capture_output=True, text=True, check=False, timeout=PATIENCE
        )
    except subprocess.TimeoutExpired:
        raise RunFailedError(f"not within {PATIENCE:.0f} s") from None
    if done.returncode:
        raise RunFailedError((done.stderr.strip().splitlines() or ["it gave no reason"])[-1])
    read = json.loads(done.stdout.splitlines()[-1])
    figures = Figures(**read["figures"])
    if figures.calls != debates * CALLS:
        raise RunFailedError(f"{figures.calls:.0f} calls and not {debates * CALLS}: it is another debate")
    return figures, read["versions"]


def parts(made: Comparison) -> dict[str, str]:
    """Format what goes into the page: the table of figures and the table of aims."""
    about = "peer and server pinned to a core each; " if APART else "peer and server not pinned; "
    passes = sorted({len(found) for found in made.passes.values()})
    loads = [one.load for found in made.passes.values() for one in found]
    about += f"medians of {' to '.join(map(str, passes))} passes; loads of {min(loads, default=0):.1f} to {max(loads, default=0):.1f}"
    failed = f"\n\nNot run: {', '.join(made.missing)}." if made.missing else ""
    return {
        "peers": f"{measured_with(made)}; {about}.\n\n" + "\n".join(comparison_table(made)) + failed,
        "peers-aims": "\n".join(aims_table(aims(made))),
    }


def measured_with(made: Comparison) -> str:
    """Format the date, the interpreter, and the versions of what was compared."""
    versions = [f"{name} {version}" for name, version in made.versions.items()]
    python = f"Python {platform.python_version()} on {os.cpu_count()} cores"
    return ", ".join([f"{datetime.now(UTC):%Y-%m-%d}", python, *versions])


def comparison_table(made: Comparison) -> list[str]:
    """A row for every peer at each number of debates at once."""
    there = {(cell.at_once, list(PEERS).index(name), name) for name, cell in made.passes}
    return table(HEAD, [_row(made, name, each) for each, _, name in sorted(there)])


def _row(made: Comparison, name: str, at_once: int) -> tuple[str, ...]:
    none, short, long = (made.figures(name, Cell(at_once, latency)) for latency in LATENCIES)
    return (
        f"{at_once:,}",
        name,
        f"{none.rate:,.0f}" if none else "",
        f"{none.cpu_us:,.0f}" if none else "",
        f"{short.cpu_us:,.0f}" if short else "",
        f"{short.share:.2f}" if short else "",
        f"{long.share:.2f}" if long else "",
        f"{made.peak(name, at_once):,.0f}",
    )


def aims(made: Comparison) -> list[Aim]:
    """Every aim, with its figure where it was measured."""
    same = ((peer.OURS, peer.BY_HTTPX, 0.6), (peer.OURS_BY_AIOHTTP, peer.BY_AIOHTTP, 0.5))
    cpu = [*same, *((ours, peer.AUTOGEN, 18) for ours, _, _ in same)]
    walls = (Cell(20, 0.2), Cell(200, 0.2), Cell(1000, 2.0))
    return [
        *(_cpu(made, ours, other, bound) for ours, other, bound in cpu),
        *(_wall(made, cell, ours, hand) for cell in walls for ours, hand, _ in same),
        *(_memory(made, ours) for ours, _, _ in same),
    ]


def _cpu(made: Comparison, ours: str, other: str, bound: float) -> Aim:
    """Compare the CPU time of a call with somebody else's."""
    mine, theirs = (made.figures(name, Cell(200, 0.0)) for name in (ours, other))
    figure = theirs.cpu_us / mine.cpu_us if mine and theirs else None
    what = f"{ours}: calls in the CPU time of one call of {other}, 200 at once, 0 ms"
    return Aim(what, figure, bound, least=True)


def _wall(made: Comparison, cell: Cell, ours: str, hand: str) -> Aim:
    """Compare how near the wall time is to the ideal one."""
    mine, theirs = made.figures(ours, cell), made.figures(hand, cell)
    figure = mine.share / theirs.share if mine and theirs else None
    what = f"{ours}: ideal wall / wall, over that {hand}, {cell.at_once:,} at once, {cell.latency:g} s"
    return Aim(what, figure, 0.95, least=True)


def _memory(made: Comparison, ours: str) -> Aim:
    return Aim(f"{ours}: peak memory, 1,000 at once", made.peak(ours, 1000), 180, unit=" MB", digits=0)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--quick", action="store_true", help="one pass, 20 and 200 at once")
    parser.add_argument("--peers", nargs="+", choices=tuple(PEERS), default=tuple(PEERS), metavar="NAME")
    parser.add_argument("--at-once", nargs="+", type=int, default=AT_ONCE, metavar="N")
    parser.add_argument("--latency", nargs="+", type=float, default=LATENCIES, metavar="SECONDS")
    parser.add_argument(
        "--passes", type=int, metavar="N", help=f"how often everything is measured ({PASSES})"
    )
    parser.add_argument("--write", action="store_true", help=f"write the tables into {SPEED.name}")
    return parser
