"""Patterns mean the same to every interpreter, one place touches databases, and the extra `all` keeps up."""

import ast
import re
import tomllib
from pathlib import Path

import pytest
from package_source import modules, nodes, packages, path_of, refuse

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


DATABASES = frozenset({"sqlalchemy", "sqlite3", "psycopg"})
BOUNDARY = "store"


def test_only_the_store_imports_a_database() -> None:
    refuse(
        f"{name} imports {database}"
        for name, tree in modules().items()
        if name.split(".")[0] != BOUNDARY
        for database in sorted(packages(tree) & DATABASES)
    )


def test_the_check_sees_what_the_store_imports() -> None:
    """Or the test above could not fail."""
    assert packages(modules()["store.database"]) & DATABASES


ROOT = Path(__file__).parents[2]
TOOLS = {"deepeval", "inspect", "mlflow", "pydantic-evals"}
NOT_EVERYWHERE = {"adapters", "all", "dev", "local", "models", "ray", "sdk", *TOOLS}
"""Extras that have to be compiled, are ours, or check us against others' packages."""


def test_all_is_every_extra_that_installs_everywhere() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    (named,) = extras["all"]
    assert named == f"agentdebate[{','.join(sorted(set(extras) - NOT_EVERYWHERE))}]"
