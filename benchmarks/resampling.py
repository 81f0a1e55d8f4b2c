"""Agreement over many debates: 1,000 resamples of 10,000 and of 100,000, each a source of its own.

First `agree` by statistic, in seconds of CPU. Then `agentdebate agree` as a whole, reading and starting included, in a process of
its own: from files, from files with a long text in each row that the figures have no use for, and from a stored run. Aims: 3
seconds for 10,000 debates and 30 for 100,000 on two cores, and memory for the fields that are used and no others.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.measures import Statistic
from benchmarks.stored_run import RUN, write_run

AIMS: Mapping[int, float] = {10_000: 3.0, 100_000: 30.0}
"""Seconds on two cores, by how many debates there are."""
STATISTICS: tuple[Statistic, ...] = ("pearson", "spearman", "kendall-b", "pairwise-accuracy")
JUDGES = ("whole", "fine")
"""A judge who scores from 1 to 5, and one whose scores all differ."""
_TEXT = "The harbour office of Kelby keeps the tide tables. " * 40
_MORE = 1.05
"""How much more memory rows with a text in them may take before that is taken for a use of it."""

_CHILD = """
import sys, time
from agentdebate.cli.app import run
started = time.perf_counter()
code = run(sys.argv[1:])
status = open("/proc/self/status").read().split()
print(code, time.perf_counter() - started, time.process_time(), status[status.index("VmHWM:") + 1], file=sys.stderr)
"""


def main() -> None:
    """Print what the statistics and the command take, by judge and size."""
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    _print_statistics()
    print()
    _print_commands()


def judged(count: int, judge: str) -> Judgements:
    """Texts by as many sources: people's means of three ratings, and a judge who is right but for chance."""
    chance = random.Random(1)
    rows = []
    for number in range(count):
        human = sum(chance.randint(1, 5) for _ in range(3)) / 3
        score = human + chance.gauss(0, 1)
        told = min(5.0, max(1.0, float(round(score)))) if judge == "whole" else score
        rows.append(Judged(f"t{number}", f"s{number}", "", human, told))
    return Judgements(judge, "coherence", tuple(rows))


def _print_statistics() -> None:
    agree(judged(10, "fine"), "pearson", "pooled")  # scipy is imported once
    print("CPU seconds" + "".join(f"{name:>20}" for name in STATISTICS))
    for size in AIMS:
        for judge in JUDGES:
            rows = judged(size, judge)
            taken = "".join(f"{_cpu(rows, statistic):>20.2f}" for statistic in STATISTICS)
            print(f"{size:>7,} {judge:<6}{taken[3:]}", flush=True)


def _cpu(rows: Judgements, statistic: Statistic) -> float:
    started = time.process_time()
    agree(rows, statistic, "pooled", bootstrap=Bootstrap())
    return time.process_time() - started


@dataclass(frozen=True)
class _Taken:
    """What a command took."""

    wall: float
    cpu: float
    megabytes: float
    """At the most."""


def _print_commands() -> None:
    print(
        f"{'the command':<30}{'wall s':>8}{'CPU s':>8}{'aim':>6}{'peak MB':>10}   of it reading and resampling"
    )
    bare = _bare()
    for size, aim in AIMS.items():
        for judge in JUDGES:
            taken = _commands(judged(size, judge))
            for name, one in taken.items():
                met = "" if one.wall <= aim else "   MISSED" + (", not by CPU" if one.cpu <= aim else "")
                shown = f"{one.wall:>8.1f}{one.cpu:>8.1f}{aim:>6.0f}{one.megabytes:>10.0f}{one.megabytes - bare:>10.0f}"
                print(f"{size:>7,} {judge:<6}{name:<16}{shown}{met}", flush=True)
            if taken["long rows"].megabytes > _MORE * taken["files"].megabytes:
                print("MISSED: a text in each row that no figure uses takes memory")


def _commands(rows: Judgements) -> dict[str, _Taken]:
    """`agentdebate agree` with the statistics it takes by itself, by where it reads debates from."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        store = folder / "many.db"
        write_run(store, rows.rows)
        return {
            "files": _command(*_files(folder, rows, "")),
            "long rows": _command(*_files(folder, rows, _TEXT)),
            "stored run": _command("agree", RUN, "--store", str(store)),
        }


def _bare() -> float:
    """Megabytes of the command with a few debates."""
    with tempfile.TemporaryDirectory() as folder:
        return _command(*_files(Path(folder), judged(20, "fine"), "")).megabytes


def _files(folder: Path, rows: Judgements, text: str) -> tuple[str, ...]:
    data, scores = folder / "data.jsonl", folder / "scores.jsonl"
    data.write_text("".join(_line(row, row.human, text) for row in rows.rows), encoding="utf-8")
    scores.write_text("".join(_line(row, row.score, text) for row in rows.rows), encoding="utf-8")
    return "agree", "--data", str(data), "--scores", str(scores), "--on", "id"


def _line(row: Judged, score: float | str | None, text: str) -> str:
    more = {"summary": f"{text}{row.id}"} if text else {}
    return json.dumps({"id": row.id, "coherence": score, **more}) + "\n"


def _command(*words: str) -> _Taken:
    """A command in a process of its own. Its peak is not that of resource.getrusage, which begins with the parent's."""
    ran = subprocess.run([sys.executable, "-c", _CHILD, *words], check=True, capture_output=True, text=True)
    code, wall, cpu, kilobytes = ran.stderr.split()[-4:]
    assert code == "0", ran.stderr
    return _Taken(float(wall), float(cpu), int(kilobytes) / 1024)
