"""Scores with the name of their aspect right behind them ("4/5 coherence"), and ends of the scale that are said twice ("the lowest score, 1")."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

ASPECTS = [
    Aspect(name=name, scale=Scale(low=1, high=5), criterion="How good it is.")
    for name in ("coherence", "fluency")
]


def _scores(said: str, aspects: list[Aspect]) -> dict[str, float] | None:
    found = read_ballot(said, aspects)
    return None if isinstance(found, Problem) else dict(found.scores)


@pytest.mark.parametrize(
    "said",
    [
        "4/5 coherence, 3/5 fluency",
        "4/5 coherence and 3/5 fluency",
        "4 coherence, 3 fluency",
        "4/5 for coherence, 3/5 for fluency",
        "4/5 (coherence), 3/5 (fluency)",
        "I give 4/5 coherence, 3/5 fluency.",
        "4/5 coherence; 3/5 fluency.",
        "4/5 coherence\n3/5 fluency",
        "4 - coherence\n3 - fluency",
    ],
)
def test_a_score_is_given_to_the_aspect_whose_name_stands_behind_it(said: str) -> None:
    assert _scores(said, ASPECTS) == {"coherence": 4, "fluency": 3}


@given(st.integers(1, 5), st.integers(1, 5), st.sampled_from([", ", " and ", "; ", "\n"]))
def test_fractions_before_names_of_aspects_are_their_scores(one: int, other: int, mark: str) -> None:
    assert _scores(f"{one}/5 coherence{mark}{other}/5 fluency", ASPECTS) == {
        "coherence": one,
        "fluency": other,
    }


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("There are 4 coherence and 3 fluency problems.", None),
        ("I found 4 coherence, 3 fluency and 2 style issues.", None),
        ("4 coherence issues and 2 others.", None),
        ("The critic gave 4/5 coherence.", None),
        ("Not 4/5 coherence.", None),
        ("4 coherence, 3 style", 4),
        ("I'd say 4/5 coherence.", 4),
        ("This is an average summary: 3 out of 5.", 3),
        ("It deserves the highest score, 5.", 5),
        ("A poor summary: 2/5", 2),
        ("A better translation: 4/5", None),
        ("A typical summary: 3/5", None),
        ("A page of text: 3/5", None),
        ("It is not the best one, but it does the job. 3.", 3),
        ("It is bad. 1.", 1),
        ("It is in vol. 4.", None),
        ("It came out in Nov. 4.", None),
        ("The summary is incoherent and deserves the lowest score, 1.", 1),
        ("It gets the lowest possible score, 1.", 1),
        ("The highest score is 5.", None),
        ("The lowest score, 1, is for texts without any order.", None),
        ("It misses the highest score, 5.", None),
        ("It does not deserve the highest score, 5.", None),
        ("It would deserve the highest score, 5, if it were shorter.", None),
    ],
)
def test_issues_of_an_aspect_are_not_its_score_and_an_end_of_the_scale_is_where_it_is_given(
    said: str, score: float | None
) -> None:
    found = _scores(said, ASPECTS[:1])
    assert (None if found is None else found["coherence"]) == score
