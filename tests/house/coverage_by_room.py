"""Print how much of each room the tests run, lines and branches, beside the baseline in coverage.toml.

    python tests/house/coverage_by_room.py [.coverage] [--write]

`make coverage` measures and prints it. --write makes what was measured the new baseline.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from coverage import Coverage

HERE = Path(__file__).parent
BASELINE = HERE / "coverage.toml"
PACKAGE = "agentdebate"
HEAD = "# Shares of lines and branches that the tests run, in %, as `make coverage` measured them before anything was deleted.\n"


def room_of(path: str) -> str:
    """Name a file's room: its package below agentdebate, or top."""
    inside = Path(path).parts
    inside = inside[len(inside) - inside[::-1].index(PACKAGE) :]
    return inside[0] if len(inside) > 1 else "top"


def counted(data: Path) -> dict[str, Counter[str]]:
    """Add up what coverage counts in the files of each room, and in all."""
    measured = Coverage(data_file=data, config_file=str(HERE.parents[1] / "pyproject.toml"))
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    found = defaultdict[str, Counter[str]](Counter)
    for path, one in files.items():
        for room in (room_of(path), "all"):
            found[room].update({name: value for name, value in one["summary"].items() if type(value) is int})
    return {room: found[room] for room in sorted(found, key=lambda room: (room == "all", room))}


def percents(counts: Counter[str]) -> tuple[float, float]:
    """Shares of lines and of branches that were run; all of nothing is 100."""
    parts = [("covered_lines", "num_statements"), ("covered_branches", "num_branches")]
    lines, branches = (round(100 * counts[run] / counts[of], 1) if counts[of] else 100.0 for run, of in parts)
    return lines, branches


def table(found: Mapping[str, Counter[str]], before: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Draw a line for each room and the total: measured, and the baseline behind it."""
    yield f"{'room':14}{'lines':>8}{'run %':>8}{'was %':>8}{'branches':>10}{'taken %':>9}{'was %':>8}"
    for room, counts in found.items():
        (lines, branches), was = percents(counts), before.get(room, {})
        yield (
            f"{room:14}{counts['num_statements']:8,}{lines:8.1f}{was.get('lines', '-'):>8}"
            f"{counts['num_branches']:10,}{branches:9.1f}{was.get('branches', '-'):>8}"
        )


def main() -> None:
    """Read the command line, print the table, and write the baseline if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="?", type=Path, default=Path(".coverage"))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    found = counted(given.data)
    before = tomllib.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}
    sys.stdout.write("\n".join(table(found, before)) + "\n")
    if given.write:
        rows = {room: percents(counts) for room, counts in found.items()}
        lines = [f"{room} = {{ lines = {one[0]}, branches = {one[1]} }}\n" for room, one in rows.items()]
        BASELINE.write_text(HEAD + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
