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
    with pytest.raises(UsageError, match="unreadable='zero' is for scores"):
        choice("[[A]]", LABEL, "zero")


@pytest.mark.parametrize("way", ["first", "last"])
def test_a_number_is_no_choice(way: str) -> None:
    with pytest.raises(
        UsageError, match=f"read='{way}' finds scores; a choice is found by auto, or by pattern"
    ):
        choice("A", way)


@pytest.mark.parametrize(
    ("replies", "label"),
    [
        ("Both are fine, but Answer 2 wins.", "2"),
        ("[[A]]", "1"),
        ("Assistant 2's answer is better.", "2"),
        ("I see no reason to prefer either: it's a tie.", "tie"),
        (["A", "Output (b)", "**B**"], "2"),
        ("The first is shorter, the second is longer.", None),
    ],
)
def test_the_reader_finds_choices_in_any_words(replies: object, label: str | None) -> None:
    assert choice(replies, "auto") == label


def test_a_choice_is_called_as_the_labels_have_it() -> None:
    rows = rows_of({"reply": "[[B]]"}, {"reply": "It is a tie."}, {"reply": "The answer is 1."})
    read = read_choices(rows, "best", "reply", How.parse("auto"), labels=("A", "B", "C")).rows
    assert [row.data[READ][CHOICE] for row in read] == ["B", "C", "A"]


def test_the_account_counts_the_rules() -> None:
    rows = rows_of({"reply": ["[[A]]", "no", "I prefer Answer B."]})
    (account,) = read_choices(rows, "best", "reply", How.parse("auto")).accounts
    assert (account.rules, account.unreadable) == ({"box": 1, "choosing": 1}, {NO_CHOICE: 1})


def test_the_reader_adds_no_choices_of_both_orders() -> None:
    rows = rows_of({"reply": "[[A]]", "swapped": "[[B]]"})
    with pytest.raises(UsageError, match="pattern with 2 groups, not auto"):
        read_choices(rows, "best", "reply", How.parse("auto"), turned="swapped")


def test_the_account_says_how_many_replies_made_none() -> None:
    rows = rows_of({"reply": ["[[A]]", "no"]}, {"reply": "[[B]]"})
    (account,) = read_choices(rows, "best", "reply", How.parse(LABEL)).accounts
    assert (account.replies, account.unreadable) == (3, {NO_CHOICE: 1})


class TestBothOrders:
    """The second field's replies are about the same two texts in the other order."""

    def choice(self, one: object, other: object, how: str = SCORES) -> str | None:
        rows = rows_of({"reply": one, "swapped": other})
        (row,) = read_choices(rows, "best", "reply", How.parse(how), turned="swapped").rows
        found: str | None = row.data[READ][CHOICE]
        return found

    @pytest.mark.parametrize(
        ("one", "other", "label"),
        [
            ("8 7", "8 7", "tie"),
            ("8 7", "7 8", "1"),
            ("8 7", "9 7", "2"),
            (["8 7", "8 7", "9 7"], ["8 8", "8 7"], "1"),
            (["9 8", "9 8", "8 9"], ["9 8", "9 8", "8 9"], "tie"),
            (["8 7", "7 7"], "7.5 7", "tie"),
        ],
    )
    def test_mean_scores_are_added_and_equal_sums_are_a_tie(
        self, one: object, other: object, label: str
    ) -> None:
        assert self.choice(one, other) == label

    @pytest.mark.parametrize(("one", "other"), [("8 7", "no"), ([], "7 8"), ("8 7", None)])
    def test_without_either_order_there_is_no_choice(self, one: object, other: object) -> None:
        assert self.choice(one, other) is None

    def test_the_account_has_the_replies_of_both(self) -> None:
        rows = rows_of({"reply": ["8 7", "no"], "swapped": "7 8"})
        (account,) = read_choices(rows, "best", "reply", How.parse(SCORES), turned="swapped").accounts
        assert (account.replies, account.unreadable) == (3, {NO_CHOICE: 1})

    def test_labels_cannot_be_added(self) -> None:
        with pytest.raises(UsageError, match="takes a pattern with 2 groups, not 1"):
            self.choice("[[A]]", "[[B]]", LABEL)
