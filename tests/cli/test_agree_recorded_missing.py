"""agentdebate agree on recorded judgements of which some are missing, with conditions on rows."""

import json
from typing import Any

import pytest
from typed import Typed, typed, write

PAIRS: list[dict[str, Any]] = [
    {"id": 1, "kind": "a", "label": 1, "r1": "Output (a) is better.", "r2": "Output (b) is better."},
    {"id": 2, "kind": "a", "label": 2, "r1": "Output (b) is better.", "r2": "I cannot say."},
    {"id": 3, "kind": "a", "label": 1, "r1": "I cannot say.", "r2": "I cannot say."},
    {"id": 4, "kind": "a", "label": 2, "r1": "Output (a) is better.", "r2": "Output (a) is better."},
    {"id": 5, "kind": "b", "label": 1, "r1": "I cannot say.", "r2": "I cannot say."},
]
LONG = [
    {"item": pair["id"], "model": model, "run": run, "order": order, "said": pair[field]}
    for model in ("gpt", "claude")
    for pair in PAIRS
    for run in ("new" if pair["id"] < 5 else "old",)
    for order, field in (("original", "r1"), ("swapped", "r2"))
]
LABELS = [{"id": pair["id"], "kind": pair["kind"], "label": pair["label"]} for pair in PAIRS]
VOTE = ("--choice", "label=r1+flip(r2)", "--read", "auto", "--statistic", "accuracy")
APART = (
    "--data", "labels.jsonl", "--replies", "long.jsonl", "--on", "id=item", "--by", "model", "--orders",
    "order=original,swapped", "--choice", "label=original.said+flip(swapped.said)", "--statistic", "accuracy",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _files() -> None:
    write(PAIRS)
    write(LONG, "long.jsonl")
    write(LABELS, "labels.jsonl")


def shown(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[Typed, dict[str, Any]]:
    done = typed(capsys, "agree", *words, "--json", "--resamples", "0")
    return done, json.loads(done.out)


class TestVotesOfReplies:
    def test_samples_of_one_field_are_counted_once(self, capsys: pytest.CaptureFixture[str]) -> None:
        write(
            [{"id": 1, "label": 1, "out": ["Output (a) is better.", "No."]}, {"id": 2, "label": 2, "out": []}]
        )
        _, found = shown(capsys, "--data", "data.jsonl", "--choice", "label=majority(out)", "--read", "auto")
        (covered,) = found["coverage"]
        assert [covered[name] for name in ("rows", "missing", "replies", "unread")] == [2, 1, 2, 1]

    def test_nothing_that_can_be_read_is_exit_code_1_also_without_people(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = ("--data", "data.jsonl", "--read", "auto", "--where", "kind=b")
        for choice in ("label=r1+flip(r2)", "=r1+flip(r2)"):
            done, found = shown(capsys, *words, "--choice", choice)
            assert done.code == 1
            assert (found["coverage"][0]["rows"], found["coverage"][0]["missing"]) == (1, 1)
            assert "no reply of data" in done.err


class TestJudgesOfOneFile:
    def test_each_has_what_is_missing_and_its_orders(self, capsys: pytest.CaptureFixture[str]) -> None:
        _, found = shown(capsys, *APART, "--missing", "wrong")
        assert [(one["judge"], one["rows"], one["missing"]) for one in found["coverage"]] == [
            ("gpt", 5, 3),
            ("claude", 5, 3),
        ]
        assert [(one["value"], one["n"]) for one in found["rows"]] == [(pytest.approx(1 / 5), 5)] * 2
        assert [one["n"] for one in found["orders"]] == [5, 5]
        printed = typed(capsys, "agree", *APART, "--resamples", "0").out
        assert "Missing judgements\n" in printed
        assert "Both orders, label\n" in printed

    def test_a_judge_that_a_condition_takes_away_leaves_the_others_missing_as_they_are(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        _, found = shown(capsys, *APART, "--where", "model=gpt", "--where", "kind=a")
        assert [(one["judge"], one["rows"], one["missing"]) for one in found["coverage"]] == [("gpt", 4, 2)]
        assert [one["replies"] for one in found["readings"]] == [4, 4]

    def test_scores_that_are_missing_are_wrong_on_a_scale_that_was_given(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write(
            [
                {"id": number, "model": model, "q": 5, "mine": "A" if number > 1 else None}
                for model in ("x", "y")
                for number in (1, 2)
            ]
        )
        words = ("--data", "data.jsonl", "--by", "model", "--score", "q=mine", "--grades", "A=5,B=4")
        _, found = shown(
            capsys, *words, "--statistic", "mean-absolute-error", "--missing", "wrong", "--scale", "1-5"
        )
        assert [(one["judge"], one["value"], one["n"]) for one in found["rows"]] == [("x", 2, 2), ("y", 2, 2)]


class TestPeople:
    def test_a_text_with_a_row_for_every_person_is_one_text(self, capsys: pytest.CaptureFixture[str]) -> None:
        write(
            [
                {"id": 1, "votes": ["A", "A", "B"], "pick": None, "q": [1, 2, 3], "s": 2},
                {"id": 2, "votes": ["A"], "pick": "A", "q": [3], "s": None},
            ]
        )
        _, found = shown(capsys, "--data", "data.jsonl", "--choice", "each(votes)=pick", "--missing", "wrong")
        assert (found["coverage"][0]["rows"], found["coverage"][0]["missing"]) == (2, 1)
        assert found["coverage"][0]["people_labels_missing"] == pytest.approx({"A": 2 / 3, "B": 1 / 3})
        assert found["rows"][0]["n"] == 4
        words = ("--human", "q=each(q)", "--score", "q=s", "--statistic", "bias")
        _, found = shown(capsys, "--data", "data.jsonl", *words)
        assert (found["coverage"][0]["rows"], found["coverage"][0]["missing"]) == (2, 1)
