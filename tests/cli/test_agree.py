"""agentdebate agree on files: whose scores, which rows, which numbers, in which form."""

import json
from pathlib import Path
from typing import Any

import pytest
from typed import Typed, typed, write

TEXTS: list[dict[str, Any]] = [
    {
        "doc": f"d{doc}",
        "sys": f"s{system}",
        "coherence": 1 + (doc + system) % 5,
        "fluency": 1 + doc * system % 3,
    }
    for doc in range(6)
    for system in range(4)
]
PREDICTED = [
    {**text, "coherence": text["coherence"] + 0.1 * number, "fluency": -text["fluency"]}
    for number, text in enumerate(TEXTS)
]
PAIRS = [
    {"id": 1, "best": "GPT", "pick": "1", "a": 8, "b": 6},
    {"id": 2, "best": "GPT", "pick": "2", "a": 6, "b": 8},
    {"id": 3, "best": "LLAMA", "pick": "2", "a": 6, "b": 8},
    {"id": 4, "best": "TIE", "pick": "tie", "a": 7, "b": 7},
    {"id": 5, "best": "TIE", "pick": None, "a": 7, "b": None},
]
ON = ("--data", "data.jsonl", "--scores", "mine.jsonl", "--on", "doc,sys", "--aspects", "coherence,fluency")
LABELS = ("--labels", "GPT=1,LLAMA=2,TIE=tie")
QUICK = ("--resamples", "50", "--permutations", "50")


