"""agentdebate agree: calibration, differences between judges that choose, scores of both orders; and list conventions."""

import json
from typing import Any

import pytest
from typed import typed, write

from agentdebate.meta.conventions import CONVENTIONS

QUICK = ("--resamples", "50", "--permutations", "50")
LABELS = ("--labels", "A=1,B=2,TIE=tie")
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


class TestDifferences:
    words = (
        "--data", "pairs.jsonl", "--scores", "good.jsonl", "--scores", "bad.jsonl", "--on", "id", "--choice", "best=best",
        *LABELS, "--compare",
    )  # fmt: skip

    def test_the_table_is_printed(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "good less bad: Accuracy, pooled" in typed(capsys, "agree", *self.words, *QUICK).out

    def test_scores_that_are_labels_are_compared_too(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = (
            "--data",
            "data.jsonl",
            "--scores",
            "mine.jsonl",
            "--scores",
            "same=data.jsonl",
            "--on",
            "id",
            "--aspects",
            "q",
        )
        (spearman, kappa) = agreed(capsys, *words, "--statistic", "bias,kappa-linear", "--compare")[
            "comparisons"
        ]
        assert (spearman["statistic"], spearman["difference"]) == ("bias", 1)
        assert (kappa["statistic"], kappa["level"], kappa["test"]) == (
            "kappa-linear",
            "pooled",
            "permutation",
        )
        assert kappa["difference"] < 0


class TestBothOrders:
    words = ("--data", "pairs.jsonl", *LABELS, "--statistic", "accuracy")

    def test_scores_of_the_swapped_run_are_added_to_the_same_text(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """Sums are 16 and 7 + 7, 8 or 9 where the first text is best, and 15 and as much where the second is."""
        (row,) = agreed(capsys, *self.words, "--choice", "best=a+d,b+c")["rows"]
        expected = []
        for pair in PAIRS:
            one, other = pair["a"] + pair["d"], pair["b"] + pair["c"]
            expected.append("A" if one > other else "B" if other > one else "TIE")
        right = sum(pair["best"] == choice for pair, choice in zip(PAIRS, expected, strict=True))
        assert 0 < right < len(PAIRS)
        assert {"A", "B", "TIE"} == set(expected)
        assert row["value"] == pytest.approx(right / len(PAIRS))


class TestConventions:
    def test_json_has_a_line_a_convention(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = typed(capsys, "list", "conventions", "--json").json
        assert [row["name"] for row in rows] == list(CONVENTIONS)
        assert rows[0]["statistics"] == ["spearman", "kendall-b"]
        assert rows[0]["group"] == "article_id"
