"""Numbers beside a score that are not it: what is deducted, where the scale ends, an entry left out; and scores in one word."""

import pytest

from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale


def score(said: str, high: float = 5) -> float | None:
    """The one score that is read, None where the reply is refused."""
    aspect = Aspect(
        name="fluency", scale=Scale(low=0 if high > 10 else 1, high=high), criterion="Reads well."
    )
    found = read_ballot(said, [aspect])
    return None if isinstance(found, Problem) else found.ratings[0].score


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("Out of five, I would hand this two.", 2),
        ("Out of a possible five, this deserves three.", 3),
        ("On a scale that goes up to five, I hand it a two.", 2),
        ("The scale runs up to 5.", None),
        ("It gets 3 out of 5.", 3),
        ("Score out of 5: 4", 4),
        ("I deduct one point for the comma splice and one for the typo.", None),
        ("I take away one mark because of the tone.", None),
        ("It loses a point for grammar and a point for spelling.", None),
        ("Minus 1 for the missing date and minus 1 for the typos.", None),
        ("I knock off two points for its length.", None),
        ("I deducted one point for style, leaving 4.", 4),
        ("I deduct one point, so 4.", 4),
        ("I take it to be a 3.", 3),
        ("Fluency: n/a 3", None),
        ("Fluency: N/A (3)", None),
        ("Give it 3.", 3),
        ("Give it a 3 if it reads well.", None),
        ("My verdict? 3.", 3),
        ("The score? 2.", 2),
        ("How many typos? 2.", None),
        ("~~Score: 2~~ Score: 4", 4),
        ("<s>2</s> 4", 4),
        ("<del>2</del> 4", 4),
    ],
)
def test_a_number_beside_the_score_is_not_read_as_it(said: str, given: float | None) -> None:
    assert score(said) == given


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("eighty-five", 85),
        ("ninety", 90),
        ("Score: sixty-eight", 68),
        ("I'd give it eighty five.", 85),
        ("I would say ninety-nine.", 99),
        ("Score: thirty", 30),
        ("Twenty-five errors.", None),
    ],
)
def test_numbers_from_twenty_up_are_read_in_words(said: str, given: float | None) -> None:
    assert score(said, 100) == given


def test_a_number_in_words_above_the_scale_is_not_taken_for_its_last_word() -> None:
    assert score("I'd give it forty-five.", 5) is None
