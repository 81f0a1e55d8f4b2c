"""Every rule by which replies are read has a class: the form, JSON or a pattern."""

from agentdebate.ballots.replies import choice_patterns
from agentdebate.ballots.replies.outcome import class_of


def test_a_choice_that_counts_live_is_read_by_the_form_or_by_json_and_any_other_by_a_pattern() -> None:
    found = {row.name: class_of(row.name) for row in choice_patterns.ROWS}
    forms = {row.name for row in choice_patterns.ROWS if row.strength >= choice_patterns.FORM}
    assert {name for name, kind in found.items() if kind != "pattern"} == forms
    assert [name for name, kind in found.items() if kind == "JSON"] == ["json"]
