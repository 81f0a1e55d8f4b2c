"""Two judges of the same texts: their difference, its interval, and the tests."""

import random
from dataclasses import replace
from math import sqrt
from typing import Any

import numpy as np
import pytest
from agreement_cases import crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.columns import Columns
from agentdebate.meta.comparison import compare, holm, williams
from agentdebate.meta.imputation import Missing
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.levels import Level, compared, point
from agentdebate.meta.measures import Statistic, calibrated, measure
from agentdebate.tasks import Scale

SMALL = Bootstrap(resamples=40)
STATISTICS: tuple[Statistic, ...] = ("pearson", "spearman", "kendall-b", "pairwise-accuracy", "alpha", "bias")
LEVELS: tuple[Level, ...] = ("pooled", "group", "system")
asked = st.tuples(st.sampled_from(STATISTICS), st.sampled_from(LEVELS))


def other(judged: Judgements, seed: int, scale: float = 1.0, noise: float = 1.0) -> Judgements:
    """A judge who scores the same texts by people's scores and chance."""
    chance = random.Random(seed)
    rows = tuple(
        replace(row, score=scale * (float(row.human or 0) + chance.gauss(0, noise))) for row in judged.rows
    )
    return replace(judged, judge=f"judge {seed}", rows=rows)


def texts(sources: int = 20, systems: int = 5) -> Judgements:
    chance = random.Random(3)
    return judgements(
        [(f"s{s}", f"m{m}", chance.gauss(m, 1), 0.0) for s in range(sources) for m in range(systems)]
    )


@settings(max_examples=25)
@given(crossed(), asked)
def test_a_judge_and_itself_do_not_differ(judged: Judgements, how: Any) -> None:
    found = compare(judged, judged, *how, bootstrap=SMALL, permutations=20)
    if found.difference is not None:
        assert found.difference == 0
        assert (found.low, found.high) in {(0.0, 0.0), (None, None)}
        assert found.p in {None, 1.0}
        assert found.williams is None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_the_difference_is_that_of_the_judges_own_numbers(statistic: Statistic, level: Level) -> None:
    first, second = other(texts(), 1), other(texts(), 2)
    found = compare(first, second, statistic, level, bootstrap=SMALL, permutations=10)
    numbers = [agree(one, statistic, level).value or 0.0 for one in (first, second)]
    assert found.difference == pytest.approx(numbers[0] - numbers[1])
    assert (found.first, found.second, found.n) == ("judge 1", "judge 2", 100)


def test_a_judge_of_chance_is_told_from_a_good_one_and_two_alike_are_not() -> None:
    good, like, bad = (
        other(texts(40), 1, noise=0.5),
        other(texts(40), 2, noise=0.5),
        other(texts(40), 4, noise=9),
    )
    real = compare(good, bad, "spearman", "group", permutations=200)
    assert (real.p or 1) < 0.01
    assert (real.low or 0) > 0
    none = compare(good, like, "spearman", "group", permutations=200)
    assert (none.p or 0) > 0.05
    assert (none.low or 1) < 0 < (none.high or -1)


@pytest.mark.parametrize("level", ["pooled", "system"])
@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b"])
def test_a_judge_may_score_on_another_scale(statistic: Statistic, level: Level) -> None:
    """Swapped scores of 1 to 100 among those of 0 to 1 would decide everything, so ranks are swapped, whatever the scale."""
    declared = Scale(low=-20, high=20, step=None)
    first, second = (
        replace(other(texts(), number, noise=noise), scale=declared) for number, noise in ((1, 0.5), (2, 1.5))
    )
    scales = [(1, 0), (100, -7), (0.001, 90)]
    found = [
        compare(first, _on_scale(second, *scale), statistic, level, bootstrap=SMALL, permutations=100)
        for scale in scales
    ]
    assert [one.swapped for one in found] == ["scores", "ranks", "ranks"]
    assert found[1].p == pytest.approx(found[2].p)
    assert [one.difference for one in found] == pytest.approx([found[0].difference] * 3, abs=1e-4)
    if level == "pooled":
        assert [one.p for one in found] == pytest.approx([1 / 101] * 3), (
            "a difference that any test has to find"
        )


def _on_scale(judged: Judgements, factor: float, shift: float) -> Judgements:
    return replace(
        judged, rows=tuple(replace(row, score=factor * float(row.score or 0) + shift) for row in judged.rows)
    )


