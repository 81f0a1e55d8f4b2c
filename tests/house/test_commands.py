"""The command line is `app`, `options`, `console` and one file a command: each goes through public calls, and computes and draws nothing."""

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any, Unpack, get_args, get_origin

import pytest
from package_source import PACKAGE, ROOT, imports, modules

import agentdebate
from agentdebate.cli.app import COMMANDS, COMPLETION

CALLS = {
    "demo": ("ready",),
    "score": ("ready",),
    "run": ("evaluate", "enqueue", "forecast"),
    "resume": ("evaluate",),
    "work": ("work",),
    "ray": ("work_on_ray",),
    "stop": ("stop", "crew"),
    "show": ("open_store",),
    "view": ("view",),
    "report": ("write_report",),
    "export": ("export",),
    "aggregate": ("aggregate",),
    "agree": ("agree",),
    "dynamics": ("dynamics",),
    "plot": ("plot",),
    "sweep": ("sweep", "sweep_forecast"),
    "list": ("list_content",),
    "models": ("known_models",),
    "check": ("check",),
    "store": ("store_info", "check_store", "copy_runs", "delete_run", "migrate_store"),
    "datasets": ("known_datasets", "get_dataset"),
    "graph": ("graph",),
    "init": ("init_project",),
}
"""The public calls that each command is."""

OTHER_WORDS = {
    "what is printed, and where": (
        "as_json", "as_csv", "raw", "output", "format", "quiet", "log", "log_level", "who", "prompts", "follow", "graph", "yes",
    ),
    "which part of what the call gives is shown": ("run", "debate", "store", "action"),
    "the items, which the library is given": (
        "data", "item", "field", "id", "group", "system", "human", "human_scale", "also", "evidence", "dataset", "subset", "join", "on",
        "limit", "sample", "sample_seed", "format",
    ),
    "the task and aspects, which items and `hold` name": ("task", "aspects", "together", "scale"),
    "`model(...)`, or model_options=": (
        "base_url", "api_key_env", "timeout", "client", "prompt_cache", "extra", "tokenizer",
    ),
    "`Sampling`, as sampling=": ("temperature", "top_p", "max_tokens", "seed"),
    "`DebateLimits`, as limits=": ("debate_tokens", "debate_money", "debate_seconds"),
    "`strategy(...)`, or options=": ("option", "cast", "agents", "plan", "steps", "agent_model"),
    "`Around`, as around=": (
        "requests_per_minute", "tokens_per_minute", "in_flight", "budget_tokens", "budget_money", "cache", "cache_file", "prices",
    ),
    "`Project`, as project=": ("project", "allow_endpoint", "allow_code"),
    "`Resampling`, as resampling=": ("resample", "confidence", "seed"),
    "which of the calls it is": ("dry_run", "queue", "processes"),
    "the call that each node makes": ("concurrency", "lease", "anyway"),
    "bootstrap_seed=, and runs as arguments": ("seed", "runs"),
}  # fmt: skip
"""Words of commands that are not arguments of their calls, under what says the same in Python."""

PACKAGES = ("console", "options")
ARITHMETIC = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
COMPUTES = frozenset({"sum", "fsum", "round", "mean", "fmean", "Counter"})
DRAWS = frozenset({"TextTable", "Column", "Table", "table_lines"})
CLOCKS = ("cli.console.logs", "cli.console.watchdog")
"""They take one time from another."""
NUMBERS = frozenset({"statistics", "fractions", "decimal", "numpy", "scipy", "pandas", "polars", "matplotlib", "collections", "hashlib"})  # fmt: skip

CLI = sorted(name for name in modules() if name == "cli" or name.startswith("cli."))


def place_of(command: str) -> tuple[str, str]:
    """The module of a command, without the package, and its function."""
    module, _, function = COMMANDS[command].place.partition(":")
    return module.removeprefix(f"{PACKAGE}."), function


def reached(module: str) -> set[str]:
    """The modules of the command line that one of them imports, itself among them, but for other commands' and the app."""
    found, todo = set(), [module]
    while todo:
        one = todo.pop()
        if one not in found and one in CLI:
            found.add(one)
            todo += [taken.home for taken in imports(one)]
    return found


def taken(module: str) -> set[tuple[str, str]]:
    """What a module of the command line and those that it imports take from the rooms below."""
    return {(one.home, one.name) for name in reached(module) for one in imports(name)}


def words_of(command: str) -> Iterator[str]:
    """Every word of a command, those of its groups of options among them."""
    module, function = place_of(command)
    for name, word in inspect.signature(
        getattr(import_module(f"{PACKAGE}.{module}"), function)
    ).parameters.items():
        yield from _flat(name, word.default)


