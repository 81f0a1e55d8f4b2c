"""The event loop that runs: asyncio's, or an error that says so."""

import asyncio

from agentdebate.errors import UsageError

NEEDS_ASYNCIO = (
    "agentdebate needs asyncio: start your program with asyncio.run(...), or with anyio.run(...) and its backend "
    "'asyncio', and not with trio"
)


def running_loop() -> asyncio.AbstractEventLoop:
    """The running event loop. Raises UsageError where it is another library's."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise UsageError(NEEDS_ASYNCIO) from None
