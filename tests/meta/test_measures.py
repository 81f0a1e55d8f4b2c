"""Statistics are those of the libraries: for the data, for many sources at once, and for rows that are drawn."""

import math
from typing import Any, get_args

import krippendorff
import numpy as np
import pytest
from agreement_cases import SCORES
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.meta.measures import Distance, Measure, alpha

SIZE = 7
columns = st.lists(SCORES, min_size=SIZE, max_size=SIZE).map(np.array)
ORACLES: dict[str, Any] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-b": stats.kendalltau,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}
names = st.sampled_from(list(ORACLES))
distances = st.sampled_from(get_args(Distance))
tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(
        st.lists(st.none() | st.integers(1, 4), min_size=3, max_size=3), min_size=units, max_size=units
    )
).map(lambda rows: np.array(rows, dtype=float))  # fmt: skip


def oracle(name: str, x: Any, y: Any) -> float:
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return math.nan
    return float(ORACLES[name](x, y).statistic)


@settings(max_examples=50)
@given(names, columns, columns)
def test_the_value_of_the_data_is_that_of_scipy(name: str, x: Any, y: Any) -> None:
    assert Measure(name).of(x, y) == pytest.approx(oracle(name, x, y), nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(names, columns, columns, st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=12).map(np.array))
def test_rows_that_are_drawn_have_the_value_of_scipy(name: str, x: Any, y: Any, rows: Any) -> None:
    found = Measure(name).drawn(x, y)(rows)
    assert found == pytest.approx(oracle(name, x[rows], y[rows]), nan_ok=True, abs=1e-12)


@settings(max_examples=60)
@given(tables, distances)
def test_alpha_is_that_of_the_library(ratings: Any, distance: Distance) -> None:
    several = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    known = several[~np.isnan(several)]
    if len(set(known.tolist())) < 2:
        assert math.isnan(alpha(ratings, distance))
        return
    expected = krippendorff.alpha(several.T, level_of_measurement=distance)
    assert alpha(ratings, distance) == pytest.approx(expected, abs=1e-9)


def test_alpha_takes_scores_that_all_differ() -> None:
    """Of which the library would need a matrix of as many rows and columns, for each unit."""
    generator = np.random.default_rng(1)
    x = generator.normal(size=20_000)
    assert 0.8 < Measure("alpha").of(x, x + generator.normal(0, 0.5, 20_000)) < 0.95
