"""agentdebate aggregate: the evaluators of a run put together, from the command line."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typed import ITEM, Typed, typed, write

from agentdebate.errors import EvaluatorFailed, UsageError
from agentdebate.models.base import Model
from agentdebate.strategies.evidence import gather
from agentdebate.strategies.floor import Floor
from agentdebate.talk.messages import Evidence
from agentdebate.testing import replying

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


@pytest.fixture
def judged(capsys: pytest.CaptureFixture[str], speaks: Callable[[Model], None]) -> None:
    """A run in which one judge gives every text a 4 of 1 to 5, and whose evaluators' ranges nobody says."""
    speaks(replying("It reads well.\nCoherence: 4", name="openai/mine"))
    assert hold(capsys, "debate-with-evidence", "--set", "around=solo", *COLUMNS).code == 0


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

    def test_a_missing_score_is_left_out_and_counted(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "aggregate")
        assert done.json[3]["evaluators"] == ["n"]
        assert scores(done)["i4"] == 0.6
        assert ["m", "0", "10", "3", "1", "0"] in [line.split() for line in done.err.splitlines()]

    def test_another_range_goes_before_the_runs_own(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "aggregate", "--range", "m=-1-1.5,n=0 to 0.5")
        assert [row["shares"] for row in done.json[:2]] == [{"m": 0.8, "n": 1.0}, {"m": 1.0, "n": 1.0}]
        assert "outside: scores outside the range" in done.err
        assert ["n", "0", "0.50000", "4", "0", "4"] in [line.split() for line in done.err.splitlines()]

    def test_rows_go_to_a_file_and_the_summary_is_json(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "aggregate", "--json", "-o", "rows.jsonl")
        (summary,) = done.json
        assert (summary["how"], summary["rows"], summary["missing"], done.err) == ("avg", 4, 0, "")
        assert Path("rows.jsonl").read_text(encoding="utf-8") == typed(capsys, "aggregate").out

    def test_a_wrong_option_empties_no_file(self, capsys: pytest.CaptureFixture[str]) -> None:
        Path("rows.jsonl").write_text("kept", encoding="utf-8")
        assert typed(capsys, "aggregate", "--range", "x=0-1", "-o", "rows.jsonl").code == 2
        assert Path("rows.jsonl").read_text(encoding="utf-8") == "kept"


