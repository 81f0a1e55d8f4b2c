"""Expected scores by hand, and by brute force."""

import math
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.expectation import TokenChoice, expected
from agentdebate.tasks import Scale

FIVE = Scale(low=1, high=5)
TEN = Scale(low=1, high=10)
HALVES = Scale(low=0, high=1, step=0.5)
MARK = Scale(low=1, high=5, step=0.5)

Choice = str | tuple[str, Mapping[str, float]]


def tokens(*choices: Choice) -> list[TokenChoice]:
    """Tokens with the probabilities of their alternatives; a bare one is certain."""
    pairs = [(one, {one: 1.0}) if isinstance(one, str) else one for one in choices]
    return [
        TokenChoice(token, {name: math.log(share) for name, share in odds.items()}) for token, odds in pairs
    ]


def found(score: float, scale: Scale, *choices: Choice, after: int = 0) -> tuple[float, float] | None:
    """The expected score and its mass where the reply consists of these tokens and gives this score."""
    made = tokens(*choices)
    text = "".join(one.token for one in made).replace("\u2581", " ").replace("\u0120", " ").strip()
    result = expected(made, text, score, scale, after=after)
    return None if result is None else (result.score, result.mass)


def about(score: float, mass: float) -> object:
    return pytest.approx((score, mass))


def test_one_where_ten_could_have_come_is_told_from_it() -> None:
    """The token behind the 1 says how likely it was that a 0 would follow."""
    ends = ("\n", {"\n": 0.9, "0": 0.1})
    assert found(1, TEN, "Overall: ", ("1", {"1": 1.0}), ends, "Done.") == about(1 * 0.9 + 10 * 0.1, 1)
    assert found(1, TEN, "Overall: ", ("1", {"1": 0.5, "2": 0.5})) == about(1.5, 1), "the reply ends here"


@pytest.mark.parametrize("point", [".", ","])
def test_a_half_in_three_tokens_is_a_half(point: str) -> None:
    """Most tokenizers take the point for a token of its own."""
    first = ("0", {"0": 0.9, "1": 0.1})
    middle = (point, {point: 0.8, "\n": 0.2})
    last = ("5", {"5": 0.9, "0": 0.05, "7": 0.05})
    zero, half = 0.9 * 0.2 + 0.9 * 0.8 * 0.05, 0.9 * 0.8 * 0.9
    # That 1 could have become 1.0 makes it no longer score: nothing on the scale begins with "1.".
    mass = zero + half + 0.1
    assert found(0.5, HALVES, "Tone: ", first, middle, last) == about((half * 0.5 + 0.1) / mass, mass)


@pytest.mark.parametrize(
    ("score", "scale", "choices"),
    [
        (4, Scale(low=1, high=5, step=None), ("4",)),  # any number
        (3, FIVE, ("4",)),  # not in the text
        (4, FIVE, ("four",)),  # in words
        (4, FIVE, (("4", {"4": 0.0001, "5": 1.0}), "2")),  # 42
        (
            4,
            FIVE,
            ("Tone: ", ("x4", {"x4": 0.5, "5": 0.5})),
        ),  # the token is no score, and only another one would count
    ],
)
def test_where_the_place_cannot_be_told_there_is_nothing(
    score: float, scale: Scale, choices: tuple[Choice, ...]
) -> None:
    assert found(score, scale, *choices) is None


def test_tokens_that_are_not_those_of_the_text_give_nothing() -> None:
    assert expected(tokens("Tone: ", "4"), "Tone: 5, or 4", 4, FIVE) is None
    assert expected([], "4", 4, FIVE) is None


def shares(count: int) -> st.SearchStrategy[list[float]]:
    """Probabilities that sum up to 1 or less."""
    parts = st.lists(st.integers(1, 1000), min_size=count, max_size=count)
    return st.tuples(parts, st.integers(0, 500)).map(
        lambda pair: [one / (sum(pair[0]) + pair[1]) for one in pair[0]]
    )


@given(st.data(), st.integers(2, 9))
def test_over_single_tokens_it_is_the_mean_over_the_scale(data: st.DataObject, high: int) -> None:
    scale = Scale(low=1, high=high)
    names = [*(str(value) for value in range(1, high + 1)), "x", "0"]
    odds = dict(zip(names, data.draw(shares(len(names))), strict=True))
    given_score = data.draw(st.integers(1, high))
    result = found(given_score, scale, "Tone: ", (str(given_score), odds))
    mass = sum(odds[str(value)] for value in range(1, high + 1))
    mean = sum(value * odds[str(value)] for value in range(1, high + 1)) / mass
    assert result == about(mean, mass)
    assert result is not None
    assert scale.low <= result[0] <= scale.high


@given(st.data(), st.integers(10, 29), st.booleans())
def test_over_two_tokens_it_is_the_mean_over_all_that_could_have_been_said(
    data: st.DataObject, high: int, two: bool
) -> None:
    """Digits are tokens. Scores that begin like the reply's count in full, the others where no longer score begins so."""
    scale = Scale(low=1, high=high)
    first = dict(zip("123456789", data.draw(shares(9)), strict=True))
    second = dict(zip(["\n", *"0123456789"], data.draw(shares(11)), strict=True))
    said = data.draw(st.integers(10, high) if two else st.integers(1, 9))
    lead, end = str(said)[0], str(said)[1:] or "\n"
    longer = {str(value)[0] for value in range(10, high + 1)}
    weights: dict[int, float] = {}
    for digit, share in first.items():
        if digit not in longer:
            weights[int(digit)] = share
        elif digit == lead:
            for tail, rest in second.items():
                value = int((digit + tail).strip())
                if value <= high:
                    weights[value] = share * rest
    made: tuple[Choice, ...] = ("Tone: ", (lead, first), (end, second), "\n")
    mass = sum(weights.values())
    mean = sum(value * weight for value, weight in weights.items()) / mass
    assert found(said, scale, *made) == about(mean, mass)


PIECES = st.sampled_from([*"0123456789", ".", ",", " ", "10", "4.5", "\n", "-", "", ".5", "x"])
ALTERNATIVES = st.dictionaries(PIECES, st.floats(-20, 0.1), max_size=4)


@given(st.data(), st.sampled_from([FIVE, TEN, HALVES, MARK, Scale(low=0, high=100)]))
def test_it_lies_within_the_scale_whatever_the_tokens(data: st.DataObject, scale: Scale) -> None:
    assert scale.values is not None
    score = data.draw(st.sampled_from(scale.values))
    before, behind = data.draw(st.lists(PIECES, max_size=2)), data.draw(st.lists(PIECES, max_size=3))
    made = [
        TokenChoice(token, {**data.draw(ALTERNATIVES), token: data.draw(st.floats(-9999, 0))})
        for token in ["Tone: ", *before, *f"{score:g}", *behind]
    ]
    result = expected(made, "".join(one.token for one in made).strip(), score, scale)
    if result is not None:
        assert scale.low <= result.score <= scale.high
        assert 0 < result.mass <= 1
