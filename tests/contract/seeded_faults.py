"""Put small faults into copies of the package, one at a time, and count how many the contract notices, and how many all tests notice.

    pytest -n 2 --cov=agentdebate --cov-context=test --cov-report=
    python tests/contract/seeded_faults.py --contexts .coverage [--seed 0] [--count 40]

A fault is a comparison turned, a constant moved, a call left out, or a condition reversed. For each, the tests of the contract that ran its
line are tried, and where none of them fails, the other tests that ran it: which these are is known from the contexts of a coverage
measurement. Processes that tests start count for the test that started them, but for those that were killed or have an environment of
their own. A line that was run by a fixture is tried with every test of the fixture's module, and one that was run by an import alone with
every test. At most --most tests of the other tests are tried, spread over the modules. So the counts are lower bounds.
The checkout itself is not touched. What is printed of each fault: its place, its change, and the first test that failed.
"""

import argparse
import ast
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from itertools import accumulate, chain, islice, zip_longest
from pathlib import Path
from queue import Queue

from coverage import CoverageData

ROOT = Path(__file__).parents[2]
PACKAGE = "agentdebate"
CONTRACT = "tests/contract/"
TURNED = {
    ast.Lt: "<=", ast.LtE: "<", ast.Gt: ">=", ast.GtE: ">", ast.Eq: "!=", ast.NotEq: "==", ast.Is: "is not", ast.IsNot: "is",
    ast.In: "not in", ast.NotIn: "in",
}  # fmt: skip
SILENT = re.compile(r"log|warn|debug|info|event|telemetry|span|close|print", re.IGNORECASE)
"""Calls that are not left out: what they do is said and not computed."""
SERVED = {"viewer": ("tests/contract/held/test_viewer_held.py", "tests/contract/shown/test_pages_shown.py")}
"""Tests whose server is ended by a signal, so that coverage sees nothing of it: they are tried for every fault of its room."""
LIMIT = 240
"""Seconds that the tests may take for one fault; more is noticed too, since they hang."""


@dataclass(frozen=True)
class Fault:
    """A change of one place: the text from start to end in a file becomes another."""

    path: str
    line: int
    last: int
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


def faults(path: str, source: str) -> Iterator[Fault]:
    """Give every fault that a module could have in its functions, in the order of the tree."""
    lines = source.encode().splitlines(keepends=True)
    starts = [0, *accumulate(map(len, lines))]

    def fault(node: ast.expr | ast.stmt, text: str) -> Fault:
        last, column = node.end_lineno or node.lineno, node.end_col_offset or 0
        span = starts[node.lineno - 1] + node.col_offset, starts[last - 1] + column
        return Fault(path, node.lineno, last, *span, text)

    def text(node: ast.expr | ast.stmt) -> str:
        return ast.get_source_segment(source, node) or ""

    functions = [
        node
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name != "__repr__"
    ]
    for statement in chain.from_iterable(function.body for function in functions):
        for node in ast.walk(statement):
            if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
                turned = TURNED[type(node.ops[0])]
                yield fault(node, f"({text(node.left)} {turned} {text(node.comparators[0])})")
            elif isinstance(node, ast.Constant) and _is_number(node.value):
                yield fault(node, f"({text(node)} + 1)")
            elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Await):
                yield from () if SILENT.search(text(node).partition("(")[0]) else (fault(node, "pass"),)
            elif isinstance(node, ast.If):
                yield fault(node.test, f"(not ({text(node.test)}))")


def drawn(seed: int, count: int) -> list[Fault]:
    """Draw faults, as many from each room as from any other; the same for the same seed and sources."""
    rooms: dict[str, list[Fault]] = {}
    for path in sorted((ROOT / PACKAGE).rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        places = set(faults(name, path.read_text(encoding="utf-8")))
        rooms.setdefault(name.split("/")[1] if name.count("/") > 1 else "", []).extend(places)
    chance = random.Random(seed)
    for found in rooms.values():
        found.sort(key=lambda one: (one.path, one.start, one.text))
        chance.shuffle(found)
    turns = zip_longest(*rooms.values())
    return list(islice((one for turn in turns for one in turn if one is not None), count))


class Reached:
    """The tests that ran a line, as coverage's contexts say."""

    def __init__(self, measurements: list[Path]) -> None:
        self._data = [CoverageData(basename=str(path)) for path in measurements]
        for data in self._data:
            data.read()
        self._files: dict[str, dict[int, set[str]]] = {}
        self._slow = {
            context.rpartition(" (")[0]
            for data in self._data
            for context in data.measured_contexts()
            if context.endswith(")")
        }
        self.everything = _collected()
        """Every test that there is now, in order: a test that was measured and is gone is left out."""
        self._modules: dict[str, list[str]] = {}
        for test in self.everything:
            self._modules.setdefault(_module(test), []).append(test)

    def tests(self, fault: Fault) -> list[str]:
        """Name the tests that ran the lines of a fault; those that start processes, which are slow, come last."""
        lines = self._lines(fault.path)
        contexts = set().union(*(lines.get(line, set()) for line in range(fault.line, fault.last + 1)))
        named = {test for context in contexts if context for test in self._tests(context)}
        named |= {
            test for test in self.everything if _module(test) in SERVED.get(fault.path.split("/")[1], ())
        }
        if not named and "" in contexts:
            return self.everything
        found = [test for test in self.everything if test in named]
        return sorted(found, key=self._slow.__contains__)

    def _tests(self, context: str) -> list[str]:
        test, phase = _CONTEXT.fullmatch(context).groups()  # type: ignore[union-attr]
        return [test] if phase in ("run", "call") else self._modules.get(_module(test), [])

    def _lines(self, path: str) -> dict[int, set[str]]:
        if path not in self._files:
            found: dict[int, set[str]] = {}
            for data in self._data:
                for name in data.measured_files():
                    if name.endswith(f"/{path}"):
                        for line, contexts in data.contexts_by_lineno(name).items():
                            found.setdefault(line, set()).update(contexts)
            self._files[path] = found
        return self._files[path]


_CONTEXT = re.compile(r"(.*?)(?:\|| \()(setup|run|call|teardown)\)?", re.DOTALL)
"""`test|run` is pytest-cov's, `test (call)` that of a process which the test started."""


def _module(test: str) -> str:
    return test.partition("::")[0]


def _collected() -> list[str]:
    command = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.split("\n") if "::" in line]


