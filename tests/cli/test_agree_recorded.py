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
        "id": pair["id"],
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


class TestLetters:
    REPLIES: ClassVar[list[dict[str, Any]]] = [
        {"id": 1, "human": 5, "said": "I would give it an A.", "form": '{"quality": "A"}'},
        {"id": 2, "human": 2, "said": "A good try.\n\nGrade: D", "form": "Quality: D"},
        {"id": 3, "human": 3, "said": "**C**", "form": "Quality: 3"},
    ]
    FILES = ("--data", "said.jsonl", "--replies", "said.jsonl", "--on", "id", "--human", "quality=human")
    ERRORS = ("--statistic", "mean-absolute-error")

    @pytest.mark.parametrize("read", ["auto", "pattern=([A-E])\\W*$"])
    def test_replies_are_read_by_the_grades_that_letters_stand_for(
        self, capsys: pytest.CaptureFixture[str], read: str
    ) -> None:
        write(self.REPLIES, "said.jsonl")
        found = agreed(
            capsys, *self.FILES, *self.ERRORS, *GRADES, "--scale", "1-5", "--reply", "said", "--read", read
        )
        assert (found["rows"][0]["value"], found["rows"][0]["n"]) == (0, 3)


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
