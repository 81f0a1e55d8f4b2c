"""The public names: what the hub says to type checkers, what it loads, and what it says of itself are one."""

import ast
import inspect
from importlib import import_module

import pytest
from package_source import PACKAGE, defined, modules

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


@pytest.mark.parametrize("name", agentdebate.__all__)
def test_a_public_name_loads_from_the_module_that_defines_it(name: str) -> None:
    home = import_module(f"{PACKAGE}.{agentdebate._HOME[name]}")
    value = getattr(agentdebate, name)
    assert value is getattr(home, name)
    assert name in defined(agentdebate._HOME[name])


@pytest.mark.parametrize("name", agentdebate.__all__)
def test_a_public_class_or_function_says_what_it_is(name: str) -> None:
    value = getattr(agentdebate, name)
    if inspect.isclass(value) or inspect.isroutine(value):
        assert (value.__doc__ or "").strip()
    else:
        assert type(value).__doc__


def test_the_listing_has_every_public_name() -> None:
    assert set(agentdebate.__all__) <= set(dir(agentdebate))


def test_an_unknown_name_is_an_attribute_error_that_names_it() -> None:
    with pytest.raises(AttributeError, match="'debait'"):
        _ = agentdebate.debait