def spread(tests: list[str], most: int) -> list[str]:
    """Choose some of many tests: the first of each module, then the second, and so on."""
    modules: dict[str, list[str]] = {}
    for test in tests:
        modules.setdefault(_module(test), []).append(test)
    turns = zip_longest(*modules.values())
    chosen = set(islice((test for turn in turns for test in turn if test is not None), most))
    return [test for test in tests if test in chosen]


class Trial:
    """Copies of the checkout in which faults are tried, one fault in each at a time."""

    def __init__(self, folder: Path, jobs: int) -> None:
        self._free: Queue[Path] = Queue()
        left_out = shutil.ignore_patterns(".git", ".venv*", "build", "__pycache__", ".*_cache", ".coverage*")
        for number in range(jobs):
            copy = folder / f"copy-{number}" / ROOT.name
            shutil.copytree(ROOT, copy, ignore=left_out)
            self._free.put(copy)

    def first_failure(self, fault: Fault, tests: list[str]) -> str:
        """Run tests over a copy with the fault in it: the first that failed, or nothing."""
        if not tests:
            return ""
        copy = self._free.get()
        path = copy / fault.path
        source = path.read_text(encoding="utf-8")
        path.write_text(fault.applied(source), encoding="utf-8")
        try:
            return _first_failure(copy, tests)
        finally:
            path.write_text(source, encoding="utf-8")
            self._free.put(copy)


def _first_failure(copy: Path, tests: list[str]) -> str:
    listed = copy / "tests-to-try.txt"
    listed.write_text("\n".join(tests), encoding="utf-8")
    options = ["-x", "-q", "-p", "no:cacheprovider", "--no-header"]
    command = [sys.executable, "-m", "pytest", *options, f"@{listed}"]
    shared = os.environ.get("AGENTDEBATE_SHARED", str(ROOT.parent / "shared" / "data"))
    environment = {**os.environ, "PYTHONPATH": str(copy), "AGENTDEBATE_SHARED": shared}
    try:
        done = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, text=True, timeout=LIMIT, check=False
        )
    except subprocess.TimeoutExpired:
        return "the tests hang"
    failed = re.search(r"^(?:FAILED|ERROR) (tests/.+?)(?: - |$)", done.stdout, re.MULTILINE)
    return "" if done.returncode == 0 else failed.group(1) if failed else f"exit code {done.returncode}"


@dataclass(frozen=True)
class Outcome:
    """The first test of the contract and the first of the others that noticed a fault, and how many were there to try."""

    by_contract: str
    by_others: str
    contract: int
    others: int

    def told(self) -> str:
        """Say in a few words who noticed it."""
        by = self.by_contract or self.by_others
        return f"noticed by {by}" if by else f"NOT NOTICED by {self.contract} + {self.others} tests"


def tried(fault: Fault, trial: Trial, reached: Reached, most: int) -> Outcome:
    """Try the contract's tests, and where they notice nothing the others."""
    tests = reached.tests(fault)
    contract = [test for test in tests if test.startswith(CONTRACT)]
    others = spread([test for test in tests if not test.startswith(CONTRACT)], most)
    by_contract = trial.first_failure(fault, contract)
    by_others = "" if by_contract else trial.first_failure(fault, others)
    return Outcome(by_contract, by_others, len(contract), len(others))


def say(line: str) -> None:
    """Print a line at once: the whole takes twenty minutes."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> None:
    """Read the command line, try each fault, and print the counts."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--contexts", type=Path, nargs="+", required=True, help="files that coverage wrote")
    parser.add_argument("--most", type=int, default=400)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", help="numbers of faults to try, with commas")
    given = parser.parse_args()
    faults = list(enumerate(drawn(given.seed, given.count), 1))
    if given.only:
        faults = [(n, fault) for n, fault in faults if n in {int(one) for one in given.only.split(",")}]
    reached = Reached(given.contexts)
    outcomes = []
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(given.jobs) as pool:
        trial = Trial(Path(folder), given.jobs)
        trials = {pool.submit(tried, fault, trial, reached, given.most): (n, fault) for n, fault in faults}
        for ended in as_completed(trials):
            number, fault = trials[ended]
            outcomes.append(ended.result())
            source = (ROOT / fault.path).read_text(encoding="utf-8")
            say(f"{number:3} {outcomes[-1].told()}  {fault.told(source)}")
    by_contract = sum(bool(one.by_contract) for one in outcomes)
    by_all = sum(bool(one.by_contract or one.by_others) for one in outcomes)
    say(f"of {len(outcomes)} faults the contract noticed {by_contract}, all tests {by_all}")


if __name__ == "__main__":
    main()
