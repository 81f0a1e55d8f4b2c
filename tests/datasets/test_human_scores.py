"""People's scores in rows: in columns of their own or nested, on the scale or mapped onto it."""

from typing import Any

import pytest

from agentdebate.datasets.items import Columns, items
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.prompts.prompts import load_task

TASK, PAIRS = load_task("summarization"), load_task("comparison")
FIELDS = {"id": "a", "source": "The cat sat.", "summary": "A cat sat."}


def human(data: dict[str, Any], **columns: Any) -> dict[str, float | None]:
    (item,) = items([Row("f.jsonl", 7, {**FIELDS, **data})], TASK, Columns(**columns))
    return item.human


def test_an_object_human_has_scores_by_aspect() -> None:
    assert human({"human": {"coherence": 4, "fluency": None, "politeness": 9}}) == {
        "coherence": 4.0,
        "fluency": None,
    }


@pytest.mark.parametrize("column", ["human.coherence", "scores.people.coherence"])
def test_a_column_inside_others_is_named_with_dots(column: str) -> None:
    given = {"human": {"coherence": 3}, "scores": {"people": {"coherence": 3}}}
    assert human(given, human={"coherence": column}) == {"coherence": 3.0}


def test_candidates_have_scores_of_their_own_nested_or_by_name() -> None:
    fields = {"id": "q", "question": "Long?", "answer_1": "Yes.", "answer_2": "No."}
    for given in (
        {"overall": {"answer_1": 1, "answer_2": 0}},
        {"overall.answer_1": 1, "overall.answer_2": 0},
    ):
        (item,) = items([Row("f", 1, {**fields, "human": given})], PAIRS, Columns())
        assert item.human == {"overall.answer_1": 1.0, "overall.answer_2": 0.0}


@pytest.mark.parametrize(
    ("given", "field", "says"),
    [
        ({"coherence": 6}, "human.coherence", "people's score 6 is outside the scale of coherence, 1 to 5"),
        ({"coherence": 0.5}, "human.coherence", "people's score 0.5 is outside"),
        ({"coherence": "good"}, "human.coherence", "a number is wanted here, not the text 'good'"),
        ({"coherence": [4, 5]}, "human.coherence", "a number is wanted here, not a list"),
        ({"coherense": 4}, "human.coherense", "has no such aspect. Did you mean 'coherence'"),
    ],
)
def test_a_score_that_cannot_be_one_is_an_error_with_its_line(
    given: dict[str, Any], field: str, says: str
) -> None:
    with pytest.raises(DataError) as caught:
        human({"human": given})
    assert f"f.jsonl, line 7, '{field}'" in str(caught.value)
    assert says in str(caught.value)
