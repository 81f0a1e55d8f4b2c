"""No test asserts seconds, which another machine needs more of: shapes are asserted, and what hangs is waited for a minute."""

import ast
import re
from collections.abc import Iterator

from package_source import files, refuse

CLOCKS = frozenset(
    {"perf_counter", "process_time", "thread_time", "monotonic", "time", "getrusage", "timeit"}
)
READERS = {
    "cpu_time.py": "compares work of two sizes",
    "patience.py": "waits for what may hang",
    "postgres_cluster.py": "how old is a folder that was left",
    "engine/test_stopped_workers.py": "waits for workers, and holds how long others waited against lease and 10 s",
    "hostile/test_library_edges.py": "dates of files",
    "house/test_seconds.py": "names them",
}
"""The files that read a clock, and for what."""

MINUTE = 60
LIMITS = {
    "fail_after": 0,
    "wait_for": 1,
    "result": 0,
    "join": 0,
    "wait": 0,
    "communicate": 1,
    "urlopen": 2,
    "run": 9,
}
"""Calls that give up after some seconds, and the place of the seconds among their arguments."""
NO_LIMITS = frozenset({"bucket.wait"})
"""Calls of ours with one of these names."""
MEASURED = re.compile(r"\b(seconds|latency|took|elapsed|duration)\b")


def readings(tree: ast.Module) -> Iterator[str]:
    """Where a file reads a clock."""
    taken = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in {"time", "timeit", "resource"}
        for alias in node.names
        if alias.name.removesuffix("_ns") in CLOCKS
    }
    modules = {"time", "timeit", "resource"}
    for node in ast.walk(tree):
        if (isinstance(node, ast.Name) and node.id in taken) or (
            isinstance(node, ast.Attribute)
            and ast.unparse(node.value) in modules
            and node.attr.removesuffix("_ns") in CLOCKS
        ):
            yield f"{node.lineno}: {ast.unparse(node)}"


def short_limits(tree: ast.Module) -> Iterator[str]:
    """Where a file gives up after less than a minute, but for what has to run out."""
    numbers = dict(_numbers(tree))
    expected = {id(node) for part in _running_out(tree) for node in ast.walk(part)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and id(node) not in expected:
            seconds = _limit(node, numbers)
            if seconds is not None and seconds < MINUTE:
                yield f"{node.lineno}: {ast.unparse(node)}"


def short_times(tree: ast.Module) -> Iterator[str]:
    """Where a file asserts that something took less than a number of seconds."""
    numbers = dict(_numbers(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Compare):
            left, right = ast.unparse(node.test.left), _number(node.test.comparators[0], numbers)
            less = isinstance(node.test.ops[0], ast.Lt | ast.LtE)
            if less and right is not None and right < MINUTE and MEASURED.search(left):
                yield f"{node.lineno}: {ast.unparse(node.test)}"


def _numbers(tree: ast.Module) -> Iterator[tuple[str, float]]:
    """The numbers that have a name in a file."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Constant):
            (target,) = node.targets if isinstance(node, ast.Assign) else [node.target]
            if isinstance(target, ast.Name) and isinstance(node.value.value, int | float):
                yield target.id, node.value.value


def _running_out(tree: ast.Module) -> Iterator[ast.AST]:
    """Tests in the time of a loop that jumps, and what is expected to raise TimeoutError."""
    for node in ast.walk(tree):
        if isinstance(node, ast.With | ast.AsyncWith):
            if any(
                ast.unparse(item.context_expr).startswith("pytest.raises(TimeoutError") for item in node.items
            ):
                yield node
        elif isinstance(node, ast.FunctionDef) and any(
            isinstance(one, ast.Name) and one.id == "run_jumping" for one in ast.walk(node)
        ):
            yield node


def _limit(call: ast.Call, numbers: dict[str, float]) -> float | None:
    """The seconds after which a call gives up; None where it does not, or no number says when."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given = list[ast.expr]()
    if name in LIMITS and ast.unparse(call.func) not in NO_LIMITS:
        given += [word.value for word in call.keywords if word.arg == "timeout"]
        given += call.args[LIMITS[name] : LIMITS[name] + 1]
    elif ast.unparse(call.func) == "asyncio.timeout":
        given += call.args
    return next((value for one in given if (value := _number(one, numbers)) is not None), None)


def _number(node: ast.expr, numbers: dict[str, float]) -> float | None:
    value = node.value if isinstance(node, ast.Constant) else numbers.get(getattr(node, "id", ""))
    return value if isinstance(value, int | float) else None


def test_no_test_asserts_seconds() -> None:
    found = []
    for name, tree in files():
        if name not in READERS:
            found += [f"tests/{name}:{one}: compare sizes (cpu_time.py)" for one in readings(tree)]
        short = (*short_limits(tree), *short_times(tree))
        found += [f"tests/{name}:{one}: wait for a minute (patience.py)" for one in short]
    refuse(found)


def test_seconds_are_noticed() -> None:
    """Or the test above could not fail."""
    tree = ast.parse(
        "import time\nfrom time import monotonic as now\nSHORT = 2.0\nbegun = time.perf_counter_ns()\nassert now() < begun + 1\n"
        "process.communicate(timeout=5)\nthread.join(SHORT)\nwith anyio.fail_after(60): pass\n', '.join(words)\n"
        "with pytest.raises(TimeoutError):\n    asyncio.wait_for(x, 1)\nasyncio.wait_for(x, 1)\nasyncio.timeout(0.5)\nassert one.seconds < SHORT\nassert seconds < other"
    )
    assert [one.partition(":")[0] for one in readings(tree)] == ["4", "5"]
    assert [one.partition(":")[0] for one in short_limits(tree)] == ["6", "7", "12", "13"]
    assert [one.partition(":")[0] for one in short_times(tree)] == ["14"]
