"""A judged text may ask for a score, and judges tell of it: their own line of the form stands above what the text claims."""

from collections import Counter
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from agentdebate.ballots.problem import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

MADE = 500

CLAIMS = (
    "the {thing} wants my final score to be {c}",
    "the {thing} wants the final score to be {c}",
    "the {thing} asks for a final score of {c}",
    "the {thing} tells me that my final answer should be {c}",
    "my final answer should be {c}, if the {thing} is to be believed",
    "the final score is {c}, says the {thing}",
    "the {thing} says: final score: {c}",
    'the {thing} says "final answer: {c}"',
    "it says that the overall score is {c}",
    "according to the {thing}, the overall score is {c}",
    "the {thing} insists on an overall rating of {c}",
    "overall I am told to give a {c}",
    "the {thing} orders me to raise my final score to {c}",
    "the {thing} begs me to change my score to {c}",
    "the {thing} demands that I raise my score to {c}",
    "the {thing} would like the score raised from {n} to {c}",
    "its author hopes that I make my final rating a {c}",
    "the last line of the {thing} sets the final score at {c}",
    "the {thing} suggests {c} as the final verdict",
    "the {thing} thinks the total should be {c}",
    "the {thing} closes with the words that its final grade is {c}",
    "I was asked to put {c} as my final score",
    "the {thing} pleads for a final {c}",
    "the final score must be {c}, the {thing} writes",
    "in its own words the final score would be {c}",
    "the {thing} says I should move my score to {c}",
    "the {thing} wants to see my score go up to {c}",
    "the {thing} wants the final score changed to a {c}",
    "I was told to raise my score to {c}",
    "{c} is the final score that the {thing} wants",
    "the {thing} contains the line 'Final score: {c}'",
    "the {thing} begins with: Final rating: {c}",
    "the final score should be {c} according to the {thing}",
    "the {thing} says that its final {a} score is {c}",
)
"""What a judge tells of a text that claims a score; {c} is the claim and {n} the judge's own score."""
LINES = (
    "{A}: {n}",
    "**{A}: {n}**",
    "**{A}:** {n}",
    "- {A}: {n}",
    "## {A}: {n}",
    "{A}: {n}/{top}",
    "{A} (1-{top}): {n}",
    "{A} score: {n}",
    "{A} = {n}",
    "| {A} | {n} |",
    '{{"{tag}": {n}}}',
)
"""The line of the form, in the markups that judges use."""
PLACES = (
    "{line} ({claim})",
    "{line} - {claim}",
    "{line}. {Claim}.",
    "{line}\n{Claim}.",
    "{line}\n\n{Claim}.",
    "{line}\n\nNote: {claim}. This has no bearing on the score.",
    "{Claim}.\n{line}",
    "{Claim}.\n\n{line}",
    "{Claim}. I do not go by that.\n\n{line}",
    "The sentences are short and clear. {Claim}.\n\n{line}",
)
"""Where the claim stands."""
OWN_LINES = (
    "Final score: {c}",
    "Final answer: {c}",
    "Overall: {c}",
    "**Final rating: {c}**",
    "Final score: {c}/{top}",
)
"""Claims that stand in a line of their own, as a text's last line does that a judge copies."""
ASPECTS = ("fluency", "coherence", "factual_consistency", "engagingness", "overall_quality")


def made() -> Iterator[tuple[Aspect, float, float, str]]:
    """MADE replies from these parts, with the judge's score and the claim."""
    rng = Random(26)
    kinds = [
        *product(PLACES, LINES, CLAIMS),
        *product(("{line}\n{claim}", "{line}\n\n{claim}", "{claim}\n{line}"), LINES, OWN_LINES),
    ]
    for place, line, claim in rng.sample(kinds, MADE):
        top = rng.choice((5, 5, 10))
        name = rng.choice(ASPECTS)
        aspect = Aspect(name=name, scale=Scale(low=1, high=top), criterion="-")
        own, claimed = rng.sample(range(1, top + 1), 2)
        slots = {
            "n": own,
            "c": claimed,
            "top": top,
            "A": aspect.title,
            "a": aspect.title.lower(),
            "tag": name,
        }
        said = claim.format(**slots, thing=rng.choice(("summary", "text", "story", "answer")))
        form = line.format(**slots)
        bare = claim in OWN_LINES
        text = place.format(line=form, claim=said, Claim=said if bare else said[0].upper() + said[1:])
        yield aspect, own, claimed, text


def outcome(aspect: Aspect, own: float, claimed: float, text: str) -> str:
    """How a reply is read: as the judge's score, as the claim, refused, or as anything else."""
    ballot = read_ballot(text, [aspect])
    if isinstance(ballot, Problem):
        return "refused"
    score = ballot.scores[aspect.name]
    return "own" if score == own else "claim" if score == claimed else "other"


def test_of_500_replies_with_a_line_of_the_form_none_is_read_as_what_the_text_claims() -> None:
    read = [(outcome(*one), one) for one in made()]
    counts = Counter(kind for kind, _ in read)
    assert not [one for kind, one in read if kind in {"claim", "other"}]
    assert counts["own"] >= 0.9 * MADE


FLUENCY = Aspect(name="fluency", scale=Scale(low=1, high=5), criterion="-")


@pytest.mark.parametrize(
    "reply",
    [
        "Score: 1 (the final score is 5, says the summary)",
        "I give it a 1. The final score must be a 5, the summary says.",
        "Score: 1\nFinal score: 5",
        "Final answer: 5\nScore: 1",
        "Rating: 1. According to the summary, the overall score is 5.",
        "Fluency: 1\n\\boxed{5}",
        "It reads well. Fluency: 1 (the final score is 5, says the summary)",
        "It reads well. Fluency: 1\nOverall: 5",
        "I rate its fluency a 1. The final score is 5, says the summary.",
    ],
)
def test_without_a_line_of_the_aspect_a_final_score_that_differs_is_refused_or_left_out(reply: str) -> None:
    assert outcome(FLUENCY, 1, 5, reply) in {"refused", "own"}


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("Fluency: 3. On reflection I raise my score to 4.", 4),
        ("Fluency: 3\nFinal fluency: 4", 4),
        ("The flaws are small. Final score: 4", 4),
        ("Fluency: 4\nFinal score: 4/5", 4),
        ("It is short.\nFluency: 4\nOverall: 2", 4),
    ],
)
def test_a_judge_still_changes_its_score_and_calls_it_final(reply: str, score: float) -> None:
    ballot = read_ballot(reply, [FLUENCY])
    assert not isinstance(ballot, Problem)
    assert ballot.scores == {"fluency": score}
