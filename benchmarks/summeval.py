"""The offline judge over all of SummEval by DEBATE, four aspects, from the command line (aim: two minutes)."""

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DATA = Path(os.environ.get("AGENTDEBATE_SHARED", Path(__file__).parents[2] / "shared" / "data")) / "summeval"


def command(store: Path) -> list[str]:
    """The run as a user would type it."""
    return [
        *(sys.executable, "-m", "agentdebate", "run", "debate", str(DATA / "summaries.jsonl")),
        *("--task", "summarization", "--join", str(DATA / "articles.jsonl"), "--on", "article_id"),
        *("--field", "source=article", "--group", "article_id", "--system", "system_id"),
        *("--store", str(store)),
    ]


def main() -> None:
    """Print wall time, CPU time and peak memory, and the size of the store."""
    if not DATA.is_dir():
        print("SummEval is not at hand (AGENTDEBATE_SHARED names the folder that has summeval/ in it)")
        return
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "run.db"
        timed = ["/usr/bin/env", "python3", "-c", _MEASURE, *command(store)]
        started = time.perf_counter()
        run = subprocess.run(timed, check=True, capture_output=True, text=True, cwd=folder)
        wall = time.perf_counter() - started
        size = sum(path.stat().st_size for path in Path(folder).iterdir()) / 1e6
    measured = re.search(r"cpu=([\d.]+) peak=(\d+)", run.stderr)
    assert measured, run.stderr
    verdicts = re.search(r"(\d+) verdicts, (\d+) failures", run.stderr)
    print(f"{verdicts[0] if verdicts else '?'}: wall {wall:.1f} s, CPU {float(measured[1]):.1f} s, ", end="")
    print(f"peak {int(measured[2]) / 1024:.0f} MB, store {size:.0f} MB")


_MEASURE = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
used = resource.getrusage(resource.RUSAGE_CHILDREN)
sys.stderr.write(f"cpu={used.ru_utime + used.ru_stime} peak={used.ru_maxrss}\\n")
sys.exit(code)
"""
