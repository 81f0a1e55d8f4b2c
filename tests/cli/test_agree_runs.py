"""agentdebate agree on runs of the store."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from typed import ITEM, typed, write

from agentdebate.datasets.goyal2022 import best_is_first
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
BEST_SHOWN_FIRST = sum(best_is_first(f"cnn-{number}") for number in range(8))


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


def test_a_failed_debate_is_a_missing_score(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    speaks(replying("I would rather not.", name="openai/mine"))
    hold(capsys, "solo", *COLUMNS)
    (row,) = agreed(capsys, "last", "--statistic", "bias")["rows"]
    assert (row["value"], row["n"], row["missing"]) == (None, 0, 9)


def test_a_run_without_peoples_scores_says_where_they_could_be(capsys: pytest.CaptureFixture[str]) -> None:
    hold(capsys, "solo")
    done = typed(capsys, "agree", "last")
    assert done.code == 2
    assert "hold it with --human, or say where they are with --data and --on" in done.err


def test_a_run_is_compared_with_the_choices_that_came_with_its_items(
    capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]
) -> None:
    """The human study's pairs have scores of people's, 1 for the better text and 0 for the other."""
    speaks(replying("Summary A: 8\nSummary B: 3", name="openai/mine"))
    ticks = [{"best": ["a"], "worst": ["b"]}] * 3
    texts = {name: f"Summary {name}." for name in "abc"}
    write(
        [
            {"article_id": f"cnn-{number}", "article": "News.", "summaries": texts, "annotators": ticks}
            for number in range(8)
        ]
    )
    assert typed(capsys, "run", "solo", "data.jsonl", "--as", "goyal2022", "--subset").code == 0
    accuracy, _ = agreed(capsys, "last")["rows"]
    assert (accuracy["aspect"], accuracy["n"], accuracy["value"]) == ("overall", 8, BEST_SHOWN_FIRST / 8)