def _flat(name: str, default: Any) -> Iterator[str]:
    if not is_dataclass(default):
        yield name
        return
    for one in fields(default):
        yield from _flat(one.name, getattr(default, one.name))


def arguments_of(call: str) -> Iterator[str]:
    """Every argument of a public call."""
    for name, argument in inspect.signature(getattr(agentdebate, call)).parameters.items():
        if argument.kind is argument.VAR_KEYWORD and get_origin(argument.annotation) is Unpack:
            yield from get_args(argument.annotation)[0].__annotations__
        else:
            yield name
    if call == "agree":
        yield from agree_options()


def agree_options() -> Iterator[str]:
    yield from import_module(f"{PACKAGE}.report.agree").AgreeOptions.__annotations__


def test_the_command_line_is_app_options_console_and_a_file_a_command() -> None:
    folder = ROOT / PACKAGE / "cli"
    files = {path.stem for path in folder.glob("*.py")} - {"__init__", "app"}
    assert files == {*COMMANDS, COMPLETION.place.partition(":")[0].rpartition(".")[2]}
    assert {path.parent.name for path in folder.glob("*/*.py")} == {*PACKAGES}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_lies_in_the_file_of_its_name(command: str) -> None:
    assert place_of(command)[0] == f"cli.{command}"


def test_every_command_has_its_public_call() -> None:
    assert CALLS.keys() == COMMANDS.keys()
    assert {call for calls in CALLS.values() for call in calls} <= {*agentdebate.__all__}


@pytest.mark.parametrize("command", CALLS)
def test_a_command_goes_through_its_public_calls(command: str) -> None:
    used = taken(place_of(command)[0])
    assert [call for call in CALLS[command] if (agentdebate._HOME[call], call) not in used] == []


@pytest.mark.parametrize("command", CALLS)
def test_the_words_of_a_command_are_the_arguments_of_its_calls(command: str) -> None:
    arguments = {name for call in CALLS[command] for name in arguments_of(call)}
    others = {word for words in OTHER_WORDS.values() for word in words}
    assert [word for word in words_of(command) if word not in arguments | others] == []


def test_no_other_word_is_listed_that_no_command_has() -> None:
    words = {word for command in CALLS for word in words_of(command)}
    assert [word for listed in OTHER_WORDS.values() for word in listed if word not in words] == []


@pytest.mark.parametrize("module", CLI)
def test_the_command_line_computes_nothing(module: str) -> None:
    found = [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in ast.walk(modules()[module])
        if (isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC) and module not in CLOCKS)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in COMPUTES)
    ]
    assert found == []


@pytest.mark.parametrize("module", CLI)
def test_the_command_line_draws_no_table_and_imports_nothing_that_computes(module: str) -> None:
    called = {node.func.id for node in ast.walk(modules()[module]) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    assert called & DRAWS == set()
    brought = {name for node in ast.walk(modules()[module]) for name in _imported(node)}
    assert brought & NUMBERS == set()


def _imported(node: ast.AST) -> Iterator[str]:
    """The packages that a statement imports; collections.abc holds types."""
    if isinstance(node, ast.Import):
        yield from (alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and node.module != "collections.abc":
        yield node.module.partition(".")[0]


@pytest.mark.parametrize("module", CLI)
def test_a_command_imports_no_other_command_but_those_that_begin_with_it(module: str) -> None:
    """`resume` is `run` taken up again, and `work` and `ray` hold what `run` entered."""
    commands = {place_of(command)[0] for command in COMMANDS}
    found = {one.home for one in imports(module) if one.home in commands}
    assert found <= {
        "cli.resume": {"cli.run"},
        "cli.work": {"cli.resume"},
        "cli.ray": {"cli.resume", "cli.work"},
    }.get(module, set())


def test_what_computes_would_be_noticed() -> None:
    """Or the tests above could not fail."""
    tree = ast.parse("from statistics import fmean\nx = sum(y) / 2\nTextTable('t', [], [])")
    assert {name for node in ast.walk(tree) for name in _imported(node)} & NUMBERS == {"statistics"}
    assert any(isinstance(node, ast.BinOp) and isinstance(node.op, ARITHMETIC) for node in ast.walk(tree))
    assert ("report.sweep", "sweep") not in taken("cli.dynamics")


@pytest.mark.parametrize("command", COMMANDS)
def test_what_a_docstring_says_of_an_argument_stands_on_one_line(command: str) -> None:
    """The help keeps the lines of a docstring; what is longer is the help of a Parameter."""
    module, function = place_of(command)
    told = inspect.getdoc(getattr(import_module(f"agentdebate.{module}"), function)) or ""
    _, _, arguments = told.partition("----------\n")
    lines = arguments.splitlines()
    assert not [line for line, after in pairwise(lines) if line.startswith(" ") and after.startswith(" ")]
