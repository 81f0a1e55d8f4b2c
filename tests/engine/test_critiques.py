"""Critiques that could stand under any text are counted."""

import re
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.debates.critiques import unrelated
from agentdebate.talk.messages import Critique, of_kind
from agentdebate.tasks import Item

ITEM = Item(
    id="one",
    fields={"source": "Engineers found corrosion in 1931.", "summary": "The harbour bridge is rusty."},
)


def critique(text: str, *, no_issue: bool = False) -> Critique:
    return Critique(sender="critic", to=("floor",), answers=1, text=text, no_issue=no_issue)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The score is too high; the summary is not consistent with the source.", 1),
        ("The score should be lower. Better wording is missing.", 1),
        ("“harbour bridge” is backed by nothing.", 0),
        ("Where is the year 1931?", 0),
        ("It leaves out the CORROSION.", 0),
    ],
)
def test_an_objection_names_something_of_the_item_by_a_number_or_a_telling_word(
    text: str, count: int
) -> None:
    assert unrelated([critique(text)], ITEM) == count


def test_each_objection_counts_and_an_agreement_does_not() -> None:
    said = [critique("Too high."), critique("Still too high."), critique("Fine.", no_issue=True)]
    assert unrelated(said, ITEM) == 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Complaint(Critique):
    """A critique of a package's own."""

    kind = "complaint"


def test_objections_of_kinds_that_packages_build_on_ours_count() -> None:
    complaint = Complaint(sender="critic", to=("floor",), answers=1, text="Too high.", no_issue=False)
    assert of_kind([complaint, critique("Fine.", no_issue=True)], Critique)[0] is complaint
    assert unrelated([complaint], ITEM) == 1


def test_texts_without_blanks_are_named_by_their_words() -> None:
    item = Item(id="two", fields={"summary": "橋 は 閉鎖"})
    assert unrelated([critique("閉鎖 is wrong")], item) == 0
    assert unrelated([critique("違う")], item) == 1


@given(st.text("abrid_1 .,-", max_size=60), st.text("abrid", min_size=6, max_size=8))
def test_a_word_of_the_item_is_a_whole_word(text: str, word: str) -> None:
    item = Item(id="three", fields={"source": f"{text} {word[1:]}{word}"})
    named = word in re.findall(r"\w+", item.fields["source"])
    assert unrelated([critique(word)], item) == int(not named)
    assert unrelated([critique(word)], Item(id="four", fields={"source": f"{text} {word}, {text}"})) == 0


WORDS = st.text(st.sampled_from("ab1_ .,\n'ßé閉Σİ"), max_size=30)


@given(
    WORDS | st.lists(st.sampled_from(["summary", "harbour", "rusty", "1931", "7", "don't"])).map(", ".join)
)
def test_every_word_of_an_objection_is_looked_at_that_can_name_something(text: str) -> None:
    """The same rule, without the short way for texts in plain letters."""
    words = {word.lower() for word in re.findall(r"\w+", text)}
    telling = [
        word
        for word in words
        if not word.isascii() or (len(word) > 1 if word.isdecimal() else len(word) >= 6 and word != "summary")
    ]
    item = Item(id="five", fields={"source": " ".join(sorted(words))})  # all of them stand in it
    assert unrelated([critique(text)], item) == int(not telling)
