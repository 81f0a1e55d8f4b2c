"""Merging ballots: each way of it as it is documented, what is missing, and what must never make a difference."""

import math
from collections.abc import Sequence
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate import plugins
from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.merge import GROUP, Merge, MergeContext, Merged, Shortage, merge
from agentdebate.ballots.winners import most_often, winners
from agentdebate.errors import TooFewBallots, UsageError

MERGES = sorted(plugins.registered(GROUP))
FIELDS = ("answer_1", "answer_2", "answer_3")


def vote(
    ballots: Sequence[Ballot | None], *, lowest: bool = False, weights: Sequence[float] | None = None
) -> tuple[str, ...]:
    """The texts that the ballots which are there put first most often."""
    there = [place for place, ballot in enumerate(ballots) if ballot is not None]
    firsts = [winners(ballot.ratings, lowest=lowest) for ballot in ballots if ballot is not None]
    return most_often(firsts, None if weights is None else [weights[place] for place in there])


def single(*scores: float) -> list[Ballot]:
    """Ballots on one aspect of one text."""
    return [Ballot(ratings=(Rating(aspect="fluency", score=score),)) for score in scores]


def among(*scores: float) -> Ballot:
    """A ballot on one aspect of several texts."""
    rated = zip(FIELDS, scores, strict=False)
    return Ballot(
        ratings=tuple(Rating(aspect="overall", candidate=name, score=score) for name, score in rated)
    )


def merged(ballots: Sequence[Ballot | None], how: Merge = "average", **options: object) -> Merged:
    result = merge(ballots, how, **options)  # type: ignore[arg-type]  # whatever the test gives
    assert isinstance(result, Merged)
    return result


def score(ballots: Sequence[Ballot | None], how: Merge = "average", **options: object) -> float:
    return merged(ballots, how, **options).ratings[0].score


