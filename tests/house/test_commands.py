"""The command line is `app`, `options`, `console` and one file a command: each goes through public calls, and computes and draws nothing."""

import ast
from collections.abc import Iterator
from functools import cache

import pytest
from package_source import PACKAGE, ROOT, imports, imports_of, modules, nodes, packages, public_names, refuse

from agentdebate.cli.app import COMMANDS, run

CALLS = {
    "demo": ("evaluate",),
    "score": ("evaluate",),
    "run": ("evaluate", "enqueue", "forecast"),
    "resume": ("evaluate",),
    "work": ("work",),
    "ray": ("work",),
    "stop": ("stop", "crew"),
    "show": ("open_store",),
    "view": ("view",),
    "report": ("write_report",),
    "export": ("export",),
    "calibrate": ("report.calibrate",),
    "aggregate": ("aggregate",),
    "agree": ("agree",),
    "gate": ("report.gate",),
    "dynamics": ("dynamics",),
    "replay-stops": ("report.replay_stops",),
    "plot": ("plot",),
    "sweep": ("sweep", "sweep_forecast"),
    "frontier": ("report.frontier",),
    "list": ("list_content",),
    "check": ("check",),
    "store": ("store.store_info", "store.check_store", "store.copy_runs", "store.delete_run"),
    "graph": ("graph",),
    "init": ("init_project",),
}
"""The public calls that each command is."""

PACKAGES = ("console", "options")
ARITHMETIC = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
COMPUTES = frozenset({"sum", "fsum", "round", "mean", "fmean", "Counter"})
DRAWS = frozenset({"TextTable", "Column", "Table", "table_lines"})
CLOCKS = ("cli.console.logs", "cli.console.watchdog")
"""They take one time from another."""
NUMBERS = frozenset({"statistics", "fractions", "decimal", "numpy", "scipy", "pandas", "polars", "matplotlib", "collections", "hashlib"})  # fmt: skip


@cache
def command_line() -> dict[str, ast.Module]:
    """The modules of the command line."""
    return {name: tree for name, tree in modules().items() if name == "cli" or name.startswith("cli.")}


def place_of(command: str) -> tuple[str, str]:
    """The module of a command, without the package, and its function."""
    module, _, function = COMMANDS[command].place(command).partition(":")
    return module.removeprefix(f"{PACKAGE}."), function


def reached(module: str) -> set[str]:
    """The modules of the command line that one of them imports, itself among them, but for other commands' and the app."""
    found, todo = set(), [module]
    while todo:
        one = todo.pop()
        if one not in found and one in command_line():
            found.add(one)
            todo += [taken.home for taken in imports(one)]
    return found


def taken(module: str) -> set[tuple[str, str]]:
    """Return what a module of the command line and those that it imports take from the rooms below."""
    return {(one.home, one.name) for name in reached(module) for one in imports(name)}


def test_the_command_line_is_app_options_console_and_a_file_a_command() -> None:
    folder = ROOT / PACKAGE / "cli"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "app"}
    assert files == {name.replace("-", "_") for name in COMMANDS}
    assert {path.parent.name for path in folder.glob("*/*.py")} == {*PACKAGES}


def test_a_command_lies_in_the_file_of_its_name() -> None:
    assert {command: place_of(command)[0] for command in COMMANDS} == {
        name: f"cli.{name.replace('-', '_')}" for name in COMMANDS
    }


def test_every_command_has_its_public_call() -> None:
    assert CALLS.keys() == COMMANDS.keys()
    assert {call for calls in CALLS.values() for call in calls} <= {*public_names()}


def calls_passed_over(command: str) -> Iterator[str]:
    """The public calls of a command that it does not make."""
    used = taken(place_of(command)[0])
    return (call for call in CALLS[command] if (public_names()[call], call.rpartition(".")[2]) not in used)


def test_a_command_goes_through_its_public_calls() -> None:
    refuse(f"{command} does not call {call}" for command in CALLS for call in calls_passed_over(command))


def computed(tree: ast.Module) -> Iterator[str]:
    """Where a module does arithmetic or counts."""
    for node in nodes(tree):
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC)) or (
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in COMPUTES
        ):
            yield f"line {node.lineno}: {ast.unparse(node)}"


def drawn(tree: ast.Module) -> Iterator[str]:
    """Where a module makes a table, and the packages for numbers that it imports."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in DRAWS:
            yield f"line {node.lineno}: {node.func.id}"
    yield from sorted(packages(tree) & NUMBERS)


def others_commands(module: str, tree: ast.Module) -> set[str]:
    """The modules of commands that one imports and may not. `run --controls` and `frontier` are sweeps, `resume` is `run` resumed, and `work`
    and `ray` hold what `run` entered."""
    begun = {
        "cli.run": {"cli.sweep"},
        "cli.resume": {"cli.run"},
        "cli.work": {"cli.run"},
        "cli.ray": {"cli.work"},
        "cli.frontier": {"cli.sweep"},
    }
    commands = {place_of(command)[0] for command in COMMANDS}
    return {one.home for one in imports_of(tree)} & commands - begun.get(module, set())


def test_the_command_line_computes_nothing() -> None:
    refuse(
        f"{name}, {found}"
        for name, tree in command_line().items()
        if name not in CLOCKS
        for found in computed(tree)
    )


def test_the_command_line_draws_no_table_and_imports_nothing_that_computes() -> None:
    refuse(f"{name}, {found}" for name, tree in command_line().items() for found in drawn(tree))


def test_a_command_imports_no_other_command_but_those_that_begin_with_it() -> None:
    refuse(
        f"{name} imports {found}"
        for name, tree in command_line().items()
        for found in others_commands(name, tree)
    )


def test_what_computes_draws_or_imports_a_command_would_be_noticed() -> None:
    """Or the tests above could not fail."""
    tree = ast.parse(
        "from statistics import fmean\nfrom agentdebate.cli.run import run\nx = sum(y) / 2\nTextTable('t', [], [])"
    )
    assert list(computed(tree)) == ["line 3: sum(y) / 2", "line 3: sum(y)"]
    assert list(drawn(tree)) == ["line 4: TextTable", "statistics"]
    assert others_commands("cli.show", tree) == {"cli.run"}
    assert others_commands("cli.resume", tree) == set()
    assert ("report.sweep", "sweep") not in taken("cli.dynamics")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_a_command_fits_on_a_screen(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert run([command, "--help"]) == 0
    short = capsys.readouterr().out
    assert len(short.splitlines()) <= (45 if COMMANDS[command].first else 80)
    assert [option for option in COMMANDS[command].first if option not in short] == []
    assert run([command, "--help-all"]) == 0
    whole = capsys.readouterr().out
    assert (len(whole) > len(short)) == bool(COMMANDS[command].first)
