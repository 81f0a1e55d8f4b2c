"""How sure agents say that they are."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.confidence import stated_confidence


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


@given(st.text(max_size=60))
def test_no_text_makes_it_fail(text: str) -> None:
    found = stated_confidence(f"Confidence: {text}")
    assert found.confidence is None or 0 <= found.confidence.value <= 1
