"""What a verdict takes in the store: by the length of the replies, and by rounds; every reply is another one."""

import asyncio
import random
import re
import sqlite3
import tempfile
import time
from contextlib import closing
from pathlib import Path

import agentdebate as ad
from benchmarks.aim import Aim, aims_table
from benchmarks.sample_debate import ITEM

WORDS = re.findall(
    r"\w+",
    "harbour bridge council Kelby swing repair cost Tuesday vote date summary article main point omit "
    "short clear order logic reader detail week traffic ferry engineer budget mayor letter protest school morning",
)
PARAGRAPH = 300
"""Characters after which a reply begins a new paragraph."""
SOURCE = 40_000
"""Characters of a long source."""
MANY = 3000
"""Words of the language in which a long source is written, the frequent ones used as often as in English."""
DEBATES = 400
GROWTH = 6.0
"""How many times what 16 rounds take 64 rounds may take."""
AIMS = (
    ("replies of 90 characters", {"size": 90, "rounds": 4}, 10.0),
    ("replies of 1,000 characters", {"size": 1000, "rounds": 4}, 22.0),
    ("a source of 40 kB, 9 calls", {"size": 90, "rounds": 4, "source": SOURCE}, 30.0),
    ("16 rounds", {"size": 90, "rounds": 16}, 25.0),
)
"""What is stored, and how many kB a verdict by `debate` may take."""


def reply(seed: str, size: int) -> str:
    """So many characters of words, in paragraphs."""
    draws = random.Random(seed)
    words = " ".join(draws.choice(WORDS) for _ in range(size // 4))[:size]
    return "\n\n".join(words[at : at + PARAGRAPH] for at in range(0, size, PARAGRAPH))[:size]


def source(number: int, size: int) -> str:
    """So many characters of a text of its own, whose words are as long and as frequent as those of English."""
    letters = random.Random("language")
    known = ["".join(letters.choices("etaoinshrdlucmfwygpb", k=letters.randint(2, 9))) for _ in range(MANY)]
    weights = [1 / (place + 3) for place in range(MANY)]
    return " ".join(random.Random(number).choices(known, weights, k=size // 4))[:size]


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


async def hold(store: Path, size: int, rounds: int, debates: int, long: int = 0) -> float:
    """Hold so many debates into a store, over a `long` source where it is given; the seconds that it took."""
    items = []
    for number in range(debates):
        text = source(number, long) if long else f"{number}. {ITEM.fields['source']}"
        fields = {**ITEM.fields, "source": text}
        items.append(ITEM.model_copy(update={"id": f"i{number}", "fields": fields}))
    began = time.perf_counter()
    async with ad.evaluate(
        items, ad.strategy("debate", rounds=rounds), model=model(size), aspects="coherence", store=store
    ) as run:
        async for record in run:
            assert record.verdict is not None
            assert record.verdict.rounds == rounds
    return time.perf_counter() - began


def measured(size: int, rounds: int, debates: int = DEBATES, source: int = 0) -> tuple[float, float]:
    """KB on disk a verdict, the empty store's left out, and verdicts a second."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = []
        for count in (1, debates):
            store = Path(folder) / f"{count}.db"
            seconds = asyncio.run(hold(store, size, rounds, count, source))
            with closing(sqlite3.connect(store)) as there:
                there.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            sizes.append(store.stat().st_size)
        return (sizes[1] - sizes[0]) / (debates - 1) / 1000, debates / seconds


def main() -> int:
    """Print the figures. An aim that is missed is printed as missed, and is the exit code."""
    aims, sizes = list[Aim](), dict[str, float]()
    for what, settings, most in AIMS:
        sizes[what], speed = measured(**settings)
        aims.append(Aim(f"{what}, kB a verdict", sizes[what], most, digits=1))
        print(f"{what}: {speed:.0f} verdicts a second")
    many = measured(90, 64, debates=DEBATES // 4)[0]
    print(f"64 rounds: {many:.1f} kB a verdict")
    aims.append(Aim("64 rounds against 16", many / sizes["16 rounds"], GROWTH))
    print("\n".join(aims_table(aims)))
    return int(any(aim.word != "met" for aim in aims))
