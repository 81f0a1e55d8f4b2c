"""Wilson's interval of a share, and what texts that share a source are worth in it."""

import numpy as np
import pytest
from scipy.stats import binomtest  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap, interval_of_share
from agentdebate.meta.ceiling import ceiling
from agentdebate.meta.judgements import Choices, Judged, Rated, Ratings

CASES = [(0, 1), (1, 1), (0, 30), (1, 30), (15, 30), (29, 30), (30, 30), (41, 80), (999, 1600)]


@pytest.mark.parametrize(("right", "n"), CASES)
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_it_is_the_interval_of_scipy(right: int, n: int, confidence: float) -> None:
    theirs = binomtest(right, n).proportion_ci(confidence, method="wilson")
    ours = interval_of_share(np.arange(n) < right, np.arange(n), confidence)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def chosen(right: list[bool], sources: list[str]) -> Choices:
    """Choices that are right or wrong, of these sources."""
    rows = tuple(
        Judged(f"q{number}", source, "", "A", "A" if one else "B")
        for number, (one, source) in enumerate(zip(right, sources, strict=True))
    )
    return Choices("judge", "best", rows, labels=("A", "B"))


def test_all_right_is_not_certain() -> None:
    found = agree(chosen([True] * 30, [""] * 30), "accuracy", bootstrap=Bootstrap())
    assert (found.method, found.sources, found.resamples, found.error) == ("wilson", 30, 0, None)
    assert (found.value, found.low, found.high) == pytest.approx((1, 0.886487, 1), abs=1e-6)


@pytest.mark.parametrize("right", [0, 1, 8, 15, 30])
def test_rows_that_say_the_same_as_another_of_their_source_count_for_nothing(right: int) -> None:
    once = [number < right for number in range(30)]
    names = [f"s{number}" for number in range(30)]
    alone = agree(chosen(once, names), "accuracy", bootstrap=Bootstrap())
    three = agree(chosen(once * 3, names * 3), "accuracy", bootstrap=Bootstrap())
    assert (three.n, three.sources) == (90, 30)
    assert (three.low, three.high) == pytest.approx((alone.low, alone.high), abs=0.01)


def test_several_rows_of_one_source_have_no_interval() -> None:
    found = agree(chosen([True] * 29 + [False], ["s"] * 30), "accuracy", bootstrap=Bootstrap())
    assert (found.low, found.high, found.method) == (None, None, "")


def test_no_resamples_are_no_interval() -> None:
    assert agree(chosen([True] * 30, [""] * 30), "accuracy").low is None


def test_people_who_choose_alike_are_not_certain_either() -> None:
    """Three who all say the same of 30 texts are no more sure than one: the texts are the same."""
    rows = tuple(Rated(f"q{number}", "", "", ("A",) * 3) for number in range(30))
    found = ceiling(Ratings("best", rows, labels=("A", "B")), "accuracy", bootstrap=Bootstrap()).mean
    assert (found.value, found.low) == pytest.approx((1, 0.886487), abs=0.01)
