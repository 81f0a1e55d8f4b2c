"""Whole debates over an endpoint, as `agentdebate run` holds them: limits and retries around the model, the store on."""

import gc
import time
from collections.abc import Iterator
from pathlib import Path

import agentdebate as ad
from agentdebate.models.composition import Around, Limits
from agentdebate.models.registry import model
from agentdebate.project.project import Project
from benchmarks.peers.texts import ARTICLE, SUMMARY


def items(count: int) -> Iterator[ad.Item]:
    """So many summaries, one at a time."""
    for number in range(count):
        fields = {"source": ARTICLE, "summary": SUMMARY}
        yield ad.Item(task="summarization", id=f"s{number}", fields=fields)


async def hold(
    url: str,
    store: Path,
    debates: int,
    at_once: int,
    *,
    rounds: int = 4,
    client: str = "httpx",
    collector: tuple[int, int, int] | None = None,
) -> tuple[float, float]:
    """So many debates, so many at a time; wall and CPU seconds from the first to the last, without opening the store.

    `collector` has thresholds of Python's collector, where they are not to be those of `evaluate`.
    """
    around = Around(Limits(in_flight=at_once))
    endpoint = model("openai/any", around=around, base_url=url, connections=at_once, client=client)
    strategy = ad.strategy("debate", rounds=rounds, project=Project())
    async with ad.evaluate(
        items(debates),
        strategy,
        model=endpoint,
        aspects="coherence",
        concurrency=at_once,
        store=store,
        project=Project(),
    ) as run:
        if collector is not None:
            gc.set_threshold(*collector)
        began, spent = time.perf_counter(), time.process_time()
        async for record in run:
            assert record.verdict is not None, record.failure
            assert record.verdict.score == 4
        took = time.perf_counter() - began, time.process_time() - spent
    await endpoint.aclose()
    return took
