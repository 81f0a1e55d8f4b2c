"""Scales whose scores have letters or words for names: read in every common form, and never out of an article or a label."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.expectation import TokenChoice, expected
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.sheet import ballot_schema
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

FIVE = Scale.model_validate({"grades": ["E", "D", "C", "B", "A"]})
SIGNED = Scale.model_validate(
    {
        "grades": {
            "A+": 4.3,
            "A": 4,
            "A-": 3.7,
            "B+": 3.3,
            "B": 3,
            "B-": 2.7,
            "C+": 2.3,
            "C": 2,
            "D": 1,
            "F": 0,
        }
    }
)
ROMAN = Scale.model_validate({"grades": {"I": 3, "II": 2, "III": 1}})
WORDS = Scale.model_validate({"grades": ["poor", "fair", "good", "very good", "excellent"]})
LETTERS = (FIVE, SIGNED)
FORMS = """Grade: {}
Coherence: {}
**Coherence:** {}
Coherence: **{}**
Coherence = {}
Coherence: [{}]
Coherence: `{}`
Coherence: {} (it holds together)
Coherence: {}, since it holds together.
Coherence: {} - it holds together
coherence: {}.
| Coherence | {} |
Final grade: {}
My grade is {}.
{}
{}.
**{}**
[[{}]]
\\boxed{{{}}}
I would give it a {}.
I would give it an {}
I'd give this a solid {}.
I rate it {}.
The summary deserves a {}.
It earns a {} for coherence.
Overall, I give the summary a {}.
Therefore, the grade is {}.
I settle on a {}
Letter grade: {}
The grade: '{}'
My verdict: {}
{} — the order is clear.
Coherence gets a {} from me.
So, {}.
Grade of {} for coherence.
Given all this, {} is the right grade.
A {} is fair.
This is a strong {}.
It is a good summary of the article.\\n\\nCoherence: {}
A summary that says what matters. I give it a {}.
{{"reason": "A good text.", "coherence": "{}"}}""".splitlines()
"""One judgement a line."""
FORM_LINES = FORMS[:13] + FORMS[14:19]
NOTHING = """A good text.
A. B. Yates wrote it.
Team A won, team B lost.
He was given a D in school.
The plan was to go from A to B.
The student hoped for an A.
The summary lists a), b) and c).
A summary that omits the point.
It is a good text, and a fair account.
A text as good as this is rare.
Is this A-OK?
It names vitamin C and hepatitis B.
Summary B is about a bridge.
The text A is better than the text B.
Option A. It was not taken.
Plan B fails, and section C says so.
A: Hello!\\nB: Hi there.
The team played in group D.
He lives in flat 4 E.
I think that it reads well.
A B-movie is what it describes.
Grade: B++
Grade: G
Grade A beef is what it is about.
Candidate C, person B and speaker A are in it.
A cat, a dog and a mouse: a story.
Type A and type B are told apart.""".splitlines()


def aspect(scale: Scale, name: str = "coherence") -> Aspect:
    return Aspect(name=name, scale=scale, criterion="-")


def read(text: str, scale: Scale) -> float | Problem:
    found = read_ballot(text, [aspect(scale)])
    return found if isinstance(found, Problem) else found.scores["coherence"]


@given(st.sampled_from(FORMS), st.sampled_from(LETTERS), st.data())
def test_every_grade_is_read_in_every_common_form(form: str, scale: Scale, data: st.DataObject) -> None:
    name, number = data.draw(st.sampled_from(scale.grades))
    assert read(form.format(name), scale) == number


@pytest.mark.parametrize("scale", [WORDS, ROMAN])
@pytest.mark.parametrize("form", FORM_LINES)
def test_words_and_letters_that_are_pronouns_are_read_in_forms(form: str, scale: Scale) -> None:
    for name, number in scale.grades:
        assert read(form.format(name), scale) == number


@pytest.mark.parametrize("form", ["coherence: {}", "Grade: {}", "{}", "**{}**"])
def test_small_letters_are_read_in_forms(form: str) -> None:
    for name, number in SIGNED.grades:
        assert read(form.format(name.lower()), SIGNED) == number


@pytest.mark.parametrize("scale", LETTERS)
@pytest.mark.parametrize("text", NOTHING)
def test_an_article_and_a_letter_of_something_else_are_no_grade(text: str, scale: Scale) -> None:
    found = read(text.replace("\\n", "\n"), scale)
    assert isinstance(found, Problem)


@given(
    st.sampled_from(("A good text.", "A summary that omits the point.", "It is a fair account.")),
    st.sampled_from(LETTERS),
    st.data(),
)
def test_articles_beside_a_grade_change_nothing(text: str, scale: Scale, data: st.DataObject) -> None:
    name, number = data.draw(st.sampled_from(scale.grades))
    assert read(f"{text} {text}\n\nCoherence: {name}", scale) == number


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("a solid B minus", 2.7),
        ("I would give it a B plus.", 3.3),
        ("Grade: B−", 2.7),
        ("Grade: 3.3", 3.3),
        ("Grade: B (A-F)", 3),
        ("Grade (from A+ to F): B", 3),
        ("Not an A, but a B.", 3),
        ("Grade: B, not A.", 3),
        ("<think>An A? No.</think>B", 3),
    ],
)
def test_signs_in_words_numbers_and_a_scale_that_is_repeated(text: str, score: float) -> None:
    assert read(text, SIGNED) == score


@pytest.mark.parametrize(
    "text",
    ["Grade: B+", "a solid B minus", "Grade: B-", "A 3.5", "B or C", "B/C", "between a B and a C", "A\n\nB"],
)
def test_a_sign_that_is_not_listed_and_two_grades_are_refused(text: str) -> None:
    assert isinstance(read(text, FIVE), Problem)


def test_what_is_found_is_named_by_its_grades() -> None:
    found = read("Coherence: A\n\nCoherence: B", FIVE)
    assert isinstance(found, Problem)
    assert found.text == "I found A and B for coherence (E to A), and cannot tell which one is meant."
    off = read("Coherence: 9", FIVE)
    assert isinstance(off, Problem)
    assert off.text.endswith("not on its scale: grade from E to A: E, D, C, B or A.")


def test_the_same_letter_may_stand_for_other_numbers_in_another_aspect() -> None:
    low = Scale.model_validate({"grades": {"A": 3, "B": 2, "C": 1}})
    three = [aspect(FIVE), aspect(low, "fluency"), aspect(Scale(low=1, high=5), "relevance")]
    found = read_ballot("Coherence: A\nFluency: B\nRelevance: 4", three)
    assert isinstance(found, Ballot)
    assert found.scores == {"coherence": 5, "fluency": 2, "relevance": 4}
    assert isinstance(read_ballot("Coherence: A\nFluency: B\nRelevance: A", three), Problem)


def test_letters_of_texts_that_are_compared_are_no_grades() -> None:
    two = [
        Aspect(name=f"summary_{key}", label=f"Summary {key.upper()}", scale=FIVE, criterion="-")
        for key in "ab"
    ]
    found = read_ballot("Summary B is a good one, and B is longer than A.\nSummary A: C\nSummary B: A", two)
    assert isinstance(found, Ballot)
    assert found.scores == {"summary_a": 3, "summary_b": 5}
    assert isinstance(read_ballot("Summary A is better than summary B. A is clear.", two), Problem)


def test_json_around_which_another_grade_stands_is_refused() -> None:
    assert read('{"coherence": "B"}\nCoherence: B', FIVE) == 4
    assert isinstance(read('{"coherence": "B"}\nCoherence: C', FIVE), Problem)


def test_the_schema_lists_the_grades() -> None:
    properties: dict[str, Any] = ballot_schema([aspect(FIVE)])["properties"]
    assert properties["coherence"] == {"type": "string", "enum": ["E", "D", "C", "B", "A"]}


def test_a_letter_at_which_a_reply_was_cut_is_not_trusted() -> None:
    found = read_ballot("Coherence: B", [aspect(SIGNED)], cut_off=True)
    assert isinstance(found, Problem)
    assert found.kind == "cut_off"


@given(st.text(alphabet=" ABCDEaf+-.:,*\n'bcgood", max_size=60))
def test_any_text_gives_a_grade_of_the_scale_or_a_problem(text: str) -> None:
    found = read(text, SIGNED)
    assert isinstance(found, Problem) or found in [number for _, number in SIGNED.grades]


def tokens(*choices: dict[str, float]) -> list[TokenChoice]:
    return [
        TokenChoice(max(odds, key=odds.__getitem__), {name: math.log(share) for name, share in odds.items()})
        for odds in choices
    ]


def test_the_expected_score_is_over_the_tokens_that_are_grades() -> None:
    odds = tokens({"Coherence:": 1.0}, {" B": 0.5, " A": 0.25, " C": 0.125, " Both": 0.125})
    found = expected(odds, "Coherence: B", 4, FIVE)
    assert found is not None
    assert (found.score, found.mass) == pytest.approx(((4 * 0.5 + 5 * 0.25 + 3 * 0.125) / 0.875, 0.875))


def test_a_grade_of_two_tokens_counts_with_the_product() -> None:
    odds = tokens({" B": 0.8, " A": 0.2}, {"+": 0.6, ".": 0.4})
    found = expected(odds, " B+", 3.3, SIGNED)
    assert found is not None
    # "A" could have gone on as well, so it is left out as the beginning of a longer grade.
    assert (found.score, found.mass) == pytest.approx(((3.3 * 0.48 + 3 * 0.32) / 0.8, 0.8))
