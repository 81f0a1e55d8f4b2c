"""agentdebate agree with people as judges of one another: whose ratings, which texts, which numbers, in which form."""

import json
import random
from typing import Any

import pytest
from typed import typed, write

from agentdebate.meta.ceiling import ceiling
from agentdebate.meta.judgements import Rated, Ratings

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
