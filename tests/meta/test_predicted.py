"""Predicted scores beside people's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.joining import NO_DATA, Match, Naming, Scored, beside, join_scores, judgements
from agentdebate.meta.judgements import Judged

DATA = rows_of(
    {"doc": 1, "sys": "A", "coherence": 3.0},
    {"doc": 1, "sys": "B", "coherence": None},
    {"doc": 2, "sys": "A", "coherence": 5.0},
)
ON = Match.parse(["doc", "sys"])
NAMING = Naming(("doc", "sys"), "doc", "sys")
COHERENCE = Scored("coherence", "coherence", "predicted")


def test_rows_are_matched_by_all_fields_whatever_their_order() -> None:
    scores = rows_of(
        {"sys": "A", "doc": "2", "predicted": 0.9},
        {"sys": "A", "doc": "1", "predicted": 0.1},
        {"sys": "B", "doc": "1", "predicted": 0.5},
        path="scores.csv",
    )
    (found,) = judgements("mine", join_scores(DATA, scores, ON), [COHERENCE], NAMING)
    assert found.judge == "mine"
    assert found.rows == (
        Judged("1/A", "1", "A", 3.0, 0.1),
        Judged("1/B", "1", "B", None, 0.5),
        Judged("2/A", "2", "A", 5.0, 0.9),
    )
    assert found.left_out == {}


def test_rows_that_only_one_side_has_are_counted() -> None:
    scores = rows_of({"doc": 1, "sys": "A", "predicted": 1}, {"doc": 9, "sys": "A", "predicted": 1})
    joined = join_scores(DATA, scores, ON)
    assert joined.unscored == 2
    assert joined.left_out == {NO_DATA: 1}
    (found,) = judgements("mine", joined, [COHERENCE], NAMING)
    assert [row.score for row in found.rows] == [1.0, None, None]


def test_texts_that_are_not_looked_at_are_not_unknown() -> None:
    scores = rows_of({"doc": 1, "sys": "A", "predicted": 1}, {"doc": 2, "sys": "A", "predicted": 1})
    assert join_scores(DATA[:2], scores, ON, DATA[2:]).left_out == {}


def test_a_field_may_have_another_name_in_the_judges_file() -> None:
    scores = rows_of({"article": 1, "sys": "A", "predicted": 1})
    joined = join_scores(DATA, scores, Match.parse(["doc=article", "sys"]))
    assert [pair.scores is not None for pair in joined.pairs] == [True, False, False]


def test_scores_may_stand_beside_peoples() -> None:
    rows = rows_of({"a": 1, "b": 2})
    (found,) = judgements("mine", beside(rows), [Scored("x", "a", "b")], Naming())
    assert found.rows == (Judged("row 1", "", "", 1.0, 2.0),)


def test_one_key_on_two_lines_is_an_error_that_names_both() -> None:
    scores = rows_of({"doc": 1, "predicted": 1}, {"doc": 1, "predicted": 2}, path="scores.jsonl")
    with pytest.raises(DataError, match=r"scores\.jsonl, line 2: doc = 1 is on line 1 too"):
        join_scores(DATA[2:], scores, Match.parse(["doc"]))


def test_a_row_without_a_name_is_an_error() -> None:
    with pytest.raises(DataError, match="line 1, 'doc': this row has nothing in the field"):
        join_scores(rows_of({"doc": None}), rows_of({"doc": 1}), Match.parse(["doc"]))


def test_where_nothing_joins_both_sides_are_shown() -> None:
    scores = rows_of({"doc": "d1", "sys": "A"}, path="scores.jsonl")
    with pytest.raises(
        UsageError, match=r"no row of scores\.jsonl \(d1/A, \.\.\.\) is about a text of data\.jsonl \(1/A"
    ):
        join_scores(DATA, scores, ON)


def test_where_nothing_joins_a_field_with_the_same_values_is_named() -> None:
    scores = rows_of({"doc": "d1", "number": 1, "sys": "A"}, {"doc": "d2", "number": 2, "sys": "A"})
    with pytest.raises(UsageError, match="on='doc=number'"):
        join_scores(DATA, scores, ON)


def test_without_fields_to_match_by_those_that_both_have_are_named() -> None:
    with pytest.raises(UsageError, match=r"on=... says by which fields.* both have doc, sys$"):
        join_scores(DATA, rows_of({"doc": 1, "sys": "A", "predicted": 2}), [])


def test_an_unknown_field_is_an_error_with_the_nearest_one() -> None:
    with pytest.raises(UsageError, match=r"has no field 'docs'\. Did you mean 'doc'\?"):
        join_scores(DATA, DATA, Match.parse(["docs"]))


@pytest.mark.parametrize("text", ["=a", "a=", "="])
def test_what_names_no_fields_is_an_error(text: str) -> None:
    with pytest.raises(UsageError, match=r"on=\.\.\. takes FIELD"):
        Match.parse([text])


@given(st.lists(st.integers(0, 30), unique=True, min_size=1), st.sets(st.integers(0, 30), min_size=1))
def test_every_row_of_the_data_comes_out_once_and_every_other_is_counted(
    ours: list[int], theirs: set[int]
) -> None:
    data, scores = rows_of(*({"id": n} for n in ours)), rows_of(*({"id": n} for n in theirs))
    if not set(ours) & theirs:
        with pytest.raises(UsageError):
            join_scores(data, scores, Match.parse(["id"]))
        return
    joined = join_scores(data, scores, Match.parse(["id"]))
    assert [pair.data for pair in joined.pairs] == data
    assert joined.unscored == len(set(ours) - theirs)
    assert joined.left_out.get(NO_DATA, 0) == len(theirs - set(ours))
