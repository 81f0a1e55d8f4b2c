"""A critic's replies that may be looked at are read as the page on ballots says."""

import json
from pathlib import Path

import pytest

from agentdebate.ballots.objection import read_objection
from agentdebate.ballots.replies.outcome import Problem
from replies.objections import Rates, rates
from replies.readers import read_critique
from replies.stop_word import Critique, Outcome, StopWords, critiques

PAGE = Path(__file__).parents[2] / "docs" / "explanation" / "ballots.md"
HALVES: tuple[StopWords, ...] = ("seen", "second")


@pytest.mark.parametrize("half", HALVES)
def test_no_agreement_is_read_as_an_objection_and_no_objection_as_agreement(half: StopWords) -> None:
    outcomes = {(critique.outcome, read_critique(critique)) for critique in critiques(half)}
    assert not outcomes & {
        ("agrees", "objects"),
        ("objects", "agrees"),
        ("contradictory", "agrees"),
    }


@pytest.mark.parametrize("half", HALVES)
def test_the_page_tells_the_precision_and_the_recall_of_what_may_be_looked_at(half: StopWords) -> None:
    assert f"| {half} | {rates(critiques(half)).row}" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("half", HALVES)
def test_other_draws_of_the_same_wordings_are_read_as_well(half: StopWords) -> None:
    for seed in (2, 3):
        found = rates(critiques(half, seed=seed))
        assert min(found.precision, found.recall) > 0.95


def test_the_rates_count_what_is_missed_and_what_is_taken_for_an_objection() -> None:
    [of] = [one for one in critiques("seen") if one.kind == "objection"][:1]
    texts: dict[str, Outcome] = {
        "The score is too high.": "objects",
        '"NO ISSUE" would be a lie.': "objects",
        "It should be lower, as it is too high.": "agrees",
        "NO ISSUE": "agrees",
    }
    made = [Critique(text, of.kind, of.aspect, truth) for text, truth in texts.items()]
    assert rates(made) == Rates(4, 2, 0.5, 0.5)


@pytest.mark.shared
def test_no_recorded_critic_is_taken_to_agree(shared: Path) -> None:
    """None of these says the stop word, and none of them agrees."""
    lines = (shared / "replies" / "judges_critics.jsonl").read_text(encoding="utf-8").splitlines()
    read = [read_objection(json.loads(line)["reply"]) for line in lines if line.strip()]
    assert read
    assert [one for one in read if isinstance(one, Problem) or one.no_issue] == []
