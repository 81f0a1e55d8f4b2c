"""Patterns of a module: compiled when they are first used, and then as any."""

import re

import pytest

from agentdebate.ballots.pattern import pattern


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    word, compiled = pattern("(?P<first>[a-z])[a-z]*", re.IGNORECASE), re.compile("[a-z]+", re.IGNORECASE)
    found = word.fullmatch("Fair")
    assert found is not None
    assert (found["first"], word.sub("x", "Fair enough"), word.groups) == ("F", "x x", 1)
    assert [m.span() for m in word.finditer("a score")] == [m.span() for m in compiled.finditer("a score")]


def test_what_is_wrong_with_a_pattern_shows_where_it_is_first_used() -> None:
    broken = pattern("(")
    assert repr(broken) == "<Pattern '('>"
    with pytest.raises(re.error):
        broken.search("x")
