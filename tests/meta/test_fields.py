"""What a row holds under the name of a field."""

import math

import pytest
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.fields import check_field, has, label_in, score_in, value_in


def test_a_field_inside_another_is_named_with_a_dot() -> None:
    (row,) = rows_of({"scores": {"coherence": 4}, "expert": [[1, 2], [3, 4]]})
    assert value_in(row, "scores.coherence") == 4
    assert value_in(row, "expert.1.0") == 3


def test_a_name_with_a_dot_in_it_goes_before_a_field_inside() -> None:
    (row,) = rows_of({"a.b": 1, "a": {"b": 2}, "scores": {"overall.answer_1": 3}})
    assert value_in(row, "a.b") == 1
    assert value_in(row, "scores.overall.answer_1") == 3


def test_an_empty_field_is_there_and_another_is_not() -> None:
    (row,) = rows_of({"a": None})
    assert has(row, "a")
    assert not has(row, "b")
    assert not has(row, "a.b")
    assert value_in(row, "b") is None


@pytest.mark.parametrize(("value", "score"), [(3, 3.0), ("3.5", 3.5), ([1, 2, 6], 3.0), ([4, None], 4.0)])
def test_a_score_is_a_number_or_the_mean_of_numbers(value: object, score: float) -> None:
    (row,) = rows_of({"a": value})
    assert score_in(row, "a") == score


@pytest.mark.parametrize("value", [None, "", " ", "nan", "NaN", math.nan, [], [None]])
def test_what_stands_for_no_number_is_no_score(value: object) -> None:
    (row,) = rows_of({"a": value})
    assert score_in(row, "a") is None


@pytest.mark.parametrize("value", ["four", True, {}, "inf", [1, "x"], 10**400])
def test_what_is_no_number_is_an_error_that_names_file_line_and_field(value: object) -> None:
    (row,) = rows_of({"a": value})
    with pytest.raises(DataError, match=r"data\.jsonl, line 1, 'a': a number is wanted here"):
        score_in(row, "a")


@pytest.mark.parametrize(
    ("value", "label"), [("A", "A"), (1, "1"), (1.0, "1"), (1.5, "1.5"), (" tie ", "tie")]
)
def test_a_label_is_a_text_or_a_number_as_it_is_written(value: object, label: str) -> None:
    (row,) = rows_of({"a": value})
    assert label_in(row, "a") == label


def test_a_label_may_be_missing_and_is_nothing_else() -> None:
    row, other = rows_of({"a": ""}, {"a": ["A"]})
    assert label_in(row, "a") is None
    with pytest.raises(DataError, match="a text or a number is wanted here, not a list"):
        label_in(other, "a")


def test_a_field_that_no_row_has_is_an_error_with_the_nearest_one() -> None:
    rows = rows_of({"id": 1}, {"scores": {"coherence": 4}})
    check_field(rows, "scores.coherence", "--human")
    with pytest.raises(
        UsageError, match=r"--human: data\.jsonl has no field 'score\.coherence'.*'scores\.coherence'"
    ):
        check_field(rows, "score.coherence", "--human")
