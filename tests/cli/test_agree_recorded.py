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


class TestBothOrders:
    figures: ClassVar = {
        "accuracy_first": 0.75, "accuracy_second": 0.25, "accuracy_mean": 0.5, "accuracy_both": 0.25,
        "positional_agreement": 0.5, "positional_kappa": 1 / 9, "shown_first": 4 / 7,
    }  # fmt: skip

    def check(self, one: dict[str, Any]) -> None:
        assert {name: one[name]["value"] for name in self.figures} == pytest.approx(self.figures)
        assert one["n"] == 4
        assert one["reasons"] == {"items without a choice in the first order": 1}

    def test_orders_in_rows_of_their_own_and_judges_of_one_file_come_to_the_same(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        choice = ("--choice", "label=original.won+flip(swapped.won)")
        found = agreed(capsys, "--data", "labels.jsonl", "--scores", "long.jsonl", *ORDERS, *choice)
        assert [one["judge"] for one in found["orders"]] == ["gpt", "claude"]
        for one in found["orders"]:
            self.check(one)

    def test_replies_in_rows_of_their_own_do_too(self, capsys: pytest.CaptureFixture[str]) -> None:
        choice = ("--choice", "label=original.said+flip(swapped.said)")
        found = agreed(capsys, "--data", "labels.jsonl", "--replies", "long.jsonl", *ORDERS, *choice)
        for one in found["orders"]:
            self.check(one)
        assert [one["replies"] for one in found["readings"]] == [5, 5, 5, 5]

    def test_a_condition_says_which_judges_of_a_file_there_are(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        choice = ("--choice", "label=original.won+flip(swapped.won)", "--where", "model=gpt")
        found = agreed(capsys, "--data", "labels.jsonl", "--scores", "long.jsonl", *ORDERS, *choice)
        assert [one["judge"] for one in found["orders"]] == ["gpt"]
        assert found["rows"][0]["reasons"]["rows of long of which model is not 'gpt'"] == 10
        self.check(found["orders"][0])

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--choice", "=d1"), "people's choice is missing before the ="),
            (("--choice", "label=flip(d3)"), "--choice: data.jsonl has no field 'd3'. Known: d1, d2,"),
            (("--choice", "label=d1+d2"), "for the vote of both orders d1+flip(d2)"),
            (("--choice", "label=d1+flip(d2)", "--format", "csv"), "without flip() the vote is another one"),
            (("--choice", "label=d1+flip(d2)", "--orders", "id"), "--on says by which fields the two orders"),
            (("--choice", "label=d1", "--by", "modle"), "--by: data.jsonl has no field 'modle'"),
            (
                ("--choice", "label=d1", "--labels", "1=1,2=2", "--labels", "1=3"),
                "--labels is given twice for '1'",
            ),
        ],
    )
    def test_what_cannot_be_is_said_in_a_line(
        self, words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert said in refused(capsys, "--data", "data.jsonl", *words)


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
    def test_lists_come_with_fleiss_kappa(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Pairs agree in 1/3, 0 and 1 of the cases, 4/9; by chance in (9 + 25 + 1) / 81; so (36 - 35) / (81 - 35)."""
        found = agreed(
            capsys, "--data", "rated.jsonl", "--choice", "majority(votes)=pick", "--statistic", "accuracy"
        )
        assert found["rows"][0]["value"] == pytest.approx(2 / 3)
        (one,) = found["people"]["reliability"]
        assert (one["statistic"], one["value"]) == ("fleiss-kappa", pytest.approx(1 / 46))

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

    @pytest.mark.parametrize("read", ["auto", "last", "pattern=([A-E])\\W*$"])
    def test_replies_are_read_by_the_grades_that_letters_stand_for(
        self, capsys: pytest.CaptureFixture[str], read: str
    ) -> None:
        write(self.REPLIES, "said.jsonl")
        found = agreed(
            capsys, *self.FILES, *self.ERRORS, *GRADES, "--scale", "1-5", "--reply", "said", "--read", read
        )
        assert (found["rows"][0]["value"], found["rows"][0]["n"]) == (0, 3)

    def test_grades_without_a_scale_are_one_and_numbers_on_it_are_read(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(self.REPLIES, "said.jsonl")
        found = agreed(capsys, *self.FILES, "--statistic", "spearman", *GRADES, "--reply", "form")
        assert (found["rows"][0]["value"], found["rows"][0]["n"]) == (1, 3)

    def test_without_grades_letters_are_no_scores(self, capsys: pytest.CaptureFixture[str]) -> None:
        write(self.REPLIES[:2], "said.jsonl")
        done = typed(capsys, "agree", *self.FILES, "--reply", "said", "--scale", "1-5")
        assert "no reply of said could be read by --read auto (no score in it)" in done.err


def caption(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    return str(
        json.loads(typed(capsys, "agree", "--data", "rated.jsonl", *words, "--resamples", "0", "--json").out)[
            "caption"
        ]
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--choice", "pick=flip(flip(mine))"), "not around another flip()"),
        (("--choice", "median(votes)=mine"), "there is no function median()"),
        (("--human", "q=mine", "--score", "q=mine"), "of a grade --grades says which number it stands for"),
        (("--choice", "pick=mine", "--on", "nix"), "--on: rated.jsonl has no field 'nix'. Known: "),
        (
            ("labels.jsonl", "--choice", "pick=mine"),
            "labels.jsonl is a file and no run: --scores labels.jsonl",
        ),
        (("--choice", "pick=mine", "--where", "pick=Z"), "'pick' holds A, tie"),
        (
            (
                "--scores",
                "labels.jsonl",
                "--on",
                "id=item",
                "--human",
                "q=id",
                "--score",
                "q=item",
                "--where",
                "x=1",
            ),
            "labels (labels.jsonl) has no field 'x', nor has rated.jsonl",
        ),
        (
            ("--human", "q=of.*.g", "--score", "q=mine", "--grades", "A=nan"),
            "'nan' of 'A' is not a number that can be used",
        ),
        (
            ("--choice", "pick=pick", "--human", "q=mine"),
            "--human names scores, and with --choice texts are compared",
        ),
        (("--human", "q=s", "--score", "q=s", "--unreadable", "lowest"), "--unreadable is for replies"),
        (("--choice", "majority(pick)=pick"), 'write ["A"] for a single one'),
    ],
)
def test_errors_say_what_to_do(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    done = typed(capsys, "agree", "--data", "rated.jsonl", *words)
    assert done.code == 2
    assert told in done.err


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("a.csv", "id,h,h,s\n1,1,1,1\n", "columns 2 and 3: leave one out or rename it"),
        ("b.csv", "id,h,,s,\n1,1,,1,\n", "columns 3 and 5 have no name"),
        (
            "c.json",
            '[{"id":1,"h":1,"s":1},{"id":1,"h":2,"s":2}]',
            "id = 1 stands in row 1 and again in row 2: leave one of them out",
        ),
    ],
)
def test_what_stands_twice_is_told_with_both_places(
    capsys: pytest.CaptureFixture[str], name: str, text: str, told: str
) -> None:
    Path(name).write_text(text, encoding="utf-8")
    assert (
        told in typed(capsys, "agree", "--data", name, "--on", "id", "--human", "q=h", "--score", "q=s").err
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

    def test_grades_where_none_of_the_words_is(self, capsys: pytest.CaptureFixture[str]) -> None:
        scores = ("--data", "data.jsonl", "--human", "q=label", "--score", "q=d1")
        write([{"id": n, "label": n, "d1": n} for n in range(3)])
        said = refused(capsys, *scores, *GRADES)
        assert "--grades: none of the words A, B, C, D, E stands in label, d1" in said

    def test_grades_of_one_side_or_one_judge_are_enough(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"id": 1, "q": 5}, {"id": 2, "q": 1}])
        write([{"id": 1, "q": "A"}, {"id": 2, "q": "E"}], "letters.jsonl")
        two = ("--scores", "x=data.jsonl", "--scores", "y=letters.jsonl", "--on", "id", "--aspects", "q")
        found = agreed(capsys, "--data", "data.jsonl", *two, *GRADES, "--statistic", "bias")
        assert [one["value"] for one in found["rows"]] == [0, 0]


class TestNumbersOfNoUse:
    @pytest.mark.parametrize("number", ["1e308", "-1e101", "Infinity"])
    def test_a_number_that_nothing_can_be_computed_with_is_an_error_at_its_line(
        self, capsys: pytest.CaptureFixture[str], number: str
    ) -> None:
        Path("data.jsonl").write_text(f'{{"h": 1, "s": 1}}\n{{"h": 2, "s": {number}}}\n', encoding="utf-8")
        said = refused(capsys, "--data", "data.jsonl", "--human", "q=h", "--score", "q=s")
        assert "data.jsonl, line 2, 's': a number is wanted here" in said
        assert "write null for a score that is missing" in said

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

    def test_a_label_that_seems_to_be_peoples_word_for_it_is_asked_about(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{"p": 3, "j": "tie"}, {"p": 1, "j": 1}, {"p": 2, "j": 1}, {"p": 2, "j": 2}])
        words = ("--data", "data.jsonl", "--choice", "p=j", "--statistic", "accuracy")
        said = refused(capsys, *words)
        assert "says 'tie', which people never say in 'p', and never '3', which they do" in said
        assert "--labels 1=1,2=2,3=tie;" in said
        for labels, value in (("1=1,2=2,3=tie", 3 / 4), ("1=1,2=2,3=3,tie=tie", 2 / 4)):
            (row,) = agreed(capsys, *words, "--labels", labels)["rows"]
            assert row["value"] == pytest.approx(value)


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


def test_where_nothing_joins_a_field_of_few_labels_is_not_proposed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said = refused(
        capsys, "--data", "labels.jsonl", "--scores", "long.jsonl", "--on", "item=id", "--choice", "label=won"
    )
    assert "is about a text of labels.jsonl (1, 2, 3, ...)" in said
    assert "--on item=won" not in said
    assert "The names there hold values of 'model', 'order': --by and --orders take such words" in said


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
