"""Judgements as columns: the rows that count, in an order of their own."""

from dataclasses import replace
from math import isfinite, nan

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from agentdebate.meta.columns import LARGEST, NO_HUMAN, NO_SCORE, NOT_FINITE, columns
from agentdebate.meta.coverage import coverage
from agentdebate.meta.judged import Judged, JudgedRows, Judgements

NUMBERS = st.none() | st.sampled_from([1.0, 2, 2.5, nan, float("inf"), LARGEST, 1e200])
NAMES = st.sampled_from(["", "a", "b", "é"])
ROWS = st.lists(
    st.builds(
        Judged,
        id=st.sampled_from(["x", "y", "z", "a"]),
        source=NAMES,
        system=NAMES,
        human=NUMBERS,
        score=NUMBERS,
        replies=st.integers(0, 3),
        unread=st.integers(0, 2),
        text=st.integers(0, 2),
    ),
    max_size=12,
)


def counts(row: Judged) -> bool:
    return all(one is not None and isfinite(one) and abs(one) <= LARGEST for one in (row.human, row.score))


def source_of(row: Judged) -> tuple[str, str]:
    return (row.source, "") if row.source else ("", row.id)


def identity(row: Judged) -> tuple[tuple[str, str], str, str, float, float]:
    return source_of(row), row.system, row.id, row.human or 0.0, row.score or 0.0


@given(ROWS, st.booleans())
def test_rows_that_count_are_sorted_by_source_system_id_and_scores(rows: list[Judged], made: bool) -> None:
    table = columns(Judgements("j", "q", JudgedRows.of(rows) if made else tuple(rows)))
    kept = sorted(filter(counts, rows), key=identity)
    shown = [(row.id, row.source, row.system, row.human, row.score) for row in table.rows]
    assert shown == [(row.id, row.source, row.system, row.human, row.score) for row in kept]
    assert list(zip(table.human, table.score, strict=True)) == [(row.human, row.score) for row in kept]
    sources, systems = [source_of(row) for row in kept], [row.system for row in kept]
    assert table.places.source.tolist() == [sorted(set(sources)).index(name) for name in sources]
    assert table.places.system.tolist() == [sorted(set(systems)).index(name) for name in systems]
    expected: dict[str, int] = {}
    for row in rows:
        reason = NO_HUMAN if row.human is None else NO_SCORE if row.score is None else NOT_FINITE
        if not counts(row):
            expected[reason] = expected.get(reason, 0) + 1
    assert table.missing == expected


@given(ROWS)
def test_rows_as_columns_are_the_rows(rows: list[Judged]) -> None:
    found = JudgedRows.of(rows)
    assert JudgedRows.of(found) is found
    expected = [repr(_with_floats(row)) for row in rows]
    assert [repr(row) for row in found] == expected
    assert [repr(found[place]) for place in range(len(rows))] == expected
    assert [repr(row) for row in found[1:5:2]] == expected[1:5:2]
    assert (found == rows) is (list(found) == rows)
    assert repr(list(found.take(range(0, len(rows), 2)))) == repr(list(found)[::2])
    assert found != [*rows, Judged("more", "", "", None, None)]
    assert repr(coverage(Judgements("j", "q", found))) == repr(coverage(Judgements("j", "q", tuple(rows))))


def _with_floats(row: Judged) -> Judged:
    human, score = (None if one is None else float(one) for one in (row.human, row.score))
    return replace(row, human=human, score=score)


def test_a_score_takes_nine_bytes_and_counts_that_are_nought_take_none() -> None:
    rows = JudgedRows.of(Judged(f"t{number}", "", "", number / 7, None) for number in range(1000))
    assert rows.human.numbers.itemsize == 8
    assert np.frombuffer(rows.human.known, dtype=bool).all()
    assert not any(rows.score.known)
    assert (len(rows.replies), list(rows.replies[:2]), rows.replies[-1]) == (1000, [0, 0], 0)