def test_within_sources_and_for_errors_scores_are_swapped_on_any_scale() -> None:
    first, second = other(texts(), 1), _on_scale(other(texts(), 2), 100, -7)
    asked: list[tuple[Statistic, Level]] = [("kendall-b", "group"), ("bias", "pooled"), ("alpha", "pooled")]
    for statistic, level in asked:
        found = compare(first, second, statistic, level, bootstrap=SMALL, permutations=9)
        assert found.swapped == "scores"
    assert compare(first, second, "pearson", "pooled", bootstrap=SMALL, permutations=0).swapped == ""


@pytest.mark.parametrize(("missing", "n"), [("left-out", 3), (3.0, 5)])
def test_a_comparison_says_how_many_texts_each_judge_lacks_whatever_these_count_as(
    missing: Missing, n: int
) -> None:
    (judged,) = _judges(np.arange(6), np.arange(6))
    lacking = replace(
        judged,
        judge="lacking",
        rows=tuple(replace(row, score=None) if row.human in {1, 2} else row for row in judged.rows),
    )
    unknown = tuple(replace(row, human=None) if row.human == 5 else row for row in judged.rows)
    first, second = (replace(one, rows=(*one.rows[:5], unknown[5])) for one in (judged, lacking))
    found = compare(first, second, "bias", "pooled", bootstrap=SMALL, permutations=9, missing=missing)
    assert (found.texts, found.missing, found.n) == (5, (0, 2), n)


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b"])
@pytest.mark.parametrize("factor", [1, 100])
def test_p_is_that_of_scipy_over_all_swaps(statistic: Statistic, factor: float) -> None:
    """Eight texts have 256 swaps. On another scale it is that of the ranks."""
    generator = np.random.default_rng(4)
    people = generator.normal(size=8)
    scores = people + generator.normal(0, 0.3, 8), factor * (people + generator.normal(0, 1.5, 8))
    swapped = tuple(stats.rankdata(one) for one in scores)
    of = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall-b": stats.kendalltau}[statistic]

    def apart(one: Any, other: Any) -> float:
        return float(of(people, one).statistic - of(people, other).statistic)

    expected = stats.permutation_test(swapped, apart, permutation_type="samples", vectorized=False).pvalue
    first, second = _judges(people, *scores)
    found = compare(first, second, statistic, "pooled", bootstrap=SMALL, permutations=2000)
    assert found.p == pytest.approx(expected, abs=0.04)
    assert found.swapped == "ranks"


def _judges(people: Any, *scores: Any) -> list[Judgements]:
    return [
        replace(
            judgements([(f"s{n}", "m", float(h), float(s)) for n, (h, s) in enumerate(zip(people, one, strict=True))]),
            judge=f"judge {number}",
        )
        for number, one in enumerate(scores)
    ]  # fmt: skip


def test_only_rows_that_both_scored_count() -> None:
    first, second = other(texts(), 1), other(texts(), 2)
    holes = replace(
        first, rows=tuple(replace(row, score=None) if n < 7 else row for n, row in enumerate(first.rows))
    )
    fewer = replace(second, rows=second.rows[:-5])
    found = compare(holes, fewer, "pearson", "pooled", bootstrap=SMALL, permutations=5)
    ours, theirs = (replace(one, rows=one.rows[7:-5]) for one in (first, second))
    assert found.n == 100 - 12
    assert found.left_out == {"rows that only one of the judges scored": 12}
    assert (
        found.difference
        == compare(ours, theirs, "pearson", "pooled", bootstrap=SMALL, permutations=5).difference
    )


def test_rows_that_neither_scored_are_counted() -> None:
    first, second = other(texts(4), 1), other(texts(4), 2)
    holes = [
        replace(one, rows=tuple(replace(row, score=None) if n < 3 else row for n, row in enumerate(one.rows)))
        for one in (first, second)
    ]
    found = compare(holes[0], holes[1], "pearson", "pooled", bootstrap=SMALL, permutations=5)
    assert (found.n, found.left_out) == (17, {"rows that neither judge scored": 3})


def test_only_sources_in_which_both_have_a_value_count() -> None:
    first, second = other(texts(4), 1), other(texts(4), 2)
    flat = replace(
        first, rows=tuple(replace(row, score=1.0) if row.source == "s0" else row for row in first.rows)
    )
    found = compare(flat, second, "spearman", "group", bootstrap=SMALL, permutations=5)
    assert (found.groups, found.n) == (3, 15)
    assert found.left_out == {"groups in which one of the judges has no value": 1}


