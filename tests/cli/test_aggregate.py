"""agentdebate aggregate: the evaluators of a run put together, from the command line."""

from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, Typed, typed, write

EVIDENCE = ("--evidence", "m=m,n=n", "--set", "evaluators=[]")
RANGES = ("--set", 'ranges={"m": "0-10", "n": "0-1"}')
COLUMNS = ("--group", "article", "--human", "coherence=people")
ROWS: list[dict[str, Any]] = [
    {"id": "i1", "article": "A", "people": 1.0, "m": 1.0, "n": 0.9},
    {"id": "i2", "article": "B", "people": 2.0, "m": 2.0, "n": 0.8},
    {"id": "i3", "article": "C", "people": 3.0, "m": 3.0, "n": 0.7},
    {"id": "i4", "article": "D", "people": 4.0, "m": None, "n": 0.6},
]
"""The evaluator m goes with people, n goes against them."""


def hold(
    capsys: pytest.CaptureFixture[str],
    strategy: str = "avg",
    *options: str,
    rows: list[dict[str, Any]] = ROWS,
    task: str = "summarization",
    aspects: str = "coherence",
) -> Typed:
    """Hold a run over the rows with their evidence."""
    write([{**ITEM, **row} for row in rows])
    words = ("--task", task, "--aspects", aspects, *EVIDENCE, *options)
    return typed(capsys, "run", strategy, "data.jsonl", *words)


def scores(done: Typed) -> dict[str, float | None]:
    return {row["id"]: row["score"] for row in done.json}


@pytest.fixture
def averaged(capsys: pytest.CaptureFixture[str]) -> None:
    """A run in which nobody judges."""
    assert hold(capsys, "avg", *RANGES, *COLUMNS).code == 0


@pytest.mark.usefixtures("averaged")
class TestRows:
    def test_a_row_says_what_was_scored_by_whom(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert typed(capsys, "aggregate").json[0] == {
            "id": "i1",
            "group": "A",
            "system": None,
            "aspect": "coherence",
            "score": 0.5,
            "human": 1.0,
            "evaluators": ["m", "n"],
            "shares": {"m": 0.1, "n": 0.9},
        }

    def test_rows_go_to_a_file_and_the_summary_is_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "aggregate", "--json", "-o", "rows.jsonl")
        (summary,) = done.json
        assert (summary["how"], summary["rows"], summary["missing"], done.err) == ("avg", 4, 0, "")
        assert Path("rows.jsonl").read_text(encoding="utf-8") == typed(capsys, "aggregate").out


@pytest.mark.usefixtures("averaged")
class TestLearning:
    def test_weights_come_from_other_sources(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Where i1 or another with m is left out, two remain, and m goes with people in them; n never does."""
        done = typed(capsys, "aggregate", "--how", "corrw")
        assert scores(done) == {"i1": 0.1, "i2": 0.2, "i3": 0.3, "i4": None}
        assert done.json[0]["evaluators"] == ["m"]
        assert "4 rows, 1 missing (1 as no evaluator with a score correlates with people)" in done.err
        assert "rows of other sources" in done.err
        (line,) = [line.split() for line in done.err.splitlines() if line.startswith("coherence  n")]
        assert line == ["coherence", "n", "0", "0", "0", "4", "4"]


class TestWhatIsWrong:
    def test_weights_need_people(self, capsys: pytest.CaptureFixture[str]) -> None:
        hold(capsys, "avg", *RANGES)
        done = typed(capsys, "aggregate", "--how", "corrw")
        assert (done.code, "corrw learns from people's scores, and the run has none" in done.err) == (2, True)
