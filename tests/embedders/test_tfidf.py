"""TF-IDF: what it finds alike on realistic rosters, and texts that have nothing in them."""

import asyncio
import sys
from collections.abc import Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rosters import ROSTERS

from agentdebate.embedders.tfidf import TfIdf
from agentdebate.errors import MissingExtra
from agentdebate.strategies.diversity import text_of


def embedded(texts: Sequence[str]) -> list[list[float]]:
    return asyncio.run(TfIdf().embed(texts))


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    return 1 - sum(a * b for a, b in zip(one, other, strict=True))


@given(
    st.lists(st.text(alphabet=st.characters(codec="utf-8"), max_size=30), max_size=6).flatmap(
        lambda texts: st.tuples(st.just(texts), st.permutations(texts))
    )
)
@settings(max_examples=40)
def test_the_order_of_the_texts_decides_nothing(orders: tuple[list[str], list[str]]) -> None:
    """To the last bit: what is near a limit must not fall on another side of it."""
    given_, permuted = orders
    vectors = dict(zip(given_, embedded(given_), strict=True))
    assert embedded(permuted) == [vectors[text] for text in permuted]


@pytest.mark.parametrize("about", ROSTERS)
def test_repeated_roles_of_a_roster_are_found(about: str) -> None:
    """Those in much the same words, and those in other forms of them."""
    marked = ROSTERS[about]
    vectors = embedded([text_of(role) for _, role in marked])
    for (one, first), (other, second) in combinations(zip(marked, vectors, strict=True), 2):
        if one.readers == other.readers and "~" not in one.mark + other.mark:
            assert distance(first, second) < TfIdf().eps, (one, other)


async def test_without_scikit_learn_the_error_says_what_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.feature_extraction.text", None)
    with pytest.raises(MissingExtra, match=r"agentdebate\[drpe\]"):
        await TfIdf().embed(["one"])
