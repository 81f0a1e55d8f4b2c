"""agentdebate agree on recorded judgements: both orders, several judges in a file, people's lists, letters, unlike scales."""

import json
from pathlib import Path
from typing import Any, ClassVar

import pytest
from typed import typed, write

PAIRS: list[dict[str, Any]] = [
    {"id": 1, "label": 1, "d1": 1, "d2": 2, "r1": "Output (a) is better.", "r2": "Output (b) is better."},
    {"id": 2, "label": 1, "d1": 1, "d2": 1, "r1": "Output (a) is better.", "r2": "Output (a) is better."},
    {"id": 3, "label": 2, "d1": 2, "d2": "tie", "r1": "Output (b) is better.", "r2": "It is a tie."},
    {"id": 4, "label": 2, "d1": None, "d2": 1, "r1": "", "r2": "Output (a) is better."},
    {"id": 5, "label": 2, "d1": 1, "d2": 2, "r1": "Output (a) is better.", "r2": "Output (b) is better."},
]
LONG = [
    {
        "id": f"{pair['id']}-{model}-{order}",
        "model": model,
        "order": order,
        "won": pair[field],
        "said": pair[f"r{field[1]}"],
    }
    for model in ("gpt", "claude")
    for pair in PAIRS
    for order, field in (("original", "d1"), ("swapped", "d2"))
]
RATED: list[dict[str, Any]] = [
    {
        "id": 1,
        "votes": ["A", "A", "B"],
        "pick": "A",
        "of": [{"s": 4, "g": "B"}, {"s": 5, "g": "A"}],
        "mine": "A",
    },
    {
        "id": 2,
        "votes": ["A", "B", "tie"],
        "pick": "tie",
        "of": [{"s": 1, "g": "E"}, {"s": 3, "g": "C"}],
        "mine": "D",
    },
    {
        "id": 3,
        "votes": ["B", "B", "B"],
        "pick": "A",
        "of": [{"s": 3, "g": "C"}, {"s": 3, "g": "C"}],
        "mine": "C",
    },
]
GRADES = ("--grades", "A=5,B=4,C=3,D=2,E=1")
ORDERS = ("--on", "item=id", "--by", "model", "--orders", "order=original,swapped")


@pytest.fixture(autouse=True)
def _files() -> None:
    write(PAIRS)
    write(LONG, "long.jsonl")
    write([{"item": pair["id"], "label": pair["label"]} for pair in PAIRS], "labels.jsonl")
    write(RATED, "rated.jsonl")


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = typed(capsys, "agree", *words, "--json", "--resamples", "20")
    assert done.code == 0
    assert all(line.startswith("warning: ") for line in done.err.splitlines())
    found: dict[str, Any] = json.loads(done.out)
    return found


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """The one line that a wrong command line gets."""
    done = typed(capsys, "agree", *words)
    assert (done.code, done.out) == (2, "")
    assert len(done.err.splitlines()) == 1
    return done.err


class TestLabels:
    def test_a_judge_may_have_several_words_for_one_of_peoples_labels(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{"label": "TIE", "pick": word} for word in ("Same", "tie", "A")])
        labels = ("--labels", "GPT=A,LLAMA=B,TIE=Same,tie")
        (row,) = agreed(
            capsys, "--data", "data.jsonl", "--choice", "label=pick", *labels, "--statistic", "accuracy"
        )["rows"]
        assert row["value"] == pytest.approx(2 / 3)


