"""Print how much of each room the tests run, lines and branches, beside the baseline in coverage.toml.

    python tests/house/coverage_by_room.py [.coverage] [--write]

`make coverage` measures and prints it. --write makes what was measured the new baseline.
"""

import argparse
import json
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from coverage import Coverage

HERE = Path(__file__).parent
BASELINE = HERE / "coverage.toml"
PACKAGE = "agentdebate"
HEAD = "# Shares of lines and branches that the tests run, in %, as `make coverage` measured them before anything was deleted.\n"


@dataclass(frozen=True)
class Share:
    """Lines and branches of some files, and how many of them were run."""

    lines: int = 0
    run: int = 0
    branches: int = 0
    taken: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(
            self.lines + other.lines,
            self.run + other.run,
            self.branches + other.branches,
            self.taken + other.taken,
        )

    @property
    def percents(self) -> tuple[float, float]:
        """Shares of lines and of branches; all of nothing is 100."""
        return _percent(self.run, self.lines), _percent(self.taken, self.branches)


def _percent(part: int, whole: int) -> float:
    return round(100 * part / whole, 1) if whole else 100.0


def room_of(path: str) -> str:
    """Name a file's room: its package below agentdebate, or top."""
    inside = Path(path).parts
    inside = inside[len(inside) - inside[::-1].index(PACKAGE) :]
    return inside[0] if len(inside) > 1 else "top"


def shares(data: Path) -> dict[str, Share]:
    """Add up the files of each room."""
    found: dict[str, Share] = {}
    for path, share in _files(data):
        room = room_of(path)
        found[room] = found.get(room, Share()) + share
    return dict(sorted(found.items()))


def _files(data: Path) -> Iterator[tuple[str, Share]]:
    measured = Coverage(data_file=data, config_file=str(HERE.parents[1] / "pyproject.toml"))
    measured.load()
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "coverage.json"
        measured.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    for path, one in files.items():
        counted = one["summary"]
        yield (
            path,
            Share(
                counted["num_statements"],
                counted["covered_lines"],
                counted["num_branches"],
                counted["covered_branches"],
            ),
        )


def table(found: Mapping[str, Share], before: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Draw a line for each room and the total: measured, and the baseline behind it."""
    yield f"{'room':14}{'lines':>8}{'run %':>8}{'was %':>8}{'branches':>10}{'taken %':>9}{'was %':>8}"
    for room, share in {**found, "all": sum(found.values(), Share())}.items():
        (lines, branches), was = share.percents, before.get(room, {})
        yield (
            f"{room:14}{share.lines:8,}{lines:8.1f}{was.get('lines', '-'):>8}"
            f"{share.branches:10,}{branches:9.1f}{was.get('branches', '-'):>8}"
        )


def written(found: Mapping[str, Share]) -> str:
    """The baseline as TOML."""
    rows = {**found, "all": sum(found.values(), Share())}
    return HEAD + "".join(
        f"{room} = {{ lines = {share.percents[0]}, branches = {share.percents[1]} }}\n"
        for room, share in rows.items()
    )


def main() -> None:
    """Read the command line, print the table, and write the baseline if asked to."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="?", type=Path, default=Path(".coverage"))
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    found = shares(given.data)
    before = tomllib.loads(BASELINE.read_text(encoding="utf-8")) if BASELINE.exists() else {}
    sys.stdout.write("\n".join(table(found, before)) + "\n")
    if given.write:
        BASELINE.write_text(written(found), encoding="utf-8")


if __name__ == "__main__":
    main()
