"""Numbers that papers print beside the same numbers recomputed.

    python -m benchmarks papers [--data FOLDER] [--write]

Exits with 1 where a number that is known to follow from the data does not. --write writes docs/reference/published-numbers.md.
"""

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.benchmark_data import DATA
from benchmarks.page import PAGES, write_parts
from benchmarks.published_cells import Cell, Row, published

PAGE = PAGES / "reference" / "published-numbers.md"


def main(words: Sequence[str] | None = None) -> int:
    """Print the table. The options are those after the names of benchmarks."""
    options = _options(sys.argv[1:] if words is None else words)
    if not options.data.is_dir():
        print(
            f"the benchmark data is not at {options.data} (--data FOLDER, or AGENTDEBATE_SHARED, says where it is)"
        )
        return 1
    started = time.perf_counter()
    found = list(published(options.data))
    table = "\n".join(exact_table(found))
    wrong = sum(not (cell.equal or cell.remark) for row in found for cell in row.cells)
    cells = sum(len(row.cells) for row in found)
    print(f"{table}\n\n{cells - wrong} of {cells} as expected, {time.perf_counter() - started:.0f} s")
    if options.write:
        write_parts(PAGE, "papers", {"exact": table})
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


def _options(words: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks papers", description=__doc__)
    parser.add_argument("names", nargs="*", help=argparse.SUPPRESS)
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with summeval/ and the others")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    return parser.parse_args(words)
