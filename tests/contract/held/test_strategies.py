"""Each built-in strategy on scripted replies: who is asked in which order, who hears whom, calls, tokens, ballots, verdict."""

from collections.abc import Callable
from typing import Any

import doors
import pytest
import scripted_judge

FIELDS = {
    "source": "The bridge at Kelby is shut for eleven weeks. Two bearings are corroded.",
    "summary": "Kelby's bridge is shut for eleven weeks.",
    "reference": "The bridge is shut while corroded bearings are replaced.",
}
SUMMARY = doors.item("summarization", FIELDS)
STUBBORN = doors.item("summarization", FIELDS, name="stubborn")
ANSWERS = {
    "question": "Why is the bridge shut?",
    "answer_1": "Two of its bearings are corroded.",
    "answer_2": "I do not know why.",
    "reference": "Its bearings are corroded.",
}
PAIR = doors.item("comparison", ANSWERS)
CASES = {
    "one aspect": (SUMMARY, "relevance"),
    "two aspects": (SUMMARY, ["coherence", "relevance"]),
    "without agreement": (STUBBORN, "relevance"),
    "two texts": (PAIR, None),
}
STRATEGIES = doors.built_in("strategies")


def told(held: doors.Held) -> dict[str, Any]:
    """A debate as JSON: its questions with what each agent remembered, and what came of it."""
    return {
        "asked": [f"{one.round} {one.agent} {one.purpose}: {' '.join(one.heard)}" for one in held.questions],
        "said": held.outline,
        "ballots": held.ballots,
        "verdict": held.summary,
        "spent": held.spent,
    }


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_strategy_asks_hears_and_judges_as_it_did(name: str, golden: Callable[..., None]) -> None:
    found = {}
    for case, (subject, aspects) in CASES.items():
        found[case] = told(doors.hold(subject, name, scripted_judge.answer, aspects=aspects))
    golden(name, found)


def test_every_built_in_strategy_comes_to_a_verdict_in_one_case_at_least() -> None:
    assert len(STRATEGIES) >= 28
