"""Raw replies of other judges, read into scores."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.replies import NO_SCORE, OFF_SCALE, READ, Asked, How, Policy, read_replies
from agentdebate.tasks import Scale

FIVE = Scale(low=1, high=5)
COHERENCE = Asked("coherence", "reply", FIVE)


def scores(
    replies: object, how: str = "auto", policy: Policy = "leave-out", *asked: Asked
) -> list[float | None]:
    """What the replies of one row give each aspect."""
    found = read_replies(rows_of({"reply": replies}), asked or (COHERENCE,), How.parse(how), policy)
    return list(found.rows[0].data[READ].values())


@pytest.mark.parametrize(
    ("reply", "how", "score"),
    [
        ("It reads well.\nCoherence: 4", "auto", 4.0),
        ('{"coherence": 2}', "auto", 2.0),
        ("3", "auto", 3.0),
        (3, "auto", 3.0),
        ("4, as 2 of 3 sentences fit", "first", 4.0),
        ("2 of the sentences fit, so 4", "last", 4.0),
        ("On a scale of 1 to 5 I say 3", "first", 3.0),
        ("Rating (1-5): 3", "last", 3.0),
        ("4/5", "last", 4.0),
        ("Score: <2>, sure: 5", r"pattern=Score: <(\d)>", 2.0),
        ("coherence is 2, fluency is 5", r"pattern={aspect} is \d", 2.0),
        ("COHERENCE=2", "pattern={aspect}=(.)", 2.0),
    ],
)
def test_a_score_is_found_as_asked(reply: object, how: str, score: float) -> None:
    assert scores(reply, how) == [score]


@pytest.mark.parametrize(
    ("reply", "how"),
    [
        ("I would rather not say.", "auto"),
        ("Coherence: 9", "auto"),
        ("Coherence: 3 or 4", "auto"),
        ("9, no, 4", "first"),
        ("4.5", "last"),
        ("3/10", "first"),
        ("4 to 5", "first"),
        ("no", "last"),
        ("Score: 9", r"pattern=Score: (\d)"),
        ("Rating: 4", r"pattern=Score: (\d)"),
        ("", "first"),
    ],
)
def test_what_gives_no_score_on_the_scale_is_none(reply: str, how: str) -> None:
    assert scores(reply, how) == [None]


def test_samples_are_averaged_and_unreadable_ones_left_out() -> None:
    assert scores(["Coherence: 5", "who knows", "Coherence: 2"]) == [3.5]


@pytest.mark.parametrize(
    ("policy", "score"), [("leave-out", 5.0), ("text", None), ("lowest", 3.0), ("zero", 2.5)]
)
def test_an_unreadable_sample_counts_as_the_policy_says(policy: Policy, score: float | None) -> None:
    assert scores(["5", "who knows"], "first", policy) == [score]


def test_an_unreadable_text_is_no_score_unless_the_policy_gives_it_one() -> None:
    assert scores("who knows", "first") == [None]
    assert scores("who knows", "first", "zero") == [0.0]


@pytest.mark.parametrize("replies", [None, []])
def test_no_reply_is_no_score_under_any_policy(replies: object) -> None:
    assert scores(replies, "first", "zero") == [None]


def test_one_reply_may_score_several_aspects() -> None:
    fluency = Asked("fluency", "reply", Scale(low=1, high=3))
    assert scores("Coherence: 4\nFluency: 2", "auto", "leave-out", COHERENCE, fluency) == [4.0, 2.0]
    assert scores("Coherence: 4\nFluency: 9", "auto", "leave-out", COHERENCE, fluency) == [4.0, None]
    assert scores("coherence 4, fluency 2", r"pattern={aspect} (\d)", "leave-out", COHERENCE, fluency) == [
        4.0,
        2.0,
    ]


def test_any_number_is_a_score_where_no_scale_is_known() -> None:
    assert scores("87.5 points", "first", "leave-out", Asked("x", "reply")) == [87.5]


def test_the_account_says_how_many_could_not_be_read_and_why() -> None:
    rows = rows_of({"reply": ["4", "9"]}, {"reply": ["3", "none"]})
    (account,) = read_replies(rows, [COHERENCE], How("first")).accounts
    assert (account.replies, account.unread) == (4, 2)
    assert account.unreadable == {OFF_SCALE: 1, NO_SCORE: 1}


@pytest.mark.parametrize("text", ["mean", "pattern", "pattern=", "pattern=("])
def test_a_way_of_reading_that_means_nothing_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match=r"read=\.\.\."):
        How.parse(text)


def test_one_score_is_not_found_by_several_groups() -> None:
    with pytest.raises(UsageError, match="has several groups"):
        scores("4", r"pattern=(\d)(\d)")


def test_a_ballot_needs_its_scale() -> None:
    with pytest.raises(UsageError, match="read='auto' has to know the scale of 'x'"):
        scores("4", "auto", "leave-out", Asked("x", "reply"))
    with pytest.raises(UsageError, match="unreadable='lowest' has to know the scale of 'x'"):
        scores("4", "first", "lowest", Asked("x", "reply"))


@pytest.mark.parametrize("how", ["first", "last", "pattern=([0-9])"])
def test_one_number_is_not_the_score_of_two_aspects(how: str) -> None:
    with pytest.raises(UsageError, match="'reply' is to score 2 aspects"):
        scores("4", how, "leave-out", COHERENCE, Asked("fluency", "reply", FIVE))


@pytest.mark.parametrize("reply", [{"text": "4"}, [["4"]], True])
def test_what_is_no_reply_is_an_error_that_names_the_line(reply: object) -> None:
    with pytest.raises(DataError, match=r"data\.jsonl, line 1, 'reply': a reply, or a list of replies"):
        scores(reply)


@given(st.lists(st.text(), max_size=4), st.sampled_from(["auto", "first", "last", "pattern={aspect}.?(.*)"]))
def test_whatever_is_replied_gives_a_score_of_the_scale_or_none(replies: list[str], how: str) -> None:
    (score,) = scores(replies, how)
    assert score is None or 1 <= score <= 5


def test_an_account_says_how_many_were_read_by_the_form_by_json_and_by_a_pattern() -> None:
    replies = ["Coherence: 4", "3", '{"coherence": 2}', "So it gets a score of 4.", "I cannot say."]
    (account,) = read_replies(rows_of({"reply": replies}), [COHERENCE], How()).accounts
    assert dict(account.ways) == {"the form": 2, "JSON": 1, "a pattern": 1}
    assert account.unread == 1
