"""Figures as they are printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.report.grid import figure, merit


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5144, ".514"),
        (-0.25, "-.250"),
        (1.0, "1.000"),
        (0.0, ".000"),
        (-0.0001, ".000"),
        (43 / 80, ".538"),
        (49 / 80, ".613"),
        (12.3456, "12.346"),
        (None, "-"),
    ],
)
def test_a_figure_has_three_decimals_and_no_zero_before_the_point(value: float | None, text: str) -> None:
    assert figure(value) == text


@given(st.floats(-100, 100))
def test_a_figure_is_as_near_as_its_digits_allow(value: float) -> None:
    assert abs(float(figure(value)) - value) <= 0.0005 + 1e-9


def test_less_is_better_of_errors_and_nearness_to_zero_of_bias() -> None:
    assert merit("mean-absolute-error", 0.2) > merit("mean-absolute-error", 0.3)
    assert merit("bias", -0.1) > merit("bias", 0.5)
    assert merit("pearson", 0.3) > merit("pearson", 0.2)
