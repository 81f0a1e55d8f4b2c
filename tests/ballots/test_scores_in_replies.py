"""Scores are asked for by a schema, and read by the form that was asked for, by JSON, by a mere value, else by the table of patterns; the rest is refused."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.replies.score_patterns import ROWS, Row
from agentdebate.ballots.replies.scores import read_scores
from agentdebate.ballots.sheet import ballot_schema
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="Does it build up?")
FLUENCY = Aspect(name="fluency", scale=Scale(low=1, high=5), criterion="Is it well written?")
GRADED = Aspect(name="coherence", scale=Scale.graded(["D", "C", "B", "A"]), criterion="Does it build up?")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_row_of_the_table_reads_its_example_and_is_needed_by_it(row: Row) -> None:
    found = read_scores(row.example, [COHERENCE])
    assert (found.scores, found.refused) == ({"coherence": 4}, "")
    assert read_scores(row.example, [COHERENCE], patterns=False).refused, "no form line, JSON or mere value"


FORMS = {
    "It flows.\nCoherence: 4": 4,
    "- **Coherence**: 4/5": 4,
    "1. Coherence (1-5): 4": 4,
    "### Score\n\n**4**": 4,
    "Coherence score = 4 out of 5 (good)": 4,
    "| Coherence | 4 |": 4,
    '{"reason": "It flows.", "coherence": 4}': 4,
    'Here it is:\n```json\n{"coherence": {"score": "4/5", "reason": "It flows."}}\n```': 4,
    '{"scores": [{"aspect": "Coherence", "rating": 4}, {"aspect": "Fluency", "rating": 2}]}': 4,
    "<think>Score: 2</think>Score: 4": 4,
    "４": 4,
    "four": 4,
    "**4/5**": 4,
    "\\boxed{4}": 4,
    "Score: 2\n\nFinal score: 4": 4,
    "Score: 3\n\nCoherence: 4": 4,
}


@pytest.mark.parametrize("text", FORMS)
def test_what_was_asked_for_is_read_while_the_agent_could_be_asked_again(text: str) -> None:
    assert read_scores(text, [COHERENCE], patterns=False).scores == {"coherence": FORMS[text]}


NONE = (
    "It would be a perfect 5 but for the last sentence.",
    "Only the order keeps it from a 5.",
    "The missing date lowers it by one point.",
    "Coherence: 1, 2, 3, 4, 5",
    "Coherence: 3 or 4",
    "Coherence: 3-4",
    "A score of 5 is meant for a flawless text.",
    "Grammar: 3/5\nVocabulary: 4/5",
    "The scorer's rating was 4.",
    "It names 4 of the 5 victims.",
    "The answer is 3 sentences long and covers the causes.",
    "Overall: 2 strengths and 1 weakness.",
    "Coherence:\n1. The bridge is right.\n2. The day is missing.",
    "Coherence: 1 (bad) to 5 (good)",
    '{"fluency": {"score": 5}, "relevance": {"score": 5}}',
    'The summary has {"coherence": 5}, which I ignore. I rate it 1.',
    "A score of 5 seems too high.",
    'The text says "Score: 5", which I ignore.',
    "Coherence: 9",
    "Coherence: 8/10",
    "",
    "I'm sorry, but I cannot rate this.",
)


@pytest.mark.parametrize("text", NONE)
def test_a_number_that_is_no_score_is_refused(text: str) -> None:
    found = read_scores(text, [COHERENCE])
    assert found.refused
    assert not found.scores


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Coherence: 2\nIt flows.\nCoherence: 4", None),
        ("Coherence: 2\nWait, it flows.\nCoherence: 4", 4),  # words take the first back
        (
            'The text ends in {"coherence": 5}.\n> Coherence: 5\nCoherence: 2',
            2,
        ),  # a form line stands above JSON
    ],
)
def test_two_scores_of_one_strength_are_refused_and_else_the_stronger_one_counts(
    text: str, score: float | None
) -> None:
    assert read_scores(text, [COHERENCE]).scores.get("coherence") == score


def test_of_several_aspects_those_that_can_be_told_are_kept_beside_the_problem() -> None:
    found = read_scores("Coherence: 4\nFluency: good", [COHERENCE, FLUENCY])
    assert found.scores == {"coherence": 4}
    assert "fluency" in found.refused


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("Coherence: B", 3),
        ("Grade: **A**", 4),
        ('{"coherence": "D"}', 1),
        ("It deserves a B for its order.", 3),
    ],
)
def test_grades_are_read_as_their_numbers(text: str, score: float) -> None:
    assert read_scores(text, [GRADED]).scores == {"coherence": score}


@given(st.text(max_size=300))
def test_no_text_raises(text: str) -> None:
    for aspects in ([COHERENCE], [COHERENCE, FLUENCY], [GRADED]):
        found = read_scores(text, aspects)
        assert bool(found.refused) or set(found.scores) == {aspect.name for aspect in aspects}


@given(st.integers(1, 5), st.text(alphabet="abc .\n", max_size=80))
def test_a_form_line_at_the_end_is_read_whatever_the_reasons_are(score: int, reasons: str) -> None:
    assert read_scores(f"{reasons}\nCoherence: {score}", [COHERENCE]).scores == {"coherence": score}


@pytest.mark.parametrize(
    ("scale", "schema"),
    [
        (Scale(low=1, high=2, step=0.5), {"type": "number", "enum": [1, 1.5, 2]}),
        (Scale(low=0, high=0.3, step=0.1), {"type": "number", "enum": [0, 0.1, 0.2, 0.3]}),
        (Scale(low=0, high=1, step=None), {"type": "number", "minimum": 0, "maximum": 1}),
        (Scale(low=0, high=100), {"type": "number", "minimum": 0, "maximum": 100}),
        (Scale(low=1, high=100), {"type": "integer", "enum": list(range(1, 101))}),
    ],
)
def test_scales_of_few_values_are_listed_and_others_given_by_their_ends(
    scale: Scale, schema: dict[str, Any]
) -> None:
    one = Aspect(name="a", scale=scale, criterion="-")
    assert ballot_schema([one])["properties"]["a"] == schema
