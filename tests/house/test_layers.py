"""Imports go down only: the table of the house, enforced."""

import ast
from collections.abc import Callable, Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

import pytest
from package_source import defined, imports, imports_of, looked_up, modules, refuse

Rule = Callable[[str, ast.Module], Iterator[str]]

GROUND = (
    "errors",
    "codec",
    "usage",
    "extras",
    "log",
    "telemetry",
    "visible",
    "wrong_values",
    "project.trust",
)
"""Every module may import these."""

WRAPPED = ("models.base", "models.wrapper", "tasks")
"""What a model that holds a model may import: it knows no provider."""

BALLOTS = ("tasks", "plugins", "options", "ballots")
TALK = (*BALLOTS, "tables", "talk")
AGENTS = (*TALK, "project", "models", "prompts", "agents")
DEBATES = (*AGENTS, "embedders", "evaluators", "strategies", "debates")
RUNS = (*DEBATES, "datasets", "store", "runs")

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "errors": (),
    "codec": (),
    "visible": (),
    "wrong_values": (),
    "usage": (),
    "extras": (),
    "log": (),
    "telemetry": (),
    "tasks": (),
    "plugins": ("options",),
    "options": (),
    "project": (),
    "project.trust": ("project", "plugins", "options"),
    "tables": (),
    "ballots": BALLOTS,
    "talk": (*TALK, "datasets.json_objects"),
    "talk.turn_clock": (),
    "models": ("models", "tasks", "plugins", "options", "ballots.lineup", "project", "talk.turn_clock"),
    "models.base": ("tasks", "ballots"),
    "models.prices": ("project",),
    "models.prompt_cache": (*WRAPPED, "talk.turn_clock"),
    "models.cache": (*WRAPPED, "models.event_loop", "models.single_flight"),
    "models.completion_check": WRAPPED,
    "models.function": (*WRAPPED, "models.completion_check"),
    "models.retry": (*WRAPPED, "talk.turn_clock"),
    "models.script": (*WRAPPED, "models.completion_check"),
    "models.limits": (
        *WRAPPED, "models.event_loop", "models.tokens", "models.secrets", "talk.turn_clock",
    ),
    "models.budget": (*WRAPPED, "models.tokens", "models.prices", "models.secrets", "talk.turn_clock"),
    "models.dialects": (
        "models.base", "models.credentials", "models.http", "models.key_command", "models.prompt_cache",
        "models.provider_keys", "models.completion_check", "models.secrets", "models.tokens", "options", "project.model_spec",
    ),
    "offline": ("tasks", "ballots.lineup", "models.base"),
    "embedders": ("tasks", "plugins", "options", "models", "evaluators"),
    "evaluators": ("tasks", "plugins", "options", "project.model_spec", "models"),
    "prompts": ("tasks", "project"),
    "agents": (*TALK, "project", "models.base", "models.completion_check", "models.own_model", "models.prices", "models.prompt_cache", "models.replay", "models.single_flight", "prompts"),
    "strategies": (*AGENTS, "embedders", "evaluators"),
    "debates": DEBATES,
    "debates.outcome": (),
    "datasets": ("tasks",),
    "datasets.json_objects": (),
    "store": ("tasks", "tables", "talk", "models.base", "models.prices", "models.secrets", "debates.record", "debates.outcome", "datasets.json_objects"),
    "store.place": ("models.secrets",),
    "runs": RUNS,
    "meta": ("tasks", "ballots", "tables", "talk", "debates.record", "debates.outcome", "datasets", "store.reader", "store.run_head", "store.place", "prompts.foreign_text"),
    "studies": (*RUNS, "meta"),
    "report": ("tasks", "ballots", "tables", "talk", "models.base", "models.prices", "debates.record", "debates.outcome", "datasets", "store", "meta", "studies"),
    "report.contents": (*DEBATES, "store", "meta", "report"),
    "report.gate": ("report", "runs.configuration", "tasks", "debates.outcome", "store", "meta"),
    "report.forecast_table": ("meta", "report", "runs.forecast", "studies"),
    "report.frontier": ("report", "runs.agenda", "meta", "studies"),
    "report.sweep": ("report", "runs.agenda", "runs.settings", "project", "tasks", "tables", "strategies.panel", "strategies.strategy_words", "models.base", "models.prices", "debates.record", "store", "meta", "studies"),
    "viewer": ("project", "tasks", "ballots", "talk", "models.prices", "models.secrets", "debates.record", "debates.outcome", "datasets", "prompts", "store", "meta", "studies", "report"),
    "testing": RUNS,
    "integrations": RUNS,
    "cli": (*RUNS, "meta", "studies", "report", "viewer", "testing"),
    "__main__": ("cli",),
}  # fmt: skip
"""One row a module or package: what it may import besides the ground floor and itself. The longest name counts."""

