"""Sentences of an instruction in a reply."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.ballots.repetition import is_stretch, without_copies

TOLD = "Review the latest score against the texts. If you have nothing to object to, write NO ISSUE on a line\nof its own."


@pytest.mark.parametrize(
    ("reply", "left"),
    [
        (TOLD, ""),
        ("if you have nothing to object to write no issue on a line of its own", ""),
        ("Write NO ISSUE on a line of its own.", ""),
        ("NO ISSUE", "NO ISSUE"),
        (
            "The latest score is too high. Review the latest score against the texts.",
            "The latest score is too high.",
        ),
        ("I would write NO ISSUE on a line of its own, but the dates are wrong.",) * 2,
        ("", ""),
    ],
)
def test_copied_sentences_are_left_out_and_others_stay(reply: str, left: str) -> None:
    assert without_copies(reply, TOLD) == left


@given(st.text(max_size=200))
def test_without_an_instruction_every_reply_stays_as_it_is(reply: str) -> None:
    assert without_copies(reply, "") == reply


@given(st.text(max_size=200), st.text(max_size=200))
def test_what_is_left_out_is_left_out_for_good(reply: str, told: str) -> None:
    once = without_copies(reply, told)
    assert without_copies(once, told) == once


WORDS = st.sampled_from(
    ["Review", "the", "latest", "score", "against", "texts", "write", "NO", "ISSUE", "İ", "straße", "1"]
)
BETWEEN = st.sampled_from([" ", " ", " ", ". ", "! ", ", ", "\n", "\n \n", "-", ".\n", "  ", ".", ""])
SAID = st.lists(st.tuples(WORDS, BETWEEN), max_size=30).map(
    lambda pieces: "".join(f"{word}{between}" for word, between in pieces)
)


def words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


@given(SAID, SAID)
def test_a_sentence_goes_that_has_five_words_and_stands_in_the_instruction(reply: str, told: str) -> None:
    said = re.split(r"(?<=[.!?])\s+|\n\s*\n", reply)
    kept = [one for one in said if words(one).count(" ") < 4 or f" {words(one)} " not in f" {words(told)} "]
    assert without_copies(reply, told) == (reply if kept == said else "\n".join(kept).strip())


SHOWN = f"The bridge closes in March.\n\nScorer:\nIt reads well, to my mind.\n\nYour role: Critic.\n\n{TOLD}"
SPOKEN = "It reads well, to my mind."


@pytest.mark.parametrize(
    ("reply", "copies"),
    [
        (SHOWN, True),
        (SHOWN[20:-40].upper(), True),
        (f"**{TOLD}**", True),
        (SPOKEN, False),
        ("NO ISSUE", False),
        ("The bridge closes in May, which is wrong.", False),
        (f"{TOLD} The dates are wrong.", False),
        ("", False),
    ],
)
def test_a_piece_of_what_was_shown_is_a_copy_and_a_message_that_was_said_is_not(
    reply: str, copies: bool
) -> None:
    assert is_stretch(reply, SHOWN, [SPOKEN]) is copies
