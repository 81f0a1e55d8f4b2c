"""Other people's tools, for the tests marked `adapters`: skipped where they are not installed, an error where they have to be."""

import importlib.util
import os
from collections.abc import Iterator

import pytest

from agentdebate.models.base import ModelRequest
from agentdebate.models.function import Function
from agentdebate.runs.judge import Judge

_PACKAGES = ("deepeval", "inspect_ai", "mlflow", "pydantic_evals")


@pytest.fixture(autouse=True, scope="session")
def _packages() -> None:
    """Skip the test where a package is missing."""
    missing = [name for name in _PACKAGES if importlib.util.find_spec(name) is None]
    if missing and os.environ.get("AGENTDEBATE_REQUIRE_ADAPTERS") == "1":
        pytest.fail(f"AGENTDEBATE_REQUIRE_ADAPTERS=1, and {' and '.join(missing)} cannot be imported")
    if missing:
        pytest.skip(
            f"needs {' and '.join(missing)}: pip install 'agentdebate[adapters]' (make test-adapters)"
        )


def _reply(request: ModelRequest) -> str:
    """Give a score for all texts but one, for which no reply can be read."""
    return "I would rather not." if "unreadable" in str(request.messages) else "It is clear.\n\nScore: 4"


@pytest.fixture
def judge() -> Iterator[Judge]:
    """A judge of consistency, who gives 4 and a reason, and fails for a summary that says "unreadable"."""
    with Judge(
        "solo", task="summarization", aspects="consistency", model=Function("plain", _reply)
    ) as opened:
        yield opened
