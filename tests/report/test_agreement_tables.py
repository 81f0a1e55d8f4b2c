"""Tables of agreement with what has to be said of them: at most five lines, and more for a reader who asks."""

from dataclasses import replace
from typing import Any

import pytest
from made import agreement

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.comparison import Comparison
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.reliability import ONE_LEFT_OUT
from agentdebate.meta.settings import Measures
from agentdebate.report.agree import agree
from agentdebate.report.agreement_caption import agreement_lines
from agentdebate.report.agreement_table import agreement_grid
from agentdebate.report.grid import Number
from agentdebate.report.judge_tables import comparison_grids, corrected

COMPARED = Comparison(
    first="a", second="b", aspect="x", statistic="accuracy", level="pooled", difference=0.1, low=0.0, high=0.2,
    p=0.03, williams=None, n=80, groups=1, left_out={}, resamples=1000, sources=40,
)  # fmt: skip


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"confidence": "x"}, "confidence=...: it is a number, not 'x'"),
        ({"bootstrap_seed": 1.5}, "bootstrap_seed=...: it is a whole number, not 1.5"),
        ({"statistic": 3}, "statistic=...: it is text, not 3"),
    ],
)
def test_an_option_of_a_wrong_type_is_refused_by_its_name(options: Any, says: str) -> None:
    with pytest.raises(UsageError) as caught:
        agree(data="data.jsonl", human="x=x", score="x=y", **options)
    assert str(caught.value) == says


def best(*found: Agreement) -> list[bool]:
    """Which judges are marked as the best of the first column."""
    return [isinstance(row[1], Number) and row[1].best for row in agreement_grid(found).rows]


def test_judges_are_rows_and_aspects_columns_with_their_mean() -> None:
    grid = agreement_grid(
        [agreement("mine"), agreement("mine", "fluency", 0.2), agreement("other", value=0.4)]
    )
    assert grid.title == "Spearman's rho, pooled (n=300)"
    assert list(grid.head) == ["judge", "coherence", "fluency", "mean"]
    assert grid.texts == [
        ["mine", ".500 [.400, .600]", ".200 [.100, .300]", ".350"],
        ["other", ".400 [.300, .500]", "-", "-"],
    ]


def test_the_best_figure_as_printed_is_marked_and_equal_ones_are() -> None:
    assert best(agreement("a", value=0.50001), agreement("b"), agreement("c", value=0.4)) == [
        True,
        True,
        False,
    ]
    errors = [
        agreement(name, value=v, statistic="mean-absolute-error") for name, v in (("a", 0.5), ("b", 0.2))
    ]
    assert best(*errors) == [False, True]


def test_nobody_is_the_best_alone_beside_people_or_of_other_texts() -> None:
    assert best(agreement("a"), agreement(ONE_LEFT_OUT, value=0.2)) == [False, False]
    assert best(agreement("a"), agreement("b", value=0.4, n=200)) == [False, False]
    assert best(agreement("a", value=0.4), agreement("b", value=0.3), agreement(ONE_LEFT_OUT, value=0.9)) == [
        True,
        False,
        False,
    ]


def test_counts_that_differ_stand_beside_each_figure() -> None:
    grid = agreement_grid([agreement(n=300), agreement("mine", "fluency", n=250)])
    assert grid.title == "Spearman's rho, pooled"
    assert [cell.partition("(")[2] for cell in grid.texts[0][1:3]] == ["n=300)", "n=250)"]
    found = agreement(level="group", groups=54, n=324, left_out={"groups with constant human scores": 6})
    assert agreement_grid([found]).title == "Spearman's rho, mean over sources (54 of 60 sources, n=324)"


def test_few_sources_and_missing_judgements_are_said() -> None:
    few = agreement(method="wilson", sources=4, statistic="accuracy", imputed=5, labels=("A", "tie", "B"))
    lines = agreement_lines([few], Measures(missing="wrong"))
    assert "Labels in their order: A, tie, B." in lines[-2]
    assert "of 4 sources or more; too few, or too few that differ, to be relied on" in lines[-1]
    for value, told in ((0.9, False), (0.96, True)):
        edge = agreement(method="bootstrap", sources=100, statistic="kappa-linear", value=value)
        assert ("too few" in agreement_lines([edge], Measures())[-1]) is told
    assert "Missing judgements count as wrong." in lines[-3]
    without = Measures(bootstrap=Bootstrap(0))
    assert agreement_lines([agreement()], without)[-1] == "There are no intervals."


def test_differences_have_their_test_and_p_values_corrected_over_the_aspects() -> None:
    other = replace(COMPARED, aspect="y", p=0.04)
    (grid,) = comparison_grids(corrected([COMPARED, other]))
    assert grid.texts == [
        ["x", ".100 [.000, .200]", ".030", ".060", "-", "80"],
        ["y", ".100 [.000, .200]", ".040", ".060", "-", "80"],
    ]
    assert "bootstrap, 1,000 resamples; p: two-sided, a permutation test by source" in grid.notes[0]
    nothing = replace(COMPARED, n=0, p=None, resamples=0, sources=0)
    assert "no intervals; p: two-sided, no test" in next(comparison_grids(corrected([nothing]))).notes[0]
