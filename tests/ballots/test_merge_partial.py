"""Merging partial ballots: every rating over those that have it."""

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import Merged, Shortage, merge

KEYS = [(aspect, candidate) for aspect in ("depth", "tone") for candidate in ("answer_1", "answer_2", None)]


def ballot(**scores: float) -> Ballot:
    return Ballot(ratings=tuple(Rating(aspect=aspect, score=score) for aspect, score in scores.items()))


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
