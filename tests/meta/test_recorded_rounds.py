"""Recorded rounds are read as talks, and their dynamics counted as a run's are."""

import pytest
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.dynamics import dynamics
from agentdebate.meta.talks import RoundFields, talks_in

ROUNDS = rows_of(
    {"id": 1, "round": 2, "agent": "a", "value": "B", "gold": "B"},
    {"id": 1, "round": 1, "agent": "a", "value": "A", "gold": "B"},
    {"id": 1, "round": 1, "agent": "b", "value": "B", "gold": "B"},
    {"id": 1, "round": 2, "agent": "b", "value": "B", "gold": "B"},
    {"id": 2, "round": 1, "agent": "a", "value": "A", "gold": "A"},
    {"id": 2, "round": 1, "agent": "b", "value": "A", "gold": "A"},
)


def test_choices_move_and_come_to_a_verdict() -> None:
    talks = talks_in(ROUNDS, RoundFields(human="gold"))
    assert [(talk.debate, talk.verdict, talk.people) for talk in talks] == [
        ("1", {"value": "B"}, {"value": "B"}),
        ("2", {"value": "A"}, {"value": "A"}),
    ]
    found = dynamics(talks)
    assert [(one["agent"], one["n"], one["moved"]) for one in found.movement] == [("a", 1, 1), ("b", 1, 0)]
    assert [(one["speaker"], one["listener"], one["toward"]) for one in found.influence] == [
        ("b", "a", 1),
        ("a", "b", 0),
    ]
    ballots = next(one for one in found.flips if one["unit"] == "ballots")
    assert (ballots["n"], ballots["wrong_to_right"], ballots["stayed_right"]) == (2, 1, 1)
    assert [(one["round"], one["n"], one["agreed"]) for one in found.convergence] == [(1, 2, 1), (2, 1, 1)]


def test_scores_are_averaged_where_no_verdict_is_named() -> None:
    rows = rows_of(
        {"item": "x", "turn": 1, "who": "a", "score": 2, "final": 4},
        {"item": "x", "turn": 1, "who": "b", "score": 5, "final": 4},
    )
    fields = RoundFields(item="item", round="turn", agent="who", value="score")
    assert talks_in(rows, fields)[0].verdict == {"score": 3.5}
    with_verdict = RoundFields("item", "turn", "who", "score", verdict="final")
    assert talks_in(rows, with_verdict)[0].verdict == {"score": 4}


def test_what_is_wrong_is_named() -> None:
    with pytest.raises(UsageError, match=r"round=\.\.\.: data.jsonl has no field 'turn'"):
        talks_in(ROUNDS, RoundFields(round="turn"))
    with pytest.raises(DataError, match="line 1"):
        talks_in(rows_of({"id": 1, "round": 1.5, "agent": "a", "value": 1}))