ROOMS = (
    "errors", "visible", "wrong_values", "usage", "extras", "log", "telemetry", "tasks", "options", "plugins", "project",
    "tables", "ballots", "talk", "models", "offline", "evaluators", "embedders", "prompts", "agents", "strategies",
    "debates", "datasets", "store", "runs", "meta", "studies", "report", "viewer", "testing", "integrations", "cli", "__main__",
)  # fmt: skip
"""The house from the ground up."""

UPWARDS = {
    ("talk.envelope", "datasets.json_objects"),
}
"""The imports that go up all the same: the one way to open a SQLite file, and how JSON is read with each
key once."""

LOOKED_UP = {
    "tables.drawing": {"agentdebate.report.notebook", "agentdebate.report.transcript_text"},
}
"""The modules that look up modules above them, and which: values draw themselves for notebooks and `print`, and the package `report` is
also a call."""

HUB = ""
"""agentdebate/__init__.py, which is for users."""

FROM_HUB = frozenset({"__version__"})
"""The one thing that is defined there."""


def within(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")


def row_of(module: str) -> str | None:
    return max((row for row in MAY_IMPORT if within(module, row)), key=len, default=None)


def allowed(module: str, home: str) -> bool:
    row = row_of(module)
    if row is None:
        return False
    own = () if row == "models" else (row,)
    return any(within(home, package) for package in (*GROUND, *own, *MAY_IMPORT[row]))


def floor_of(module: str) -> int:
    return ROOMS.index(module.split(".", maxsplit=1)[0])


def inside() -> list[str]:
    """All modules but the hub."""
    return sorted(modules().keys() - {HUB})


def not_allowed(module: str, tree: ast.Module) -> Iterator[str]:
    """Imports that the module's row does not have, in functions and for type checkers too."""
    for found in imports_of(tree):
        if found.home != HUB and not allowed(module, found.home):
            yield f"{module}, line {found.line}: it may not import {found.home}"


def upwards(module: str, tree: ast.Module) -> set[tuple[str, str]]:
    """Imports from rooms above the module's own."""
    return {
        (module, found.home)
        for found in imports_of(tree)
        if found.home != HUB and found.home not in GROUND and floor_of(found.home) > floor_of(module)
    }


def not_defined(module: str, tree: ast.Module) -> Iterator[str]:
    """Names that are imported from a module that does not define them."""
    for found in imports_of(tree):
        if found.name and found.name not in defined(found.home):
            yield f"{module}, line {found.line}: {found.home} does not define {found.name}"


def from_hub(module: str, tree: ast.Module) -> Iterator[str]:
    """Names that are imported from the hub."""
    for found in imports_of(tree):
        if found.home == HUB and found.name not in FROM_HUB:
            yield f"{module}, line {found.line}: it imports {found.name or 'the package'} from the hub"


RULES = (not_allowed, not_defined, from_hub)


def test_a_module_has_a_row_in_the_table() -> None:
    refuse(
        f"{module} has no row in MAY_IMPORT: say there what it may import"
        for module in inside()
        if row_of(module) is None
    )


@pytest.mark.parametrize("rule", RULES)
def test_imports_are_allowed_and_from_the_module_that_defines_the_name(rule: Rule) -> None:
    refuse(found for module in inside() for found in rule(module, modules()[module]))


def test_few_modules_import_anything_from_a_room_above_their_own() -> None:
    assert {found for module in inside() for found in upwards(module, modules()[module])} == UPWARDS


def test_a_wrong_import_is_noticed() -> None:
    """Or the tests above could not fail."""
    tree = ast.parse(
        "import agentdebate\nfrom agentdebate.errors import madeup\ndef f():\n    from agentdebate.runs.work import work"
    )
    assert [list(rule("tasks", tree)) for rule in RULES] == [
        ["tasks, line 4: it may not import runs.work"],
        ["tasks, line 2: errors does not define madeup"],
        ["tasks, line 1: it imports the package from the hub"],
    ]
    assert upwards("tasks", tree) == {("tasks", "runs.work")}
    assert row_of("madeup") is None


def circle(graph: Mapping[str, set[str]]) -> str:
    """The modules of a circle of imports; empty where there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return " -> ".join(error.args[1])
    return ""


def test_no_import_leads_back_to_where_it_began() -> None:
    graph = {module: {found.home for found in imports(module)} - {HUB, module} for module in inside()}
    assert circle(graph) == ""
    assert circle(graph | {"errors": {"cli"}})


def test_few_modules_look_up_what_is_above_them() -> None:
    """A look-up by name is no import that the other tests see, so they are listed here."""
    found = {module: looked_up(module) for module in inside()}
    assert {module: names for module, names in found.items() if names} == LOOKED_UP
