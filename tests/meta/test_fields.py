"""What a row holds under the name of a field."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
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
    check_field(rows, "scores.coherence", "human=...")
    with pytest.raises(
        UsageError, match=r"human=...: data\.jsonl has no field 'score\.coherence'.*'scores\.coherence'"
    ):
        check_field(rows, "score.coherence", "human=...")


def test_an_asterisk_is_every_entry_of_a_list_or_of_an_object() -> None:
    (row,) = rows_of({"of": [{"s": 4}, {"t": 1}, {"s": 5}], "by": {"ann": {"s": 1}, "bob": {"s": 2}}})
    assert value_in(row, "of.*.s") == [4, None, 5]
    assert score_in(row, "of.*.s") == 4.5
    assert value_in(row, "by.*.s") == [1, 2]
    assert not has(row, "of.*.x")
    assert not has(row, "none.*.s")


def test_several_asterisks_give_one_list() -> None:
    (row,) = rows_of({"of": [{"in": [{"s": 1}, {"s": 2}]}, {"in": [{"s": 3}]}, {}]})
    assert value_in(row, "of.*.in.*.s") == [1, 2, 3, None]


def test_an_empty_list_is_there_and_has_nothing_in_it() -> None:
    (row,) = rows_of({"of": []})
    assert has(row, "of.*.s")
    assert value_in(row, "of.*.s") == []
    assert score_in(row, "of.*.s") is None


def test_a_name_with_an_asterisk_in_it_goes_before_every_entry() -> None:
    (row,) = rows_of({"a": {"*": 1, "b": 2}, "c.*": 3, "c": [4]})
    assert value_in(row, "a.*") == 1
    assert value_in(row, "c.*") == 3


def test_a_path_into_lists_is_proposed_where_a_field_is_unknown() -> None:
    rows = rows_of({"of": [{"score": 4}]})
    with pytest.raises(UsageError, match=r"Did you mean 'of\.\*\.score'"):
        check_field(rows, "of.score", "human=...")


JSON = st.recursive(
    st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("ab*0"), inner, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from("ab*0"), JSON), st.text("ab*0.", max_size=9))
def test_any_path_finds_something_or_nothing_and_both_questions_say_the_same(
    data: dict[str, object], path: str
) -> None:
    (row,) = rows_of(data)
    found = value_in(row, path)
    assert has(row, path) or found is None


@given(st.lists(st.integers(), min_size=1), st.text("0123456789", min_size=1, max_size=12))
def test_a_number_in_a_path_is_a_place_of_a_list(values: list[int], place: str) -> None:
    (row,) = rows_of({"a": values})
    expected = values[int(place)] if int(place) < len(values) and len(place) < 10 else None
    assert value_in(row, f"a.{place}") == expected


@pytest.mark.parametrize("text", ["4_5", "1_000"])
def test_digits_with_a_line_between_them_are_no_number(text: str) -> None:
    (row,) = rows_of({"x": text})
    with pytest.raises(DataError, match="a number is wanted here"):
        score_in(row, "x")
