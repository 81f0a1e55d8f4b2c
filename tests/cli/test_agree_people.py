"""agentdebate agree with people as judges of one another: whose ratings, which texts, which numbers, in which form."""

import random
from typing import Any

import pytest
from typed import write

CHANCE = random.Random(5)
TEXTS: list[dict[str, Any]] = [
    {"doc": f"d{doc}", "sys": f"s{system}", "given": [min(max(true + CHANCE.choice([-1, 0, 1]), 1), 5) for _ in range(3)]}
    for doc in range(6)
    for system, true in enumerate(CHANCE.sample(range(1, 6), 4))
]  # fmt: skip
DATA: list[dict[str, Any]] = [
    {
        **text,
        "coherence": round(sum(text["given"]) / 3, 6),
        "mine": text["given"][0] + 0.5,
        "ann": dict(zip("abc", text["given"], strict=True)),
    }
    for text in TEXTS
]
PAIRS = [
    {"id": 1, "best": "A", "pick": "1", "votes": ["A", "A", "B"]},
    {"id": 2, "best": "B", "pick": "2", "votes": ["B", "B", "B"]},
    {"id": 3, "best": "TIE", "pick": "1", "votes": ["A", "TIE", "TIE"]},
    {"id": 4, "best": "A", "pick": "1", "votes": None},
]


@pytest.fixture(autouse=True)
def _files() -> None:
    write(DATA)
    write(PAIRS, "pairs.jsonl")
