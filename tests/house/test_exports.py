"""The public names: what the hub says to type checkers, what it loads, and what it says of itself are one."""

import ast
import inspect
from importlib import import_module

import pytest
from package_source import PACKAGE, defined, modules, refuse

import agentdebate


def declared() -> dict[str, str]:
    """What the block for type checkers imports: name to module."""
    block = next(node for node in modules()[""].body if isinstance(node, ast.If))
    found = {}
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        for alias in node.names:
            assert alias.asname == alias.name, (
                f"{alias.name}: only 'import X as X' re-exports to type checkers"
            )
            found[alias.name] = str(node.module).removeprefix(f"{PACKAGE}.")
    return found


def test_type_checkers_see_the_names_that_are_loaded_from_the_same_modules() -> None:
    assert declared() == agentdebate._HOME


def test_no_name_stands_in_two_homes() -> None:
    assert sum(map(len, agentdebate._HOMES.values())) == len(agentdebate._HOME)


def is_from(home: str, name: str) -> bool:
    """Decide whether a public name is loaded from the module that defines it."""
    loaded = getattr(import_module(f"{PACKAGE}.{home}"), name, None)
    return name in defined(home) and getattr(agentdebate, name) is loaded


def says(value: object) -> str:
    """The docstring of a class or function, and of anything else that of its class."""
    own = inspect.isclass(value) or inspect.isroutine(value)
    return ((value if own else type(value)).__doc__ or "").strip()


def test_a_public_name_loads_from_the_module_that_defines_it() -> None:
    homes = agentdebate._HOME
    refuse(
        f"{name} is not defined in {homes[name]}"
        for name in agentdebate.__all__
        if not is_from(homes[name], name)
    )


def test_a_public_class_or_function_says_what_it_is() -> None:
    refuse(name for name in agentdebate.__all__ if not says(getattr(agentdebate, name)))


def test_a_wrong_home_and_a_missing_docstring_are_noticed() -> None:
    """Or the tests above could not fail."""
    assert is_from("tasks", "Item")
    assert not is_from("runs.evaluation", "Item")
    assert not says(lambda: None)


def test_the_listing_has_every_public_name() -> None:
    assert set(agentdebate.__all__) <= set(dir(agentdebate))


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="'debait'"):
        _ = agentdebate.debait