class TestPeople:
    def test_each_person_may_count(self, capsys: pytest.CaptureFixture[str]) -> None:
        found = agreed(
            capsys, "--data", "rated.jsonl", "--choice", "each(votes)=pick", "--statistic", "accuracy"
        )
        assert (found["rows"][0]["n"], found["rows"][0]["value"]) == (9, pytest.approx(3 / 9))

    @pytest.mark.parametrize(
        ("human", "bias", "n"),
        [("of.*.g", 0.5 / 3, 3), ("majority(of.*.g)", 0, 1), ("each(of.*.s)", 1 / 6, 6)],
    )
    def test_letters_and_lists_of_objects_are_scores(
        self, human: str, bias: float, n: int, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("--human", f"q={human}", "--score", "q=mine", "--statistic", "bias", *GRADES)
        (row,) = agreed(capsys, "--data", "rated.jsonl", *words)["rows"]
        assert (row["n"], row["value"]) == (n, pytest.approx(bias))


class TestLetters:
    REPLIES: ClassVar[list[dict[str, Any]]] = [
        {"id": 1, "human": 5, "said": "I would give it an A.", "form": '{"quality": "A"}'},
        {"id": 2, "human": 2, "said": "A good try.\n\nGrade: D", "form": "Quality: D"},
        {"id": 3, "human": 3, "said": "**C**", "form": "Quality: 3"},
    ]
    FILES = ("--data", "said.jsonl", "--replies", "said.jsonl", "--on", "id", "--human", "quality=human")
    ERRORS = ("--statistic", "mean-absolute-error")

    def test_grades_without_a_scale_are_one_and_numbers_on_it_are_read(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(self.REPLIES, "said.jsonl")
        found = agreed(capsys, *self.FILES, "--statistic", "spearman", *GRADES, "--reply", "form")
        assert (found["rows"][0]["value"], found["rows"][0]["n"]) == (1, 3)


def caption(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    return str(
        json.loads(typed(capsys, "agree", "--data", "rated.jsonl", *words, "--resamples", "0", "--json").out)[
            "caption"
        ]
    )


class TestNoPeople:
    ORDERS = ("--data", "data.jsonl", "--choice", "=d1+flip(d2)")

    @pytest.mark.parametrize(
        "words",
        [("--statistic", "accuracy"), ("--level", "pooled"), ("--compare",)],
        ids=lambda words: words[0],
    )
    def test_options_about_people_are_refused(
        self, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
    ) -> None:
        assert f"{words[0]} is about agreement with people, and before the =" in refused(
            capsys, *self.ORDERS, *words
        )

    def test_so_is_calibration(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert "--calibration is for scores" in refused(capsys, *self.ORDERS, "--calibration")


class TestWhatHasNoEffect:
    def test_aspects_of_choices(self, capsys: pytest.CaptureFixture[str]) -> None:
        said = refused(capsys, "--data", "data.jsonl", "--choice", "label=d1", "--aspects", "label")
        assert "--aspects names scores, and with --choice texts are compared" in said

    def test_grades_of_one_side_or_one_judge_are_enough(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"id": 1, "q": 5}, {"id": 2, "q": 1}])
        write([{"id": 1, "q": "A"}, {"id": 2, "q": "E"}], "letters.jsonl")
        two = ("--scores", "x=data.jsonl", "--scores", "y=letters.jsonl", "--on", "id", "--aspects", "q")
        found = agreed(capsys, "--data", "data.jsonl", *two, *GRADES, "--statistic", "bias")
        assert [one["value"] for one in found["rows"]] == [0, 0]


class TestNumbersOfNoUse:
    def test_thousands_of_digits_are_named_as_what_they_are(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("data.jsonl").write_text(f'{{"h": {"1" * 5001}, "s": 1}}\n', encoding="utf-8")
        said = refused(capsys, "--data", "data.jsonl", "--human", "q=h", "--score", "q=s")
        assert "line 1: this JSON has a number of more than 4,300 digits" in said
        assert "set_int_max_str_digits" not in said


class TestPeopleInPlainLists:
    ROWS: ClassVar[list[dict[str, Any]]] = [
        {"id": 1, "r": [1, 1, 2], "of": [{"s": 1}, {"s": 1}, {"s": 2}], "s": 1},
        {"id": 2, "r": [3, 3, 3], "of": [{"s": 3}, {"s": 3}, {"s": 3}], "s": 3},
        {"id": 3, "r": [2, 3, 1], "of": [{"s": 2}, {"s": 3}, {"s": 1}], "s": 2},
    ]

    def test_a_number_among_lists_is_a_single_rating(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([*self.ROWS, {"id": 4, "r": 2, "s": 2}])
        words = ("--data", "data.jsonl", "--human", "q=r", "--score", "q=s", "--statistic", "bias")
        found = agreed(capsys, *words, "--reliability", "fleiss-kappa,alpha")
        assert [one["statistic"] for one in found["people"]["reliability"]] == ["fleiss-kappa", "alpha"]
        assert (found["rows"][0]["n"], found["people"]["reliability"][0]["n"]) == (4, 3)

    def test_single_numbers_are_nobody_in_particular(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = ("--data", "data.jsonl", "--human", "q=id", "--score", "q=label", "--statistic", "bias")
        assert "people" not in agreed(capsys, *words)


class TestWordsForATie:
    def test_people_and_judge_may_write_it_differently(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"p": "Tie", "j": "tie"}, {"p": "A", "j": "A"}, {"p": "B", "j": "A"}])
        (row,) = agreed(capsys, "--data", "data.jsonl", "--choice", "p=j", "--statistic", "accuracy")["rows"]
        assert row["value"] == pytest.approx(2 / 3)


class TestCoverageOfChoices:
    def test_csv_has_peoples_labels(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = (
            "--data",
            "data.jsonl",
            "--choice",
            "label=d1",
            "--statistic",
            "accuracy",
            "--resamples",
            "0",
        )
        head, line = typed(capsys, "agree", *words, "--format", "csv").out.splitlines()
        cells = dict(zip(head.split(","), line.split(","), strict=True))
        assert cells["coverage_people_labels_judged"] == "1: 0.5; 2: 0.5"
        assert cells["coverage_people_labels_missing"] == "2: 1"


def test_letters_of_people_are_the_letters_that_replies_name(capsys: pytest.CaptureFixture[str]) -> None:
    said = {"1": ("A", "A is better."), "2": ("B", "I think that B is better."), "3": ("A", "[[B]]")}
    write([{"id": name, "label": label} for name, (label, _) in said.items()], "people.jsonl")
    write([{"id": name, "reply": reply} for name, (_, reply) in said.items()], "replies.jsonl")
    words = (
        "agree",
        "--data",
        "people.jsonl",
        "--replies",
        "replies.jsonl",
        "--choice",
        "label=reply",
        "--on",
        "id",
    )
    came = typed(capsys, *words, "--statistic", "accuracy", "--json")
    assert came.code == 0
    assert [row["value"] for row in came.json[0]["rows"]] == [pytest.approx(2 / 3)]


def test_a_tie_in_replies_is_one_though_people_never_tie(capsys: pytest.CaptureFixture[str]) -> None:
    write([{"id": "1", "label": "a"}, {"id": "2", "label": "b"}], "people.jsonl")
    write(
        [{"id": "1", "reply": "A"}, {"id": "2", "reply": "Both are equally good. It is a tie."}],
        "replies.jsonl",
    )
    words = (
        "agree",
        "--data",
        "people.jsonl",
        "--replies",
        "replies.jsonl",
        "--choice",
        "label=reply",
        "--on",
        "id",
    )
    came = typed(capsys, *words, "--statistic", "accuracy", "--json")
    assert came.code == 0
    assert [row["value"] for row in came.json[0]["rows"]] == [0.5]
