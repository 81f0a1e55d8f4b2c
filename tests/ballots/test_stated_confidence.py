"""How sure agents say that they are, and where scores stand in replies."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot, Rating
from agentdebate.ballots.confidence import confidence, confidence_over, stated_confidence
from agentdebate.ballots.lineup import ballot_lines
from agentdebate.ballots.sheet import score_places
from agentdebate.tasks import Aspect, Scale

FLUENCY = Aspect(name="fluency", scale=Scale(low=1, high=5), criterion="-")
DEPTH = Aspect(name="depth_of_it", scale=Scale(low=1, high=5), criterion="-")


@pytest.mark.parametrize(
    ("said", "value"),
    [
        ("Confidence: 80%", 0.8),
        ("Confidence: 80", 0.8),
        ("**Confidence:** 80 %", 0.8),
        ("My confidence (0-100): [72]%", 0.72),
        ("Confidence: 0.8", 0.8),
        ("Confidence: 1.0", 1.0),
        ("confidence = 100", 1.0),
        ("Confidence: 0", 0.0),
        ("Confidence: 95/100.", 0.95),
        ("Confidence: 80\nConfidence: 80%", 0.8),
        ('{"fluency": 4, "confidence": 80}', 0.8),
    ],
)
def test_a_confidence_is_read_as_a_percentage_or_a_share(said: str, value: float) -> None:
    found = stated_confidence(f"It reads well.\nFluency: 4\n{said}")
    assert found.confidence is not None
    assert found.confidence.value == pytest.approx(value)
    assert found.confidence.source == "asked"


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ("", "no line"),
        ("I say it with confidence.", "no line"),
        ("Confidence: high", '"high"'),
        ("Confidence: 1", '"1"'),
        ("Confidence: 101", '"101"'),
        ("Confidence: 300%", '"300%"'),
        ("Confidence: 80\nConfidence: 60", "several"),
        ('{"confidence": null}', '"None"'),
    ],
)
def test_what_cannot_be_told_is_missing_and_never_a_number(said: str, problem: str) -> None:
    found = stated_confidence(f"Fluency: 4\n{said}")
    assert found.confidence is None
    assert problem in found.problem


def test_the_rest_of_a_reply_is_as_it_was() -> None:
    assert stated_confidence("Fluency: 4\nConfidence: 80%\n\nYours").rest == "Fluency: 4\n\nYours"
    assert stated_confidence("Fluency: 4").rest == "Fluency: 4"


@given(st.text(max_size=60))
def test_no_text_makes_it_fail(text: str) -> None:
    found = stated_confidence(f"Confidence: {text}")
    assert found.confidence is None or 0 <= found.confidence.value <= 1


@given(st.integers(2, 100))
def test_every_percentage_is_read_as_it_was_written(number: int) -> None:
    found = stated_confidence(f"Confidence: {number}%")
    assert found.confidence is not None
    assert found.confidence.value == number / 100


def ballot(**scores: float) -> Ballot:
    return Ballot(ratings=tuple(Rating(aspect=name, score=score) for name, score in scores.items()))


@pytest.mark.parametrize(
    "text",
    [
        "In 4 words.\nFluency: 4\nDepth of it (1 to 5): **2**",
        'x {"fluency": 4, "depth_of_it": 2}',
        "Fluency: 3, no.\nFluency: 4\nDepth_of_it: 2",
    ],
)
def test_scores_are_found_behind_their_labels(text: str) -> None:
    found = score_places(text, ballot_lines([FLUENCY, DEPTH], ()), ballot(fluency=4, depth_of_it=2))
    assert [text[start:end] for start, end in found] == ["4", "2"]
    assert all(text[:start].rstrip(' *"').endswith(":") for start, _ in found)


def test_a_score_that_is_not_there_leaves_nothing_and_one_alone_may_have_no_label() -> None:
    lines = ballot_lines([FLUENCY, DEPTH], ())
    assert score_places("Fluency: 4", lines, ballot(fluency=4, depth_of_it=2)) == ()
    assert score_places("It is a 4.", ballot_lines([FLUENCY], ()), ballot(fluency=4)) == ((8, 9),)


TOKENS = [("A", -0.5), (": ", -1.0), ("4", -0.1), ("\nB: ", -1.0), ("2", -0.3)]


def test_the_confidence_over_several_parts_is_the_mean_over_their_tokens() -> None:
    text = "A: 4\nB: 2"
    assert confidence_over(TOKENS, text, [(3, 4), (8, 9)]) == pytest.approx(math.exp(-0.2))
    assert confidence_over(TOKENS, text, [(3, 4), (3, 4)]) == confidence(TOKENS, text, 3, 4)
    assert confidence_over(TOKENS, text, []) is None
    assert confidence_over(TOKENS, text, [(3, 4), (9, 9)]) is None
