"""One place touches databases: no other module imports what does, or could let one of its errors through."""

from package_source import modules, packages, refuse

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