@pytest.fixture(autouse=True)
def _files() -> None:
    write(TEXTS)
    write(PREDICTED[::-1], "mine.jsonl")
    write(PAIRS, "pairs.jsonl")


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = typed(capsys, "agree", *words, "--json", *QUICK)
    assert done.code == 0
    found: dict[str, Any] = json.loads(done.out)
    assert bool(done.err) == any(max(one["share"], one["unread_share"]) > 0.05 for one in found["coverage"])
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a wrong command line gets."""
    done = typed(capsys, "agree", *words)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    return done.err


class TestScores:
    def test_scores_may_stand_in_the_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("--score", "coherence=fluency", "--statistic", "spearman")
        (row,) = agreed(capsys, "--data", "data.jsonl", *words)["rows"]
        assert (row["judge"], row["n"]) == ("data", 24)

    def test_whole_scores_may_be_compared_as_labels(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("--score", "coherence=coherence", "--statistic", "accuracy,kappa-quadratic")
        rows = agreed(capsys, "--data", "data.jsonl", *words)["rows"]
        assert [row["value"] for row in rows] == [1.0, 1.0]

    def test_the_same_command_prints_the_same(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert agreed(capsys, *ON) == agreed(capsys, *ON)


class TestJudges:
    def test_several_judges_stand_in_one_table(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "agree", *ON, "--scores", "same=data.jsonl", "--statistic", "pearson", *QUICK)
        lines = done.out.splitlines()
        assert [line.split()[0] for line in lines[3:7:2]] == ["mine", "same"]
        assert "*1.000" in lines[5]

    def test_each_file_may_name_the_fields_in_its_own_way(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**row, "article": row["doc"], "doc": None} for row in PREDICTED], "other.jsonl")
        renamed = [
            {k: v for k, v in {**row, "article": row["doc"]}.items() if k != "doc"} for row in PREDICTED
        ]
        write(renamed, "other.jsonl")
        words = (
            "--data",
            "data.jsonl",
            "--scores",
            "other.jsonl",
            "--scores",
            "mine.jsonl",
            "--on",
            "doc=article,sys",
        )
        rows = agreed(capsys, *words, "--aspects", "coherence", "--statistic", "pearson")["rows"]
        assert [row["n"] for row in rows] == [24, 24]


class TestReplies:
    @pytest.fixture(autouse=True)
    def _replies(self) -> None:
        rows = [
            {
                "doc": text["doc"],
                "sys": text["sys"],
                "out": [f"Coherence: {text['coherence']}", "I cannot tell."],
            }
            for text in TEXTS
        ]
        write(rows, "raw.jsonl")

    def words(self, *more: str) -> tuple[str, ...]:
        return (
            "--data", "data.jsonl", "--replies", "raw.jsonl", "--reply", "out", "--on", "doc,sys",
            "--aspects", "coherence", "--statistic", "pearson", *more,
        )  # fmt: skip

    def test_replies_may_stand_in_the_data(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**text, "out": str(text["coherence"])} for text in TEXTS])
        words = ("--data", "data.jsonl", "--reply", "out", "--scale", "1-5", "--aspects", "coherence")
        found = agreed(capsys, *words, "--where", "doc!=d0", "--statistic", "pearson")
        assert (found["rows"][0]["value"], found["rows"][0]["n"]) == (pytest.approx(1), 20)


class TestChoices:
    def words(self, choice: str, *more: str) -> tuple[str, ...]:
        return ("--data", "pairs.jsonl", "--choice", choice, *LABELS, *more)

    @pytest.mark.parametrize("choice", ["best=pick", "best=a,b"])
    def test_choices_are_compared_and_no_choice_is_no_tie(
        self, capsys: pytest.CaptureFixture[str], choice: str
    ) -> None:
        accuracy, kappa = agreed(capsys, *self.words(choice))["rows"]
        assert (accuracy["statistic"], accuracy["value"], accuracy["n"], accuracy["missing"]) == (
            "accuracy",
            0.75,
            4,
            1,
        )
        assert kappa["value"] == pytest.approx(7 / 11)

    @pytest.mark.parametrize(
        ("more", "said"),
        [
            (("--statistic", "spearman"), "spearman is not a statistic of choices"),
            (("--level", "group"), "choices have one level, pooled"),
            (("--labels", "LLAMAS=3"), "--labels is given twice"),
        ],
    )
    def test_what_suits_no_choices_is_an_error(
        self, capsys: pytest.CaptureFixture[str], more: tuple[str, ...], said: str
    ) -> None:
        more = ("--labels", "GPT=3") if more[0] == "--labels" else more
        assert said in refused(capsys, *self.words("best=pick", *more))


class TestForms:
    def test_csv_is_a_line_a_number_and_the_caption_is_beside_it(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = typed(capsys, "agree", *ON, "--statistic", "pearson", "--format", "csv", *QUICK)
        assert [line.split(",")[:4] for line in done.out.splitlines()[1:]] == [
            ["mine", "coherence", "pearson", "pooled"],
            ["mine", "fluency", "pearson", "pooled"],
        ]
        assert done.err.startswith("Agreement with people: Pearson's r")

    @pytest.mark.parametrize(
        ("form", "begins"), [("markdown", "**Pearson"), ("latex", "% needs"), ("text", "Pearson")]
    )
    def test_a_table_goes_into_a_file(
        self, capsys: pytest.CaptureFixture[str], form: str, begins: str
    ) -> None:
        words = ("--statistic", "pearson", "--format", form, "--output", "table.out", *QUICK)
        done = typed(capsys, "agree", *ON, *words)
        assert (done.code, done.out) == (0, "")
        assert Path("table.out").read_text(encoding="utf-8").startswith(begins)

    def test_a_table_fits_eighty_columns(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("COLUMNS", "80")
        words = ("--scores", "another=data.jsonl", "--group", "doc", "--compare", *QUICK)
        done = typed(capsys, "agree", *ON, *words)
        assert max(map(len, done.out.splitlines())) <= 80


def test_a_csv_of_scores_joins_numbers_as_they_read(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"id": number, "quality": number % 4} for number in range(8)])
    lines = ["id,quality", *(f"{number},{number % 4}" for number in range(8))]
    Path("mine.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    words = (
        "--data",
        "data.jsonl",
        "--scores",
        "mine.csv",
        "--on",
        "id",
        "--aspects",
        "quality",
        "--statistic",
        "pearson",
    )
    (row,) = agreed(capsys, *words)["rows"]
    assert (row["n"], row["value"]) == (8, pytest.approx(1))


def test_help_shows_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    done: Typed = typed(capsys, "agree", "--help")
    assert "Example: agentdebate agree --data" in " ".join(done.out.split())
