"""Imports go down only: the table of the house, enforced."""

from graphlib import CycleError, TopologicalSorter

import pytest
from package_source import defined, imports, modules

GROUND = ("errors", "usage", "extras", "turn_clock", "telemetry", "event_loop", "visible", "secrets", "trust")
"""Every module may import these."""

TALK = ("tasks", "lineup", "ballots", "messages")
WRAPPED = ("models.base", "models.wrapper", "models.standin", "tasks")
"""What a model that holds a model may import: it knows no provider."""

DEBATE = (
    *TALK, "bus", "models", "project", "prompts", "agents", "verdicts", "floor", "embedders",
    "diversity", "evaluators", "strategies", "results", "purse", "debate_settings",
)  # fmt: skip

MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "errors": (),
    "visible": (),
    "secrets": (),
    "user_endpoints": (),
    "trust": ("user_endpoints",),
    "usage": (),
    "outcome": (),
    "prices": ("project",),
    "extras": (),
    "event_loop": (),
    "turn_clock": (),
    "telemetry": (),
    "tasks": (),
    "project": (),
    "plugins": (),
    "options": (),
    "lineup": ("tasks",),
    "tokens": (),
    "single_flight": (),
    "ballots": ("tasks", "lineup", "plugins", "options"),
    "messages": ("tasks", "ballots", "plugins"),
    "models": ("models", "plugins", "tasks", "lineup", "user_endpoints", "tokens", "options"),
    "models.base": ("tasks", "lineup"),
    "models.budget": (*WRAPPED, "models.prompt_tokens", "tokens", "prices"),
    "models.cache": (*WRAPPED, "models.one_loop", "single_flight"),
    "models.function": WRAPPED,
    "models.limit": (
        *WRAPPED, "models.adaptive", "models.allowance", "models.breaker", "models.estimate", "models.gate",
        "models.one_loop", "models.quota", "models.standstill", "models.waiting", "models.window",
    ),
    "models.composition": ("models", "prices"),
    "models.replay": WRAPPED,
    "models.retry": WRAPPED,
    "models.scripted": WRAPPED,
    "bus": ("messages",),
    "template_work": (),
    "template_calls": ("template_work",),
    "templates": ("template_calls", "template_work"),
    "prompts": ("project", "tasks", "lineup", "templates"),
    "debate_settings": ("tasks", "models.base", "purse"),
    "agents": (
        "debate_settings", "bus", "messages", "models.base", "models.reply_size", "prompts", "project", "ballots", "tasks", "lineup",
        "plugins",
    ),
    "purse": ("prices",),
    "verdicts": ("messages", "ballots", "tasks"),
    "floor": ("bus", "messages", "agents", "ballots", "sitting", "verdicts", "purse", "strategies.histories", "strategies.stops"),
    "embedders": ("plugins", "models", "options"),
    "diversity": ("messages", "ballots"),
    "evaluators": ("plugins", "tasks", "models", "single_flight", "options"),
    "evaluators.score_cache": ("evaluators", "store.sqlite_file"),
    "strategies": (
        "floor", "messages", "ballots", "tasks", "prompts", "project", "evaluators", "agents.card", "agents.card_set", "agents.speaker",
        "models.base", "models.provider_keys", "plugins", "embedders", "diversity", "lineup", "options",
    ),
    "strategies.histories": ("tokens", "strategies.rule"),
    "strategies.rule": ("plugins", "options"),
    "strategies.stops": ("messages", "verdicts", "tasks", "strategies.rule"),
    "stages": ("messages", "models.base"),
    "results": ("messages", "ballots", "tasks", "models.base", "stages", "outcome"),
    "common": ("single_flight",),
    "seating": ("agents", "messages", "models.base", "project"),
    "sitting": (
        "agents", "bus", "common", "debate_settings", "models.base", "models.resumed", "purse", "seating",
    ),
    "holding": ("floor", "messages", "purse", "results", "sitting", "strategies"),
    "debates": (*DEBATE, "common", "seating", "sitting", "holding"),
    "configuration": (*DEBATE, "debates"),
    "store": ("results", "outcome", "messages", "tasks", "models.base", "datasets.json_objects"),
    "store.sqlite_file": ("store.private_file",),
    "store.private_file": (),
    "datasets.json_objects": (),
    "datasets": ("results", "messages", "tasks", "models.http"),
    "rehearsal": (*DEBATE, "debates"),
    "dry_run": (*DEBATE, "debates", "rehearsal", "tokens"),
    "forecast": (*DEBATE, "debates", "dry_run", "prices", "tokens"),
    "graph": ("messages",),
    "agenda": ("debates", "tasks"),
    "outlet": ("results",),
    "progress": ("results", "outcome"),
    "evaluation": (*DEBATE, "debates", "agenda", "outlet", "progress", "configuration", "prices", "store", "datasets"),
    "meta": ("results", "datasets", "ballots", "messages", "tasks"),
    "report": ("ballots", "meta", "messages", "outcome", "prices", "results", "store", "tasks"),
    "testing": (*DEBATE, "debates", "store", "datasets", "evaluation"),
    "cli": (
        *DEBATE, "debates", "agenda", "plugins", "prices", "forecast", "rehearsal", "graph", "store", "outcome", "datasets", "progress", "evaluation", "meta", "report", "testing",
    ),
    "__main__": ("cli",),
}  # fmt: skip
"""One row a module or package: what it may import besides the ground floor and itself. The longest name counts."""

HUB = ""
"""agentdebate/__init__.py, which is for users."""

FROM_HUB = frozenset({"__version__"})
"""The one thing that is defined there."""

MODULES = sorted(modules().keys() - {HUB})


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


@pytest.mark.parametrize("module", MODULES)
def test_a_module_has_a_row_in_the_table(module: str) -> None:
    assert row_of(module), f"{module} has no row in MAY_IMPORT: say there what it may import"


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_only_what_its_row_allows(module: str) -> None:
    """In functions and for type checkers too."""
    wrong = [
        f"line {found.line}: {module} may not import {found.home}"
        for found in imports(module)
        if found.home != HUB and not allowed(module, found.home)
    ]
    assert wrong == []


@pytest.mark.parametrize("module", MODULES)
def test_names_are_imported_from_the_module_that_defines_them(module: str) -> None:
    wrong = [
        f"line {found.line}: {found.home} does not define {found.name}"
        for found in imports(module)
        if found.name and found.name not in defined(found.home)
    ]
    assert wrong == []


@pytest.mark.parametrize("module", MODULES)
def test_nothing_inside_the_package_imports_from_the_hub(module: str) -> None:
    taken = {found.name for found in imports(module) if found.home == HUB}
    assert taken <= FROM_HUB


def test_no_import_leads_back_to_where_it_began() -> None:
    graph = {module: {found.home for found in imports(module)} - {HUB, module} for module in MODULES}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"a cycle of imports: {' -> '.join(error.args[1])}")
