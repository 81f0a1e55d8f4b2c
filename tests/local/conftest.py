"""The small model on this machine, for the tests marked `local`."""

import os
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from agentdebate.errors import MissingExtra
from benchmarks.local_model import LocalModel, open_local

REQUIRE = "AGENTDEBATE_REQUIRE_LOCAL"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def local_model() -> AsyncIterator[LocalModel]:
    """The model, whose server runs as long as the tests do; they are skipped where its packages are not installed."""
    try:
        model = open_local(slots=4, context=4096, timeout=3600)
    except MissingExtra as error:
        if os.environ.get(REQUIRE):
            pytest.fail(str(error))
        pytest.skip(str(error))
    yield model
    await model.aclose()
