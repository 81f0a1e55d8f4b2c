"""Which texts of an item an evaluator compares."""

import pytest

from agentdebate.errors import DataError
from agentdebate.evaluators.base import Pair, pair_of
from agentdebate.evaluators.rouge import Rouge
from agentdebate.tasks import Aspect, Item, Scale, Task

ASPECTS = (Aspect(name="good", scale=Scale(low=1, high=5), criterion=""),)
ONE = Task(name="one", fields=("source", "summary"), judged="summary", aspects=ASPECTS, brief="")
TWO = Task(
    name="two",
    fields=("source", "answer_1", "answer_2"),
    optional=("answer_3",),
    candidates=("answer_1", "answer_2", "answer_3"),
    aspects=ASPECTS,
    brief="",
)
ROUGE = Rouge()


def item(**fields: str) -> Item:
    return Item(id="D07", fields={"source": "s", "summary": "t", **fields})


def test_the_premise_is_the_field_that_the_evaluator_names() -> None:
    assert pair_of(item(reference="r"), ONE, ROUGE) == Pair(("r",), "t")
    assert pair_of(item(), ONE, Rouge(premise="source")) == Pair(("s",), "t")


def test_numbered_fields_are_several_premises_in_numeric_order() -> None:
    fields = {f"reference_{number}": f"r{number}" for number in (10, 2, 1, 11)}
    found = pair_of(item(**fields, reference_x="no", my_reference_3="no"), ONE, ROUGE)
    assert found.premise == ("r1", "r2", "r10", "r11")


def test_a_candidate_is_the_text_where_texts_are_compared() -> None:
    compared = Item(id="Q1", fields={"source": "s", "answer_1": "a", "answer_2": "b"})
    assert pair_of(compared, TWO, Rouge(premise="source"), "answer_2") == Pair(("s",), "b")


def test_a_missing_premise_names_item_and_field_and_says_how_to_give_it() -> None:
    with pytest.raises(DataError) as raised:
        pair_of(item(), ONE, ROUGE)
    assert raised.value.field == "reference"
    assert str(raised.value) == (
        "'reference': evaluator 'rouge-l' compares with it, and item D07 has source, summary; "
        "give the item a field 'reference' (also='reference=COLUMN')"
    )


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"reference": " \n"}, "reference"),
        ({"reference_1": "r", "reference_2": ""}, "reference_2"),
        ({"reference": "r", "summary": " "}, "summary"),
    ],
)
def test_a_text_without_words_is_an_error_at_its_field(fields: dict[str, str], field: str) -> None:
    with pytest.raises(DataError, match=f"'{field}': .* item D07 has no text here") as raised:
        pair_of(item(**fields), ONE, ROUGE)
    assert raised.value.field == field
