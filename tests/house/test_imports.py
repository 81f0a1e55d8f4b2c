"""What importing costs: heavy libraries are loaded when they are first needed."""

import subprocess
import sys

import pytest

HEAVY = ("httpx", "sqlalchemy", "rich", "jinja2", "structlog", "aiohttp")


def loaded_after(code: str) -> set[str]:
    """The top-level modules that are loaded when a fresh interpreter has run the code."""
    shown = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import agentdebate").isdisjoint((*HEAVY, "pydantic", "anyio"))


@pytest.mark.parametrize(
    "module", ["debates.debate", "models.base", "strategies.load", "debates.record", "testing"]
)
def test_importing_what_holds_debates_loads_nothing_heavy(module: str) -> None:
    assert loaded_after(f"import agentdebate.{module}").isdisjoint(HEAVY)


def test_importing_evaluations_loads_no_database_and_no_http_client() -> None:
    assert loaded_after("import agentdebate.runs.evaluation").isdisjoint(HEAVY)


def test_the_check_sees_what_is_loaded() -> None:
    """Or the tests above could not fail."""
    assert "sqlalchemy" in loaded_after("import agentdebate.store.schema")
