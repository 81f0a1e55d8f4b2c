"""How much of the data a judge has judged, and what people say of the rest."""

import pytest
from agreement_cases import judgements
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.join import join

SCORE = st.none() | st.floats(-5, 5) | st.sampled_from([float("nan"), float("inf")])


@given(st.lists(st.tuples(SCORE, SCORE), max_size=30))
def test_what_is_there_and_what_is_missing_are_all_rows(
    pairs: list[tuple[float | None, float | None]],
) -> None:
    found = coverage(judgements([("s", "m", *pair) for pair in pairs]))
    assert found.judged + found.missing == found.rows == len(pairs)
    assert 0 <= found.share <= 1
    assert found.of_judged.n + found.of_missing.n <= found.rows


def test_peoples_means_stand_beside_one_another() -> None:
    found = coverage(
        judgements([("s", "m", 1, None), ("s", "m", 2, None), ("s", "m", 4, 4), ("s", "m", None, None)])
    )
    assert (found.of_missing.mean, found.of_missing.n) == (1.5, 2)
    assert (found.of_judged.mean, found.share) == (4, 0.75)


@pytest.mark.parametrize(("missing", "replies"), [(100, 0), (0, 100)])
def test_nothing_judged_or_read_is_empty(missing: int, replies: int) -> None:
    assert Coverage("j", "x", 100, missing, replies=replies, unread=replies).empty
    assert not Coverage(
        "j", "x", 100, missing - 1 if missing else 0, replies=replies, unread=max(0, replies - 1)
    ).empty


def test_a_text_whose_rows_a_condition_takes_away_is_left_out_and_not_missing() -> None:
    data = rows_of({"id": 1}, {"id": 2}, {"id": 3})
    judge = rows_of({"id": 1, "x": "a"}, {"id": 2, "x": "b"}, path="judge.jsonl")
    pairs, left_out = join(data, judge[:1], [("id", "id")], inner=True)
    assert [row.data["id"] for row, _ in pairs] == [1]
    assert [scores is None for _, scores in pairs] == [False]
    assert list(left_out.values()) == [2]