def test_a_constant_judge_has_no_difference() -> None:
    flat = replace(texts(), rows=tuple(replace(row, score=1.0) for row in texts().rows))
    for level in LEVELS:
        found = compare(flat, other(texts(), 1), "pearson", level, bootstrap=SMALL, permutations=5)
        assert (found.difference, found.p, found.low) == (None, None, None)


def test_wrong_input_is_named() -> None:
    first = other(texts(), 1)
    people = replace(first, rows=tuple(replace(row, human=float(row.human or 0) + 1) for row in first.rows))
    with pytest.raises(DataError, match="compared with the same people"):
        compare(first, people, "pearson", "pooled")
    with pytest.raises(DataError, match="'s0/m0/0' stands twice among the rows of judge 1"):
        compare(replace(first, rows=[first.rows[0]] * 2), first, "pearson", "pooled")
    with pytest.raises(UsageError, match="permutations"):
        compare(first, first, "pearson", "pooled", permutations=-1)
    with pytest.raises(UsageError, match="Did you mean 'pearson'"):
        compare(first, first, "pearsn", "group")


def test_there_is_no_permutation_test_of_a_single_source_or_of_pooled_pairs() -> None:
    alone = judgements([("s", f"m{n}", float(n), float(n % 3)) for n in range(6)])
    assert compare(alone, other(alone, 1), "pearson", "pooled", permutations=10).p is None
    found = compare(other(texts(), 1), other(texts(), 2), "pairwise-accuracy", "pooled", bootstrap=SMALL)
    assert (found.p, found.permutations) == (None, 0)
    assert found.low is not None


class TestWilliams:
    def test_by_hand(self) -> None:
        """r = .5 and .3 with people, .4 with each other, 50 rows: the determinant is .5 + .12 = .62."""
        t = 0.2 * sqrt(49 * 1.4 / (2 * 49 / 47 * 0.62 + 0.4**2 * 0.6**3))
        assert williams(0.5, 0.3, 0.4, 50) == pytest.approx(2 * stats.t.sf(t, 47))
        assert williams(0.3, 0.5, 0.4, 50) == williams(0.5, 0.3, 0.4, 50)

    @pytest.mark.parametrize("given", [(0.5, 0.5, 1.0, 50), (0.5, 0.2, 0.1, 3)])
    def test_where_nothing_can_be_tested_there_is_no_p(self, given: Any) -> None:
        assert williams(*given) is None

    def test_a_correlation_beyond_one_is_an_error(self) -> None:
        with pytest.raises(UsageError, match=r"not at 1\.2"):
            williams(1.2, 0.1, 0.1, 50)

    def test_the_comparison_makes_it_from_the_three_correlations(self) -> None:
        first, second = other(texts(), 1), other(texts(), 2)
        numbers = [
            [row.human for row in first.rows],
            *([row.score for row in one.rows] for one in (first, second)),
        ]
        r = np.corrcoef(np.array(numbers, dtype=float))
        assert compare(first, second, "pearson", bootstrap=SMALL, permutations=0).williams is None, (
            "texts share sources"
        )
        found = compare(first, second, "pearson", bootstrap=SMALL, permutations=0, williams_test=True)
        assert found.shared
        assert found.williams == pytest.approx(williams(r[0, 1], r[0, 2], r[1, 2], 100))
        assert found.p is None
        assert compare(first, second, "pearson", "group", bootstrap=SMALL, permutations=0).williams is None
        over_systems = compare(first, second, "spearman", "system", bootstrap=SMALL, permutations=0)
        assert over_systems.williams is None or 0 <= over_systems.williams <= 1


class TestHolm:
    def test_by_hand(self) -> None:
        """Times 4, 3, 2, 1 in order, and never below the one before."""
        found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.5})
        assert found == pytest.approx({"a": 0.04, "b": 0.09, "c": 0.09, "d": 0.5})
        assert list(found) == ["a", "b", "c", "d"]

    def test_what_is_no_p_value_is_an_error(self) -> None:
        with pytest.raises(UsageError, match="fluency"):
            holm({"coherence": 0.1, "fluency": 1.5})


def _of(table: Columns, statistic: Statistic, level: Level) -> float:
    epsilon = calibrated(list(compared(table, level))) if statistic == "pairwise-accuracy" else 0.0
    return point(table, measure(statistic, epsilon), level).value
