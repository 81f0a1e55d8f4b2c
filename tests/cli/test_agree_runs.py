"""agentdebate agree on runs of the store."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typed import ITEM, typed, write

from agentdebate.models.base import Model
from agentdebate.testing import replying

TEXTS = [
    {
        "id": f"t{number}",
        "article": f"a{number // 3}",
        "made_by": f"s{number % 3}",
        "people": 1.0 + number % 4,
        **ITEM,
    }
    for number in range(9)
]
COLUMNS = ("--group", "article", "--system", "made_by", "--human", "coherence=people")


def hold(capsys: pytest.CaptureFixture[str], strategy: str, *words: str) -> None:
    """Hold a run over the texts."""
    write(TEXTS)
    done = typed(
        capsys, "run", strategy, "data.jsonl", "--task", "summarization", "--aspects", "coherence", *words
    )
    assert done.code in (0, 1), done.err


def agreed(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    """What the command prints as JSON."""
    done = typed(capsys, "agree", *words, "--json", "--resamples", "20")
    found: dict[str, Any] = json.loads(done.out)
    assert done.code == (1 if any(one["missing"] == one["rows"] for one in found["coverage"]) else 0)
    assert bool(done.err) == any(max(one["share"], one["unread_share"]) > 0.05 for one in found["coverage"])
    return found


class TestScores:
    @pytest.fixture(autouse=True)
    def _held(self, capsys: pytest.CaptureFixture[str]) -> None:
        hold(capsys, "solo", *COLUMNS)

    def test_a_run_is_compared_with_the_scores_that_came_with_its_items(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        found = agreed(capsys, "last", "--statistic", "bias")
        (row,) = found["rows"]
        assert (row["judge"], row["aspect"], row["n"], row["missing"]) == ("solo", "coherence", 9, 0)
        assert "(strategy solo, model offline)" in found["caption"]

    def test_several_runs_are_several_judges(self, capsys: pytest.CaptureFixture[str]) -> None:
        hold(capsys, "multiagent", *COLUMNS)
        first = typed(capsys, "list", "runs", "--json").json[0]["run"]
        found = agreed(capsys, first, "again=last", "--statistic", "bias", "--compare")
        assert [row["judge"] for row in found["rows"]] == ["solo", "again"]
        assert found["comparisons"][0]["difference"] == 0

    def test_peoples_scores_may_be_in_a_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{"text": text["id"], "made_by": text["made_by"], "mean": 3} for text in TEXTS], "people.jsonl")
        words = ("--data", "people.jsonl", "--on", "text", "--human", "coherence=mean", "--statistic", "bias")
        (row,) = agreed(capsys, "last", *words, "--system", "made_by", "--level", "system")["rows"]
        assert (row["n"], row["groups"]) == (9, 3)


def test_a_failed_debate_is_a_missing_score(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I would rather not.", name="openai/mine"))
    hold(capsys, "solo", *COLUMNS)
    (row,) = agreed(capsys, "last", "--statistic", "bias")["rows"]
    assert (row["value"], row["n"], row["missing"]) == (None, 0, 9)
