"""While debates are held Python looks for garbage seldom, and afterwards as it did before."""

import gc
from collections.abc import Iterator

import pytest

from agentdebate.runs.garbage import THRESHOLDS, collecting_seldom


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    yield
    gc.set_threshold(*before)


def test_thresholds_are_those_of_before_once_the_block_that_set_them_ends() -> None:
    with collecting_seldom():
        assert gc.get_threshold() == THRESHOLDS
        with collecting_seldom():
            assert gc.get_threshold() == THRESHOLDS
        assert gc.get_threshold() == THRESHOLDS
    assert gc.get_threshold() == (700, 10, 10)


def test_what_somebody_sets_meanwhile_stays() -> None:
    with collecting_seldom():
        gc.set_threshold(5, 5, 5)
    assert gc.get_threshold() == (5, 5, 5)
