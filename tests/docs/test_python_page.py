"""The page of the Python API: it has every public name, and each group shows by an example how its names are used."""

import ast
import inspect
import re
from importlib import import_module

import pytest
from package_source import public_names
from snippets import ROOT


def value(name: str) -> object:
    """Look up a public name."""
    room, _, last = name.rpartition(".")
    return getattr(import_module(f"agentdebate.{room}".rstrip(".")), last)


PAGE = (ROOT / "docs/reference/python.md").read_text(encoding="utf-8")
GROUPS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
SERVES = ("view",)
"""It shows pages until Ctrl-C, so no example of this page can call it; its own tests do."""
FUNCTIONS = [name for name in public_names() if name not in SERVES and inspect.isfunction(value(name))]


def names(text: str) -> set[str]:
    """The names that a part of the page explains."""
    return {*re.findall(r"^\.\. auto\w+:: agentdebate\.([\w.]+)$", text, re.MULTILINE)} - {"talk.purposes"}


def used(text: str) -> set[str]:
    """The names of `ad` that the examples of a part of the page use."""
    examples = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return {
        ast.unparse(node).removeprefix("ad.")
        for example in examples
        for node in ast.walk(ast.parse(example))
        if isinstance(node, ast.Attribute) and re.fullmatch(r"ad(\.\w+)+", ast.unparse(node))
    }


def test_the_page_explains_every_public_name_and_no_other() -> None:
    assert names(PAGE) == {*public_names()}


@pytest.mark.parametrize("group", GROUPS)
def test_the_example_of_a_group_uses_its_names(group: str) -> None:
    assert names(GROUPS[group]) & used(GROUPS[group])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_public_function_is_called_in_an_example(name: str) -> None:
    assert name in used(PAGE)


def test_an_example_that_does_not_use_a_name_is_noticed() -> None:
    """Or the tests above could not fail."""
    assert "debait" not in used(PAGE)
    assert used("```python\nad.debate(item)\nad.strategies.Solo()\n```\n") == {
        "debate",
        "strategies",
        "strategies.Solo",
    }
