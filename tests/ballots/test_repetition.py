"""Replies that go round in circles, wherever they are cut, and those that do not."""

import json
from unittest.mock import patch

from hypothesis import assume, example, given
from hypothesis import strategies as st

from agentdebate.ballots import repetition as looked_at
from agentdebate.ballots.repetition import SHORTEST, TIMES, repetition

WORDS = st.text(st.characters(categories=["L"]), min_size=1, max_size=12)
SENTENCES = st.lists(WORDS, min_size=1, max_size=12).map(" ".join)


@given(before=SENTENCES, unit=SENTENCES, times=st.integers(TIMES, 40), cut=st.integers(0, 30))
@example(before="So", unit="It is good.", times=20, cut=3)
def test_a_text_that_ends_in_a_loop_is_recognised_wherever_it_is_cut(
    before: str, unit: str, times: int, cut: int
) -> None:
    whole = f"{unit}\n" * times
    assume(len(whole.strip()) >= SHORTEST)
    text = f"{before}\n{whole}{unit[:cut]}"
    found = repetition(text)
    assert found is not None
    assert found.times >= TIMES - 1
    assert found.first_end <= len(before) + 2 * (len(unit) + 2)
    assert text.startswith(found.once(text))


@given(st.integers(5, 30))
def test_numbers_of_a_list_s_items_hide_no_loop(items: int) -> None:
    points = [
        f"{number}. The evidence is looked at once more and held against the criteria."
        for number in range(1, items + 1)
    ]
    for text in ("\n".join(points), json.dumps({"reason": "\n".join(points)})):
        found = repetition(text)
        assert found is not None
        assert found.times >= items - 1


PIECES = st.sampled_from(
    ["good. ", "It is", " \n", "\\n", "1. ", "12) ", "3.", "a", "\t", "#", ".", "So it goes on. "]
)


@given(
    before=st.lists(PIECES, max_size=30).map("".join),
    unit=st.lists(PIECES, min_size=1, max_size=30).map("".join),
    times=st.integers(0, 60),
    cut=st.integers(0, 30),
    limit=st.sampled_from([200, 8000]),
)
def test_what_is_passed_over_at_first_sight_ends_in_no_loop(
    before: str, unit: str, times: int, cut: int, limit: int
) -> None:
    text = f"{before}{unit * times}{unit[:cut]}"
    with patch.object(looked_at, "LOOKED_AT", limit):
        found = repetition(text)
        with patch.object(looked_at, "_may_loop", return_value=True):
            assert repetition(text) == found


@given(st.text(max_size=400))
def test_any_text_can_be_looked_at(text: str) -> None:
    found = repetition(text)
    if found is not None:
        assert 0 <= found.start < found.first_end <= len(text)
        assert found.times >= TIMES - 1


def test_what_reviewers_do_say_more_than_once_and_what_is_long_is_no_loop() -> None:
    lines = [f"Summary {number}: fluent. Coherence: {number % 5 + 1}" for number in range(20)]
    long = "".join(f"{number:x} and " for number in range(200_000))
    for text in (
        long,
        "No. No. No.",
        "NO ISSUE\nNO ISSUE\nNO ISSUE",
        "=" * 400,
        "- " * 200,
        "\n".join(lines),
        "",
    ):
        assert repetition(text) is None
