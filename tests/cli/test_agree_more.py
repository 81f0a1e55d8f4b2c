"""agentdebate agree: calibration, differences between judges that choose, scores of both orders; and list conventions."""

from typing import Any

import pytest
from typed import write

PAIRS: list[dict[str, Any]] = [
    {
        "id": number,
        "topic": f"t{number // 2}",
        "best": "AB"[number % 2],
        # `a` and `b` are the scores of the first and the second text, `c` and `d` those of what is shown first and second
        # with the texts swapped.
        "a": 8 - number % 2,
        "b": 7,
        "c": 7 + number % 3,
        "d": 8,
        "said": f"{8 - number % 2} 7",
        "swapped": f"{7 + number % 3} 8",
    }
    for number in range(12)
]


@pytest.fixture(autouse=True)
def _files() -> None:
    write(PAIRS, "pairs.jsonl")
    for name, wrong in (("good", (0,)), ("bad", (0, 1, 2, 3, 4, 5, 6))):
        rows = [
            {"id": row["id"], "best": "tie" if row["id"] in wrong else "12"[row["id"] % 2]} for row in PAIRS
        ]
        write(rows, f"{name}.jsonl")
    write([{"id": n, "q": 1 + n % 5, "r": 2 * (n % 2)} for n in range(20)])
    write([{"id": n, "q": 2 + n % 5, "r": 1 + 2 * (n % 2)} for n in range(20)], "mine.jsonl")
