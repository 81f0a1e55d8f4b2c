"""Choices in raw replies."""

import pytest
from rows import rows_of

from agentdebate.errors import UsageError
from agentdebate.meta.replied_choices import CHOICE, NO_CHOICE, read_choices
from agentdebate.meta.replies import READ, How, Policy

LABEL = r"pattern=\[\[([ABC])\]\]"
SCORES = r"pattern=^(\S+) (\S+)"


def choice(replies: object, how: str, policy: Policy = "leave-out") -> str | None:
    """What the replies of one row choose."""
    (row,) = read_choices(rows_of({"reply": replies}), "best", "reply", How.parse(how), policy).rows
    found: str | None = row.data[READ][CHOICE]
    return found


@pytest.mark.parametrize(
    ("replies", "how", "label"),
    [
        ("I prefer the second: [[B]]", LABEL, "B"),
        (["[[A]]", "[[B]]", "[[B]]"], LABEL, "B"),
        (["[[A]]", "[[B]]"], LABEL, "tie"),
        (["[[A]]", "hm"], LABEL, "A"),
        ("8 7\nas the first is longer", SCORES, "1"),
        ("7.5 8", SCORES, "2"),
        ("7 7.0", SCORES, "tie"),
        (["9 7", "5 8"], SCORES, "2"),
        (["9 7", "good bad"], SCORES, "1"),
        ("A is best", "pattern=[AB](?= is best)", "A"),
    ],
)
def test_samples_make_one_choice(replies: object, how: str, label: str) -> None:
    assert choice(replies, how) == label


@pytest.mark.parametrize("replies", [None, [], "no", "[[D]]", ["", "no"]])
def test_what_says_no_label_makes_no_choice_and_no_tie(replies: object) -> None:
    assert choice(replies, LABEL) is None


def test_a_policy_may_ask_for_all_samples() -> None:
    assert choice(["[[A]]", "hm"], LABEL, "text") is None
    with pytest.raises(UsageError, match="--unreadable zero is for scores"):
        choice("[[A]]", LABEL, "zero")


def test_other_ways_of_reading_find_no_choice() -> None:
    with pytest.raises(UsageError, match="--read auto finds scores; a choice is found by pattern"):
        choice("A", "auto")


def test_the_account_says_how_many_replies_made_none() -> None:
    rows = rows_of({"reply": ["[[A]]", "no"]}, {"reply": "[[B]]"})
    (account,) = read_choices(rows, "best", "reply", How.parse(LABEL)).accounts
    assert (account.replies, account.unreadable) == (3, {NO_CHOICE: 1})
