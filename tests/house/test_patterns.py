"""Patterns mean the same to every interpreter that is supported."""

import ast
import re

import pytest
from package_source import modules, nodes, path_of, refuse

POSSESSIVE_GROUP = re.compile(r"\)(?:[?*+]|\{\d*,?\d*\})\+")
"""A group that is repeated possessively: Python before 3.11.5, such as Debian 12's, goes on behind what failed in it. (?>...) is right."""


def test_no_group_is_repeated_possessively() -> None:
    refuse(
        f"{path_of(name)}:{node.lineno}: {found[0]}"
        for name, tree in modules().items()
        for node in nodes(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if (found := POSSESSIVE_GROUP.search(node.value))
    )


@pytest.mark.parametrize("pattern", ["(?:a|b)?+", "(a){0,9}+", "(?: a)*+b"])
def test_such_a_group_is_noticed(pattern: str) -> None:
    assert POSSESSIVE_GROUP.search(pattern)
