"""Steps are read out of lists as writers number them, and what is no way from reading to a score is said to be none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.excerpt import LONGEST
from agentdebate.ballots.plan import MOST, read_steps
from agentdebate.ballots.replies.outcome import Problem

TWO = ("Read the text.", "Give a score from 1 to 5.")


@pytest.mark.parametrize(
    "text",
    [
        "1. Read the text.\n2. Give a score from 1 to 5.",
        "1) Read the text.\n\n2) Give a score from 1 to 5.\n",
        "Here is what to do:\n\n1. Read\n   the text.\n2. Give a score\nfrom 1 to 5.",
        "- Read the text.\n- Give a score from 1 to 5.",
        "* Read the text.\n* Give a score from 1 to 5.",
        "**Step 1:** Read the text.\n**Step 2:** Give a score from 1 to 5.",
        "### Step 1. Read the text.\n### Step 2. Give a score from 1 to 5.",
        "<think>1. Nothing.\n2. No.</think>\n1. Read the text.\n2. Give a score from 1 to 5.",
    ],
)
def test_steps_are_read_however_they_are_numbered(text: str) -> None:
    assert read_steps(text) == TWO


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no steps"),
        ("Coherence: 4", "no steps"),
        ("I would read the text, and then score it. 3.5 is the middle of the scale.", "no steps"),
        ("1. Read the text, and score it.", "one step"),
        (
            "\n".join(f"{number}. Look at part {number}." for number in range(1, MOST + 2)),
            f"{MOST + 1} steps",
        ),
        ("1. Read it.\n2. Read it.\n3. Score it.", "more than once"),
        ("1. " + "a" * LONGEST, "characters long"),
    ],
)
def test_what_is_no_list_of_steps_is_said_to_be_none(text: str, said: str) -> None:
    read = read_steps(text)
    assert isinstance(read, Problem)
    assert said in read.text


@given(st.text(max_size=300))
def test_any_text_gives_steps_or_a_problem(text: str) -> None:
    read = read_steps(text)
    assert read.text if isinstance(read, Problem) else len(read) == len(set(read)) >= 2


@given(
    st.lists(
        st.text(st.characters(categories=["L", "Zs"]), min_size=1).filter(str.strip),
        min_size=2,
        max_size=MOST,
        unique_by=lambda step: tuple(step.split()),
    )
)
def test_steps_that_are_written_out_are_read_back(steps: list[str]) -> None:
    words = [" ".join(step.split()) for step in steps]
    if len({one.casefold() for one in words}) == len(words):
        assert read_steps("\n".join(f"{at}. {one}" for at, one in enumerate(words, 1))) == tuple(words)
