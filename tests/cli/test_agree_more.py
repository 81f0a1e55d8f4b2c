"""agentdebate agree: calibration, differences between judges that choose, scores of both orders; and list conventions."""

import json
from typing import Any

import pytest
from typed import typed, write

QUICK = ("--resamples", "50", "--permutations", "50")
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


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = typed(capsys, "agree", *words, "--json", *QUICK)
    assert (done.code, done.err) == (0, "")
    found: dict[str, Any] = json.loads(done.out)
    return found


class TestCalibration:
    words = (
        "--data",
        "data.jsonl",
        "--scores",
        "mine.jsonl",
        "--on",
        "id",
        "--aspects",
        "q,r",
        "--statistic",
        "pearson",
        "--calibration",
    )

    def test_each_judge_and_aspect_has_a_table_of_bins(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = agreed(capsys, *self.words, "--bins", "2")["calibration"]
        assert [(one["judge"], one["aspect"], one["n"]) for one in found] == [
            ("mine", "q", 20),
            ("mine", "r", 20),
        ]
        assert found[0]["bias"]["value"] == found[0]["mean_absolute_error"]["value"] == 1
        assert found[0]["calibration_error"] == pytest.approx(1)
        assert found[0]["bins"] == [
            {"low": 2, "high": 4, "n": 8, "score": 2.5, "human": 1.5},
            {"low": 4, "high": 6, "n": 12, "score": 5.0, "human": 4.0},
        ]
