"""Put small faults into a copy of the package, one at a time, and count how many a part of the tests notices.

    python tests/contract/seeded_faults.py [--seed 0] [--count 40] [--covered coverage.json] -- tests/contract

A fault is a comparison turned, a constant moved, a call left out, or a condition reversed. With --covered (the JSON of `coverage json`)
faults are drawn from lines that tests reach. The checkout itself is not touched. What is printed of each fault: its place, its change,
and the first test that failed.
"""

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, zip_longest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "agentdebate"
TURNED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is",
    ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
SILENT = re.compile(r"log|warn|debug|info|event|telemetry|span|close|print", re.IGNORECASE)
"""Calls that are not left out: what they do is said and not computed."""
LIMIT = 1200
"""Seconds that the tests may take for one fault; more is noticed too, since they hang."""


@dataclass(frozen=True)
class Fault:
    """A change of one place: the text from start to end in a file becomes another."""

    path: str
    line: int
    start: int
    end: int
    text: str

    def applied(self, source: str) -> str:
        """The file's text with the fault in it."""
        encoded = source.encode()
        return (encoded[: self.start] + self.text.encode() + encoded[self.end :]).decode()

    def told(self, source: str) -> str:
        """The place and the change in a line."""
        before = " ".join(source.encode()[self.start : self.end].decode().split())
        return f"{self.path}:{self.line}: {before[:60]} -> {self.text[:60]}"


def _is_number(value: object) -> bool:
    return type(value) in (int, float) and value not in (0, 1)


class Places:
    """Every fault that a module could have, in the functions of it."""

    def __init__(self, path: str, source: str) -> None:
        self._path, self._source = path, source
        starts = [0]
        for line in source.encode().split(b"\n"):
            starts.append(starts[-1] + len(line) + 1)
        self._starts = starts

    def faults(self) -> Iterator[Fault]:
        """Give them in the order of the tree."""
        for function in ast.walk(ast.parse(self._source)):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef) and function.name != "__repr__":
                for statement in function.body:
                    for node in ast.walk(statement):
                        yield from self._of(node)

    def _of(self, node: ast.AST) -> Iterator[Fault]:
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
            left, right = self._text(node.left), self._text(node.comparators[0])
            yield self._fault(node, f"({left} {TURNED[type(node.ops[0])]} {right})")
        elif isinstance(node, ast.Constant) and _is_number(node.value):
            yield self._fault(node, f"({self._text(node)} + 1)")
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
            if not SILENT.search(self._text(node).partition("(")[0]):
                yield self._fault(node, "pass")
        elif isinstance(node, ast.If):
            yield self._fault(node.test, f"(not ({self._text(node.test)}))")

    def _fault(self, node: ast.expr | ast.stmt, text: str) -> Fault:
        start, end = self._span(node)
        return Fault(self._path, node.lineno, start, end, text)

    def _text(self, node: ast.expr | ast.stmt) -> str:
        start, end = self._span(node)
        return self._source.encode()[start:end].decode()

    def _span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self._starts[node.lineno - 1] + node.col_offset,
            self._starts[node.end_lineno - 1] + node.end_col_offset,
        )


def drawn(seed: int, count: int, reached: Mapping[str, set[int]] | None) -> list[Fault]:
    """Draw faults, as many from each room as from any other; the same for the same seed and sources."""
    rooms: dict[str, list[Fault]] = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        places = set(Places(name, path.read_text(encoding="utf-8")).faults())
        inside = [one for one in places if reached is None or one.line in reached.get(name, ())]
        rooms.setdefault(name.split("/")[1] if name.count("/") > 1 else "", []).extend(inside)
    chance = random.Random(seed)
    for found in rooms.values():
        found.sort(key=lambda one: (one.path, one.start, one.text))
        chance.shuffle(found)
    turns = zip_longest(*rooms.values())
    return list(islice((one for turn in turns for one in turn if one is not None), count))


def covered(path: Path) -> dict[str, set[int]]:
    """The lines of each file that tests reach, from `coverage json`."""
    files = json.loads(path.read_text(encoding="utf-8"))["files"]
    return {name: set(one["executed_lines"]) for name, one in files.items()}


def noticed(fault: Fault, copy: Path, tests: list[str]) -> str:
    """Run the tests over the copy with the fault in it: the first that failed, or nothing."""
    path = copy / fault.path
    source = path.read_text(encoding="utf-8")
    path.write_text(fault.applied(source), encoding="utf-8")
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-n",
        "2",
        "-p",
        "no:cacheprovider",
        "--no-header",
        *tests,
    ]
    shared = os.environ.get("AGENTDEBATE_SHARED", str(ROOT.parent / "shared" / "data"))
    environment = {**os.environ, "PYTHONPATH": str(copy), "AGENTDEBATE_SHARED": shared}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return "the tests hang"
    finally:
        path.write_text(source, encoding="utf-8")
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    return "" if done.returncode == 0 else failed.group(1) if failed else f"exit code {done.returncode}"


def say(line: str) -> None:
    """Print a line at once: the whole takes most of an hour."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the command line, try each fault, and print the count."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--covered", type=Path)
    parser.add_argument("--only", help="numbers of faults to try, with commas")
    parser.add_argument("tests", nargs="*", default=["tests/contract"])
    given = parser.parse_args()
    faults = drawn(given.seed, given.count, covered(given.covered) if given.covered else None)
    only = {int(one) for one in given.only.split(",")} if given.only else set(range(1, given.count + 1))
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(
            ROOT, copy, ignore=shutil.ignore_patterns(".git", ".venv*", "build", "__pycache__", ".*_cache")
        )
        seen = 0
        for number, fault in enumerate(faults, 1):
            if number not in only:
                continue
            by = noticed(fault, copy, given.tests)
            seen += bool(by)
            told = fault.told((ROOT / fault.path).read_text(encoding="utf-8"))
            say(f"{number:3} {'noticed by ' + by if by else 'NOT NOTICED'}  {told}")
    say(f"{seen} of {len(only)} faults noticed by {' '.join(given.tests)}")


if __name__ == "__main__":
    main()
