"""What a missing judgement counts as: nothing, wrong, a tie or a value, for scores and for choices."""

import pytest
from agreement_cases import judgements
from hypothesis import strategies as st

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.imputation import Missing, imputed, missing_as
from agentdebate.meta.judgements import Choices, Judged, Judgements, as_labels
from agentdebate.meta.measures import ChoiceStatistic
from agentdebate.tasks import Scale

FIVE = Scale(low=1, high=5)
LABEL = st.sampled_from(["A", "B", "C"])
SCORE = st.integers(1, 5).map(float)


def chosen(*pairs: tuple[str | None, str | None], judge: str = "j", tie: str | None = "C") -> Choices:
    rows = tuple(Judged(str(place), "", "", human, choice) for place, (human, choice) in enumerate(pairs))
    return Choices(judge, "best", rows, labels=("A", "B", "C"), tie=tie)


def scored(*pairs: tuple[float | None, float | None], scale: Scale | None = FIVE) -> Judgements:
    return judgements([("s", f"m{place}", *pair) for place, pair in enumerate(pairs)], scale=scale)


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("left-out", "left-out"),
        ("leave-out", "left-out"),
        ("wrong", "wrong"),
        (" tie ", "tie"),
        ("-2.5", -2.5),
    ],
)
def test_ways_and_numbers_are_read(text: str, missing: Missing) -> None:
    assert missing_as(text) == missing


@pytest.mark.parametrize("text", ["", "worst", "nan", "inf", "1e300", "0 0"])
def test_anything_else_is_refused_with_all_that_fits(text: str) -> None:
    with pytest.raises(UsageError, match=r"missing=\.\.\. is left-out, wrong, tie or a number"):
        missing_as(text)


class TestScores:
    def test_a_number_stands_in_the_place_of_a_missing_score(self) -> None:
        filled, count = imputed(scored((1, 2), (3, None), (None, None)), 2)
        assert ([row.score for row in filled.rows], count) == ([2, 2, None], 1)

    @pytest.mark.parametrize(("human", "worst"), [(1, 5), (2.9, 5), (3, 1), (3.1, 1), (5, 1)])
    def test_the_worst_score_is_the_end_of_the_scale_farthest_from_peoples(
        self, human: float, worst: float
    ) -> None:
        assert imputed(scored((human, None)), "wrong")[0].rows[0].score == worst

    def test_wrong_has_to_know_the_scale_and_says_what_else_fits(self) -> None:
        with pytest.raises(
            UsageError, match=r"missing='wrong' has to know the scale of 'coherence'.*scale='1-5'"
        ):
            imputed(scored((1, None), scale=None), "wrong")
        assert imputed(scored((1, 1), scale=None), "wrong")[1] == 0

    def test_wrong_takes_people_to_be_on_the_scale(self) -> None:
        with pytest.raises(UsageError, match=r"people's scores to be on the judge's scale, 1 to 5.* is 80"):
            imputed(scored((80, None)), "wrong")

    def test_a_tie_is_for_choices(self) -> None:
        with pytest.raises(UsageError, match=r"missing='tie' is for choices.*left-out, wrong.*or a number"):
            agree(scored((1, None)), "spearman", "pooled", missing="tie")

    def test_a_score_that_is_no_finite_number_is_missing_as_well(self) -> None:
        assert imputed(scored((1, float("inf")), (2, float("nan"))), 3)[1] == 2

    def test_correlation_over_what_was_read_is_not_that_of_all(self) -> None:
        """Low texts are refused: over the rest there is little to see, and the lowest score shows that the judge knew."""
        refused = scored(*[(1, None)] * 5, (4, 5), (5, 4), (4, 4), (5, 5))
        left_out, lowest = (
            agree(refused, "pearson", "pooled", missing=way).value for way in ("left-out", 1.0)
        )
        assert left_out == pytest.approx(0)
        assert lowest is not None
        assert lowest > 0.9


class TestScoresAsLabels:
    def test_wrong_needs_no_scale_where_labels_are_only_the_same_or_not(self) -> None:
        found = agree(as_labels(scored((1, 1), (2, None), scale=None)), "accuracy", missing="wrong")
        assert (found.value, found.n, found.imputed) == (0.5, 2, 1)

    def test_a_number_is_a_label_whether_or_not_the_judge_gave_it(self) -> None:
        entry = as_labels(scored((1, 1), (2, None)), missing=4)
        assert entry.labels == ("1", "2", "3", "4")
        assert agree(entry, "accuracy", missing=4).value == 0.5


class TestChoices:
    @pytest.mark.parametrize("statistic", ["accuracy", "kappa", "alpha-nominal"])
    def test_wrong_is_a_label_that_people_never_give(self, statistic: ChoiceStatistic) -> None:
        filled, count = imputed(chosen(("A", "A"), ("B", None)), "wrong", statistic)
        assert count == 1
        assert filled.rows[1].score not in ("A", "B", "C")
        found = agree(chosen(("A", "A"), ("B", None)), statistic, missing="wrong")
        assert found.value is not None
        assert (found.n, found.imputed, found.missing) == (2, 1, 0)

    @pytest.mark.parametrize(("human", "wrong"), [("A", "C"), ("B", "A"), ("C", "A")])
    @pytest.mark.parametrize("statistic", ["kappa-linear", "kappa-quadratic", "alpha-ordinal", "alpha"])
    def test_where_labels_have_an_order_it_is_the_farthest(
        self, human: str, wrong: str, statistic: ChoiceStatistic
    ) -> None:
        assert imputed(chosen((human, None)), "wrong", statistic)[0].rows[0].score == wrong

    def test_a_tie_is_the_label_that_stands_for_one(self) -> None:
        found = agree(chosen(("C", None), ("A", None), ("A", "A")), "accuracy", missing="tie")
        assert found.value == pytest.approx(2 / 3)

    def test_without_such_a_label_it_says_how_to_name_one(self) -> None:
        with pytest.raises(UsageError, match=r"no label of 'best' stands for a tie .*labels=... says which"):
            agree(chosen(("A", None), tie=None), "accuracy", missing="tie")

    def test_a_number_is_the_label_that_reads_so(self) -> None:
        numbered = Choices("j", "best", (Judged("i", "", "", "2", None),), labels=("1", "2"))
        assert agree(numbered, "accuracy", missing=2).value == 1
        with pytest.raises(UsageError, match="missing='3' is none of the labels"):
            agree(numbered, "accuracy", missing=3)
