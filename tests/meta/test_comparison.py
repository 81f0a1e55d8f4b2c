"""Two judges of the same texts, by scores or by choices: their difference, its interval, and the tests."""

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
from agentdebate.meta.comparison import compare, holm, williams
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.judgements import Judged, Judgements

SMALL = Bootstrap(resamples=40)
STATISTICS = ("pearson", "spearman", "kendall-b", "pairwise-accuracy", "alpha", "bias")
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


def choosers(rows: Any, per_source: int = 1) -> tuple[Judgements, Judgements]:
    """Two judges, from people's choice and each of theirs."""
    one, two = (
        Judgements(
            f"judge {place}",
            "overall",
            tuple(
                Judged(f"{n:02}", f"q{n // per_source}", "", row[0], row[place]) for n, row in enumerate(rows)
            ),
            labels=("a", "b", "c"),
        )
        for place in (1, 2)
    )
    return one, two


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
def test_the_difference_is_that_of_the_judges_own_numbers(statistic: str, level: Level) -> None:
    first, second = other(texts(), 1), other(texts(), 2)
    found = compare(first, second, statistic, level, bootstrap=SMALL, permutations=10)
    numbers = [agree(one, statistic, level).value or 0.0 for one in (first, second)]
    assert found.difference == pytest.approx(numbers[0] - numbers[1])
    assert (found.first, found.second, found.n) == ("judge 1", "judge 2", 100)


def test_a_judge_of_chance_is_told_from_a_good_one_and_two_alike_are_not() -> None:
    good, like, bad = (other(texts(40), seed, noise=noise) for seed, noise in ((1, 0.5), (2, 0.5), (4, 9)))
    real = compare(good, bad, "spearman", "group", permutations=200)
    assert (real.p or 1) < 0.01
    assert (real.low or 0) > 0
    none = compare(good, like, "spearman", "group", permutations=200)
    assert (none.p or 0) > 0.05
    assert (none.low or 1) < 0 < (none.high or -1)
    rows = [("a", "a", "a"), ("b", "b", "b"), ("a", "a", "b"), ("b", "b", "b"), ("b", "b", "a")]
    chosen = compare(*choosers(rows * 12), "kappa", permutations=200)
    assert (chosen.p or 1) < 0.01
    assert (chosen.low or 0) > 0


@pytest.mark.parametrize("level", ["pooled", "system"])
@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b"])
def test_a_judge_may_score_on_another_scale(statistic: str, level: Level) -> None:
    """Swapped scores of 1 to 100 among those of 0 to 1 would decide everything, so standardised ones are swapped."""
    first = other(texts(), 1, noise=0.5)
    found = [
        compare(first, other(texts(), 2, scale, 1.5), statistic, level, bootstrap=SMALL, permutations=100)
        for scale in (1, 100, 0.01)
    ]
    assert [one.difference for one in found] == pytest.approx([found[0].difference] * 3, abs=1e-4)
    assert [one.p for one in found] == pytest.approx([found[0].p] * 3)
    if level == "pooled":
        assert found[0].p == pytest.approx(1 / 101), "a difference that any test has to find"


@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b"])
def test_p_is_that_of_scipy_over_all_swaps(statistic: str) -> None:
    """Eight texts have 256 swaps."""
    generator = np.random.default_rng(4)
    people = generator.normal(size=8)
    scores = people + generator.normal(0, 0.3, 8), people + generator.normal(0, 1.5, 8)
    of = {"pearson": stats.pearsonr, "spearman": stats.spearmanr, "kendall-b": stats.kendalltau}[statistic]

    def apart(one: Any, two: Any) -> float:
        return float(of(people, one).statistic - of(people, two).statistic)

    swapped = tuple(map(stats.zscore, scores))
    expected = stats.permutation_test(swapped, apart, permutation_type="samples", vectorized=False).pvalue
    first, second = (
        judgements([(f"s{n}", "m", float(h), float(s)) for n, (h, s) in enumerate(zip(people, one, strict=True))])
        for one in scores
    )  # fmt: skip
    found = compare(first, second, statistic, bootstrap=SMALL, permutations=2000)
    assert found.p == pytest.approx(expected, abs=0.04)


def test_of_accuracy_it_is_mcnemars_test_over_single_items() -> None:
    """Nine of ten discordant items are for the first: twice the ends of the binomial, 2 * (1 + 10) / 1024."""
    rows = [("a", "a", "b")] * 9 + [("a", "b", "a")] + [("a", "a", "a")] * 10
    found = compare(*choosers(rows), "accuracy", bootstrap=SMALL, permutations=4000)
    assert found.difference == pytest.approx(0.4)
    assert found.p == pytest.approx(stats.binomtest(9, 10).pvalue, abs=0.01)


