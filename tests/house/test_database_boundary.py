"""One place touches databases: no other module imports what does, or could let one of its errors through."""

import ast

import pytest
from package_source import modules

DATABASES = frozenset({"sqlalchemy", "sqlite3", "pg8000"})
BOUNDARY = "store"

OTHERS = sorted(name for name in modules() if name.split(".")[0] != BOUNDARY)


def imported(module: str) -> set[str]:
    """The top-level packages that a module imports, in functions and for type checkers too."""
    found = set[str]()
    for node in ast.walk(modules()[module]):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add((node.module or "").partition(".")[0])
    return found


@pytest.mark.parametrize("module", OTHERS)
def test_only_the_store_imports_a_database(module: str) -> None:
    assert imported(module).isdisjoint(DATABASES)


def test_the_check_sees_what_the_store_imports() -> None:
    """Or the test above could not fail."""
    assert imported("store.database") & DATABASES
    assert imported("store.sqlite_file") & DATABASES
