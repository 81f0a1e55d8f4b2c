"""What a run's verdicts come to, and the page of a run; of a large one the database adds up the scores."""

import re
from typing import Any

import pytest

import agentdebate as ad
from agentdebate.cli.app import run as command
from agentdebate.report import run_page
from agentdebate.report.grid import Grid
from agentdebate.report.run_page import MOST, RunResults
from agentdebate.report.terminal import printed
from agentdebate.report.transcript_text import MOST_LINES, texts_of
from agentdebate.testing import replying


def row(item: str, aspect: str, score: float | None = 3.0, **more: Any) -> dict[str, Any]:
    """A record as a run has it."""
    failed = {"error": "UnreadableReply", "agent": "scorer", "reason": f"of {item}"}
    return {
        "debate": f"{item}/{aspect}", "id": item, "group": None, "system": None, "aspects": [aspect],
        "scores": {} if score is None else {aspect: score}, "candidates": [], "winner": None, "winners": [], "agreed": None,
        "settled": None if score is None else score > 1, "curtailed": "", "rounds": 1, "missing": 0, "lost": [], "models": ["m"],
        "human": {aspect: 2.5}, "failure": failed if score is None else None, "calls": 2, **more,
    }  # fmt: skip


def comparison(item: str, first: float, second: float) -> dict[str, Any]:
    """A record of two texts that were compared."""
    best = ["a", "b"] if first == second else ["a" if first > second else "b"]
    return row(
        item, "x", scores={"x.a": first, "x.b": second}, candidates=["a", "b"], winner=best[0] if len(best) == 1 else None,
        winners=best, agreed=first > 1, human={"x.a": 2.0, "x.b": 1.0},
    )  # fmt: skip


def grids(results: RunResults) -> dict[str, Grid]:
    """The tables by their titles."""
    return {one.title: one for one in results.blocks(see="show x") if isinstance(one, Grid)}


def test_items_and_scores_stand_in_the_order_of_the_run() -> None:
    rows = [
        row("i1", "coherence", 4),
        row("i1", "fluency", 1),
        row("i2", "coherence", None),
        row("i2", "fluency", 2.5),
    ]
    found = grids(RunResults(rows, ("fluency", "coherence")))
    assert found["Verdicts"].texts == [["i1", "1*", "4", "2"], ["i2", "2.5", "failed", "2"]]
    assert found["Scores"].texts == [
        ["fluency", "2", "1.750", "1", "2.5", "2.500", "2"],
        ["coherence", "1", "4.000", "4", "4", "2.500", "1"],
    ]
    assert "coherence: 1 of 2 texts (50.0%) without a judgement" in printed(
        RunResults(rows).blocks(see="show x")
    )


@pytest.mark.parametrize(("score", "notes"), [(1.0, 1), (None, 0)])
def test_the_star_is_explained_where_a_score_has_it(score: float | None, notes: int) -> None:
    found = grids(RunResults([row("i1", "x", score, settled=False)]))
    assert len(found["Verdicts"].notes) == notes


def test_only_the_first_items_are_shown_and_the_command_that_prints_all() -> None:
    results = RunResults([row(f"i{number}", "x") for number in range(MOST + 3)])
    assert "... and 3 more items; show x prints all of them" in printed(results.blocks(see="show x"))


def test_comparisons_have_their_winner_and_ties_are_counted_beside_the_texts() -> None:
    found = grids(RunResults([comparison("i1", 3, 1), comparison("i2", 1, 2), comparison("i3", 2, 2)]))
    assert found["Verdicts"].texts[0] == ["i1", "3", "1", "a", "1"]
    assert found["Winners"].texts == [["x", "a", "1"], ["x", "b", "1"], ["x", "tie", "1"]]


def test_failures_are_counted_by_kind_with_an_example() -> None:
    (_, grid) = RunResults([row("i1", "x", None), row("i2", "x", None)]).failure_blocks()
    assert isinstance(grid, Grid)
    assert grid.texts == [["2", "UnreadableReply", "i1/x", "of i1"]]


def test_what_verdicts_do_without_is_said() -> None:
    rows = [row("i9", "x", missing=1, lost=[{"agent": "critic"}], unsent=["temperature"])]
    said = printed(RunResults(rows).blocks(see="show x"), None)
    assert "1 verdict without some of the ballots, samples or agents; show x says which" in said
    assert "not sent, since the model does not take it: temperature, in 1 debate" in said


@pytest.fixture
async def _held(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hold four debates, of which one fails, and take more than two for very many."""
    monkeypatch.setattr(run_page, "WHOLE", 2)
    fields = {"source": "The bridge closes in March.", "summary": "A bridge closes."}
    items = [
        ad.Item(id=f"i{n}", task="summarization", fields=fields, human={"coherence": 1.0 + n})
        for n in range(4)
    ]
    replies = replying(lambda request: "Mute." if request.context.item.id == "i3" else "Coherence: 4")
    async with ad.evaluate(items, "solo", model=replies, aspects="coherence", store="runs.db") as run:
        assert len([record async for record in run]) == 4


@pytest.mark.usefixtures("_held")
def test_a_large_run_says_that_its_tables_are_of_the_first_debates_and_json_has_every_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert command(["show", "--store", "runs.db"]) == 0
    out = capsys.readouterr().out
    assert "the first 2 debates of 4" in out
    assert re.search(r"coherence +2 +4", out)
    assert command(["show", "--store", "runs.db", "--json"]) == 0
    assert capsys.readouterr().out.count('"debate"') == 4


def test_the_judged_text_comes_last_and_hidden_fields_not_at_all() -> None:
    from agentdebate.project.project import Project
    from agentdebate.prompts.prompts import Prompts

    item = ad.Item(fields={"summary": "S.", "source": "Long.", "reference": "R."})
    shown = texts_of(item, Prompts(Project()).task("summarization"))
    assert [(one.name, one.judged) for one in shown] == [("source", False), ("summary", True)]
    assert MOST_LINES > 1
