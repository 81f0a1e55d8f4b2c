"""What is drawn, what is said beside it, and how it is written."""

import re
from functools import partial
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from made import RISING, cell, judgements

from agentdebate.errors import UsageError
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.report.plot import Plot, agreement_plot, cost_of, held_with, people_plot
from agentdebate.report.question import Question, ask_all

QUESTION = Question(bootstrap=Bootstrap(resamples=20))
ROUNDS = [
    cell("one", rounds="1"),
    cell("one", rounds="1", kind="openings", calls=8),
    cell("x2", rounds="1", kind="same calls"),
    cell("two", rounds="2", judged=[judgements([(1, 1), (2, 1), (3, 3), (5, 4)])], calls=24),
]

BY_ROUNDS, BY_CALLS = partial(held_with, by="rounds"), partial(cost_of, unit="calls")


def every_plot() -> list[Plot]:
    return [
        people_plot([RISING], QUESTION, "People"),
        agreement_plot(ROUNDS, "rounds", BY_ROUNDS, QUESTION, "Rounds"),
        agreement_plot(ROUNDS, "calls a debate", BY_CALLS, QUESTION, "Cost"),
    ]


PLOTS = {plot.title: plot for plot in every_plot()}


@pytest.mark.parametrize(("title", "form"), [*((title, "svg") for title in PLOTS), ("People", "png")])
def test_the_same_plot_is_the_same_bytes(title: str, form: str) -> None:
    written = []
    for name in ("first", "second"):
        path = Path(f"{name}.{form}")
        PLOTS[title].write(path)
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_a_picture_holds_no_date_and_an_svg_can_be_read() -> None:
    PLOTS["Cost"].write(Path("plot.svg"))
    text = Path("plot.svg").read_text(encoding="utf-8")
    assert ET.fromstring(text).tag.endswith("svg")
    assert "<dc:date>" not in text


@pytest.mark.parametrize("title", PLOTS)
def test_a_caption_names_statistic_level_n_and_interval_and_there_is_a_record_a_point(title: str) -> None:
    caption = PLOTS[title].caption
    assert PLOTS[title].rows
    assert re.search(r"\bn = \d", caption)
    assert "Spearman's rho, pooled; n = " in caption
    assert "95% intervals: bootstrap (bias-corrected and accelerated), 20 resamples, seed 0; of " in caption


def test_a_title_with_dollars_is_text_and_no_formula() -> None:
    people_plot([RISING], QUESTION, "From $1 to $2_3").write(Path("plot.png"))
    assert Path("plot.png").read_bytes().startswith(b"\x89PNG")


def test_texts_that_nobody_scored_are_counted() -> None:
    plot = people_plot([judgements([(1, 1), (2, 2), (3, None), (None, 4)])], QUESTION, "People")
    assert "n = 2." in plot.caption
    assert "Missing judgements are left out and counted" in plot.caption


def test_scores_that_are_all_the_same_have_no_value() -> None:
    plot = people_plot([judgements([(2, 1), (2, 3)])], QUESTION, "People")
    assert plot.rows[0]["value"] is None
    plot.write(Path("plot.svg"))


def test_openings_that_nobody_cast_count_as_nothing() -> None:
    """A strategy without ballots before the talk has no such vote, and so none that could be wrong."""
    nobody = judgements([(1, None), (2, None), (5, None)])
    question = Question(statistic="mean-absolute-error", bootstrap=None, missing=3.0)
    run, openings = (
        ask_all([cell("one", rounds="1", kind=kind, judged=[nobody])], question)[0]
        for kind in ("run", "openings")
    )
    assert [one.value for one in run.found] == [pytest.approx(5 / 3)]
    assert [one.value for one in openings.found] == [None]


def test_runs_without_people_cannot_be_plotted_against_anything() -> None:
    nobody = cell("a", judged=[judgements([(None, 1), (None, 2)])], rounds="1")
    with pytest.raises(UsageError, match=r"human=\.\.\."):
        agreement_plot([nobody], "rounds", BY_ROUNDS, QUESTION, "Rounds")


def test_money_that_is_not_known_is_not_plotted() -> None:
    with pytest.raises(UsageError, match=r"prices=\.\.\."):
        cost_of(cell("a", money=None), "money")


def test_a_run_without_rounds_has_no_place_among_rounds() -> None:
    with pytest.raises(UsageError, match="b has no rounds"):
        held_with(cell("b"), "rounds")


@pytest.mark.parametrize("name", ["plot.pdf", "plot.html", "plot", "nowhere/plot.png"])
def test_a_file_that_no_plot_can_be_written_to_is_refused(name: str) -> None:
    with pytest.raises(UsageError):
        PLOTS["Rounds"].write(Path(name))


def test_drawing_leaves_matplotlib_as_it_was() -> None:
    import matplotlib as mpl

    before = dict(mpl.rcParams)
    PLOTS["Rounds"].write(Path("plot.svg"))
    assert dict(mpl.rcParams) == before
