"""Partial ballots: what one reply says of some aspects counts, and of the others it says nothing."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.lineup import Candidate, ballot_lines
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import fill_in, read_sheet
from agentdebate.tasks import Aspect, Scale

COHERENCE, FLUENCY, RELEVANCE = (
    Aspect(name=name, scale=Scale(low=1, high=10), criterion="How good is it?")
    for name in ("coherence", "fluency", "relevance")
)
LINES = ballot_lines((COHERENCE, FLUENCY, RELEVANCE), ())


def partial(text: str, **options: bool) -> dict[str, float]:
    """The scores in a reply of which a part may be missing."""
    read = read_sheet(text, LINES, partial=True, **options)
    return read.scores if isinstance(read, Ballot) else {}


@pytest.mark.parametrize(
    ("text", "scores"),
    [
        ("Coherence: 4\nFluency: 3\nRelevance: 5", {"coherence": 4, "fluency": 3, "relevance": 5}),
        ("Coherence: 4\nFluency: 3", {"coherence": 4, "fluency": 3}),
        ("Coherence: 4\nFluency: good\nRelevance: 5", {"coherence": 4, "relevance": 5}),
        ("Coherence: 4\nFluency: 11\nRelevance: 0", {"coherence": 4}),
        ("Coherence: 4 or 5\nFluency: 3", {"fluency": 3}),
        ("Coherence: 4\nCoherence: 5\nFluency: 3", {"fluency": 3}),
        (json.dumps({"coherence": 4, "fluency": None}), {"coherence": 4}),
        (json.dumps({"coherence": 4, "fluency": 30, "relevance": "5"}), {"coherence": 4, "relevance": 5}),
        ("It is coherent and fluent.", {}),
        ("", {}),
    ],
)
def test_what_cannot_be_read_is_missing_and_never_a_score(text: str, scores: dict[str, float]) -> None:
    assert partial(text) == scores


def test_where_nothing_may_be_missing_the_same_reply_is_a_problem() -> None:
    read = read_sheet("Coherence: 4\nFluency: 3", LINES)
    assert isinstance(read, Problem)
    assert "relevance" in read.text


def test_nothing_at_all_is_a_problem() -> None:
    assert isinstance(read_sheet("I have read it with pleasure.", LINES, partial=True), Problem)


def test_the_number_at_the_end_of_a_reply_that_was_cut_off_is_not_trusted() -> None:
    """Its 1 may have been on the way to a 10."""
    text = "Fluency: 3\nCoherence: 1"
    assert partial(text) == {"coherence": 1, "fluency": 3}
    assert partial(text, cut_off=True) == {"fluency": 3}
    assert partial("Coherence: 1", cut_off=True) == {}
    assert partial("Coherence: 1\n", cut_off=True) == {"coherence": 1}, "the line was finished"


def test_json_that_was_cut_off_gives_what_is_complete() -> None:
    assert partial('{"fluency": 3, "coherence": 1', cut_off=True) == {"fluency": 3}
    assert partial('{"fluency": 3, "coherence": 1}', cut_off=True) == {"fluency": 3, "coherence": 1}


def test_of_texts_that_are_compared_some_may_be_missing() -> None:
    lines = ballot_lines((COHERENCE,), (Candidate("left", "Text A"), Candidate("right", "Text B")))
    read = read_sheet("Text B: 7", lines, partial=True)
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence.right": 7}
    assert fill_in(read, lines) == ["Text B: 7"], "a line that nobody filled in is left out"


@settings(max_examples=60)
@given(st.lists(st.none() | st.integers(1, 10), min_size=3, max_size=3), st.booleans())
def test_each_aspect_is_read_by_itself(given_scores: list[int | None], in_json: bool) -> None:
    names = ("coherence", "fluency", "relevance")
    known = {name: score for name, score in zip(names, given_scores, strict=True) if score is not None}
    text = (
        json.dumps(known)
        if in_json
        else "\n".join(f"{name.capitalize()}: {score}" for name, score in known.items())
    )
    assert partial(text) == known
