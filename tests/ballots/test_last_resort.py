"""The last resort reads the one value that the closing line sets off from words of judging, and refuses what speaks against that."""

import pytest

from agentdebate.ballots.problem import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="How well it holds together.")
DEPTH = Aspect(name="depth", scale=Scale(low=1, high=5), criterion="How deep it goes.")

SCORES = [
    "[BEGIN SCORE] 4 [END SCORE]",
    "The rating is <<4>>.",
    "**Score and comment**\n\n4 – see above",
    "Based on the evaluation criteria, here is the score for coherence:\n\n4",
    "Score, where 1 is the worst and 5 the best: 4",
    "Evaluator's score: 4",
    "I have explained my assessment of the coherence above (4/5).",
]
NO_SCORES = [
    "Chapter: 4",
    "Scores given so far: 3",
    "Score change: 1",
    "Change of score: 1",
    "Rating change: 2",
    "Score ID: 3",
    "Maximum score: 5",
    "Expected score: 4",
    "Rejected score: 3",
    "Sentences rated: 3",
    "Texts evaluated: 5",
    "Judge: 3",
    "Judges: 5",
    "Mark Twain: 4",
    "Error rate: 3",
    "Interest rate: 3",
    "Score sheet: 4",
    "Plagiarism score: 2",
    "Readability grade: 4",
    "My rating of the style: 4",
    "My confidence: 4",
    "Weight of my score: 2",
    "Human rating: 4",
    "Previous score: 3",
    "If it were longer, my score: 5",
    "Score: at least 3",
    "Score: 3 or 4",
    "Score: 4?",
    "My score is not: 4",
    "Format: Score: 3",
    "Number of scores given: 3",
    "For a rating of 5 the guidelines ask for a text without any fault.",
    "A film that is rated 4 by its viewers serves as the example.",
]


@pytest.mark.parametrize("line", SCORES)
def test_a_closing_line_that_labels_one_number_gives_it(line: str) -> None:
    read = read_ballot(f"It is easy to follow.\n\n{line}", [COHERENCE])
    assert not isinstance(read, Problem)
    assert read.scores == {"coherence": 4}


@pytest.mark.parametrize("line", NO_SCORES)
def test_a_label_of_something_else_gives_no_score(line: str) -> None:
    assert isinstance(read_ballot(f"It is easy to follow.\n\n{line}", [COHERENCE]), Problem)


def test_a_labelled_number_beside_another_score_in_a_sentence_is_refused() -> None:
    read = read_ballot("I rate the coherence 3. My rating for coherence: 4", [COHERENCE])
    assert isinstance(read, Problem)
    assert read.kind == "several"


@pytest.mark.parametrize(
    ("reply", "scores"),
    [
        ("My scores are these: 3 for coherence, 4 for depth.", {"coherence": 3, "depth": 4}),
        ('<score name="coherence">3</score>\n<score name="depth">4</score>', {"coherence": 3, "depth": 4}),
        (
            '[{"id": "coherence", "rating": 3}, {"id": "depth", "rating": 4}]',
            {"coherence": 3, "depth": 4},
        ),
    ],
)
def test_aspects_with_one_number_each_are_a_ballot(reply: str, scores: dict[str, float]) -> None:
    read = read_ballot(reply, [COHERENCE, DEPTH])
    assert not isinstance(read, Problem)
    assert read.scores == scores


def test_an_aspect_without_a_number_leaves_no_ballot() -> None:
    assert isinstance(read_ballot("My scores are these: 3 for coherence.", [COHERENCE, DEPTH]), Problem)
