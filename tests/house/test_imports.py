"""What importing costs: heavy libraries are loaded when they are first needed."""

import subprocess
import sys

import pytest

HEAVY = ("httpx", "sqlalchemy", "rich", "jinja2", "structlog", "aiohttp")


def printed_by(code: str) -> str:
    """Return what a fresh interpreter prints when it runs the code."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout


def loaded_after(code: str) -> set[str]:
    """The top-level modules that are loaded when a fresh interpreter has run the code."""
    shown = f"{code}\nimport sys\nprint(*{{name.partition('.')[0] for name in sys.modules}})"
    return set(printed_by(shown).split())


def test_importing_the_package_loads_nothing_heavy() -> None:
    assert loaded_after("import agentdebate").isdisjoint((*HEAVY, "pydantic", "anyio"))


def test_importing_evaluations_and_what_holds_debates_loads_no_database_and_no_http_client() -> None:
    modules = (
        "debates.ready",
        "debates.record",
        "models.base",
        "strategies.load",
        "testing",
        "runs.evaluation",
    )
    loaded = loaded_after("\n".join(f"import agentdebate.{module}" for module in modules))
    assert loaded & set(HEAVY) == set()


def test_naming_what_holds_a_debate_loads_nothing_that_holds_one() -> None:
    named = "import agentdebate as ad, sys\nad.debate, ad.strategy, ad.Item\nprint(*sys.modules)"
    loaded = printed_by(named).split()
    assert "agentdebate.runs.debate" in loaded
    holding = ("runs.open_judge", "debates.ready", "strategies.floor", "agents.replies")
    assert not {f"agentdebate.{module}" for module in holding} & set(loaded)


def test_the_check_sees_what_is_loaded() -> None:
    """Or the tests above could not fail."""
    assert "sqlalchemy" in loaded_after("import agentdebate.store.schema")


@pytest.mark.parametrize("before", ["enable", "disable"])
def test_python_looks_for_garbage_after_an_import_as_before(before: str) -> None:
    shown = f"import gc, agentdebate\ngc.{before}()\nagentdebate.Item\nprint(gc.isenabled())"
    assert printed_by(shown).strip() == str(before == "enable")


def test_writing_a_store_loads_nothing_of_a_server() -> None:
    server = "sqlalchemy.dialects.postgresql"
    shown = f"import agentdebate.store.writer, agentdebate.store.crew, sys\nprint({server!r} in sys.modules)"
    assert printed_by(shown).strip() == "False"


def test_a_model_on_httpx_loads_no_aiohttp() -> None:
    code = "from agentdebate.models.registry import model\nmodel('openai/x', base_url='http://x:8000/v1')"
    assert "aiohttp" not in loaded_after(code)
