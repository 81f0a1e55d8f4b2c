"""Tables of agreement as text, Markdown, LaTeX, CSV and records."""

import csv
import io

from agreements import agreement

from agentdebate.meta.agreement import Agreement
from agentdebate.report.grid import Grid
from agentdebate.report.latex import as_latex, escaped
from agentdebate.report.markdown import as_markdown
from agentdebate.report.panel import panels
from agentdebate.report.plain import as_text
from agentdebate.report.records import COLUMNS, as_csv, record

TWO = [agreement("mine", value=0.5), agreement("mine", "fluency", 0.2), agreement("other", value=0.4)]


def lines(agreements: list[Agreement], width: int = 80) -> list[str]:
    return as_text(panels(agreements), "Said.", width=width).splitlines()


def test_judges_are_rows_and_aspects_columns() -> None:
    shown = lines(TWO)
    assert shown[0] == "Spearman's rho, pooled (n=300)"
    assert shown[1].split() == ["judge", "coherence", "fluency", "mean"]
    assert shown[3].split() == ["mine", ".500*", ".200", ".350"]
    assert shown[4].split() == ["[.400,", ".600]", "[.100,", ".300]"]
    assert shown[5].split() == ["other", ".400", "-", "-"]
    assert shown[-1] == "Said."


def test_figures_stand_below_one_another() -> None:
    shown = lines(TWO)
    assert shown[3].index(".500") == shown[5].index(".400")


def test_the_best_figure_as_printed_is_marked_and_equal_ones_are() -> None:
    equal = [agreement("a", value=0.50001), agreement("b", value=0.5), agreement("c", value=0.4)]
    assert [line.split()[1] for line in lines(equal) if line[:2] in ("a ", "b ", "c ")] == [
        ".500*",
        ".500*",
        ".400",
    ]


def test_a_judge_alone_is_not_the_best() -> None:
    assert "*" not in as_text(panels([agreement()]), "")


def test_of_errors_the_least_is_the_best() -> None:
    errors = [
        agreement(name, value=v, statistic="mean-absolute-error") for name, v in (("a", 0.5), ("b", 0.2))
    ]
    assert [line.split()[1] for line in lines(errors) if line[:2] in ("a ", "b ")] == [".500", ".200*"]


def test_counts_that_differ_stand_beside_each_figure() -> None:
    found = [agreement(n=300), agreement("mine", "fluency", n=250)]
    shown = "\n".join(lines(found))
    assert "(n=300)" not in shown
    assert "n=300" in shown
    assert "n=250" in shown


def test_sources_that_are_left_out_stand_beside_those_that_are_used() -> None:
    found = agreement(
        level="group", groups=54, n=324, left_out={"groups with constant human scores": 6, "rows x": 3}
    )
    assert lines([found])[0] == "Spearman's rho, mean over sources (54 of 60 sources, n=324)"


def test_counts_that_all_judges_share_stand_once_below_them() -> None:
    found = [
        agreement(judge, aspect, level="group", groups=groups, n=n, left_out=left_out)
        for judge in ("a", "b")
        for aspect, groups, n, left_out in (
            ("coherence", 60, 360, {}),
            ("fluency", 54, 324, {"groups with constant human scores": 6}),
        )
    ]
    shown = lines(found)
    assert shown[-4].split() == ["counts", "60", "of", "60", "54", "of", "60"]
    assert shown[-3].split() == ["n=360", "n=324"]
    assert "| counts | 60 of 60, n=360 | 54 of 60, n=324 |  |" in as_markdown(panels(found), "")
    assert r"counts & {\scriptsize 60 of 60, n=360} &" in as_latex(panels(found), "")


def test_a_table_that_is_too_wide_goes_on_below() -> None:
    names = [f"aspect_number_{number}" for number in range(8)]
    shown = lines([agreement("mine", name) for name in names], width=60)
    assert max(map(len, shown)) <= 60
    assert any(line.endswith(", continued") for line in shown)
    assert all(any(name in line.split() for line in shown) for name in names)


def test_no_value_is_no_figure() -> None:
    assert lines([agreement(value=None, low=None, high=None)])[3].split() == ["mine", "-"]


def test_each_statistic_and_level_has_a_table_of_its_own() -> None:
    found = [agreement(), agreement(statistic="pearson"), agreement(level="system", groups=16)]
    assert [panel.title for panel in panels(found)] == [
        "Spearman's rho, pooled (n=300)",
        "Pearson's r, pooled (n=300)",
        "Spearman's rho, system level (16 systems, n=300)",
    ]


def test_markdown_has_a_table_with_the_best_in_bold() -> None:
    shown = as_markdown(panels(TWO), "a_b is *said*").splitlines()
    assert shown[2:5] == [
        "| judge | coherence | fluency | mean |",
        "| --- | ---: | ---: | ---: |",
        "| mine | **.500** [.400, .600] | .200 [.100, .300] | .350 |",
    ]
    assert shown[-1] == r"a\_b is \*said\*"


def test_nothing_in_a_name_is_markup() -> None:
    assert r"| a\|b\_c |" in as_markdown(panels([agreement("a|b_c")]), "")
    assert escaped("a_b & 50% {x} \\ Cohen's kappa <y>") == (
        r"a\_b \& 50\% \{x\} \textbackslash{} Cohen's $\kappa$ \textless{}y\textgreater{}"
    )


def test_latex_has_a_table_with_a_row_of_figures_and_one_of_intervals() -> None:
    shown = as_latex(panels([*TWO, agreement("low", value=-0.1)]), "100% said").splitlines()
    assert r"mine & \textbf{.500} & .200 & .350 \\" in shown
    assert r" & {\scriptsize [.400, .600]} & {\scriptsize [.100, .300]} & \\" in shown
    assert r"low & $-$.100 & -- & -- \\" in shown
    assert r"\caption{100\% said}" in shown
    assert shown.count(r"\begin{table}[t]") == shown.count(r"\end{table}") == 1


def test_a_head_that_panels_share_stands_once_in_latex() -> None:
    found = [agreement(), agreement(statistic="pearson")]
    assert as_latex(panels(found), "").count("judge & coherence") == 1


def test_a_further_table_is_shown_in_every_form() -> None:
    grid = Grid("Title", ("aspect", "p"), (("fluency", "<.001"), ("x", "-.5")))
    assert as_text([], "", [grid]).splitlines()[:5] == [
        "Title",
        "aspect       p",
        "--------------",
        "fluency  <.001",
        "x          -.5",
    ]
    assert "| fluency | \\<.001 |" in as_markdown([], "", [grid])
    assert r"fluency & \textless{}.001 \\" in as_latex([], "", [grid])


def test_a_record_has_all_counts_and_all_reasons() -> None:
    found = agreement(
        level="group", left_out={"groups with constant human scores": 6, "rows x": 3}, missing=3
    )
    assert list(record(found))[: len(COLUMNS)] == list(COLUMNS)
    assert record(found)["left_out"] == 6
    assert record(found)["missing"] == 3
    assert record(found)["reasons"] == {"groups with constant human scores": 6, "rows x": 3}


def test_csv_has_a_line_a_number_in_full() -> None:
    (row,) = csv.DictReader(io.StringIO(as_csv([agreement(value=1 / 3, left_out={"a": 1, "b": 2})])))
    assert float(row["value"]) == 1 / 3
    assert row["reasons"] == "a: 1; b: 2"
