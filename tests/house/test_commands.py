"""The command line is `app`, `options`, `console` and one file a command: each goes through public calls, and computes and draws nothing."""

import ast
import inspect
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, Unpack, get_args, get_origin, get_type_hints

from package_source import PACKAGE, ROOT, imports, imports_of, modules, nodes, packages, refuse

import agentdebate
from agentdebate.cli.app import COMMANDS, COMPLETION

CALLS = {
    "demo": ("ready",),
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
    "aggregate": ("aggregate",),
    "agree": ("agree",),
    "dynamics": ("dynamics",),
    "means": ("means",),
    "plot": ("plot",),
    "sweep": ("sweep", "sweep_forecast"),
    "list": ("list_content",),
    "check": ("check",),
    "store": ("store_info", "check_store", "copy_runs", "delete_run"),
    "datasets": ("known_datasets", "get_dataset"),
    "graph": ("graph",),
    "init": ("init_project",),
}
"""The public calls that each command is."""

OTHER_WORDS = {
    "what is printed, and where": (
        "as_json", "as_csv", "raw", "explain", "output", "format", "quiet", "log", "log_level", "who", "prompts", "follow", "graph", "yes",
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
    "`DebateLimits`, as debate_limits=": ("debate_tokens", "debate_money", "debate_seconds"),
    "`strategy(...)`, or options=": ("option", "cast", "agents", "plan", "steps", "agent_model"),
    "`RoundFields`, as rounds=": ("round", "agent", "value", "verdict"),
    "`Limits`, as limits=": ("requests_per_minute", "tokens_per_minute", "in_flight"),
    "`Budget`, as budget=": ("budget_tokens", "budget_money", "prices"),
    "cache= and cache_mode=": ("cache", "cache_file"),
    "`Project`, as project=": ("project", "allow_endpoint", "allow_code"),
    "`Resampling`, as resampling=": ("resample", "confidence", "seed"),
    "which of the calls it is": ("dry_run", "queue", "processes"),
    "the call that each process makes, and on which cluster": ("lease", "address"),
    "bootstrap_seed=, and runs as arguments": ("seed", "runs"),
}  # fmt: skip
"""Words of commands that are not arguments of their calls, under what says the same in Python."""

PACKAGES = ("console", "options")
ARITHMETIC = (ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
COMPUTES = frozenset({"sum", "fsum", "round", "mean", "fmean", "Counter"})
DRAWS = frozenset({"Grid", "Number", "Table", "as_text"})
CLOCKS = ("cli.console.logs", "cli.console.watchdog")
"""They take one time from another."""
NUMBERS = frozenset({"statistics", "fractions", "decimal", "numpy", "scipy", "pandas", "polars", "matplotlib", "collections", "hashlib"})  # fmt: skip


@cache
def command_line() -> dict[str, ast.Module]:
    """The modules of the command line."""
    return {name: tree for name, tree in modules().items() if name == "cli" or name.startswith("cli.")}


def place_of(command: str) -> tuple[str, str]:
    """The module of a command, without the package, and its function."""
    module, _, function = COMMANDS[command].place.partition(":")
    return module.removeprefix(f"{PACKAGE}."), function


def function_of(command: str) -> Callable[..., object]:
    module, function = place_of(command)
    found: Callable[..., object] = getattr(import_module(f"{PACKAGE}.{module}"), function)
    return found


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
    """What a module of the command line and those that it imports take from the rooms below."""
    return {(one.home, one.name) for name in reached(module) for one in imports(name)}


def words_of(command: str) -> Iterator[str]:
    """Every word of a command, those of its groups of options among them."""
    for name, word in inspect.signature(function_of(command)).parameters.items():
        yield from _flat(name, word.default)


def _flat(name: str, default: Any) -> Iterator[str]:
    if not is_dataclass(default):
        yield name
        return
    hints = get_type_hints(type(default), include_extras=True)
    for one in fields(default):
        if not any(
            getattr(note, "parse", None) is False for note in getattr(hints[one.name], "__metadata__", ())
        ):
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


def test_a_command_lies_in_the_file_of_its_name() -> None:
    assert {command: place_of(command)[0] for command in COMMANDS} == {
        name: f"cli.{name}" for name in COMMANDS
    }


def test_every_command_has_its_public_call() -> None:
    assert CALLS.keys() == COMMANDS.keys()
    assert {call for calls in CALLS.values() for call in calls} <= {*agentdebate.__all__}


def calls_passed_over(command: str) -> Iterator[str]:
    """The public calls of a command that it does not make."""
    used = taken(place_of(command)[0])
    return (call for call in CALLS[command] if (agentdebate._HOME[call], call) not in used)


def foreign_words(command: str) -> Iterator[str]:
    """The words of a command that are not arguments of its calls."""
    arguments = {name for call in CALLS[command] for name in arguments_of(call)}
    others = {word for words in OTHER_WORDS.values() for word in words}
    return (word for word in words_of(command) if word not in arguments | others)


def test_a_command_goes_through_its_public_calls() -> None:
    refuse(f"{command} does not call {call}" for command in CALLS for call in calls_passed_over(command))


def test_the_words_of_a_command_are_the_arguments_of_its_calls() -> None:
    refuse(f"{command}: {word}" for command in CALLS for word in foreign_words(command))


def test_no_other_word_is_listed_that_no_command_has() -> None:
    words = {word for command in CALLS for word in words_of(command)}
    assert [word for listed in OTHER_WORDS.values() for word in listed if word not in words] == []


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
    """The modules of commands that one imports and may not. `resume` is `run` taken up again, and `work` and `ray` hold what `run` entered."""
    begun = {
        "cli.resume": {"cli.run"},
        "cli.work": {"cli.resume"},
        "cli.ray": {"cli.resume", "cli.work"},
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
        "from statistics import fmean\nfrom agentdebate.cli.run import run\nx = sum(y) / 2\nGrid('t', [], [])"
    )
    assert list(computed(tree)) == ["line 3: sum(y) / 2", "line 3: sum(y)"]
    assert list(drawn(tree)) == ["line 4: Grid", "statistics"]
    assert others_commands("cli.show", tree) == {"cli.run"}
    assert others_commands("cli.resume", tree) == set()
    assert ("report.sweep", "sweep") not in taken("cli.dynamics")


def split_sentences(docstring: str) -> Iterator[str]:
    """Lines on arguments that go on in the next line."""
    _, _, arguments = docstring.partition("----------\n")
    for line, after in pairwise(arguments.splitlines()):
        if line.startswith(" ") and after.startswith(" "):
            yield line.strip()


def test_what_a_docstring_says_of_an_argument_stands_on_one_line() -> None:
    """The help keeps the lines of a docstring; what is longer is the help of a Parameter."""
    refuse(
        f"{command}: {line}"
        for command in COMMANDS
        for line in split_sentences(inspect.getdoc(function_of(command)) or "")
    )
    assert list(split_sentences("A.\n\nParameters\n----------\nx\n    One line\n    and another.")) == [
        "One line"
    ]
