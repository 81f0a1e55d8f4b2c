"""What writing a run costs, by itself: debates that were held before are written again, by the calls that a run makes.

CPU of all threads and of the event loop's thread a model call, by debates at once, for replies of 90 and of 1,000 characters.
"""

import asyncio
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

import agentdebate as ad
from agentdebate.debates.record import Record
from agentdebate.store.writer import RunWriter, write_run
from benchmarks.machinery import ITEM
from benchmarks.store_size import model

SIZES = (90, 1000)
AT_ONCE = (20, 200)
DEBATES = 400
PASSES = 5


async def records(size: int, count: int) -> list[Record]:
    """Debates with replies of so many characters, each on a text of its own."""
    items = [
        ITEM.model_copy(
            update={
                "id": f"i{number}",
                "fields": {**ITEM.fields, "source": f"{number}. {ITEM.fields['source']}"},
            }
        )
        for number in range(count)
    ]
    async with ad.evaluate(
        items, ad.strategy("debate", rounds=4), model=model(size), aspects="coherence"
    ) as run:
        return [record async for record in run]


async def write_debate(writer: RunWriter, record: Record, number: int) -> None:
    """What a run has written of a debate, in its order: each call before the message that it becomes."""
    writer.item(record.item, number)
    talk = writer.open(record.id)
    calls = {call.ask: call for call in record.calls}
    for message in record.transcript:
        call = calls.pop(getattr(message, "answers", 0) or 0, None)
        if call is not None:
            await talk.keep(call)
        talk.message(message)
    await talk.record(record)


async def write(held: Sequence[Record], at_once: int, store: Path) -> tuple[float, float, float]:
    """CPU seconds of all threads, of this one, and seconds by the clock."""
    left = iter(enumerate(held, 1))

    async def work(writer: RunWriter) -> None:
        for number, record in left:
            await write_debate(writer, record, number)

    async with write_run(store, strategy="debate", model="m", configuration={}) as writer:
        before = time.process_time(), time.thread_time(), time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(work(writer))
        after = time.process_time(), time.thread_time(), time.perf_counter()
    whole, own, wall = (then - now for now, then in zip(before, after, strict=True))
    return whole, own, wall


def main() -> None:
    """Print the table."""
    passes = 1 if "--quick" in sys.argv else PASSES
    assert threading.active_count() == 1, "CPU of other threads would be counted"
    for size in SIZES:
        held = asyncio.run(records(size, DEBATES))
        calls = sum(len(record.calls) for record in held)
        for at_once in AT_ONCE:
            with tempfile.TemporaryDirectory() as folder:
                asyncio.run(write(held[:20], at_once, Path(folder) / "warm.db"))
                took = [asyncio.run(write(held, at_once, Path(folder) / f"{n}.db")) for n in range(passes)]
            whole, own, wall = (median(one) / calls * 1e6 for one in zip(*took, strict=True))
            print(
                f"replies of {size:4}, {at_once:3} at once   CPU {whole:5.0f} us a call, "
                f"{own:5.0f} on the loop's thread   wall {wall:5.0f} us"
            )
