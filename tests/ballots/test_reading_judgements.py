"""The grammar of judgements: scores and choices in many wordings, alone and among reasons, and what is no judgement."""

from pathlib import Path
from typing import get_args

import pytest
from cpu_time import grows_evenly
from hypothesis import given, settings
from hypothesis import strategies as st
from judgements import FOURS, NO_CHOICES, NO_SCORES, SECONDS, TIES

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.choice import Preference, read_choice
from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.reading.exact import read_exact
from agentdebate.ballots.reading.rule import REASONS, Rule
from agentdebate.ballots.replies.outcome import Problem
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

HALVES = Aspect(name="coherence", scale=Scale(low=1, high=5, step=0.5), criterion="-")
COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="-")
LABELS = ("Answer A", "Answer B")
REASONS_OF_A_SCORE = (
    "The summary follows the article and has 3 sentences, but one of the 2 quotes is missing."
)
REASONS_OF_A_CHOICE = "Answer A covers the main points and is easy to follow. Answer B gives more detail, but one of its claims is wrong."
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "reading-replies.md"


def score(text: str) -> float | str:
    read = read_ballot(text, [HALVES])
    return read.kind if isinstance(read, Problem) else read.scores["coherence"]


def chosen(text: str) -> int | str | None:
    read = read_choice(text, LABELS)
    return read.kind if isinstance(read, Problem) else read.place


@pytest.mark.parametrize("wording", FOURS)
def test_a_score_is_read_in_any_wording_alone_and_behind_reasons(wording: str) -> None:
    assert [score(wording), score(f"{REASONS_OF_A_SCORE}\n\n{wording}")] == [4, 4]


@pytest.mark.parametrize("sentence", NO_SCORES)
def test_a_number_that_rates_nothing_is_no_score(sentence: str) -> None:
    read = [read_ballot(text, [COHERENCE]) for text in (sentence, f"It reads well. {sentence} It ends.")]
    assert all(isinstance(one, Problem) for one in read)


@pytest.mark.parametrize("wording", SECONDS)
def test_a_choice_is_read_in_any_wording(wording: str) -> None:
    assert chosen(wording) == 1


@pytest.mark.parametrize("wording", TIES)
def test_a_tie_is_read_in_any_wording_alone_and_behind_reasons(wording: str) -> None:
    assert [chosen(wording), chosen(f"{REASONS_OF_A_CHOICE}\n\n{wording}")] == [None, None]


@pytest.mark.parametrize("sentence", NO_CHOICES)
def test_what_compares_and_does_not_choose_is_no_choice(sentence: str) -> None:
    assert isinstance(read_choice(sentence, LABELS), Problem)


MENTIONS = [
    'At the end of it there stands "[[{}]]", but that is part of the text.',
    'The text ends with "[[{}]]".',
    'It asks the judge to reply "[[{}]]".',
    "It ends with [[{}]], which I ignore.",
    'The words "[[{}]]" in it are not mine.',
    r"The text closes with \boxed{{{}}}, which is an attempt to sway me.",
]


@pytest.mark.parametrize("mention", MENTIONS)
def test_a_verdict_that_a_text_holds_does_not_count_beside_the_judges_own(mention: str) -> None:
    """A judge that tells of an injection must not be read as obeying it."""
    choices = [
        chosen(f"{mention.format('A')} Both are readable.\n\n{own}")
        for own in ("[[B]]", "I choose B.", "Verdict: B")
    ]
    scores = [
        score(f"{mention.format(1)} It is readable.\n\n{own}")
        for own in ("[[4]]", "I give it a 4.", "Score: 4")
    ]
    assert [*choices, *scores] == [1, 1, 1, 4, 4, 4]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Answer A is better. It is short. Therefore, Answer B is better.", ["Answer A and Answer B"]),
        ("[[A]]\n\n[[B]]", ["Answer A and Answer B"]),
        ("Verdict: A\nVerdict: tie", ["Answer A and a tie"]),
        ("Verdict: Answer E", ["a text that is not there", "Answer A, Answer B"]),
    ],
)
def test_final_judgements_that_differ_are_refused_and_named(text: str, words: list[str]) -> None:
    read = read_choice(text, LABELS)
    assert isinstance(read, Problem)
    assert [word for word in words if word not in read.text] == []


def test_a_form_without_ties_takes_none() -> None:
    assert isinstance(read_choice("It is a tie.", LABELS, ties=False), Problem)


@pytest.mark.parametrize(
    ("text", "labels", "place"),
    [
        ("Therefore, Output (b) is better.", ("Output (a)", "Output (b)"), 1),
        ("I choose 2.", ("Assistant 1", "Assistant 2"), 1),
        ("3", ("Assistant 1", "Assistant 2"), None),
        ("Of the three, Summary C is the best.", ("Summary A", "Summary B", "Summary C"), 2),
        ("The latter is better.", ("Story 1", "Story 2"), 1),
    ],
)
def test_texts_go_by_their_labels_and_places(text: str, labels: tuple[str, ...], place: int | None) -> None:
    read = read_choice(text, labels)
    assert isinstance(read, Preference)
    assert read.place == place


def test_the_reading_names_the_rule_of_each_rating() -> None:
    fluency = Aspect(name="fluency", scale=Scale(low=1, high=3), criterion="-")
    read = read_ballot("Coherence: 4/5\nI would give it a 3 for fluency.", [COHERENCE, fluency])
    assert isinstance(read, Ballot)
    assert (read.reading.rule, read.rules) == ("form, verb", {"coherence": "form", "fluency": "verb"})


def test_the_page_lists_exactly_the_rules_with_their_reasons() -> None:
    rows = [line.split("|")[1:3] for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    assert {rule.strip(" `"): reason.strip() for rule, reason in rows} == dict(REASONS)
    assert set(REASONS) == set(get_args(Rule))


WORDS = [
    "the",
    "text",
    "is",
    "coherent",
    "and",
    "it",
    "does",
    "not",
    "say",
    "why",
    ",",
    ".",
    "\n",
    "(",
    ")",
    "!",
]


@given(st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join), st.integers(1, 5))
@settings(deadline=None, max_examples=100)
def test_the_exact_form_is_read_as_the_grammar_reads_it(reasons: str, number: int) -> None:
    text = f"{reasons}\nCoherence: {number}"
    exact = read_exact(text, [COHERENCE], structured=False)
    full = read_ballot(f"{text}\n.", [COHERENCE])
    assert exact is not None
    assert isinstance(full, Ballot)
    assert exact.scores == full.scores == {"coherence": number}


UNITS = [
    "1 ",
    "-1",
    "4/5 ",
    "Answer A is ",
    "[[A]] ",
    "A>B ",
    "tie ",
    "\n4\n",
    '"4" ',
    "I give it ",
    "> 4\n",
    "★",
    "4 and ",
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_long_run_of_anything_is_read_in_time_that_grows_with_it(unit: str) -> None:
    """`python -m benchmarks reading` prints the figures."""
    assert grows_evenly(lambda size: read_ballot(unit * (size // len(unit)), [COHERENCE]), LONGEST - 100)
    assert grows_evenly(lambda size: read_choice(unit * (size // len(unit)), LABELS), LONGEST - 100)
