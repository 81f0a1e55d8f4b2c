"""What a verdict takes in the store: by the length of the replies, and by rounds; every reply is another one."""

import asyncio
import random
import sqlite3
import tempfile
import time
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import agentdebate as ad
from benchmarks.machinery import ITEM

WORDS = [
    "harbour",
    "bridge",
    "council",
    "Kelby",
    "swing",
    "repair",
    "cost",
    "Tuesday",
    "vote",
    "date",
    "summary",
    "article",
    "main",
    "point",
    "omit",
    "short",
    "clear",
    "order",
    "logic",
    "reader",
    "detail",
    "week",
    "traffic",
    "ferry",
    "engineer",
    "budget",
    "mayor",
    "letter",
    "protest",
    "school",
    "morning",
]
PARAGRAPH = 300
"""Characters after which a reply begins a new paragraph."""
AIMS = {90: 15.0, 1000: 45.0}
"""kB a verdict by `debate`, by the characters of a reply."""
DEBATES = 200


def reply(seed: str, size: int) -> str:
    """So many characters of words, in paragraphs."""
    draws = random.Random(seed)
    words = " ".join(draws.choice(WORDS) for _ in range(size // 4))[:size]
    return "\n\n".join(words[at : at + PARAGRAPH] for at in range(0, size, PARAGRAPH))[:size]


def model(size: int) -> ad.Function:
    """A scorer and a critic who always has something to say."""

    def answer(request: ad.ModelRequest) -> str:
        about = request.context
        assert about is not None
        seed = f"{about.item.id} {about.round} {about.reply}"
        if about.reply == "critique":
            return "Too high: " + reply(seed, size - 10)
        return reply(seed, size - 14) + "\n\nCoherence: 4"

    return ad.Function("wordy", answer)


async def hold(store: Path, size: int, rounds: int, debates: int) -> float:
    """Hold so many debates into a store; the seconds that it took."""
    items = [
        ITEM.model_copy(
            update={
                "id": f"i{number}",
                "fields": {**ITEM.fields, "source": f"{number}. {ITEM.fields['source']}"},
            }
        )
        for number in range(debates)
    ]
    began = time.perf_counter()
    async with ad.evaluate(
        items, ad.strategy("debate", rounds=rounds), model=model(size), aspects="coherence", store=store
    ) as run:
        async for record in run:
            assert record.verdict is not None
            assert record.verdict.rounds == rounds
    return time.perf_counter() - began


def measured(size: int, rounds: int, debates: int = DEBATES) -> tuple[float, float]:
    """KB on disk a verdict, the empty store's left out, and verdicts a second."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = []
        for count in (1, debates):
            store = Path(folder) / f"{count}.db"
            seconds = asyncio.run(hold(store, size, rounds, count))
            with closing(sqlite3.connect(store)) as there:
                there.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sizes.append(store.stat().st_size)
        return (sizes[1] - sizes[0]) / (debates - 1) / 1000, debates / seconds


def main() -> int:
    """Print the tables. An aim that is missed is printed as missed, and is the exit code."""
    missed = 0
    for size, aim in AIMS.items():
        kilobytes, speed = measured(size, rounds=4)
        missed += kilobytes > aim
        word = "missed" if kilobytes > aim else "met"
        print(
            f"replies of {size:4}   {kilobytes:6.1f} kB a verdict   aim {aim:g}: {word}   {speed:6.0f} verdicts a second"
        )
    for size in AIMS:
        by_rounds = [measured(size, rounds, debates=60)[0] for rounds in range(1, 11)]
        steps = [after - before for before, after in pairwise(by_rounds)]
        print(f"replies of {size:4}, rounds 1 to 10   " + " ".join(f"{one:.1f}" for one in by_rounds) + " kB")
        print("  each further round         " + " ".join(f"{one:.2f}" for one in steps) + " kB")
    return int(missed > 0)
