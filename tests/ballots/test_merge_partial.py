"""Merging partial ballots: every rating over those that have it."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Merged, Shortage, merge
from agentdebate.errors import UsageError

KEYS = [(aspect, candidate) for aspect in ("depth", "tone") for candidate in ("answer_1", "answer_2", None)]


def ballot(**scores: float) -> Ballot:
    return Ballot(ratings=tuple(Rating(aspect=aspect, score=score) for aspect, score in scores.items()))


def merged(*ballots: Ballot | None) -> Merged:
    result = merge(ballots, partial=True)
    assert isinstance(result, Merged)
    return result


def test_a_rating_is_the_mean_of_those_that_are_there() -> None:
    result = merged(ballot(depth=4, tone=2), ballot(depth=5), ballot(tone=1))
    assert {rating.aspect: rating.score for rating in result.ratings} == {"depth": 4.5, "tone": 1.5}
    assert (result.counted, result.missing) == (3, 0)


def test_the_spread_counts_the_ballots_that_have_the_rating() -> None:
    depth, tone = merged(ballot(depth=4), ballot(depth=2, tone=3), None).spread
    assert (depth.aspect, depth.ballots, depth.lowest, depth.highest, depth.deviation) == (
        "depth",
        2,
        2,
        4,
        1,
    )
    assert (tone.aspect, tone.ballots, tone.deviation) == ("tone", 1, 0)


def test_ballots_that_differ_are_a_mistake_where_none_may_be_partial() -> None:
    with pytest.raises(UsageError, match="do not rate the same"):
        merge([ballot(depth=4, tone=2), ballot(depth=5)])


def test_no_ballots_are_a_shortage() -> None:
    assert isinstance(merge([], partial=True), Shortage)
    assert isinstance(merge([None, None], partial=True), Shortage)


PARTIAL = st.dictionaries(st.sampled_from(KEYS), st.floats(0, 10), min_size=1)


@given(st.lists(st.none() | PARTIAL, min_size=1, max_size=6))
def test_each_rating_is_the_mean_over_the_ballots_that_have_it(
    drawn: list[dict[tuple[str, str | None], float] | None],
) -> None:
    ballots = [
        None
        if one is None
        else Ballot(
            ratings=tuple(Rating(aspect=a, candidate=c, score=score) for (a, c), score in one.items())
        )
        for one in drawn
    ]
    result = merge(ballots, partial=True)
    columns = {key: [one[key] for one in drawn if one and key in one] for key in KEYS}
    means = {key: fmean(scores) for key, scores in columns.items() if scores}
    if not means:
        assert isinstance(result, Shortage)
        return
    assert isinstance(result, Merged)
    assert {(rating.aspect, rating.candidate): rating.score for rating in result.ratings} == pytest.approx(
        means
    )
    assert {(one.aspect, one.candidate): one.ballots for one in result.spread} == {
        key: len(scores) for key, scores in columns.items() if scores
    }
    assert result.missing == drawn.count(None)
