"""Critiques that could stand under any text are counted."""

import pytest

from agentdebate.debates.critiques import unrelated
from agentdebate.talk.messages import Critique
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


def test_texts_without_blanks_are_named_by_their_words() -> None:
    item = Item(id="two", fields={"summary": "橋 は 閉鎖"})
    assert unrelated([critique("閉鎖 is wrong")], item) == 0
    assert unrelated([critique("違う")], item) == 1
