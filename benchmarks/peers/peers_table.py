"""The table of peers in the README: CPU and calls of a verdict, and the calls that are paid again after a process was killed.

    python -m benchmarks peers-table [--peers NAME ...] [--write]

Every peer holds the same debates twice: whole, for its CPU, and once more in a process that is killed (SIGKILL) when half of the calls
were answered, and started again in the same folder. Peers without a way to go on start from the beginning. Some ten minutes.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from itertools import dropwhile

from benchmarks.aim import table
from benchmarks.cores import SERVER
from benchmarks.endpoint import serving
from benchmarks.page import README, write_parts
from benchmarks.peers.child import received
from benchmarks.peers.compare import PATIENCE, Comparison, RunFailedError, compare, measured_with
from benchmarks.peers.environment import CHECKOUT, interpreter
from benchmarks.peers.peer import BY_AIOHTTP, OURS_BY_AIOHTTP, PEERS, Cell, Peer
from benchmarks.peers.texts import CALLS

CELL = Cell(200, 0.0)
DEBATES, AT_ONCE, LATENCY = 100, 20, 0.05
"""Debates of the process that is killed, how many of them at once, and seconds to an answer."""
HEAD = (
    "",
    "CPU ms a verdict",
    "calls a verdict",
    "calls paid again after a kill",
    "agreement statistics",
)
LEFT_OUT = {BY_AIOHTTP, OURS_BY_AIOHTTP}
"""Peers that speed.md has beside these."""


def main(words: Sequence[str] | None = None) -> int:
    """Measure, and print. The options are those after the names of benchmarks. 1 where a peer could not be run."""
    given = dropwhile(lambda word: not word.startswith("-"), sys.argv[1:])
    options = _parser().parse_args(list(given) if words is None else words)
    peers = [PEERS[name] for name in options.peers]
    made = compare([(one, CELL) for one in peers], 1)
    rows = table(HEAD, [_row(made, one) for one in peers if one.name not in made.missing])
    shown = "\n".join([f"{measured_with(made)}:", "", *rows])
    print(f"\n{shown}")
    for name, reason in made.missing.items():
        print(f"NOT RUN: {name}: {reason}")
    if options.write and not made.missing:
        write_parts(README, "peers-table", {"peers-table": shown})
    return bool(made.missing)


def _row(made: Comparison, one: Peer) -> tuple[str, ...]:
    figures = made.figures(one.name, CELL)
    assert figures is not None
    each = figures.calls / CELL.debates(one)
    again = paid_again(one)
    print(f"{one.name}: {again} of {DEBATES * CALLS} calls paid again", flush=True)
    return (
        one.name,
        f"{figures.cpu / CELL.debates(one) * 1000:.1f}",
        f"{each:g}",
        f"{again / (DEBATES * CALLS):.0%}",
        one.statistics,
    )


def paid_again(one: Peer) -> int:
    """Calls above those of the debates, where the process was killed halfway. Raises RunFailedError."""
    with serving(LATENCY, core=SERVER) as url, tempfile.TemporaryDirectory() as folder:
        with _begun(one, url, folder) as first:
            while received(url)[0] < DEBATES * CALLS / 2 and first.poll() is None:
                time.sleep(0.01)
            first.kill()
        with _begun(one, url, folder) as second:
            said = second.communicate(timeout=PATIENCE)[1]
        if second.returncode:
            raise RunFailedError(f"{one.name}: {(said.strip().splitlines() or ['it gave no reason'])[-1]}")
        return received(url)[0] - DEBATES * CALLS


def _begun(one: Peer, url: str, folder: str) -> "subprocess.Popen[str]":
    command = [
        str(interpreter(one)),
        "-m",
        "benchmarks.peers.kept",
        one.holds,
        url,
        str(DEBATES),
        str(AT_ONCE),
    ]
    alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    words = [*command, folder] if one.resumes else command
    return subprocess.Popen(words, cwd=CHECKOUT, env=alone, stderr=subprocess.PIPE, text=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks peers-table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    shown = [name for name in PEERS if name not in LEFT_OUT]
    parser.add_argument("--peers", nargs="+", choices=shown, default=shown, metavar="NAME")
    parser.add_argument("--write", action="store_true", help=f"write the table into {README.name}")
    return parser
