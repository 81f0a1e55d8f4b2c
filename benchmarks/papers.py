"""Numbers that papers print beside the same numbers recomputed, and the offline judge's own row for every strategy.

    python -m benchmarks papers [--data FOLDER] [--rows exact|offline|all] [--datasets NAME ...] [--write]

Exits with 1 where a number that is known to follow from the data does not. --write writes docs/reference/published-numbers.md.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.offline_table import DATASETS, Section, offline
from benchmarks.page import PAGES, write_parts
from benchmarks.published_cells import Cell, Row, published
from benchmarks.summeval import DATA

PAGE = PAGES / "reference" / "published-numbers.md"


def main(words: Sequence[str] | None = None) -> int:
    """Print the tables. The options are those after the names of benchmarks."""
    options = _options(sys.argv[1:] if words is None else words)
    if not options.data.is_dir():
        print(
            f"the benchmark data is not at {options.data} (--data FOLDER, or AGENTDEBATE_SHARED, says where it is)"
        )
        return 1
    wrong = 0
    parts: dict[str, str] = {}
    if options.rows in ("exact", "all"):
        started = time.perf_counter()
        found = list(published(options.data))
        parts["exact"] = "\n".join(exact_table(found))
        print(parts["exact"])
        wrong = sum(not (cell.equal or cell.remark) for row in found for cell in row.cells)
        cells = sum(len(row.cells) for row in found)
        print(f"\n{cells - wrong} of {cells} as expected, {time.perf_counter() - started:.0f} s")
    if options.rows in ("offline", "all"):
        parts |= {section.name: _shown(section) for section in offline(options.data, options.datasets)}
    if options.write:
        write_parts(PAGE, "papers", parts)
    return 1 if wrong else 0


def exact_table(found: Sequence[Row]) -> list[str]:
    """The published rows as a Markdown table: a line a row, printed numbers beside recomputed ones."""
    lines = ["| paper | judge | convention | printed | recomputed |", "| --- | --- | --- | --- | --- |"]
    for row in found:
        printed, again = (
            " ".join(getattr(cell, name) for cell in row.cells) for name in ("printed", "recomputed")
        )
        verdict = "equal" if all(cell.equal for cell in row.cells) else ", ".join(_differs(row))
        names = ", ".join(cell.aspect for cell in row.cells)
        lines.append(f"| {row.paper} | {row.judge} | {row.how}: {names} | {printed} | {again} ({verdict}) |")
    return lines


def _differs(row: Row) -> list[str]:
    return [_why(cell) for cell in row.cells if not cell.equal]


def _why(cell: Cell) -> str:
    return f"{cell.aspect} differs: {cell.remark or 'NOT AS EXPECTED'}"


def _shown(section: Section) -> str:
    text = "\n".join([f"### {section.title}", "", section.caption, "", *section.lines])
    print(f"\n{text}\n({section.seconds:.0f} s)", flush=True)
    return text


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks papers", description=__doc__)
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument(
        "--data", type=Path, default=DATA.parent, help="the folder with summeval/ and the others"
    )
    parser.add_argument("--rows", choices=("exact", "offline", "all"), default="all")
    parser.add_argument("--datasets", nargs="+", choices=tuple(DATASETS), default=tuple(DATASETS))
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    return parser.parse_args(words)