def without(entry: Any, places: range) -> Any:
    """The entry without the judge's word on some rows."""
    rows = [replace(row, score=None) if n in places else row for n, row in enumerate(entry.rows)]
    return replace(entry, rows=tuple(rows))


@pytest.mark.parametrize("kind", ["scores", "choices"])
def test_only_rows_that_both_judged_count_and_the_others_are_counted(kind: str) -> None:
    pair: tuple[Any, Any] = (other(texts(4), 1), other(texts(4), 2))
    statistic = "pearson"
    if kind == "choices":
        pair, statistic = choosers([("a", "a", "b"), ("b", "c", "b"), ("c", "c", "c")] * 7), "accuracy"
    first, second = pair
    found = compare(without(first, range(3)), without(second, range(2, 5)), statistic, bootstrap=SMALL)
    assert found.n == len(first.rows) - 5
    assert found.left_out == {"rows that not both judges scored": 5}
    first, second = (replace(one, rows=one.rows[5:]) for one in pair)
    assert found.difference == compare(first, second, statistic, bootstrap=SMALL).difference


def test_only_sources_in_which_both_have_a_value_count() -> None:
    first, second = other(texts(4), 1), other(texts(4), 2)
    flat = replace(
        first, rows=tuple(replace(row, score=1.0) if row.source == "s0" else row for row in first.rows)
    )
    found = compare(flat, second, "spearman", "group", bootstrap=SMALL, permutations=5)
    assert (found.groups, found.n) == (3, 15)
    assert found.left_out == {"groups in which one of the judges has no value": 1}


@pytest.mark.parametrize("level", LEVELS)
def test_a_constant_judge_has_no_difference(level: Level) -> None:
    flat = replace(texts(), rows=tuple(replace(row, score=1.0) for row in texts().rows))
    found = compare(flat, other(texts(), 1), "pearson", level, bootstrap=SMALL, permutations=5)
    assert (found.difference, found.p, found.low) == (None, None, None)


def test_grades_may_be_taken_as_labels() -> None:
    """Weights count the labels of both judges from the least to the greatest."""
    people = [1, 2, 3, 4, 5, 3] * 3
    one, two = (
        judgements([(f"s{n}", "m", float(h), float(min(h + up, 5))) for n, h in enumerate(people)])
        for up in (0, 1)
    )
    found = compare(one, two, "kappa-linear", bootstrap=SMALL, permutations=50)
    assert found.difference == pytest.approx(1 - (agree(two, "kappa-linear").value or 0))


def test_wrong_input_is_named() -> None:
    first = other(texts(), 1)
    people = replace(first, rows=tuple(replace(row, human=float(row.human or 0) + 1) for row in first.rows))
    entries: list[tuple[Judgements, Judgements]] = [
        (first, people),
        choosers([("a", "a", "b")])[:1] + choosers([("b", "a", "b")])[1:],
    ]
    for pair, statistic in zip(entries, ("pearson", "accuracy"), strict=True):
        with pytest.raises(DataError, match="people do not say the same of item"):
            compare(*pair, statistic)
    with pytest.raises(DataError, match="'s0/m0/0' stands twice among the rows of judge 1"):
        compare(replace(first, rows=[first.rows[0]] * 2), first, "pearson")
    with pytest.raises(UsageError, match="Did you mean 'pearson'"):
        compare(first, first, "pearsn")


def test_there_is_no_permutation_test_of_a_single_source_or_of_pooled_pairs() -> None:
    alone = judgements([("s", f"m{n}", float(n), float(n % 3)) for n in range(6)])
    assert compare(alone, other(alone, 1), "pearson", permutations=10).p is None
    found = compare(other(texts(), 1), other(texts(), 2), "pairwise-accuracy", bootstrap=SMALL)
    assert found.p is None
    assert found.low is not None


def test_williams_by_hand() -> None:
    """r = .5 and .3 with people, .4 with each other, 50 rows: the determinant is .5 + .12 = .62."""
    t = 0.2 * sqrt(49 * 1.4 / (2 * 49 / 47 * 0.62 + 0.4**2 * 0.6**3))
    assert williams(0.5, 0.3, 0.4, 50) == pytest.approx(2 * stats.t.sf(t, 47))
    assert williams(0.3, 0.5, 0.4, 50) == williams(0.5, 0.3, 0.4, 50)
    assert williams(0.5, 0.5, 1.0, 50) is williams(0.5, 0.2, 0.1, 3) is None


def test_holm_by_hand() -> None:
    """Times 4, 3, 2, 1 in order, and never below the one before."""
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.5})
    assert found == pytest.approx({"a": 0.04, "b": 0.09, "c": 0.09, "d": 0.5})
    assert list(found) == ["a", "b", "c", "d"]
    assert holm({}) == {}
