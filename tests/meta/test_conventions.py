"""Conventions that have names."""

from typing import get_args

import pytest

from agentdebate.meta.conventions import CONVENTIONS, Convention
from agentdebate.meta.figure import Level
from agentdebate.meta.measures import OF_CHOICES, OF_SCORES


@pytest.mark.parametrize("one", CONVENTIONS.values(), ids=CONVENTIONS.keys())
def test_a_convention_says_what_can_be_computed(one: Convention) -> None:
    assert set(one.levels) <= set(get_args(Level))
    assert set(one.statistics) <= set(OF_CHOICES if one.choice else OF_SCORES)
    assert one.statistics
    assert one.levels
    assert one.about.endswith(".")


@pytest.mark.parametrize("one", CONVENTIONS.values(), ids=CONVENTIONS.keys())
def test_a_convention_names_the_fields_that_its_level_needs(one: Convention) -> None:
    assert one.group or "group" not in one.levels
    assert one.system or not (one.without or "system" in one.levels)
    assert bool(one.choice) != bool(one.aspects)