@pytest.mark.parametrize(
    ("how", "scores", "expected"),
    [
        ("average", (1, 2, 5), 8 / 3),
        ("average", (4,), 4),
        ("median", (5, 1, 2), 2),
        ("median", (5, 1, 2, 4), 3),
        ("majority", (2, 5, 5, 1), 5),
        ("weighted", (1, 5), 3),
        ("trimmed", (1, 5), 3),
        ("trimmed", (1, 2, 5), 2),
        ("trimmed", (1, 2, 3, 5), 2.5),
        ("trimmed", (1, 1, 1, 2, 3, 4, 5, 5, 5), fmean((1, 1, 2, 3, 4, 5, 5))),
        ("trimmed", (1, 1, 1, 2, 3, 3, 4, 5, 5, 5), fmean((1, 2, 3, 3, 4, 5))),
        ({"rule": "trimmed"}, (1, 2, 5), 2),
        ({"rule": "trimmed", "share": 0.1}, (1, 2, 3, 5), 2.75),
        ({"rule": "trimmed", "share": "0.1"}, (1, 2, 3, 4, 8), 3),
        ({"rule": "trimmed", "share": 0.4}, (1, 5), 3),
        ({"rule": "trimmed", "share": 0.4}, (1, 2, 3, 4, 8), 3),
        ("weighted-votes", (2, 5, 5, 1), 5),
        ("confidence-weighted", (1, 5), 3),
        ("confidence-votes", (2, 5, 5, 1), 5),
        # A tie of the majority goes to the score nearest the average, and then to the lower.
        ("majority", (1, 1, 4, 4, 5), 4),  # the average is 3: 4 is nearer than 1
        ("majority", (1, 1, 2, 4, 4), 1),  # the average is 2.4: 1 is nearer than 4
        ("majority", (1, 5), 1),
        ("majority", (2, 3, 4), 3),
        ("majority", (1, 2, 3, 4), 2),
        ("majority", (5, 5, 5, 1, 1, 1), 1),
    ],
)
def test_each_merge_is_what_it_says(how: Merge, scores: tuple[float, ...], expected: float) -> None:
    """Trimmed: none of two, one at either end from three on, two from ten on. Nobody says how sure a ballot is."""
    assert score(single(*scores), how) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("how", "sure", "weights", "expected"),
    [
        # The score with most weight wins.
        ("weighted-votes", (None,) * 3, (1, 1, 1), 5),
        ("weighted-votes", (None,) * 3, (3, 1, 1), 1),
        ("weighted-votes", (None,) * 3, (2.5, 1, 1), 1),
        ("weighted-votes", (None,) * 3, (1e-300, 2e-300, 0), 5),
        ("weighted-votes", (None,) * 3, (2, 1, 1), 1),  # a tie, both as near to the weighted mean, which is 3: the lower one
        ("weighted-votes", (None,) * 3, (0.3, 0.1, 0.2), 1),  # a tie, whatever floats make of 0.1 + 0.2
        # A ballot weighs as much as it is sure, and what is unsaid counts as the option says.
        ("confidence-weighted", (0.9, 0.3), None, 2),
        ("confidence-weighted", (0.9, 0.3), (1, 3), 3),
        ("confidence-weighted", (0.9, None), None, 3),
        ({"rule": "confidence-weighted", "unsaid": "lost"}, (0.9, None), None, 1),
        ({"rule": "confidence-weighted", "unsaid": 0.3}, (0.9, None), None, 2),
        ({"rule": "confidence-weighted", "unsaid": "0.3"}, (0.9, None), None, 2),
        ("confidence-votes", (0.4, 0.6), None, 5),
        ("confidence-votes", (0.4, 0.6), (2, 1), 1),
        ({"rule": "confidence-votes", "unsaid": 0.1}, (0.4, None), None, 1),
    ],
)  # fmt: skip
def test_a_ballot_counts_as_much_as_its_weight_and_its_confidence_say(
    how: Merge, sure: tuple[float | None, ...], weights: tuple[float, ...] | None, expected: float
) -> None:
    """A missing ballot's place is left out with it."""
    context = MergeContext(confidences=(1.0, *sure))
    ballots = [None, *single(1, 5, 5)[: len(sure)]]
    given = None if weights is None else (9, *weights)
    assert score(ballots, how, weights=given, context=context) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("unsaid", "sure"), [("lost", (None, None)), ("mean", (0.0, 0.0)), (0, (None, None))]
)
def test_ballots_of_which_none_is_sure_of_anything_are_too_few(
    unsaid: object, sure: tuple[float | None, ...]
) -> None:
    with pytest.raises(TooFewBallots, match="none of 2 ballots has a confidence"):
        merge(
            single(1, 5),
            {"rule": "confidence-votes", "unsaid": unsaid},
            context=MergeContext(confidences=sure),
        )


@pytest.mark.parametrize(
    ("how", "weights", "says"),
    [
        ({"rule": "trimmed", "share": 0.5}, None, "merge 'trimmed', option 'share': it is less than 0.5, not 0.5"),
        ({"rule": "trimmed", "shar": 0.1}, None, "merge 'trimmed' has no option 'shar'. Did you mean 'share'"),
        ({"rule": "median", "share": 0.1}, None, "merge 'median' has no option 'share'"),
        *(({"rule": "confidence-votes", "unsaid": wrong}, None, "option 'unsaid': it is 'mean', 'lost', or a number from 0 to 1")
          for wrong in (2, "none")),
        ({"share": 0.1}, None, "a table with its name under 'rule'"),
        ("weighted", (1,), "2 ballots need as many weights, not 1"),
        ("weighted", (1, 2, 3), "2 ballots need as many weights, not 3"),
        ("weighted", (1, -1), "not negative"),
        ("weighted", (0, 0), "not all of them zero"),
        ("weighted", (1, math.nan), "finite"),
        ("weighted", (1, math.inf), "finite"),
    ],
)  # fmt: skip
def test_options_and_weights_that_mean_nothing_are_an_error_that_names_them(
    how: Merge, weights: tuple[float, ...] | None, says: str
) -> None:
    with pytest.raises(UsageError, match=says):
        merge(single(1, 2), how, weights=weights)


