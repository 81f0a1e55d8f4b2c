"""People's scores in rows: in columns of their own or nested, on the scale or mapped onto it."""

from typing import Any

import pytest
from typed import RUN, numbered, typed, write

from agentdebate.datasets.items import Columns, items
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError
from agentdebate.prompts.prompts import load_task
from agentdebate.tasks import Scale

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


def test_columns_that_are_named_go_before_the_object() -> None:
    given = {"human": {"coherence": 4}, "h": 2}
    assert human(given, human={"coherence": "h"}) == {"coherence": 2.0}


@pytest.mark.parametrize("column", ["human.coherence", "scores.people.coherence"])
def test_a_column_inside_others_is_named_with_dots(column: str) -> None:
    given = {"human": {"coherence": 3}, "scores": {"people": {"coherence": 3}}}
    assert human(given, human={"coherence": column}) == {"coherence": 3.0}


@pytest.mark.parametrize("value", ["good", "", None])
def test_a_column_human_without_scores_is_a_column_like_any_other(value: object) -> None:
    assert human({"human": value}) == {}


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


@pytest.mark.parametrize(("score", "mapped"), [(0, 1.0), (100, 5.0), (50, 3.0), (80, 4.2), (None, None)])
def test_a_scale_of_peoples_own_is_mapped_onto_the_aspects(score: float | None, mapped: float | None) -> None:
    scales = {"": Scale.parse("0-100")}
    assert human({"human": {"coherence": score}}, human_scales=scales) == {"coherence": mapped}


def test_a_scale_of_one_aspect_leaves_the_others_alone() -> None:
    scales = {"coherence": Scale.parse("0-10")}
    assert human({"human": {"coherence": 10, "fluency": 2}}, human_scales=scales) == {
        "coherence": 5.0,
        "fluency": 2.0,
    }


def test_a_score_outside_the_scale_that_was_declared_is_an_error_too() -> None:
    with pytest.raises(DataError, match="101 is outside the scale of coherence, 0 to 100"):
        human({"human": {"coherence": 101}}, human_scales={"": Scale.parse("0-100")})


class TestCommand:
    def test_nested_scores_are_beside_the_verdicts(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**row, "human": {"coherence": 2.5}} for row in numbered(2)])
        typed(capsys, *RUN[:-1], "coherence")
        assert [row["human"] for row in typed(capsys, "export").json] == [{"coherence": 2.5}] * 2

    def test_human_scale_maps(self, capsys: pytest.CaptureFixture[str]) -> None:
        write([{**row, "h": 75} for row in numbered(1)])
        done = typed(capsys, *RUN[:-1], "coherence", "--human", "coherence=h", "--human-scale", "0-100")
        assert done.code == 0
        assert [row["human"] for row in typed(capsys, "export").json] == [{"coherence": 4.0}]

    @pytest.mark.parametrize(
        ("more", "says"),
        [
            (
                ["--human", "coherence=h"],
                "data.jsonl, line 1, 'h': people's score 75 is outside the scale of coherence",
            ),
            (["--human-scale", "0-100", "--human-scale", "1-7"], "--human-scale is given twice"),
            (["--human-scale", "coherense=0-9"], "has no 'coherense'. Did you mean 'coherence'"),
            (["--human-scale", "wide"], "'wide' is not a scale"),
        ],
    )
    def test_what_cannot_be_meant_is_an_error(
        self, more: list[str], says: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        write([{**row, "h": 75} for row in numbered(1)])
        done = typed(capsys, *RUN[:-1], "coherence", *more)
        assert done.code == 2
        assert says in done.err
