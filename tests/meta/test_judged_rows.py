"""A run's rows as judgements and choices."""

from typing import Any

from agentdebate.meta.run_rows import choice_of, choice_of_people, judged


def compared(**changed: Any) -> dict[str, Any]:
    row = {
        "debate": "q1/depth+style",
        "id": "q1",
        "group": None,
        "system": None,
        "aspects": ["depth", "style"],
        "candidates": ["a", "b"],
        "scores": {},
        "human": {"depth.a": 0.1, "style.a": 0.2, "depth.b": 0.3, "style.b": 0.0},
        "winner": "a",
        "winners": ["a"],
        "failure": None,
    }
    return {**row, **changed}


def test_sums_of_peoples_scores_that_are_equal_as_written_are_a_tie() -> None:
    assert choice_of_people(compared()) == "tie"


def test_people_who_did_not_score_every_text_put_none_first() -> None:
    assert choice_of_people(compared(human={"depth.a": 1.0, "style.a": 2.0})) is None


def test_a_failure_chooses_nothing() -> None:
    assert choice_of(compared(failure={"error": "ModelError", "reason": "no"}, winners=[])) is None
    assert choice_of(compared()) == "a"
    assert choice_of(compared(winner=None, winners=["a", "b"])) == "tie"


def test_rows_of_comparisons_are_choices_beside_those_of_people() -> None:
    (entry,) = judged([compared()], "debate")
    assert entry.labels == ("a", "tie", "b")
    assert [(row.human, row.score) for row in entry.rows] == [("tie", "a")]