@pytest.mark.parametrize(
    ("ballots", "quorum", "says"),
    [
        ([], 1, "0 of 0 ballots could be read; the quorum is 1"),
        ([None, None], 1, "0 of 2 ballots could be read; the quorum is 1"),
        ([None, None], 0, "0 of 2 ballots could be read; the quorum is 1"),
        ([*single(3), None, None], 2, "1 of 3 ballots could be read; the quorum is 2"),
    ],
)
@pytest.mark.parametrize("how", MERGES)
def test_fewer_ballots_than_the_quorum_are_no_result(
    ballots: list[Ballot | None], quorum: int, says: str, how: Merge
) -> None:
    short = merge(ballots, how, quorum=quorum)
    assert isinstance(short, Shortage)
    assert str(short) == says


def test_ballots_without_a_weight_are_no_result() -> None:
    """Whose ballot is missing is chance, so it is no error of whoever gave the weights."""
    short = merge([*single(3), None], "weighted", weights=(0, 1))
    assert isinstance(short, Shortage)
    assert str(short) == "1 of 2 ballots could be read, and none of them has a weight"


@pytest.mark.parametrize(
    "other",
    [
        Ballot(ratings=(Rating(aspect="coherence", score=1),)),
        Ballot(ratings=(Rating(aspect="fluency", score=1), Rating(aspect="coherence", score=1))),
        Ballot(ratings=(Rating(aspect="fluency", candidate="answer_1", score=1),)),
        Ballot(ratings=()),
    ],
)
def test_ballots_about_different_things_are_an_error(other: Ballot) -> None:
    with pytest.raises(UsageError, match="do not rate the same things"):
        merge([*single(1), other])


SCORES = st.floats(-100, 100, allow_nan=False) | st.integers(1, 5).map(float)
BALLOTS = (
    st.integers(1, 3)
    .flatmap(lambda size: st.lists(st.lists(SCORES, min_size=size, max_size=size), min_size=1, max_size=9))
    .map(lambda rows: [among(*row) for row in rows])
)
HOW = st.sampled_from(MERGES)
WEIGHT = st.floats(0.01, 100)

SURE = st.none() | st.floats(0.01, 1)


@given(BALLOTS, HOW, st.data())
def test_the_order_of_the_ballots_decides_nothing(
    ballots: list[Ballot], how: Merge, data: st.DataObject
) -> None:
    """To the last bit; weights and confidences are permuted alike."""
    weights = data.draw(st.lists(WEIGHT, min_size=len(ballots), max_size=len(ballots)))
    sure = data.draw(st.lists(SURE, min_size=len(ballots), max_size=len(ballots)))
    order = data.draw(st.permutations(range(len(ballots))))
    turned, weighed = [ballots[place] for place in order], [weights[place] for place in order]
    known = MergeContext(confidences=tuple(sure))
    other = MergeContext(confidences=tuple(sure[place] for place in order))
    assert merge(ballots, how, weights=weights, context=known) == merge(
        turned, how, weights=weighed, context=other
    )
    assert vote(ballots) == vote(turned)
    assert vote(ballots, weights=weights) == vote(turned, weights=weighed)


@given(BALLOTS, WEIGHT, st.data())
def test_weights_that_are_all_equal_change_nothing(
    ballots: list[Ballot], weight: float, data: st.DataObject
) -> None:
    weights = [weight] * len(ballots)
    assert vote(ballots, weights=weights) == vote(ballots)
    assert merged(ballots, "weighted-votes", weights=weights) == merged(ballots, "majority")
    sure = MergeContext(confidences=(data.draw(st.floats(0.01, 1)),) * len(ballots))
    means = [
        merged(ballots, "weighted", weights=weights),
        merged(ballots, "confidence-weighted", weights=weights, context=sure),
    ]
    plain = merged(ballots)
    for mean in means:
        assert [r.score for r in mean.ratings] == pytest.approx([r.score for r in plain.ratings], abs=1e-9)
        assert (mean.counted, mean.spread) == (plain.counted, plain.spread)


@given(BALLOTS, HOW, st.data())
def test_a_missing_ballot_never_changes_what_the_others_come_to(
    ballots: list[Ballot], how: Merge, data: st.DataObject
) -> None:
    weights = data.draw(st.lists(WEIGHT, min_size=len(ballots), max_size=len(ballots)))
    without = merged(ballots, how, weights=weights)
    gaps = data.draw(st.lists(st.integers(0, len(ballots)), min_size=1, max_size=4))
    gapped: list[Ballot | None] = list(ballots)
    for gap in gaps:
        gapped.insert(gap, None)
        weights.insert(gap, data.draw(WEIGHT))
    result = merged(gapped, how, weights=weights)
    assert replace(result, missing=0) == without
    assert result.missing == len(gaps)
    assert vote(gapped) == vote(ballots)


