"""Whole debates as `agentdebate run` holds them: limits and retries around the model, and the store, synchronous=FULL, on."""

import tempfile
from pathlib import Path

from benchmarks import whole


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time, on the default client."""
    await _hold(url, debates, at_once, "httpx")


async def hold_by_aiohttp(url: str, debates: int, at_once: int) -> None:
    """The same on aiohttp alone."""
    await _hold(url, debates, at_once, "aiohttp")


async def _hold(url: str, debates: int, at_once: int, client: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        await whole.hold(url, Path(folder) / "run.db", debates, at_once, client=client)
