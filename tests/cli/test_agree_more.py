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

    def test_replies_of_both_orders_come_to_the_same(self, capsys: pytest.CaptureFixture[str]) -> None:
        scores = agreed(capsys, *self.words, "--choice", "best=a+d,b+c")["rows"]
        read = ("--choice", "best=said+swapped", "--read", r"pattern=(\d) (\d)")
        write([{name: row[name] for name in ("id", "said", "swapped")} for row in PAIRS], "raw.jsonl")
        replies = agreed(capsys, *self.words, "--replies", "raw.jsonl", "--on", "id", *read)["rows"]
        within = agreed(capsys, *self.words, *read)["rows"]
        assert replies[0]["value"] == within[0]["value"] == scores[0]["value"]

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--choice", "best=a+e,b+c"), "--choice: pairs.jsonl has no field 'e'"),
            (("--choice", "best=a+,b+c"), "the name of a field is missing, at ',b+c' (character 8)"),
            (("--choice", "best=a+b"), "a choice is not a number that could be added"),
            (("--choice", "best=said+a+b", "--read", r"pattern=(\d) (\d)"), "FIELD=FIELD+FIELD"),
            (("--choice", "best=said,swapped", "--read", r"pattern=(\d) (\d)"), "FIELD=FIELD+FIELD"),
            (("--choice", "best=said+swapped", "--read", r"pattern=(\d)"), "a pattern with 2 groups, not 1"),
        ],
    )
    def test_what_cannot_be_added_is_an_error(
        self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
    ) -> None:
        done = typed(capsys, "agree", *self.words, *words)
        assert (done.code, done.out) == (2, "")
        assert said in done.err


class TestCalibration:
    words = (
        "--data",
        "data.jsonl",
        "--scores",
        "mine.jsonl",
        "--on",
        "id",
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

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            ((*words, "--format", "csv"), "leave out --calibration"),
            ((*words, "--bins", "0"), "at least one bin, not 0"),
            (
                ("--data", "pairs.jsonl", "--choice", "best=a,b", *LABELS, "--calibration"),
                "--calibration is for scores",
            ),
        ],
    )
    def test_wrong_input_is_named(
        self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
    ) -> None:
        assert said in typed(capsys, "agree", *words).err


class TestConventions:
    def test_json_has_a_line_a_convention(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = typed(capsys, "list", "conventions", "--json").json
        assert [row["name"] for row in rows] == list(CONVENTIONS)
        assert rows[0]["statistics"] == ["spearman", "kendall-b"]
        assert rows[0]["group"] == "article_id"
