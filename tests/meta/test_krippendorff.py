"""Krippendorff's alpha: his own worked example, cases by hand, and resamples as rows written out."""

from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agentdebate.meta.krippendorff import Measure, alpha

NO = None
WORKED = np.array(
    [
        [1, 1, NO, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
        [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [NO, 5, 5, 5], [NO, NO, 1, 1], [NO, NO, 3, NO],
    ],
    dtype=float,
)  # fmt: skip
"""Four observers of twelve units: Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C."""

measures = st.sampled_from(get_args(Measure))
tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(
        st.lists(st.none() | st.integers(1, 4), min_size=3, max_size=3), min_size=units, max_size=units
    )
).map(lambda rows: np.array(rows, dtype=float))  # fmt: skip


def one(ratings: Any, measure: Measure) -> float:
    return float(alpha(ratings, np.ones((1, len(ratings))), measure)[0])


@pytest.mark.parametrize(
    ("measure", "expected"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_the_worked_example(measure: Measure, expected: float) -> None:
    assert one(WORKED, measure) == pytest.approx(expected, abs=5e-4)


def test_by_hand() -> None:
    """Ratings 1-1, 1-2, 2-2: one pair of three is unlike, and 9 of the 15 pairs of single ratings are."""
    ratings = np.array([[1.0, 1.0], [1.0, 2.0], [2.0, 2.0]])
    assert one(ratings, "nominal") == pytest.approx(1 - (1 / 3) / (9 / 15))
    assert one(ratings, "interval") == pytest.approx(1 - (1 / 3) / (9 / 15)), "two values have one distance"


def test_ordinal_distances_are_of_ranks() -> None:
    """The values may be anything that is in the same order."""
    stretched = np.where(WORKED == 5, 1000.0, WORKED)
    assert one(stretched, "ordinal") == pytest.approx(one(WORKED, "ordinal"))
    assert one(stretched, "interval") != pytest.approx(one(WORKED, "interval"), abs=0.01)


@given(tables, measures)
def test_neither_the_order_of_raters_nor_that_of_units_counts(ratings: Any, measure: Measure) -> None:
    expected = one(ratings, measure)
    assert one(ratings[::-1], measure) == pytest.approx(expected, nan_ok=True, abs=1e-12)
    assert one(ratings[:, ::-1], measure) == pytest.approx(expected, nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(tables, measures, st.lists(st.integers(0, 3), min_size=6, max_size=6))
def test_a_resample_has_the_value_of_its_units_written_out(
    ratings: Any, measure: Measure, drawn: list[int]
) -> None:
    counts = drawn[: len(ratings)]
    assume(sum(counts))
    found = alpha(ratings, np.array([counts], dtype=float), measure)[0]
    own = alpha(ratings[None], np.array([counts], dtype=float), measure)[0]
    expected = one(np.repeat(ratings, counts, axis=0), measure)
    assert found == pytest.approx(expected, nan_ok=True, abs=1e-12)
    assert own == pytest.approx(expected, nan_ok=True, abs=1e-12)


@pytest.mark.parametrize("measure", get_args(Measure))
def test_without_differences_there_is_no_alpha(measure: Measure) -> None:
    assert np.isnan(one(np.full((3, 2), 4.0), measure))
    assert np.isnan(one(np.array([[1.0, np.nan], [np.nan, 2.0]]), measure)), "no unit has two ratings"


@pytest.mark.parametrize("measure", get_args(Measure))
def test_full_agreement_is_one(measure: Measure) -> None:
    assert one(np.array([[1.0, 1.0], [2.0, 2.0], [5.0, 5.0]]), measure) == 1
