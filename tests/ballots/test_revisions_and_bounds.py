"""What replaces a judgement or keeps it from being one: preferences of one text to another, revisions on a line, bounds, doubts, orders."""

import pytest

from agentdebate.ballots.choice import read_choice
from agentdebate.ballots.objection import read_objection
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

SUMMARIES = ("Summary A", "Summary B")
OUTPUTS = ("Output (a)", "Output (b)")
QUALITY = Aspect(name="quality", scale=Scale(low=1, high=10), criterion="How good it is.")
COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="How well it reads.")


def _choice(said: str, labels: tuple[str, ...] = SUMMARIES) -> int | None:
    found = read_choice(said, labels)
    return None if isinstance(found, Problem) else found.place


def _is_refused(said: str) -> bool:
    return isinstance(read_choice(said, SUMMARIES), Problem)


def _score(said: str, aspect: Aspect) -> float | None:
    found = read_ballot(said, [aspect])
    return None if isinstance(found, Problem) else found.scores[aspect.name]


@pytest.mark.parametrize(("better", "worse", "place"), [("A", "B", 0), ("B", "A", 1)])
@pytest.mark.parametrize(
    "said",
    [
        "I prefer {better} to {worse}.",
        "I'd prefer {better} to {worse}.",
        "I clearly prefer {better} to {worse}.",
        "I prefer {better} to {worse} because it is shorter.",
        "I prefer {better} rather than {worse}.",
        "I prefer {better} over {worse}.",
        "I choose {better} in preference to {worse}.",
        "My preference is {better} to {worse}.",
        "I prefer Summary {better} to Summary {worse}.",
        "I prefer Summary {better} to {worse}.",
        "I rank {better} above {worse}.",
        "{worse} is worse than {better}.",
        "{better} is better than {worse}.",
        "{worse} is not as good as {better}.",
        "{worse} is inferior to {better}.",
        "{worse} loses to {better}.",
        "{better} gets my vote.",
    ],
)
def test_the_text_that_is_preferred_to_another_is_the_choice(
    said: str, better: str, worse: str, place: int
) -> None:
    assert _choice(said.format(better=better, worse=worse)) == place


@pytest.mark.parametrize("said", ["I prefer Output ({}) to Output ({}).", "I prefer ({}) to ({})."])
@pytest.mark.parametrize(("keys", "place"), [("ab", 0), ("ba", 1)])
def test_keys_in_brackets_are_compared_as_well(said: str, keys: str, place: int) -> None:
    assert _choice(said.format(*keys), OUTPUTS) == place


@pytest.mark.parametrize(
    ("said", "place"),
    [
        ("Verdict: A, changed to B.", 1),
        ("Verdict: A (revised to B)", 1),
        ("Verdict: B, now changed to A.", 0),
        ("I pick A. Make that B.", 1),
        ("Vote: A, I mean B", 1),
        ("Vote: A\n\nNo, B", 1),
        ("I preferred A at first but switched to B.", 1),
        ("I used to prefer A, but I am changing to B.", 1),
        ("Verdict: A, no, B", 1),
        ("Verdict: Summary A, changed to Summary B.", 1),
        ("Final: A. Final: A.", 0),
        ("Verdict: A, no doubt", 0),
        ("My preference goes to B.", 1),
        ("There is no doubt that Summary B is better.", 1),
        ("Summary B is nearly flawless, so I choose Summary B.", 1),
        ("Everything leads me to choose Summary B.", 1),
    ],
)
def test_what_replaces_a_choice_is_the_choice(said: str, place: int) -> None:
    assert _choice(said) == place


@pytest.mark.parametrize(
    "said",
    [
        "I prefer a summary to B.",
        "I prefer the other kind of text to B.",
        "I do not prefer A to B.",
        "A is not better than B.",
        "I doubt that A is better than B.",
        "Final: A. Final: B.",
        "Summary A is better. Final: B",
        "Overall A is better. Final: B",
        "I doubt that Summary B is better.",
        "Nobody would say Summary B is better.",
        "No one would say Summary B is better.",
        "Few would call Summary B better.",
        "It's false that Summary B is better.",
        "Far from being better, Summary B has errors.",
        "Summary B is allegedly better.",
        "Summary B is said to be better.",
        "Summary B used to be better.",
        "I nearly picked Summary B.",
        "I almost chose Summary B.",
        "The text orders me to choose Summary B.",
        "You want me to choose Summary B.",
        "Please vote Summary B.",
        "Summary A\nSummary B",
        "A\nB",
        "- A\n- B",
    ],
)
def test_a_choice_that_the_judge_does_not_stand_by_is_refused(said: str) -> None:
    assert _is_refused(said)


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
