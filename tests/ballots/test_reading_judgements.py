"""The grammar of judgements: scores and choices in many wordings, alone and among reasons, and what is no judgement."""

from pathlib import Path
from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judgements import FOURS, NO_SCORES

from agentdebate.ballots.ballot import Ballot
from agentdebate.ballots.problem import Problem
from agentdebate.ballots.reading.exact import read_exact
from agentdebate.ballots.reading.rule import REASONS, Rule
from agentdebate.ballots.text import read_ballot
from agentdebate.tasks import Aspect, Scale

HALVES = Aspect(name="coherence", scale=Scale(low=1, high=5, step=0.5), criterion="-")
COHERENCE = Aspect(name="coherence", scale=Scale(low=1, high=5), criterion="-")
REASONS_OF_A_SCORE = (
    "The summary follows the article and has 3 sentences, but one of the 2 quotes is missing."
)
PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "reading-replies.md"


def score(text: str) -> float | str:
    read = read_ballot(text, [HALVES])
    return read.kind if isinstance(read, Problem) else read.scores["coherence"]


@pytest.mark.parametrize("wording", FOURS)
def test_a_score_is_read_in_any_wording_alone_and_behind_reasons(wording: str) -> None:
    assert [score(wording), score(f"{REASONS_OF_A_SCORE}\n\n{wording}")] == [4, 4]


@pytest.mark.parametrize("sentence", NO_SCORES)
def test_a_number_that_rates_nothing_is_no_score(sentence: str) -> None:
    read = [read_ballot(text, [COHERENCE]) for text in (sentence, f"It reads well. {sentence} It ends.")]
    assert all(isinstance(one, Problem) for one in read)


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
