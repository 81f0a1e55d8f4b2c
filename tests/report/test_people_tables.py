"""People in a table, and what is said of them; and the tables of calibration and of tests."""

from dataclasses import replace

from agreements import agreement

from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.calibration import Bin, Calibrated, Calibration
from agentdebate.meta.ceiling import PEOPLE
from agentdebate.meta.comparison import Comparison
from agentdebate.meta.judgements import Raters
from agentdebate.report.agreement_caption import agreement_caption, comparison_caption
from agentdebate.report.calibrated import calibration_grids, calibration_record
from agentdebate.report.panel import panels
from agentdebate.report.people import reliability_grids
from agentdebate.report.people_caption import people_caption

RATERS = Raters("expert", 3, named=False, texts=1600, rated=1200)
COMPARED = Comparison(
    first="a", second="b", aspect="x", statistic="accuracy", level="pooled", difference=0.1, low=0.0, high=0.2,
    p=0.03, williams=None, n=80, groups=1, test="mcnemar",
)  # fmt: skip


class TestTable:
    def test_people_are_never_the_best_and_the_judges_still_are(self) -> None:
        (panel,) = panels(
            [agreement("a", value=0.4), agreement("b", value=0.3), agreement(PEOPLE, value=0.9)]
        )
        assert [panel.cells(judge)[0].best for judge in panel.judges] == [True, False, False]

    def test_a_judge_beside_people_alone_has_nobody_to_be_better_than(self) -> None:
        (panel,) = panels([agreement("a", value=0.4), agreement(PEOPLE, value=0.2)])
        assert not any(panel.cells(judge)[0].best for judge in panel.judges)

    def test_the_title_has_the_judges_count_and_people_have_their_own(self) -> None:
        (panel,) = panels([agreement("a"), agreement("b"), agreement(PEOPLE, n=200)])
        assert panel.title.endswith("(n=300)")
        assert [panel.cells(judge)[0].count for judge in panel.judges] == ["", "", "n=200"]

    def test_counts_of_columns_are_the_judges(self) -> None:
        found = [agreement(judge, aspect, n=n) for judge in "ab" for aspect, n in (("x", 300), ("y", 200))]
        (panel,) = panels([*found, agreement(PEOPLE, "x", n=100), agreement(PEOPLE, "y", n=90)])
        assert panel.column_counts == ("n=300", "n=200", "")
        assert [cell.count for cell in panel.cells(PEOPLE)] == ["n=100", "n=90", ""]

    def test_people_alone_have_their_count_in_the_title(self) -> None:
        (panel,) = panels([agreement(PEOPLE, n=200)])
        assert panel.title.endswith("(n=200)")


class TestCaption:
    def test_it_says_who_rated_how_much_and_who_an_annotator_is(self) -> None:
        said = people_caption(RATERS)
        assert said.startswith("People, one left out: each of 3 experts against the mean of the others")
        assert "k-th rating of a text, who need not be the same person throughout" in said
        assert "1,200 of 1,600 texts have single ratings." in said
        assert "For accuracy and Cohen's kappa, unweighted it is the rating that most" in people_caption(
            RATERS, labels=["accuracy", "kappa"]
        )

    def test_it_says_where_judges_are_compared_with_others(self) -> None:
        said = people_caption(replace(RATERS, kind="turker", other="expert"))
        assert "Judges are compared with people's scores by experts, and not with these." in said
        assert "can come out above" not in said

    def test_named_annotators_are_the_same_throughout(self) -> None:
        said = people_caption(replace(RATERS, named=True), choices=True)
        assert "k-th field." in said
        assert "what most of the others choose" in said
        assert "systems" not in said

    def test_what_only_people_lack_is_said_once(self) -> None:
        rows = {"rows without single ratings": 400}
        found = [
            agreement("a"),
            agreement("a", "y"),
            agreement(PEOPLE, left_out=rows),
            agreement(PEOPLE, "y", left_out=rows),
        ]
        assert "Left out: rows without single ratings (400)." in agreement_caption(found)

    def test_each_test_is_named(self) -> None:
        kappa = replace(COMPARED, statistic="kappa", test="permutation", permutations=1000)
        said = comparison_caption([COMPARED, kappa], Bootstrap())
        assert "p of accuracy: McNemar's exact test" in said
        assert "p of Cohen's kappa, unweighted: two-sided permutation test of 1,000 permutations" in said
        assert "p: two-sided permutation test" in comparison_caption([kappa], Bootstrap())
        assert "No permutation test" in comparison_caption([replace(COMPARED, p=None, test="")], Bootstrap())


def test_reliability_has_a_table_a_statistic() -> None:
    found = [
        agreement("people among themselves", aspect, statistic=statistic)
        for statistic in ("alpha", "fleiss-kappa")
        for aspect in ("x", "y")
    ]
    grids = reliability_grids(found, RATERS)
    assert [grid.title for grid in grids] == [
        "People among themselves (experts): Krippendorff's alpha, interval",
        "People among themselves (experts): Fleiss' kappa",
    ]
    assert grids[0].rows[1] == ("y", ".500", "[.400, .600]", "300")


class TestCalibration:
    TABLE = Calibration("mine", "x", (Bin(1, 3, 3, 2.0, 2.5), Bin(3, 5, 1, 4.0, 3.0)), 0.625, 4, 1, 5, 1)
    FOUND = Calibrated(TABLE, agreement(value=-0.125), agreement(value=0.7))

    def test_all_texts_stand_last(self) -> None:
        errors, bins = calibration_grids([self.FOUND])
        assert errors.rows == (
            ("mine, x", "-.125", "[-.225, -.025]", ".700", "[.600, .800]", ".625", "4", "20.0%"),
        )
        assert bins.title == "Calibration of mine, x"
        assert bins.rows == (
            ("1 to 3", "3", "2.000", "2.500", "-.500"),
            ("3 to 5", "1", "4.000", "3.000", "1.000"),
            ("all", "4", "2.500", "2.625", "-.125"),
        )

    def test_without_texts_there_are_no_bins(self) -> None:
        nothing = agreement(value=None, low=None, high=None)
        errors, bins = calibration_grids(
            [Calibrated(Calibration("a", "x", (), None, 0, 4, 4, 4), nothing, nothing)]
        )
        assert bins.rows == ()
        assert errors.rows[0][1:] == ("-", "-", "-", "-", "-", "0", "100.0%")
        assert calibration_grids([]) == ()

    def test_a_record_has_the_bins(self) -> None:
        record = calibration_record(self.FOUND)
        assert record["bins"][0] == {"low": 1, "high": 3, "n": 3, "score": 2.0, "human": 2.5}
        assert (record["n"], record["missing"], record["calibration_error"]) == (4, 1, 0.625)
