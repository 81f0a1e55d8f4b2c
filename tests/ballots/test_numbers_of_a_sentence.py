"""Sentences that hold several numbers: shared out, calculated, weighed against each other; and slips in words of labels."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.reading.slips import without_slips
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=10), criterion="-")


def score(text: str) -> float | str:
    read = read_ballot(text, [COHERENCE])
    return read.kind if isinstance(read, Problem) else read.scores["coherence"]


@pytest.mark.parametrize(
    "sentence",
    [
        "It's a 3 by one reading of the criterion and a 7 by the other.",
        "For some readers it is a 3, for others a 7.",
        "The opening is a 3 and the ending a 7.",
        "As a draft it is a 3, as a final text a 7.",
        "I'd say 3, but 7 would be fine as well.",
    ],
)
def test_shares_are_refused_until_a_sentence_says_what_they_come_to(sentence: str) -> None:
    assert isinstance(score(sentence), str)
    assert [score(f"{sentence} Overall I give it a 5."), score(f"{sentence} I settle on 5.")] == [5, 5]


def test_shares_that_are_refused_are_named() -> None:
    read = read_ballot("It's a 3 by one reading and a 7 by another.", [COHERENCE])
    assert isinstance(read, Problem)
    assert (read.kind, "3 and 7" in read.text) == ("several", True)


@given(st.integers(1, 3), st.integers(1, 3), st.integers(1, 3))
def test_a_number_that_the_others_come_to_is_the_total(one: int, two: int, three: int) -> None:
    total = one + two + three
    for text in (
        f"Layout {one}, substance {two}, wording {three}: that makes {total} out of 10.",
        f"{one} for layout, {two} for substance and {three} for wording, so {total} overall.",
    ):
        read = read_ballot(text, [COHERENCE])
        assert isinstance(read, Ballot)
        assert (read.scores["coherence"], read.reading.rule) == (total, "total")


@given(st.integers(1, 9), st.integers(1, 9))
def test_the_mean_of_two_readings_is_the_score(one: int, two: int) -> None:
    mean = (one + two) / 2
    read = read_ballot(
        f"{one} for the opening, {two} for the rest, so {mean:g} on average.",
        [COHERENCE.model_copy(update={"scale": Scale(low=1, high=10, step=0.5)})],
    )
    assert isinstance(read, Ballot)
    assert read.scores["coherence"] == mean


@pytest.mark.parametrize(
    "text",
    [
        "The coherence sits at 4 on a scale that goes from 1 up to 10.",
        "It should have 4 parts. Coherence: 4",
        "If 1 means a failure and 10 a flawless text, this is a 4.",
        "Rating on a scale from 1 (lowest) to 10 (highest): 4",
        "On our 1-to-10 scale: 4.",
    ],
)
def test_what_a_sentence_says_of_the_scale_is_no_part_of_a_sum(text: str) -> None:
    assert score(text) == 4


@pytest.mark.parametrize(
    "label", ["Fianl score", "Finall score", "Rationg", "Scroe", "Evalution", "Overal", "Teh score"]
)
def test_a_label_may_have_a_slip(label: str) -> None:
    assert score(f"It is easy to follow.\n{label}: 4") == 4


def test_words_that_only_look_like_slips_stay() -> None:
    words = ["core", "scored", "scores", "grating", "finals", "graded", "ratings", "score"]
    assert without_slips(words) == words


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ('{"comment": "fair", "points": 4}', 4),
        ('{"review": {"coherence": {"value": 4}}}', 4),
        ('{"criteria": "Coherence", "points": 4}', 4),
        ('{"points": 9, "score": 4}', 4),
        ('{"points": 9, "value": 4}', "missing"),
        ('It is fair. {"answer": "a long text"}\n\nScore: 4', 4),
    ],
)
def test_a_key_that_may_name_a_score_does_so_where_no_other_key_does(
    reply: str, expected: float | str
) -> None:
    assert score(reply) == expected
