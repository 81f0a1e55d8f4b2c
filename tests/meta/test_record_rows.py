"""Recorded judgements as rows: judges that share a file, orders in rows of their own, and letters for scores."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.expression import Term
from agentdebate.meta.fields import score_in, value_in
from agentdebate.meta.joining import Naming, Scored, beside, judgements
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.record_layout import (
    by_judge,
    graded,
    order_names,
    parse_grades,
    side_by_side,
    without_words,
)
from agentdebate.meta.scales import reach
from agentdebate.tasks import Scale

RECORDS: list[dict[str, Any]] = [
    {
        "id": f"{item}-gpt-4-CoT-{order}",
        "model": "gpt-4",
        "how": "CoT",
        "order": order,
        "won": won,
        "topic": item,
    }
    for item in range(3)
    for order, won in (("original", "1"), ("swapped", "2"))
]


class TestJudges:
    def test_each_combination_of_fields_is_a_judge(self) -> None:
        rows = rows_of({"m": "a", "n": 1}, {"m": "b", "n": 1}, {"m": "a", "n": 1}, {"m": "a", "n": True})
        assert {name: len(some) for name, some in by_judge(rows, ["m", "n"]).items()} == {
            "a 1": 2,
            "b 1": 1,
            "a true": 1,
        }

    def test_a_row_of_no_judge_is_an_error(self) -> None:
        with pytest.raises(DataError, match=r"line 2, 'm': this row has nothing in the field"):
            by_judge(rows_of({"m": "a"}, {"m": None}), ["m"])

    def test_a_name_is_what_is_left_without_judge_and_order(self) -> None:
        rows = without_words(rows_of(*RECORDS), "id", ["how", "model", "order"])
        assert [value_in(row, "id") for row in rows] == ["0", "0", "1", "1", "2", "2"]

    def test_only_whole_words_are_taken_out_and_never_all(self) -> None:
        rows = rows_of(
            {"id": "Metrics-7", "how": "Met"}, {"id": "CoT", "how": "CoT"}, {"id": "1-1", "how": 1}
        )
        assert [value_in(row, "id") for row in without_words(rows, "id", ["how"])] == [
            "Metrics-7",
            "CoT",
            "1",
        ]


class TestOrders:
    def test_both_orders_of_an_item_become_one_row(self) -> None:
        rows = side_by_side(rows_of(*RECORDS), "order", ("original", "swapped"), ["id"])
        assert len(rows) == 3
        assert [value_in(rows[1], name) for name in ("id", "original.won", "swapped.won", "topic")] == [
            "1-gpt-4-CoT", "1", "2", 1,
        ]  # fmt: skip
        assert "won" not in rows[1].data

    def test_names_that_are_alike_are_left_as_they_are(self) -> None:
        rows = rows_of(*({"id": item, "order": order} for item in (1, 2) for order in (1, 2)))
        found = side_by_side(rows, "order", ("1", "2"), ["id"])
        assert [value_in(row, "id") for row in found] == [1, 2]

    def test_an_item_that_lacks_an_order_is_kept(self) -> None:
        found = side_by_side(rows_of(*RECORDS[:5]), "order", ("original", "swapped"), ["id"])
        assert value_in(found[2], "swapped.won") is None
        assert value_in(found[2], "original.won") == "1"

    def test_an_order_that_an_item_has_twice_is_an_error(self) -> None:
        rows = rows_of(*RECORDS, RECORDS[0])
        with pytest.raises(
            DataError, match=r"line 7: id = 0-gpt-4-CoT-original with order = original is on line 1 too"
        ):
            side_by_side(rows, "order", ("original", "swapped"), ["id"])

    def test_rows_that_do_not_come_in_pairs_are_an_error(self) -> None:
        with pytest.raises(UsageError, match=r"no item of data\.jsonl has both original and swapped, by id"):
            side_by_side(rows_of(*RECORDS[::2]), "order", ("original", "swapped"), ["id"])

    @pytest.mark.parametrize(
        ("names", "said"),
        [((), "'topic' has 0, 1, 2"), (("0",), "'topic' has 0"), (("0", "7"), "'topic' never is '7'")],
    )
    def test_there_are_two_orders(self, names: tuple[str, ...], said: str) -> None:
        with pytest.raises(UsageError, match=said):
            order_names(rows_of(*RECORDS), "topic", names)
        assert order_names(rows_of(*RECORDS), "order", ()) == ("original", "swapped")

    @given(st.permutations(RECORDS))
    def test_the_order_of_the_rows_does_not_decide_what_is_put_together(
        self, records: list[dict[str, Any]]
    ) -> None:
        found = side_by_side(rows_of(*records), "order", ("original", "swapped"), ["id"])
        assert {row.data["topic"]: row.data["swapped"]["won"] for row in found} == {0: "2", 1: "2", 2: "2"}


class TestGrades:
    grades = parse_grades({"A": "5", "B": "4.5"})

    def test_letters_become_scores_in_the_fields_that_are_named(self) -> None:
        (row,) = graded(
            rows_of({"a": " A ", "of": [{"g": "B"}, {"g": "A"}], "id": "A"}),
            ["a", "of.*.g", "no"],
            self.grades,
        )
        assert score_in(row, "a") == 5
        assert value_in(row, "of.*.g") == [4.5, 5.0]
        assert row.data["id"] == "A"
        assert "no" not in row.data

    def test_a_letter_without_a_score_is_an_error_where_it_is_used(self) -> None:
        (row,) = graded(rows_of({"a": "F"}), ["a"], self.grades)
        with pytest.raises(DataError, match="a number is wanted here, not the text 'F'"):
            score_in(row, "a")

    def test_a_grade_is_a_number(self) -> None:
        with pytest.raises(
            UsageError, match=r"grades=\.\.\. takes WORD=NUMBER, and 'five' of 'A' is not a number"
        ):
            parse_grades({"A": "five"})


class TestPeoplesScores:
    def rows(self, function: Any, ratings: list[Any]) -> tuple[Judged, ...]:
        term = Term(("of.*.score",), function)
        record = {"of": [{"score": one} for one in ratings], "mine": 3}
        (found,) = judgements(
            "mine", beside(rows_of(record)), [Scored("q", term.name, "mine", term)], Naming()
        )
        return tuple(found.rows)

    @pytest.mark.parametrize(
        ("function", "ratings", "human"),
        [
            ("mean", [4, 5, 3], [4.0]),
            ("majority", [4, 5, 4], [4.0]),
            ("majority", [4, 5], [None]),
            ("each", [4, None, 5], [4.0, 5.0]),
            ("each", [None], [None]),
        ],
    )
    def test_several_are_their_mean_the_most_frequent_or_each(
        self, function: str, ratings: list[Any], human: list[float | None]
    ) -> None:
        assert [row.human for row in self.rows(function, ratings)] == human

    def test_each_person_is_a_row_of_the_same_source(self) -> None:
        assert [(row.id, row.source) for row in self.rows("each", [1, 2])] == [
            ("row 1, person 1", "row 1"),
            ("row 1, person 2", "row 1"),
        ]


@pytest.mark.parametrize(
    ("human", "score", "unlike"),
    [
        ((1, 5), (1, 5), False),
        ((1, 5), (3, 5), False),  # a judge that uses a part of the scale
        ((1, 5), (0, 1), True),
        ((1, 5), (1, 10), True),
        ((1, 5), (0, 100), True),
        ((1, 3), (1, 5), True),
        ((2, 4.5), (1, 5), False),
        ((3, 3), (3, 3), False),
    ],
)
def test_scales_are_unlike_where_scores_hardly_meet_or_reach_far_beyond(
    human: tuple[float, float], score: tuple[float, float], unlike: bool
) -> None:
    rows = tuple(Judged(str(n), "", "", human[n], score[n]) for n in (0, 1))
    found = reach(Judgements("mine", "q", (*rows, Judged("3", "", "", None, 1000))))
    assert found is not None
    assert found.unlike is unlike


@pytest.mark.parametrize(
    ("human", "score", "scale", "unlike", "off", "broken"),
    [
        ((1, 5), (3, 4), "1-5", False, False, False),
        ((2, 4), (1, 5), "1-5", False, False, False),  # by the scores alone these look unlike
        ((1, 5), (3, 4), "0-100", True, False, False),  # and these alike
        ((1, 5), (1, 5), "1-10", False, False, False),  # so few may well use its lower half
        ((0, 5), (1, 5), "1-5", True, True, False),
        ((1, 5), (0, 7), "1-5", False, False, True),
        ((3, 3), (3, 4), "1-5", False, False, False),
    ],
)
def test_a_declared_scale_goes_before_how_far_scores_reach(
    human: tuple[float, float],
    score: tuple[float, float],
    scale: str,
    *,
    unlike: bool,
    off: bool,
    broken: bool,
) -> None:
    rows = tuple(Judged(str(n), "", "", human[n], score[n]) for n in (0, 1))
    found = reach(Judgements("mine", "q", rows, scale=Scale.parse(scale)))
    assert found is not None
    assert (found.unlike, found.apart == "people beyond", found.broken) == (unlike, off, broken)
