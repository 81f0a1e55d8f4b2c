"""What is drawn, what is said beside it, and how it is written."""

import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import matplotlib as mpl
import pytest
from made import RISING, cell, judgements

from agentdebate.errors import UsageError
from agentdebate.meta.figure import Bootstrap
from agentdebate.report.plot import Plot, agreement_plot, cost_of, held_with, people_plot, scores_plot
from agentdebate.report.question import Question

QUESTION = Question(bootstrap=Bootstrap(resamples=20))
ROUNDS = [
    cell("one", rounds="1"),
    cell("one", rounds="1", kind="openings", calls=8),
    cell("x2", rounds="1", kind="same calls"),
    cell("two", rounds="2", judged=[judgements([(1, 1), (2, 1), (3, 3), (5, 4)])], calls=24),
]

BY_ROUNDS, BY_CALLS = partial(held_with, by="rounds"), partial(cost_of, unit="calls")
PLOTS: dict[str, Plot] = {
    plot.title: plot
    for plot in (
        people_plot([RISING], QUESTION, "People"),
        agreement_plot(ROUNDS, "rounds", BY_ROUNDS, QUESTION, "Rounds"),
        agreement_plot(ROUNDS, "calls a debate", BY_CALLS, QUESTION, "Cost"),
    )
}


@pytest.mark.parametrize("title", PLOTS)
def test_an_svg_can_be_read_and_drawing_it_leaves_matplotlib_as_it_was(title: str) -> None:
    before = dict(mpl.rcParams)
    PLOTS[title].write(Path("plot.svg"))
    assert ET.fromstring(Path("plot.svg").read_text(encoding="utf-8")).tag.endswith("svg")
    assert dict(mpl.rcParams) == before


@pytest.mark.parametrize("title", PLOTS)
def test_a_caption_names_statistic_level_n_and_interval_and_there_is_a_record_a_point(title: str) -> None:
    caption = PLOTS[title].caption
    assert PLOTS[title].rows
    assert re.search(r"\bn = \d", caption)
    assert "Spearman's rho, pooled; n = " in caption
    where = "In brackets" if title == "People" else "Vertical lines"
    drawn = "95% intervals: bootstrap (bias-corrected and accelerated), 20 resamples, seed 0; of "
    assert f"{where}: {drawn}" in caption


def test_scores_are_counted_by_side() -> None:
    rows = scores_plot([RISING], "Scores").rows
    assert [(row["score"], row["texts"]) for row in rows if row["of"] == "judge"] == [
        (1.0, 1),
        (2.0, 3),
        (3.0, 1),
        (4.0, 2),
        (5.0, 1),
    ]
    assert sum(row["texts"] for row in rows if row["of"] == "people") == 8


def test_texts_that_nobody_scored_are_counted() -> None:
    plot = people_plot([judgements([(1, 1), (2, 2), (3, None), (None, 4)])], QUESTION, "People")
    assert "n = 2." in plot.caption
    assert "Missing judgements are left out and counted" in plot.caption


def test_scores_that_are_all_the_same_have_no_value() -> None:
    plot = people_plot([judgements([(2, 1), (2, 3)])], QUESTION, "People")
    assert plot.rows[0]["value"] is None


def test_what_has_no_place_in_a_plot_is_refused_with_what_to_do() -> None:
    nobody = cell("a", judged=[judgements([(None, 1), (None, 2)])], rounds="1")
    with pytest.raises(UsageError, match=r"human=\.\.\."):
        agreement_plot([nobody], "rounds", BY_ROUNDS, QUESTION, "Rounds")
    with pytest.raises(UsageError, match=r"prices=\.\.\."):
        cost_of(cell("a", money=None), "money")
    with pytest.raises(UsageError, match="b has no rounds"):
        held_with(cell("b"), "rounds")


@pytest.mark.parametrize("name", ["plot.pdf", "plot", "nowhere/plot.png"])
def test_a_file_that_no_plot_can_be_written_to_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        PLOTS["Rounds"].write(Path(name))
