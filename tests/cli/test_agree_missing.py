"""agentdebate agree where judgements are missing: what is said of them, and what they count as."""

from typing import Any

import pytest
from typed import write

TEXTS: list[dict[str, Any]] = [
    {"id": str(number), "kind": "odd" if number % 2 else "even", "coherence": 1 + number % 5}
    for number in range(100)
]
REPLIES = [
    {
        "id": text["id"],
        "way": way,
        "out": (text["coherence"] > 2 and way == "a" and f"Coherence: {text['coherence']}") or "No.",
    }
    for way in ("a", "b")
    for text in TEXTS
]
PAIRS = [
    {"id": number, "best": best, "pick": pick}
    for number, (best, pick) in enumerate([("X", "1"), ("Y", "2"), ("T", None), ("X", None), ("Y", "1")])
]


@pytest.fixture(autouse=True)
def _files() -> None:
    write(TEXTS)
    write(REPLIES, "raw.jsonl")
    write(PAIRS, "pairs.jsonl")
