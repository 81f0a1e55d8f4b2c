"""Correlations of resamples are those that scipy has for the drawn rows written out."""

import math
from typing import Any

import numpy as np
import pytest
from agreement_cases import SCORES, repeated
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.meta.correlations import kendall_b, kendall_c, levels, midranks, pearson, spearman
from agentdebate.meta.discordance import Pairs
from agentdebate.meta.measures import measure

SIZE = 7
columns = st.lists(SCORES, min_size=SIZE, max_size=SIZE).map(np.array)
weights = st.lists(st.lists(st.integers(0, 3), min_size=SIZE, max_size=SIZE), min_size=1, max_size=4).map(
    lambda rows: np.array(rows, dtype=float)
)
ORACLES: dict[str, Any] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-b": stats.kendalltau,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}
names = st.sampled_from(list(ORACLES))


def oracle(name: str, x: Any, y: Any) -> float:
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return math.nan
    return float(ORACLES[name](x, y).statistic)


@settings(max_examples=50)
@given(names, columns, columns, weights)
def test_a_resample_has_the_value_of_its_rows_written_out(name: str, x: Any, y: Any, w: Any) -> None:
    expected = [oracle(name, repeated(x, one), repeated(y, one)) for one in w]
    assert measure(name).many(x, y, w) == pytest.approx(expected, nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(names, st.data(), weights)
def test_resamples_with_values_of_their_own_do_too(name: str, data: st.DataObject, w: Any) -> None:
    """As the means of systems, which differ from one resample of sources to the next."""
    x, y = (np.stack([data.draw(columns) for _ in w]) for _ in "xy")
    expected = [oracle(name, repeated(a, one), repeated(b, one)) for a, b, one in zip(x, y, w, strict=True)]
    assert measure(name).many(x, y, w) == pytest.approx(expected, nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(names, columns, columns)
def test_the_value_of_the_data_is_that_of_scipy(name: str, x: Any, y: Any) -> None:
    assert measure(name).of(x, y) == pytest.approx(oracle(name, x, y), nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(st.sampled_from(["spearman", "kendall-b", "kendall-c"]), columns, columns)
def test_ranks_are_all_that_counts_for_rank_statistics(name: str, x: Any, y: Any) -> None:
    once, again = measure(name).of(x, y), measure(name).of(np.exp(x), y**3 * 7 - 2)
    assert again == pytest.approx(once, nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(names, columns, columns)
def test_to_turn_one_scale_around_turns_the_sign(name: str, x: Any, y: Any) -> None:
    assert measure(name).of(-x, y) == pytest.approx(-measure(name).of(x, y), nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(st.sampled_from(["pearson", "spearman"]), columns, columns)
def test_every_row_twice_is_the_same_correlation(name: str, x: Any, y: Any) -> None:
    once = measure(name).many(x, y, np.ones((1, SIZE)))
    assert measure(name).many(x, y, np.full((1, SIZE), 2.0)) == pytest.approx(once, nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(names, columns, columns, st.floats(0.1, 10), st.floats(-5, 5))
def test_a_linear_change_of_scale_changes_nothing(
    name: str, x: Any, y: Any, factor: float, shift: float
) -> None:
    """Values of halves, which stay apart under these factors."""
    w = np.ones((1, SIZE))
    once = measure(name).many(x, y, w)
    assert measure(name).many(factor * x + shift, y, w) == pytest.approx(once, nan_ok=True, abs=1e-9)


@settings(max_examples=50)
@given(names, columns, weights)
def test_it_is_one_with_itself(name: str, x: Any, w: Any) -> None:
    found = measure(name).many(x, x, w)
    sound = found[~np.isnan(found)]
    assert (sound <= 1).all()
    if name != "kendall-c":  # which is 1 only where each value stands equally often
        assert sound == pytest.approx(np.ones(len(sound)))


@pytest.mark.parametrize("factor", [1e-200, 1.0, 1e200, 8e307])
def test_the_size_of_scores_is_no_matter(factor: float) -> None:
    x, y, w = np.array([-1.0, 0.5, 1.0]), np.array([1.0, 2.0, 4.0]), np.array([[1.0, 1.0, 1.0]])
    expected = stats.pearsonr(x, y).statistic
    assert pearson(x * factor, y, w) == pytest.approx([expected])
    assert measure("pearson").of(x * factor, y) == pytest.approx(expected)


def test_ranks_of_a_resample_are_among_the_drawn_rows() -> None:
    """2, 2, 1, 3, 3 drawn: ranks 1, 2.5 twice, 4.5 twice."""
    x, w = np.array([2.0, 1.0, 3.0, 9.0]), np.array([[2.0, 1.0, 2.0, 0.0]])
    assert midranks(x, w).tolist() == [[2.5, 1.0, 4.5, 5.5]]
    below, equal = levels(x, w)
    assert (below.tolist(), equal.tolist()) == ([[1, 0, 3, 5]], [[2, 1, 2, 0]])


def test_hand_computed() -> None:
    """Five concordant pairs, none discordant, one tied in the first alone: tau-b 5 / sqrt(5 * 6)."""
    x, y, w = np.array([1.0, 1, 2, 3]), np.array([1.0, 2, 3, 4]), np.ones((1, 4))
    assert kendall_b(x, y, w) == pytest.approx([5 / math.sqrt(30)])
    assert kendall_c(x, y, w) == pytest.approx([2 * 5 * 3 / (16 * 2)])
    assert spearman(x, y, w) == pytest.approx([stats.pearsonr([1.5, 1.5, 3, 4], [1, 2, 3, 4]).statistic])


@settings(max_examples=50)
@given(st.data(), st.integers(1, 40))
def test_discordant_pairs_are_those_that_are_counted_one_by_one(data: st.DataObject, size: int) -> None:
    """With few values and many, so with ties in either, in both and in none."""
    numbers = st.lists(st.integers(0, data.draw(st.sampled_from([1, 4, 1000]))), min_size=size, max_size=size)
    codes, values = np.unique(data.draw(numbers), return_inverse=True)[1], np.array(data.draw(numbers))
    w = np.array([data.draw(st.lists(st.integers(0, 3), min_size=size, max_size=size))], dtype=float)
    expected = sum(
        w[0, i] * w[0, j] * (codes[i] < codes[j]) * (values[i] > values[j])
        for i in range(size)
        for j in range(size)
    )
    assert Pairs.discordant(codes, values).weighed(w).tolist() == [expected]


@pytest.mark.parametrize("name", list(ORACLES))
@pytest.mark.parametrize("digits", [0, 1, 9])
def test_thousands_of_rows_have_the_values_of_scipy(name: str, digits: int) -> None:
    generator = np.random.default_rng(digits)
    x: Any = np.round(generator.normal(size=3000), digits)
    y, w = np.round(x + generator.normal(size=3000), digits), generator.integers(0, 3, (4, 3000)) * 1.0
    expected = [oracle(name, repeated(x, one), repeated(y, one)) for one in w]
    assert measure(name).of_weights(x, y)(w) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("far", [1e3, 1e6, 1e12])
def test_a_resample_without_the_outlier_has_all_its_digits(far: float) -> None:
    """The others lie so near to each other that sums of squares would lose them."""
    generator = np.random.default_rng(1)
    x: Any = np.append(generator.normal(size=30), far)
    y: Any = np.append(x[:-1] + generator.normal(size=30), -far)
    w: Any = np.array([[1.0] * 30 + [0.0], [2.0] * 30 + [1.0]])
    expected = [oracle("pearson", repeated(x, one), repeated(y, one)) for one in w]
    assert measure("pearson").of_weights(x, y)(w) == pytest.approx(expected, abs=1e-12 * max(1, far / 1e4))
