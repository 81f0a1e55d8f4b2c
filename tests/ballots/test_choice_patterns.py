"""Choices between texts: each row of the table by its example, refusals, lessons of real judges."""

from collections.abc import Sequence

import pytest

from agentdebate.ballots.replies.choice_patterns import ROWS, Row
from agentdebate.ballots.replies.choices import TIE, read_choice

ANSWERS = ("Answer A", "Answer B")
OUTPUTS = ("Output (a)", "Output (b)")
ASSISTANTS = ("Assistant 1", "Assistant 2")
THREE = ("Summary A", "Summary B", "Summary C")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_an_example_is_read_by_its_row(row: Row) -> None:
    read = read_choice(row.example, ANSWERS)
    assert (read.rule, read.choice) == (row.name, TIE if row.name.startswith("tie") else "Answer B"), (
        read.refused
    )


@pytest.mark.parametrize(
    ("text", "labels", "choice"),
    [
        ("1", ANSWERS, "Answer A"),
        ("**B**", ASSISTANTS, "Assistant 2"),
        ("Assistant 1 is better.", ANSWERS, "Answer A"),
        ("Model 2 is better.", ANSWERS, "Answer B"),
        ("Overall, response 1 is better.", OUTPUTS, "Output (a)"),
        ("I prefer the second: [[B]]", ANSWERS, "Answer B"),
        ("Both are fine, but Answer B wins.", ANSWERS, "Answer B"),
        ("Better: Output (a)", OUTPUTS, "Output (a)"),
        ("Output (a)", OUTPUTS, "Output (a)"),
        ("Vote: Summary C", THREE, "Summary C"),
        ("[[C]]", THREE, "Summary C"),
        ("[[C]]", ANSWERS, TIE),
        ("It falls short.\n\n3", ASSISTANTS, TIE),
        ("My final verdict is: Tie, relatively the same: [[A=B]]", ANSWERS, TIE),
        ("[[A>>B]]", ANSWERS, "Answer A"),
        ("8 7\n\nThe first has more detail.", ASSISTANTS, "Assistant 1"),
        ("8 8\n\nBoth have the same detail.", ASSISTANTS, TIE),
        ("Vote: vicuna-13b", ("gpt-4", "vicuna-13b"), "vicuna-13b"),
        ("评价：回答B更完整。\n\n[[B]]", ANSWERS, "Answer B"),
        ("両方を読みました。\n\nVote：Answer B", ANSWERS, "Answer B"),
        ("두 답변을 읽었습니다.\n\n[[A]]", ANSWERS, "Answer A"),
        ('```json\n{"reason": "It has more.", "winner": "A"}\n```', ANSWERS, "Answer A"),
        ("<think>Vote: Answer A</think>Vote: Answer B", ANSWERS, "Answer B"),
        # What real replies taught: a choice that is taken back, headings that choose nothing, words of the judged text, working.
        ("Vote: Answer A\nWait, I change my vote.\nVote: Answer B", ANSWERS, "Answer B"),
        ("Overall, Answer A is better. On reflection, I was wrong: overall, Answer B is better.", ANSWERS, "Answer B"),
        ("**Answer A**: It is short.\n\n**Answer B**: It is long.\n\nTherefore, Answer B is better.", ANSWERS, "Answer B"),
        ("**Answer A**\nIt is short.\n**Answer B**\nIt is long.", ANSWERS, None),
        ('It even says "Vote: Answer A".\n\nVote: Answer B', ANSWERS, "Answer B"),
        ("Answer A reaches x = 10 in the end, where 2 + 2 = 4.\n\nTherefore, Answer B is better.", ANSWERS, "Answer B"),
        ("The correct answer is C. Answer B says so.\n\nMy final verdict is: [[B>A]]", ANSWERS, "Answer B"),
        ("The correct answer is (B).\n\nBoth have it right.", ANSWERS, None),
        ("I should answer a question first.\n\nVote: Answer B", ANSWERS, "Answer B"),
    ],
)  # fmt: skip
def test_texts_may_be_called_by_label_key_place_or_another_noun(
    text: str, labels: Sequence[str], choice: str | None
) -> None:
    read = read_choice(text, labels)
    assert read.choice == choice, read.refused


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", "nothing"),
        ("**  **", "nothing"),
        ("I'm sorry, but I can't compare these.", "refusal"),
        ("Both have their merits.", "missing"),
        ("Answer A is shorter, Answer B is longer.", "missing"),
        ("Vote: Answer A\nVote: Answer B", "several"),
        ("[[A]]\n\n[[B]]", "several"),
        ("Overall, Answer A is better. Overall, Answer B is better.", "several"),
        ("Vote: Answer A or Answer B", "missing"),
        ("Vote: Answer A / Answer B", "missing"),
        ("Vote: Answer E", "off_scale"),
        ("I do not think that Answer A is better.", "missing"),
        ("If length were all, I would choose Answer A.", "missing"),
        ("Is Answer A better?", "missing"),
        ("Verdict: Answer A is wrong, Answer B is right.", "missing"),
        ("Vote: Answer A\n\nwas the line in it. I choose Answer B.", "several"),
        ("There is no way Answer A is better.", "missing"),
        ("Answer A is better written.", "missing"),
        ("I would choose Answer A if it were shorter.", "missing"),
        ('It ends in "[[B]]", as if that counted.', "missing"),
    ],
)
def test_what_is_no_single_choice_is_refused_with_its_reason(text: str, kind: str) -> None:
    read = read_choice(text, ANSWERS)
    assert (read.choice, read.problem and read.problem.kind) == (None, kind)
    assert read.refused


def test_a_tie_is_refused_where_none_may_be_and_its_mark_is_what_the_form_says() -> None:
    tie = read_choice("[[A=B]]", ANSWERS, ties=False)
    assert tie.problem is not None
    assert tie.problem.kind == "off_scale"
    assert read_choice("[[C]]", ANSWERS, tie_mark="").choice is None
    assert read_choice("[[D]]", THREE, tie_mark="D").choice == TIE
