"""The providers' own packages, and others to test against, for the tests marked `sdk`: skipped where they are not installed, an error where they have to be."""

import importlib.util
import os

import pytest

_PACKAGES = ("anthropic", "google.genai", "llmock", "openai", "typesafe_sdk")


def _missing() -> list[str]:
    return [name for name in _PACKAGES if not _is_there(name)]


def _is_there(name: str) -> bool:
    try:
        return importlib.util.find_spec(name) is not None
    except ModuleNotFoundError:  # of the package around it
        return False


@pytest.fixture(autouse=True, scope="session")
def _packages() -> None:
    """Skip the test where a package is missing."""
    missing = _missing()
    if missing and os.environ.get("AGENTDEBATE_REQUIRE_SDK") == "1":
        pytest.fail(f"AGENTDEBATE_REQUIRE_SDK=1, and {' and '.join(missing)} cannot be imported")
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}: pip install 'agentdebate[sdk]' (make test-sdk)")