@given(BALLOTS, HOW)
def test_what_is_merged_lies_within_the_ballots(ballots: list[Ballot], how: Merge) -> None:
    result = merged(ballots, how)
    for rating, spread in zip(result.ratings, result.spread, strict=True):
        assert spread.lowest <= rating.score <= spread.highest
        assert spread.deviation <= spread.highest - spread.lowest


@pytest.mark.parametrize(
    ("scores", "best", "lowest"),
    [
        ((8, 6), ("answer_1",), ("answer_2",)),
        ((6, 8, 7), ("answer_2",), ("answer_1",)),
        ((7, 7), ("answer_1", "answer_2"), ("answer_1", "answer_2")),
        ((8, 6, 8), ("answer_1", "answer_3"), ("answer_2",)),
    ],
)
def test_the_winner_has_the_best_sum_and_equal_sums_tie(
    scores: tuple[float, ...], best: tuple[str, ...], lowest: tuple[str, ...]
) -> None:
    """Of ranks, the lowest sum is the best."""
    assert winners(among(*scores).ratings) == best
    assert winners(among(*scores).ratings, lowest=True) == lowest


def test_the_sum_goes_over_all_aspects_however_it_is_added_up() -> None:
    ratings = [
        Rating(aspect=aspect, candidate=candidate, score=score)
        for candidate, scores in (("answer_1", (0.1, 0.2, 0.3)), ("answer_2", (0.3, 0.2, 0.1)))
        for aspect, score in zip("abc", scores, strict=True)
    ]
    assert (0.1 + 0.2) + 0.3 != (0.3 + 0.2) + 0.1
    assert winners(ratings) == ("answer_1", "answer_2")


@pytest.mark.parametrize(
    ("ballots", "best"),
    [
        ([(9, 1), (5, 6), (5, 6)], ("answer_2",)),
        ([(9, 1), (5, 6)], ("answer_1", "answer_2")),
        ([(9, 1), (5, 6), (4, 4)], ("answer_1", "answer_2")),
        ([(9, 1, 1), (4, 4, 1), (1, 1, 9)], ("answer_1",)),
        ([(9, 9, 1), (9, 1, 9), (1, 9, 9)], FIELDS),
        ([(8, 8, 1), (1, 1, 9)], ("answer_3",)),
    ],
)
def test_most_votes_win_and_a_ballot_that_ties_shares_its_vote(
    ballots: list[tuple[float, ...]], best: tuple[str, ...]
) -> None:
    assert vote([among(*scores) for scores in ballots]) == best


KEYS = [(aspect, candidate) for aspect in ("depth", "tone") for candidate in ("answer_1", "answer_2", None)]
PARTIAL = st.dictionaries(st.sampled_from(KEYS), st.floats(0, 10), min_size=1)


@given(st.lists(st.none() | PARTIAL, min_size=1, max_size=6))
def test_of_partial_ballots_each_rating_is_the_mean_over_those_that_have_it(
    drawn: list[dict[tuple[str, str | None], float] | None],
) -> None:
    ballots = [
        one
        and Ballot(ratings=tuple(Rating(aspect=a, candidate=c, score=score) for (a, c), score in one.items()))
        for one in drawn
    ]
    result = merge([one or None for one in ballots], partial=True)
    columns = {key: [one[key] for one in drawn if one and key in one] for key in KEYS}
    means = {key: fmean(scores) for key, scores in columns.items() if scores}
    if not means:
        assert isinstance(result, Shortage)
        return
    assert isinstance(result, Merged)
    found = {(rating.aspect, rating.candidate): rating.score for rating in result.ratings}
    assert found == pytest.approx(means)
    counts = {(one.aspect, one.candidate): one.ballots for one in result.spread}
    assert counts == {key: len(scores) for key, scores in columns.items() if scores}
    assert result.missing == drawn.count(None)
