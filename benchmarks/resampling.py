"""Agreement over many debates: 1,000 resamples of 10,000 and of 100,000, each a source of its own.

First `agree` by statistic, in seconds of CPU. Then `agentdebate agree` over two files as a whole, reading and starting included, in a
process of its own. Aims: 3 seconds for 10,000 debates and 30 for 100,000 on two cores.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from agentdebate.meta.agreement import agree
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements

AIMS: Mapping[int, float] = {10_000: 3.0, 100_000: 30.0}
"""Seconds on two cores, by how many debates there are."""
STATISTICS: tuple[str, ...] = ("pearson", "spearman", "kendall-b", "pairwise-accuracy")
JUDGES = ("whole", "fine")
"""A judge who scores from 1 to 5, and one whose scores all differ."""
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


def _cpu(rows: Judgements, statistic: str) -> float:
    started = time.process_time()
    agree(rows, statistic, "pooled", bootstrap=Bootstrap())
    return time.process_time() - started


def _print_commands() -> None:
    print(f"{'the command':<16}{'wall s':>8}{'CPU s':>8}{'aim':>6}{'peak MB':>10}")
    for size, aim in AIMS.items():
        for judge in JUDGES:
            wall, cpu, megabytes = _command(judged(size, judge))
            met = "" if wall <= aim else "   MISSED" + (", not by CPU" if cpu <= aim else "")
            print(
                f"{size:>7,} {judge:<8}{wall:>8.1f}{cpu:>8.1f}{aim:>6.0f}{megabytes:>10.0f}{met}", flush=True
            )


def _command(rows: Judgements) -> tuple[float, float, float]:
    """Seconds, seconds of CPU and megabytes of `agentdebate agree` over two files. Its peak is not that of resource.getrusage, which begins with the parent's."""
    with tempfile.TemporaryDirectory() as folder:
        data, scores = Path(folder) / "data.jsonl", Path(folder) / "scores.jsonl"
        data.write_text("".join(_line(row, row.human) for row in rows.rows), encoding="utf-8")
        scores.write_text("".join(_line(row, row.score) for row in rows.rows), encoding="utf-8")
        words = "agree", "--data", str(data), "--scores", str(scores), "--on", "id", "--aspects", "coherence"
        ran = subprocess.run(
            [sys.executable, "-c", _CHILD, *words], check=True, capture_output=True, text=True
        )
    code, wall, cpu, kilobytes = ran.stderr.split()[-4:]
    assert code == "0", ran.stderr
    return float(wall), float(cpu), int(kilobytes) / 1024


def _line(row: Judged, score: float | str | None) -> str:
    return json.dumps({"id": row.id, "coherence": score}) + "\n"
