"""A command looks for cycles seldom, and leaves the process as it found it."""

import gc

import pytest

from agentdebate.cli.garbage import THRESHOLDS, collecting_seldom


def test_cycles_are_looked_for_seldom_while_the_block_runs() -> None:
    before = gc.get_threshold()
    assert before != THRESHOLDS
    with collecting_seldom():
        assert gc.get_threshold() == THRESHOLDS
    assert gc.get_threshold() == before


def test_what_the_block_raises_comes_out_and_the_thresholds_are_back() -> None:
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="no"), collecting_seldom():
        raise ValueError("no")
    assert gc.get_threshold() == before
