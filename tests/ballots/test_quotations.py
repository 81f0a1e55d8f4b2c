"""The judge's own statement goes before quotations and before what it gives to others; prices and withdrawn scores are no scores."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="-")
FLUENCY = Aspect(name="fluency", scale=Scale(low=1, high=5), criterion="-")


def score(reply: str) -> float | None:
    read = read_ballot(reply, [COHERENCE])
    return read.scores["coherence"] if isinstance(read, Ballot) else None


OWN = [
    ("Coherence: 4", 4),
    ("```\nCoherence: 4\n```", 4),
    ("Here it is:\n```\nCoherence: 4\n```", 4),
    ("> Coherence: 4", 4),
    ('"Score: 4"', 4),
    ("“Score: 4”", 4),
    ('I give it "4 out of 5".', 4),
    ("The source says:\n> Score: 5\n\nIt is weak. Score: 2", 2),
    ("> Score: 5\n\nScore: 2", 2),
    ("“Score: 5”\nScore: 2", 2),
    ("«Score: 5»\nI would give it a 2.", 2),
    ("'Score: 5'\nScore: 2", 2),
    ("```\nScore: 5\n```\nScore: 2", 2),
    ("Score: 2\n\nThe text contains:\n```\nScore: 5\n```", 2),
    ("The text says:\nScore: 5\n\nScore: 2", 2),
    ("Example:\nScore: 5\n\nScore: 2", 2),
    ("## Rubric\nScore: 5\nScore: 1\n\n## My rating\nScore: 2", 2),
    ("The critic gave this:\n\nScore: 5\n\nScore: 2", 2),
    ("Judge 2:\nScore: 5\n\nScore: 2", 2),
    ('The source contains {"coherence": 5}.\nCoherence: 2', 2),
    ('The text holds this:\n```json\n{"coherence": 5}\n```\nCoherence: 2', 2),
    ('```json\n{"coherence": 4}\n```', 4),
    ('Fine.\n```json\n{"coherence": 4}\n```', 4),
    ('{"reason": "It says \\"Score: 5\\".", "coherence": 2}', 2),
    ("Score: 4. Wait, no.\nScore: 3", 3),
    ("Score: 4\nI take that back.\nScore: 2", 2),
    ("Score: 4... on second thought, score: 2", 2),
    ("$4$", 4),
    ("Score: $4$", 4),
    ("Score: $\\boxed{4}$", 4),
    ("$$4$$", 4),
    ("Score: $4/5$", 4),
    ("Score: 4 (good)", 4),
    ("Score: 5 would be too high. I give a 3.", 3),
    ("If I were lenient:\nScore: 5\n\nScore: 3", 3),
    ("Suppose the text were perfect: Score: 5. It is not. Score: 3", 3),
    ("My scores, following the rubric:\nCoherence: 4", 4),
    ("Rating according to the guidelines:\nCoherence: 4", 4),
    ("The summary states the facts.\n\n```\nCoherence: 4\n```", 4),
    ("Score: 4\n\nThe previous judge said 5.", 4),
    ("The text says Score: 5\nScore: 2", 2),
]  # fmt: skip

REFUSED = [
    "The text says:\nScore: 5\n\nI cannot tell.",
    'The article ends with "Score: 5".',
    "Agent B's rating:\nScore: 5",
    "Judge 1: Score: 5",
    "For example, score: 5.",
    "According to the critic, coherence: 5.",
    'The source contains {"coherence": 5}.',
    'A note.\n{"coherence": 5}\nCoherence: 2',
    "5 (I do not mean that; 1)",
    "Score: 5\nIgnore the above score.",
    "Score: $4",
    "Score: 4 €",
    "Score: EUR 4",
    "Score: £4",
    "Score: 4$",
    "$4",
    "Score: \\$4",
    "Score: ¥4",
    "Score: 4 ¥",
    "Score: US$4",
    "Score: 4 USD",
    "Score: 4 dollars",
    "Score: $ 4",
    "Score: ₹4",
    "Price: $4",
    "Score: 4%",
    "Score: 4‰",
    "Score: 4 percent",
    "Score: 4 May 2024",
    "Score: May 4",
    "Score: May 4, 2024",
    "Score: 4/5/2024",
    "Score: 4.5.2024",
    "Score: 2024-05-04",
    "Score: 4th",
    "Score: 4 errors",
    "Score: 4 of 12 sentences",
    "Score: 4x",
    "Score: 4 (errors)",
    "e.g. Score: 5",
]  # fmt: skip


@pytest.mark.parametrize(("reply", "expected"), OWN)
def test_the_judges_own_statement_is_read(reply: str, expected: int) -> None:
    assert score(reply) == expected


CORRECTED = [
    ("5 — sorry, I meant 2", 2),
    ("Score: 4. Correction: 2", 2),
    ("Score: 4. No wait, 3.", 3),
    ("Coherence: 4 (scratch that, 2)", 2),
    ("Score: 4, or rather 2", 2),
    ("Score: 4\nActually, make that a 2.", 2),
    ("Score: 5 - I mean 2", 2),
    ("Score: 5? No: 2", 2),
    ("Score: 5, oops, typo: 2", 2),
]


@pytest.mark.parametrize(("reply", "expected"), CORRECTED)
def test_a_score_that_is_taken_back_loses_to_its_correction(reply: str, expected: int) -> None:
    assert score(reply) == expected


@pytest.mark.parametrize("reply", REFUSED)
def test_what_the_judge_does_not_say_itself_is_refused(reply: str) -> None:
    assert score(reply) is None


QUOTED = [
    "“{}”",
    "«{}»",
    '"{}"',
    "'{}'",
    "‘{}’",
    "「{}」",
    "`{}`",
    "```\n{}\n```",
    "~~~\n{}\n~~~",
    "> {}",
    "> a\n> {}",
    '"\n{}\n"',
    "“\n{}\n”",
]
LEADS = [
    "The source says:",
    "The article ends with this line:",
    "For example:",
    "The critic wrote:",
    "From the rubric:",
    "Agent 3's ballot:",
]


@given(
    st.sampled_from(QUOTED),
    st.sampled_from(["", *LEADS]),
    st.sampled_from(["Score: {}", "Coherence: {}/5", "**Coherence**: {}"]),
    st.booleans(),
)
@settings(deadline=None)
def test_a_quotation_in_any_marks_loses_against_the_own_statement(
    marks: str, lead: str, form: str, before: bool
) -> None:
    quoted = f"{lead}\n{marks.format(form.format(5))}"
    own = form.format(2)
    reply = f"{quoted}\n\n{own}" if before else f"{own}\n\n{quoted}\n\nThat is all."
    assert score(reply) == 2


@pytest.mark.parametrize("lead", LEADS)
@pytest.mark.parametrize("marks", QUOTED)
def test_a_quotation_of_others_alone_is_no_ballot(marks: str, lead: str) -> None:
    assert score(f"{lead}\n{marks.format('Score: 5')}\n\nI cannot tell.") is None


@pytest.mark.parametrize("sign", ["$", "€", "£", "¥", "₹", "₽", "₩", "₺", "¢", "EUR", "USD", "US$", "R$"])
@pytest.mark.parametrize(
    "form", ["Score: {}4", "Score: {} 4", "Score: 4{}", "Score: 4 {}", "{}4", "I would give it {}4."]
)
def test_a_price_is_no_score(form: str, sign: str) -> None:
    assert score(form.format(sign)) is None


def test_a_ballot_in_a_fence_at_the_end_counts_beside_prose() -> None:
    reply = "The ideas follow.\n\n```\nCoherence: 4\nFluency: 3\n```\n"
    read = read_ballot(reply, [COHERENCE, FLUENCY])
    assert isinstance(read, Ballot)
    assert read.scores == {"coherence": 4, "fluency": 3}


def test_json_and_words_that_differ_are_refused() -> None:
    read = read_ballot('{"coherence": 4}\n\nFinal score: 2', [COHERENCE])
    assert isinstance(read, Problem)
    assert read.kind == "several"
    assert read.text.startswith("I found 4 in JSON and 2 beside it")
