"""Two judges that choose: their difference, and the tests of it."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.comparison import compare, mcnemar
from agentdebate.meta.judgements import Choices, Judged, Judgements, as_labels

LABELS = ("first", "tie", "second")
SMALL = Bootstrap(resamples=60)
labels = st.sampled_from(LABELS)
rows = st.lists(st.tuples(labels, labels, labels), min_size=4, max_size=10)


def judges(rows: Any, per_source: int = 1) -> tuple[Choices, Choices]:
    """Two judges, from people's choice and each of theirs."""
    one, two = (
        Choices(
            f"judge {place}",
            "overall",
            tuple(
                Judged(str(n), f"q{n // per_source}", "", row[0], row[place]) for n, row in enumerate(rows)
            ),
            labels=LABELS,
        )
        for place in (1, 2)
    )
    return one, two


def often(pattern: str, times: int = 1) -> list[Any]:
    """Rows in which both judges are right (b), only the first (1), only the second (2), or neither (n)."""
    kinds = {
        "b": ("first", "first", "first"),
        "1": ("first", "first", "tie"),
        "2": ("second", "tie", "second"),
        "n": ("tie", "first", "second"),
    }
    return [kinds[one] for one in pattern] * times


class TestAccuracy:
    def test_single_items_are_tested_by_mcnemars_exact_test(self) -> None:
        """Nine of ten discordant items are for the first: twice the ends of the binomial, 2 * (1 + 10) / 1024."""
        found = compare(*judges(often("bbbn111111111" + "2")), "accuracy", bootstrap=SMALL)
        assert found.difference == pytest.approx(8 / 14)
        assert found.p == pytest.approx(22 / 1024)
        assert (found.test, found.permutations, found.n) == ("mcnemar", 0, 14)

    @given(st.integers(0, 30), st.integers(0, 30))
    def test_mcnemars_p_is_that_of_a_fair_coin(self, first: int, second: int) -> None:
        p = mcnemar(first, second)
        assert p == pytest.approx(mcnemar(second, first))
        least = stats.binom.cdf(min(first, second), first + second, 0.5)
        assert p == pytest.approx(min(1.0, 2 * least))

    def test_items_that_share_a_source_are_swapped_together(self) -> None:
        """Ten sources of four like items each are ten facts, and not forty."""
        many = [row for row in often("1" * 8 + "22") for _ in range(4)]
        found = compare(*judges(many, per_source=4), "accuracy", permutations=4000)
        assert (found.test, found.permutations) == ("permutation", 4000)
        assert found.p == pytest.approx(mcnemar(8, 2), abs=0.03)
        assert (found.p or 0) > 10 * mcnemar(32, 8)

    def test_a_single_source_leaves_nothing_to_test(self) -> None:
        found = compare(*judges(often("b112n"), per_source=9), "accuracy", bootstrap=SMALL)
        assert (found.p, found.test, found.low) == (None, "", None)


class TestKappa:
    @settings(max_examples=30)
    @given(rows, st.sampled_from(["accuracy", "kappa", "kappa-linear", "alpha-nominal"]))
    def test_the_difference_is_that_of_the_judges_own_numbers(self, rows: Any, statistic: Any) -> None:
        first, second = judges(rows)
        found = compare(first, second, statistic, bootstrap=SMALL, permutations=10)
        values = [agree(one, statistic).value for one in (first, second)]
        if values[0] is None or values[1] is None:
            assert (found.difference, found.p, found.test) == (None, None, "")
        else:
            assert found.difference == pytest.approx(values[0] - values[1])
            assert found.p is not None

    def test_a_good_judge_is_told_from_a_bad_one_and_the_data_says_what_it_could_show(self) -> None:
        some = [*often("bb1"), ("second", "second", "second"), ("second", "second", "first")]
        found = compare(*judges(some * 12), "kappa", permutations=200)
        assert (found.p or 1) < 0.01
        assert (found.low or 0) > 0


def test_only_items_on_which_both_chose_count() -> None:
    first, second = judges(often("b12n", 5))
    holes = replace(
        first, rows=tuple(replace(row, score=None) if n < 3 else row for n, row in enumerate(first.rows))
    )
    fewer = replace(second, rows=(*(replace(row, score=None) for row in second.rows[:1]), *second.rows[1:-4]))
    found = compare(holes, fewer, "accuracy", bootstrap=SMALL)
    assert found.n == 20 - 3 - 4
    assert found.left_out == {
        "rows that only one of the judges scored": 6,
        "rows that neither judge scored": 1,
    }


def test_wrong_input_is_named() -> None:
    first, second = judges(often("b12n"))
    people = replace(second, rows=tuple(replace(row, human="tie") for row in second.rows))
    with pytest.raises(
        DataError, match=r"of item '0' people do not say the same with judge 1 and with judge 2"
    ):
        compare(first, people, "accuracy")
    with pytest.raises(DataError, match="'0' stands twice among the choices of judge 1"):
        compare(replace(first, rows=(*first.rows[:1], *first.rows[:1])), second, "accuracy")
    with pytest.raises(UsageError, match="fewer than 0"):
        compare(first, second, "accuracy", permutations=-1)
    with pytest.raises(UsageError, match="Did you mean 'kappa'"):
        compare(first, second, "kapa")


def test_scores_of_two_judges_have_the_labels_of_both() -> None:
    """Otherwise weights would count the labels of each judge anew."""
    one = Judgements("one", "x", (Judged("a", "s", "m", 2.0, 3.0),))
    two = Judgements("two", "x", (Judged("a", "s", "m", 2.0, 5.0),))
    assert as_labels(one, two).labels == as_labels(two, one).labels == ("2", "3", "4", "5")
    with pytest.raises(UsageError, match=r"of x of two, 1\.5 is among them"):
        as_labels(one, replace(two, rows=(Judged("a", "s", "m", 2.0, 1.5),)))