@pytest.mark.usefixtures("averaged")
class TestLearning:
    def test_weights_come_from_other_sources(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Where i1 or another with m is left out, two remain, and m goes with people in them; n never does."""
        done = typed(capsys, "aggregate", "--how", "corrw")
        assert scores(done) == {"i1": 0.1, "i2": 0.2, "i3": 0.3, "i4": None}
        assert done.json[0]["evaluators"] == ["m"]
        assert "4 rows, 1 missing (1 as no evaluator with a score correlates with people)" in done.err
        assert "Pearson's r with people's scores of the aspect, pooled" in done.err
        assert "a row's own source left out, of 4 sources; each from 2 to 3 rows" in " ".join(
            done.err.split()
        )
        (line,) = [line.split() for line in done.err.splitlines() if line.startswith("coherence  n")]
        assert line == ["coherence", "n", "0", "0", "0", "4", "4"]

    def test_the_summary_has_the_statistic_the_split_and_the_weights(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        options = ("--how", "corrw", "--statistic", "spearman", "--folds", "2", "--json")
        (summary,) = typed(capsys, "aggregate", *options).json
        assert (summary["statistic"], summary["split"], summary["folds"]) == ("spearman", "folds", 2)
        weight = next(one for one in summary["weights"] if one["evaluator"] == "n")
        assert weight == {
            "aspect": "coherence",
            "evaluator": "n",
            "mean": 0.0,
            "lowest": 0.0,
            "highest": 0.0,
            "folds": 2,
            "zero": 2,
        }


@pytest.mark.usefixtures("judged")
class TestJudge:
    def test_the_verdict_counts_as_a_share_of_its_scale(self, capsys: pytest.CaptureFixture[str]) -> None:
        done = typed(capsys, "aggregate", "--with-judge", "--range", "m=0-10", "--range", "n=0-1")
        assert done.json[0]["shares"] == {"m": 0.1, "n": 0.9, "judge": 0.75}
        assert scores(done)["i1"] == pytest.approx((0.1 + 0.9 + 0.75) / 3)

    def test_a_range_that_nobody_knows_is_an_error_that_helps(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        done = typed(capsys, "aggregate")
        assert done.code == 2
        assert (
            "the range of 'm' is not known: say --range m=LOW-HIGH (its scores here run from 1 to 3)"
            in done.err
        )


class TestPlans:
    def test_an_aspect_for_which_the_plan_selects_nothing_is_missing(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """The strategy leaves fluency out, and has a verdict on coherence."""
        Path("plan.md").write_text("Coherence: n\nFluency: none\n", encoding="utf-8")
        assert hold(capsys, "llmsel", "--set", "plan=plan.md", *RANGES, aspects="coherence,fluency").code == 0
        done = typed(capsys, "aggregate", "--how", "llmsel")
        found = {(row["id"], row["aspect"]): (row["score"], row["evaluators"]) for row in done.json}
        assert found["i1", "coherence"] == (0.9, ["n"])
        assert found["i1", "fluency"] == (None, [])
        assert "8 rows, 4 missing (4 as the plan selects no evaluator)" in done.err
        assert ["fluency", "4", "4", "-", "-", "-", "0"] in [line.split() for line in done.err.splitlines()]

    def test_a_debate_that_failed_for_want_of_scores_has_a_row_without_one(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        Path("plan.md").write_text("Coherence: m\n", encoding="utf-8")
        assert hold(capsys, "llmsel", "--set", "plan=plan.md", *RANGES).code == 1
        done = typed(capsys, "aggregate", "--how", "llmsel")
        assert scores(done) == {"i1": 0.1, "i2": 0.2, "i3": 0.3, "i4": None}
        assert "4 rows, 1 missing" in done.err


def compare(capsys: pytest.CaptureFixture[str], aspects: str, strategy: str, *options: str) -> None:
    """A run that compares two texts, of which the evaluator m has said 2 and 6 out of 10."""
    texts = {"question": "Why?", "answer_1": "So.", "answer_2": "Thus."}
    write([{"id": "q", **texts, "m.answer_1": 2, "m.answer_2": 6}])
    evidence = ("--evidence", "m.answer_1=m.answer_1,m.answer_2=m.answer_2", "--set", "evaluators=[]")
    words = ("--task", "comparison", "--aspects", aspects, *evidence, *options)
    assert typed(capsys, "run", strategy, "data.jsonl", *words).code == 0


class TestComparisons:
    def test_each_text_has_a_row(self, capsys: pytest.CaptureFixture[str]) -> None:
        compare(capsys, "overall", "avg", "--set", 'ranges={"m": "0-10"}')
        found = {row["aspect"]: row["score"] for row in typed(capsys, "aggregate").json}
        assert found == {"overall.answer_1": 0.2, "overall.answer_2": 0.6}

    def test_places_are_no_scores(self, capsys: pytest.CaptureFixture[str]) -> None:
        compare(capsys, "place", "debate-with-evidence", "--set", "around=solo")
        done = typed(capsys, "aggregate", "--range", "m=0-10")
        assert (done.code, "is a place among the texts" in done.err) == (2, True)


class TestWhatIsWrong:
    def test_a_debate_that_failed_before_its_evidence_has_a_row_without_a_score(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        async def broken(floor: Floor, *how: Any, **more: Any) -> Evidence:
            if floor.item.id == "i2":
                raise EvaluatorFailed("out of memory")
            return await gather(floor, *how, **more)

        monkeypatch.setattr("agentdebate.strategies.evaluator_mean.gather", broken)
        assert hold(capsys, "avg", *RANGES, *COLUMNS).code == 1
        done = typed(capsys, "aggregate")
        assert scores(done) == {"i1": 0.5, "i2": None, "i3": 0.5, "i4": 0.6}
        assert "4 rows, 1 missing (1 as no evaluator has a score)" in done.err
        assert "1 debate without evidence" in done.err

    def test_an_item_that_lacks_what_an_evaluator_compares_with_has_a_row_without_a_score(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        """It fails alone: the one behind it is scored."""
        lacking = {"id": "i2", **ITEM, "r": None}
        write([{"id": "i1", **ITEM, "r": ITEM["summary"]}, lacking, {"id": "i3", **ITEM, "r": "A bridge."}])
        options = ("--task", "summarization", "--aspects", "coherence", "--also", "reference=r", "-c", "1")
        held = typed(capsys, "run", "avg", "data.jsonl", *options, "--set", 'evaluators=["rouge-1"]')
        assert (held.code, "2 verdicts, 1 failure" in held.err) == (1, True)
        found = scores(typed(capsys, "aggregate"))
        assert (found["i1"], found["i2"], found["i3"] is None) == (1.0, None, False)

    def test_a_debate_that_has_not_ended_has_no_row_and_is_counted(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """What is wrong with the second item's evaluators would be wrong with all others' too, and ends the run."""

        async def broken(floor: Floor, *how: Any, **more: Any) -> Evidence:
            if floor.item.id == "i2":
                raise UsageError("there is no such file")
            return await gather(floor, *how, **more)

        monkeypatch.setattr("agentdebate.strategies.evaluator_mean.gather", broken)
        assert hold(capsys, "avg", *RANGES, *COLUMNS, "-c", "1").code == 2
        done = typed(capsys, "aggregate")
        assert scores(done) == {"i1": 0.5}
        assert "1 debate not ended" in done.err

    def test_weights_need_people(self, capsys: pytest.CaptureFixture[str]) -> None:
        hold(capsys, "avg", *RANGES)
        done = typed(capsys, "aggregate", "--how", "corrw")
        assert (done.code, "corrw learns from people's scores, and the run has none" in done.err) == (2, True)

    def test_a_run_without_evaluators_has_nothing_to_put_together(
        self, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{"id": "i1", **ITEM}])
        typed(capsys, "run", "solo", "data.jsonl", "--task", "summarization", "--aspects", "coherence")
        done = typed(capsys, "aggregate")
        assert (done.code, "has the scores of evaluators" in done.err) == (2, True)
