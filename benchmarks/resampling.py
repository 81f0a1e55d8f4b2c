"""Intervals of agreement on many debates: 1,000 resamples of 10,000 and of 100,000, each a source of its own (aims: 3 and
30 seconds on two cores). Then the command as a whole, reading and starting included.
"""

import contextlib
import io
import json
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from agentdebate.cli.app import run
from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.judged import Judged, Judgements
from agentdebate.meta.measures import Statistic

SIZES = (10_000, 100_000)
STATISTICS: tuple[Statistic, ...] = ("pearson", "spearman", "kendall-b")
JUDGES = ("whole", "fine")
"""A judge who scores from 1 to 5, and one whose scores all differ."""


def main() -> None:
    """Print the seconds by statistic, judge and size."""
    agree(judged(10, "fine"), "pearson", "pooled")  # scipy is imported once
    print(f"{'debates':>8} {'judge':<6}" + "".join(f"{name:>18}" for name in (*STATISTICS, "command")))
    print(" " * 15 + f"{'wall      CPU':>18}" * (len(STATISTICS) + 1))
    for size in SIZES:
        for judge in JUDGES:
            rows = judged(size, judge)
            taken = [*(_measured(rows, statistic) for statistic in STATISTICS), _whole(rows)]
            print(
                f"{size:>8,} {judge:<6}" + "".join(f"{wall:>9.2f}{cpu:>9.2f}" for wall, cpu in taken),
                flush=True,
            )


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


def _measured(rows: Judgements, statistic: Statistic) -> tuple[float, float]:
    with _clock() as taken:
        agree(rows, statistic, "pooled", bootstrap=Bootstrap())
    return taken[0], taken[1]


def _whole(rows: Judgements) -> tuple[float, float]:
    """`agentdebate agree` on two files, with the statistics it takes by itself."""
    with tempfile.TemporaryDirectory() as folder:
        data, scores = Path(folder, "data.jsonl"), Path(folder, "scores.jsonl")
        data.write_text("".join(_line(row, row.human) for row in rows.rows), encoding="utf-8")
        scores.write_text("".join(_line(row, row.score) for row in rows.rows), encoding="utf-8")
        words = ["agree", "--data", str(data), "--scores", str(scores), "--on", "id"]
        with _clock() as taken, contextlib.redirect_stdout(io.StringIO()):
            run(words)
    return taken[0], taken[1]


def _line(row: Judged, score: float | None) -> str:
    return json.dumps({"id": row.id, "coherence": score}) + "\n"


@contextlib.contextmanager
def _clock() -> Iterator[list[float]]:
    """Seconds of the clock and of CPU, there when the block ends."""
    taken: list[float] = []
    started = time.perf_counter(), time.process_time()
    yield taken
    taken += [time.perf_counter() - started[0], time.process_time() - started[1]]
