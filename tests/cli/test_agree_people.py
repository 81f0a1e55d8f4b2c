"""agentdebate agree with people as judges of one another: whose ratings, which texts, which numbers, in which form."""

import csv
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest
from typed import typed, write

from agentdebate.meta.ceiling import ceiling
from agentdebate.meta.judgements import Rated, Ratings
from agentdebate.meta.reliability import reliability

CHANCE = random.Random(5)
TEXTS: list[dict[str, Any]] = [
    {"doc": f"d{doc}", "sys": f"s{system}", "given": [min(max(true + CHANCE.choice([-1, 0, 1]), 1), 5) for _ in range(3)]}
    for doc in range(6)
    for system, true in enumerate(CHANCE.sample(range(1, 6), 4))
]  # fmt: skip
DATA: list[dict[str, Any]] = [
    {
        **text,
        "coherence": round(sum(text["given"]) / 3, 6),
        "mine": text["given"][0] + 0.5,
        "ann": dict(zip("abc", text["given"], strict=True)),
    }
    for text in TEXTS
]
PAIRS = [
    {"id": 1, "best": "A", "pick": "1", "votes": ["A", "A", "B"]},
    {"id": 2, "best": "B", "pick": "2", "votes": ["B", "B", "B"]},
    {"id": 3, "best": "TIE", "pick": "1", "votes": ["A", "TIE", "TIE"]},
    {"id": 4, "best": "A", "pick": "1", "votes": None},
]
PEOPLE = "people, one left out"
QUICK = ("--resamples", "50")
ON = ("--data", "data.jsonl", "--on", "doc,sys", "--group", "doc", "--system", "sys", "--ceiling")
GIVEN = ("--annotators", "coherence=given")
MINE = ("--score", "coherence=mine")
CHOICE = ("--data", "pairs.jsonl", "--choice", "best=pick", "--labels", "A=1,B=2,TIE=tie", "--ceiling")


@pytest.fixture(autouse=True)
def _files() -> None:
    write(DATA)
    write(PAIRS, "pairs.jsonl")


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = typed(capsys, "agree", *words, "--json", *QUICK)
    found: dict[str, Any] = json.loads(done.out)
    assert done.code == (1 if any(one["missing"] == one["rows"] for one in found["coverage"]) else 0)
    assert bool(done.err) == any(max(one["share"], one["unread_share"]) > 0.05 for one in found["coverage"])
    return found


def ratings(rows: list[dict[str, Any]] = TEXTS) -> Ratings:
    """What people gave."""
    return Ratings(
        "coherence",
        tuple(
            Rated(f"{row['doc']}/{row['sys']}", row["doc"], row["sys"], tuple(row["given"])) for row in rows
        ),
    )


class TestScores:
    @pytest.mark.parametrize("level", ["pooled", "group", "system"])
    def test_people_are_one_more_judge_under_the_same_statistic_and_level(
        self, capsys: pytest.CaptureFixture[str], level: Any
    ) -> None:
        words = (*ON, *GIVEN, *MINE, "--statistic", "spearman", "--level", level)
        mine, people = agreed(capsys, *words)["rows"]
        assert (mine["judge"], people["judge"]) == ("data", PEOPLE)
        expected = ceiling(ratings(), "spearman", level).mean
        assert (people["value"], people["n"]) == (pytest.approx(expected.value), 24)
        assert people["low"] < people["high"]

    def test_people_may_stand_alone(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = agreed(capsys, *ON, *GIVEN)["rows"]
        assert {row["judge"] for row in rows} == {PEOPLE}
        assert [row["statistic"] for row in rows] == ["pearson", "spearman", "kendall-b"]

    def test_each_annotator_and_their_reliability_are_in_the_json(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        words = (*ON, *GIVEN, "--statistic", "pearson", "--reliability", "alpha,alpha-ordinal")
        found = agreed(capsys, *words)["people"]
        assert [one["judge"] for one in found["annotators"]] == ["annotator 1", "annotator 2", "annotator 3"]
        assert [one["statistic"] for one in found["reliability"]] == ["alpha", "alpha-ordinal"]
        assert found["reliability"][0]["value"] == pytest.approx(reliability(ratings(), "alpha").value)
        assert (found["kind"], found["count"], found["texts"], found["rated"]) == ("annotator", 3, 24, 24)

    def test_a_csv_has_them_as_rows(self, capsys: pytest.CaptureFixture[str]) -> None:
        words = (*ON, *GIVEN, *MINE, "--statistic", "pearson", "--format", "csv", *QUICK)
        done = typed(capsys, "agree", *words)
        found = [(row["judge"], row["statistic"]) for row in csv.DictReader(io.StringIO(done.out))]
        assert found == [
            ("data", "pearson"),
            (PEOPLE, "pearson"),
            ("people among themselves", "alpha-ordinal"),
        ]

    @pytest.mark.parametrize("form", ["markdown", "latex"])
    def test_other_forms_have_the_reliability_below(
        self, capsys: pytest.CaptureFixture[str], form: str
    ) -> None:
        done = typed(capsys, "agree", *ON, *GIVEN, *MINE, "--format", form, *QUICK)
        assert done.code == 0
        assert done.out.index(PEOPLE) < done.out.index("People among themselves")


class TestChoices:
    def test_people_may_stand_alone_under_a_convention(self, capsys: pytest.CaptureFixture[str]) -> None:
        write(
            [{"question_id": row["id"], "human_label": "TIE", "votes": ["TIE", "CHATGPT"]} for row in PAIRS]
        )
        words = ("--data", "data.jsonl", "--ceiling", "--annotators", "human_label=votes")
        rows = agreed(capsys, *words, "--convention", "faireval")["rows"]
        assert [(row["judge"], row["statistic"], row["value"]) for row in rows] == [
            (PEOPLE, "accuracy", 0.0),
            (PEOPLE, "kappa", 0.0),
        ]


class TestPublished:
    """--as: single ratings in the forms of the datasets' authors."""

    def test_a_form_without_them_says_so(self, capsys: pytest.CaptureFixture[str]) -> None:
        rows = [
            {
                "source": "hello\n\n",
                "system_id": "x",
                "system_output": "yes",
                "context": "_nofact\n",
                "scores": dict.fromkeys(
                    (
                        "understandability",
                        "naturalness",
                        "coherence",
                        "engagingness",
                        "groundedness",
                        "overall",
                    ),
                    1,
                ),
            }
        ]
        Path("topical_chat.json").write_text(json.dumps(rows), encoding="utf-8")
        done = typed(
            capsys, "agree", "--data", "topical_chat.json", "--as", "topical-chat", "--subset", "--ceiling"
        )
        assert done.code == 2
        assert (
            "this form of topical-chat (UniEval's JSON) has none; tc_usr_data.json of its authors" in done.err
        )
