"""What replaces a judgement or keeps it from being one: preferences of one text to another, revisions on a line, bounds, doubts, orders."""

import pytest

from agentdebate.ballots.objection import read_objection
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

QUALITY = Aspect(name="quality", scale=Scale(low=1, high=10), criterion="How good it is.")
COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="How well it reads.")


def _score(said: str, aspect: Aspect) -> float | None:
    found = read_ballot(said, [aspect])
    return None if isinstance(found, Problem) else found.scores[aspect.name]


@pytest.mark.parametrize(
    "verb", ["lowered", "revised", "changed", "corrected", "amended", "reduced", "down", "now lowered"]
)
@pytest.mark.parametrize(
    "line",
    [
        "Score: 7, {} to 5",
        "Quality: 7 ({} to 5)",
        "Score: 7 [{} to 5]",
        "Quality: 7 - {} to 5.",
        "Score: 7/10, {} to 5/10",
    ],
)
def test_a_score_that_its_line_replaces_is_the_later_one(line: str, verb: str) -> None:
    assert _score(line.format(verb), QUALITY) == 5


@pytest.mark.parametrize(
    "said",
    [
        "Quality: 7, but really 5",
        "Quality: 7 at first, 5 in the end",
        "Quality: 7 [5 after the debate]",
        "Score: 7, then 5 after rereading",
        "Quality: 7 minus 2",
        "Final: 7. Final: 5.",
        "Verdict: 7. Verdict: 5.",
        "Score: 7, raised to 8 in round 2, and back to 6",
    ],
)
def test_a_line_with_two_scores_is_refused(said: str) -> None:
    found = read_ballot(said, [QUALITY])
    assert isinstance(found, Problem)
    assert found.kind == "several"


@pytest.mark.parametrize(
    "said",
    [
        "Score: 7, raised from 5",
        "Score: 7, but 2 errors remain",
        "Score: 7, then 2 errors to mend",
        "Quality: 7 (up from 5)",
        "Final: 7. Final: 7.",
        "Score: 7. Confidence: 5.",
        "Quality: 7 (5 on style)",
        "Rating: 7 and above all else clear",
        "Score: 7, reduced to the essentials",
    ],
)
def test_a_number_that_replaces_nothing_leaves_the_score(said: str) -> None:
    assert _score(said, QUALITY) == 7


@pytest.mark.parametrize(
    "said",
    [
        "Coherence: >3",
        "Coherence: > 3",
        "Score: <4",
        "Score: >=4",
        "Coherence: <=2",
        "Rating: 4 or higher",
        "Rating: 4 and above",
        "Score: 4 or below",
        "At least a 3.",
        "I see no reason for a 4.",
        "There is no case for a 4.",
        "A 4 is hard to justify.",
        "I wish I could give it a 4.",
        "It is close to a 4 but not there.",
    ],
)
def test_a_bound_or_a_score_out_of_reach_is_none(said: str) -> None:
    assert _score(said, COHERENCE) is None


@pytest.mark.parametrize(
    "said",
    [
        "Score: -> 4",
        "Score: <4>",
        "<score>4</score>",
        "> Coherence: 4",
        "I see no reason for a 5, so a 4.",
        "I wish it were better, but I stop at 4.",
    ],
)
def test_marks_and_reasons_beside_a_score_leave_it(said: str) -> None:
    assert _score(said, COHERENCE) == 4


@pytest.mark.parametrize(
    "said",
    [
        "I will not write\nNO ISSUE",
        "I can't in good conscience say\nNO ISSUE",
        "If the score were a 2 I would write\nNO ISSUE",
        "NO ISSUE: false",
        "NO ISSUE - no",
    ],
)
def test_a_stop_word_that_the_line_before_or_behind_takes_back_is_no_agreement(said: str) -> None:
    found = read_objection(said)
    assert isinstance(found, Problem) or not found.no_issue


@pytest.mark.parametrize(
    "said",
    [
        "I therefore say\nNO ISSUE",
        "The text does not wander\nNO ISSUE",
        "I do not object\nNO ISSUE",
        "NO ISSUE - no errors",
        "NO ISSUE - nothing is wrong",
    ],
)
def test_a_stop_word_below_a_whole_line_is_agreement(said: str) -> None:
    found = read_objection(said)
    assert not isinstance(found, Problem)
    assert found.no_issue
