"""Whole debates as `agentdebate run` holds them: limits and retries around the model, and the store, synchronous=FULL, on."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import agentdebate as ad
from agentdebate.models.composition import Around, Limits
from agentdebate.models.registry import model
from benchmarks.peers.texts import ARTICLE, SUMMARY


def items(count: int) -> Iterator[ad.Item]:
    """So many summaries, one at a time."""
    for number in range(count):
        fields = {"source": ARTICLE, "summary": SUMMARY}
        yield ad.Item(task="summarization", id=f"s{number}", fields=fields)


async def hold(url: str, debates: int, at_once: int) -> None:
    """So many debates, so many at a time, on the default client."""
    await _hold(url, debates, at_once, "httpx")


async def hold_by_aiohttp(url: str, debates: int, at_once: int) -> None:
    """The same on aiohttp alone."""
    await _hold(url, debates, at_once, "aiohttp")


async def hold_kept(url: str, debates: int, at_once: int, folder: Path) -> None:
    """The same on the default client; the run that an earlier process left in the folder is resumed."""
    store = folder / "run.db"
    await _hold_in(store, url, debates, at_once, resume="last" if store.exists() else None)


async def _hold(url: str, debates: int, at_once: int, client: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        await _hold_in(Path(folder) / "run.db", url, debates, at_once, client=client)


async def _hold_in(
    store: Path, url: str, debates: int, at_once: int, *, client: str = "httpx", resume: str | None = None
) -> None:
    around = Around(Limits(in_flight=at_once))
    endpoint = model("openai/any", around=around, base_url=url, connections=at_once, client=client)
    async with ad.evaluate(
        items(debates), "debate", model=endpoint, aspects="coherence", concurrency=at_once,
        store=store, project=ad.Project(), resume=resume,
    ) as run:  # fmt: skip
        async for record in run:
            assert record.verdict is not None, record.failure
            assert record.verdict.score == 4
    await endpoint.aclose()
