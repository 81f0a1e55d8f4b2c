"""The small model on this machine, for the tests marked `local`."""

import os
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest
import pytest_asyncio

from agentdebate.errors import MissingExtra
from agentdebate.models.base import Model
from benchmarks import local_model as small

REQUIRE = "AGENTDEBATE_REQUIRE_LOCAL"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def local_model() -> AsyncIterator[Model]:
    """The model, whose server runs as long as the tests do; they are skipped where its packages are not installed."""
    async with AsyncExitStack() as stack:
        try:
            model = await stack.enter_async_context(small.local_model(slots=4, context=4096, patience=3600))
        except MissingExtra as error:
            if os.environ.get(REQUIRE):
                pytest.fail(str(error))
            pytest.skip(str(error))
        yield model
