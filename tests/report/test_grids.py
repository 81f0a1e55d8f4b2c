"""A table as text, Markdown, LaTeX and HTML: no figure loses a digit, and nothing in a name is markup."""

import pytest
from rich.cells import cell_len

from agentdebate.report.grid import Grid, Number
from agentdebate.report.terminal import as_text

HEAD = ["aspect", "verdicts", "failures", "mean", "lowest", "highest", "settled", "people", "n"]
FIGURES = [1600, 0, "3.123", 1.25, 4.75, "1600 of 1600", "3.457", 1600]
STATISTICS = Grid(
    "Spearman's rho",
    ["judge", "coherence", "n"],
    [
        ["a_b|c", Number(0.5, 0.4, 0.6, best=True), 300],
        ["low", Number(-0.1), 20],
        ["none", Number(None), "1 (25%)"],
    ],
    notes=["100% *said*"],
)


@pytest.mark.parametrize("width", [20, 40, 80, None])
def test_every_figure_survives_at_any_width(width: int | None) -> None:
    shown = as_text(Grid("Aspects", HEAD, [["understandability of the whole", *FIGURES]]), width)
    words = shown.split()
    assert all(str(figure).split()[0] in words for figure in FIGURES)
    assert "…" not in shown
    assert all(head in words for head in HEAD)


def test_wide_characters_count_twice_and_long_names_are_folded() -> None:
    rows = [["港の橋の要約-🙂🙂-とても長い識別子", 3], ["a/very-long/identifier" * 6, 4]]
    lines = as_text(Grid("Verdicts", ["item", "understandability"], rows), 60).splitlines()
    assert max(map(cell_len, lines)) <= 60
    assert not any(line.endswith(" ") for line in lines)


def test_figures_stand_below_one_another_with_the_best_marked() -> None:
    shown = as_text(STATISTICS).splitlines()
    assert shown[0] == "Spearman's rho"
    assert [line.split() for line in shown[3:7]] == [
        ["a_b|c", "*.500", "300"],
        ["[.400,", ".600]"],
        ["low", "-.100", "20"],
        ["none", "-", "1", "(25%)"],
    ]
    assert shown[3].index(".500") == shown[5].index(".100")
    assert shown[-1] == "100% *said*"


def test_plain_numbers_of_a_column_have_as_many_decimals_as_one_another() -> None:
    shown = as_text(
        Grid("T", ["n", "score"], [["a", 3.0], ["b", 2.25], ["c", None], ["d", -0.0]])
    ).splitlines()
    assert [line.split()[1:] for line in shown[3:]] == [["3.00"], ["2.25"], [], ["0.00"]]


def test_a_table_without_rows_says_what_there_is_not() -> None:
    assert as_text(Grid("T", ["a"], [])) == "T: nothing to show"
