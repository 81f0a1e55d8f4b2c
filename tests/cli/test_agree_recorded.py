"""agentdebate agree on recorded judgements: both orders, several judges in a file, people's lists, letters, unlike scales."""

from pathlib import Path
from typing import Any

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


@pytest.fixture(autouse=True)
def _files() -> None:
    write(PAIRS)
    write(LONG, "long.jsonl")
    write([{"item": pair["id"], "label": pair["label"]} for pair in PAIRS], "labels.jsonl")
    write(RATED, "rated.jsonl")


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
