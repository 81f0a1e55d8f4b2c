"""Votes of samples and of both orders, and what is said of a judge that saw two texts in both."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.choosing import Choosing, choices
from agentdebate.meta.expression import majority, vote
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.joining import Naming, beside
from agentdebate.meta.judgements import Choices
from agentdebate.meta.labels import meant, one_of, pair_of
from agentdebate.meta.two_orders import NO_EITHER, NO_FIRST, OrderFigures, order_figures, two_orders

BOTH = "label=d1+flip(d2)"
RECORDS: list[dict[str, Any]] = [
    {"label": 1, "d1": 1, "d2": 2},  # right in both
    {"label": 1, "d1": 1, "d2": 1},  # what is shown first in both
    {"label": 2, "d1": 2, "d2": "tie"},  # right, then a tie
    {"label": 2, "d1": None, "d2": 1},
    {"label": 2, "d1": 1, "d2": 2},  # wrong in both
]


def chosen(choice: str, *records: dict[str, Any], labels: dict[str, str] | None = None) -> Choices:
    return choices("mine", beside(rows_of(*records)), Choosing.parse(choice, labels or {}), Naming())


def said(choice: str, *records: dict[str, Any], labels: dict[str, str] | None = None) -> list[str | None]:
    """What the judge chooses in each record."""
    return [row.choice for row in chosen(choice, *records, labels=labels).rows]


def figures(
    *records: dict[str, Any],
    bootstrap: Bootstrap | None = None,
    missing: Missing = LEFT_OUT,
    choice: str = BOTH,
) -> OrderFigures:
    found = two_orders("mine", beside(rows_of(*records)), Choosing.parse(choice, {}), Naming())
    assert found is not None
    return order_figures(found, bootstrap=bootstrap, missing=missing)


class TestVotes:
    def test_each_order_votes_and_the_second_is_turned_around(self) -> None:
        """A vote for a tie is for none of the texts; equal votes are a tie; a lacking one is no choice."""
        assert said(BOTH, *RECORDS) == ["1", "tie", "2", None, "1"]

    def test_words_are_turned_around_by_labels_where_there_are_some(self) -> None:
        labels = {"GPT": "A", "LLAMA": "B", "TIE": "C,Same"}
        records = [
            {"label": "GPT", "d1": "A", "d2": "B"},
            {"label": "TIE", "d1": "A", "d2": "A"},
            {"label": "TIE", "d1": "Same", "d2": "C"},
            {"label": "GPT", "d1": "C", "d2": "A"},
        ]
        assert said(BOTH, *records, labels=labels) == ["GPT", "TIE", "TIE", "LLAMA"]

    def test_three_texts_cannot_be_turned_around(self) -> None:
        records = [{"label": 1, "d1": n, "d2": n} for n in (1, 2, 3)]
        with pytest.raises(
            UsageError, match=r"flip\(\) turns two texts around, and the choices are 1, 2, 3: labels=... says"
        ):
            chosen(BOTH, *records)

    def test_a_word_that_is_no_label_is_an_error_at_its_line(self) -> None:
        with pytest.raises(
            DataError, match=r"line 1, 'd1': this is none of the choices that flip\(\) can turn around: 'x'"
        ):
            chosen(BOTH, {"label": "A", "d1": "x", "d2": "1"}, labels={"A": "1", "B": "2"})

    def test_a_tie_that_no_label_names_is_one_all_the_same(self) -> None:
        found = chosen(BOTH, {"label": "A", "d1": "1", "d2": "1"}, labels={"A": "1", "B": "2"})
        assert (found.rows[0].choice, found.labels) == ("tie", ("A", "tie", "B"))

    def test_a_tie_is_called_as_people_call_it(self) -> None:
        assert said(BOTH, {"label": "TIE", "d1": 1, "d2": 1}, {"label": 2, "d1": 1, "d2": 2})[0] == "TIE"

    @pytest.mark.parametrize(
        ("samples", "choice"),
        [
            (["A", "A", "B"], "A"),
            (["A", "B"], "tie"),
            (["A", "tie", "tie"], "tie"),
            (["A", None, "B", "A"], "A"),
            ([], None),
            ([None], None),
        ],
    )
    def test_of_samples_the_most_frequent_one_is_the_choice(
        self, samples: list[Any], choice: str | None
    ) -> None:
        records = [{"label": "A", "s": samples}, {"label": "B", "s": ["B"]}]
        assert said("label=majority(s)", *records)[0] == choice
        assert said("label=s", *records)[0] == choice

    def test_samples_may_stand_in_fields_of_their_own_or_in_objects(self) -> None:
        record = {"label": "A", "a": "A", "b": "B", "c": "A", "of": [{"x": "B"}, {"x": "B"}, {"x": "A"}]}
        assert said("label=majority(a,b,c)", record, {**record, "label": "B"})[0] == "A"
        assert said("label=of.*.x", record, {**record, "label": "B"})[0] == "B"

    def test_people_count_together_or_each_for_themselves(self) -> None:
        record = {"votes": ["A", "A", "B"], "pick": "A"}
        together = chosen("majority(votes)=pick", record)
        each = chosen("each(votes)=pick", record)
        assert [row.human for row in together.rows] == ["A"]
        assert [row.human for row in each.rows] == ["A", "A", "B"]
        assert {row.source for row in each.rows} == {"row 1"}
        assert len({row.id for row in each.rows}) == 3

    def test_a_list_of_people_says_which_of_the_two_is_wanted(self) -> None:
        with pytest.raises(DataError, match=r"majority\(votes\)"):
            chosen("votes=pick", {"votes": ["A", "B"], "pick": "A"})

    @given(st.lists(st.sampled_from(["1", "2", "tie"]), min_size=1, max_size=7))
    def test_the_order_of_votes_decides_nothing(self, votes: list[str]) -> None:
        assert vote(votes) == vote(votes[::-1])
        assert majority(votes) == majority(sorted(votes))


class TestLabels:
    def test_several_of_peoples_labels_may_be_one(self) -> None:
        labels = {"A": "1", "tie": "C", "both bad": "C"}
        assert meant(labels)["C"] == "tie"
        assert one_of(labels) == {"A": "A", "tie": "tie", "both bad": "tie"}
        found = chosen("label=pick", {"label": "both bad", "pick": "C"}, labels=labels)
        assert (found.rows[0].human, found.rows[0].choice, found.labels) == ("tie", "tie", ("A", "tie"))

    @given(st.sampled_from([("1", "2"), ("A", "B"), ("x", "y")]), st.booleans())
    def test_what_is_turned_around_twice_is_what_it_was(self, words: tuple[str, str], named: bool) -> None:
        pair = pair_of({"L": words[0], "R": words[1], "T": "tie"} if named else {}, [*words, "tie"])
        for word in (*words, "tie"):
            assert pair.flipped(pair.flipped(word)) == word
        assert pair.flipped(words[0]) == words[1]


class TestBothOrders:
    def test_figures_are_those_that_are_counted_by_hand(self) -> None:
        """Turned around, the second order says 1, 2, tie and 1 where the first says 1, 1, 2 and 1."""
        found = figures(*RECORDS)
        assert (found.n, found.lacking) == (4, {NO_FIRST: 1})
        assert (found.first.value, found.second.value, found.mean.value) == (0.75, 0.25, 0.5)
        assert found.both.value == 0.25
        assert found.same.value == 0.5
        # By chance the orders agree in 3/4 x 2/4 (both 1) + 1/4 x 1/4 (both 2) = 7/16; (1/2 - 7/16) / (9/16) is 1/9.
        assert found.kappa.value == pytest.approx(1 / 9)
        # Shown first: 1, 1 and 1 of the first order, and in the second 1 of the three that are no tie.
        assert found.shown_first.value == pytest.approx(4 / 7)

    def test_intervals_are_over_items_and_not_over_their_orders(self) -> None:
        items = [{"label": 1 + n % 2, "d1": 1 + n % 2, "d2": 2 - n % 2} for n in range(4)]
        found = figures(*items, {"label": 1, "d1": 2, "d2": 1}, bootstrap=Bootstrap(200))
        assert (found.mean.low or 0) <= (found.first.low or 0)
        assert found.mean.value == 0.8

    def test_without_people_the_orders_can_be_compared_all_the_same(self) -> None:
        rows = rows_of(*({**record, "label": None} for record in RECORDS))
        found = two_orders("mine", beside(rows), Choosing.parse("=d1+flip(d2)", {}), Naming())
        assert found is not None
        counted = order_figures(found)
        assert (counted.first.value, counted.same.value, counted.n) == (None, 0.5, 4)

    @pytest.mark.parametrize(
        ("missing", "first", "second", "both", "same"),
        [
            ("wrong", 3 / 5, 2 / 5, 1 / 5, 2 / 5),
            ("tie", 3 / 5, 2 / 5, 1 / 5, 2 / 5),
            (2.0, 4 / 5, 2 / 5, 2 / 5, 3 / 5),
        ],
    )
    def test_a_missing_choice_counts_in_its_order_as_asked(
        self, missing: Missing, first: float, second: float, both: float, same: float
    ) -> None:
        """The fourth item has no choice in the first order, and in the second it is 2, which is right."""
        found = figures(*RECORDS, missing=missing)
        assert (found.n, found.lacking) == (5, {NO_FIRST: 1})
        assert (found.first.value, found.second.value) == pytest.approx((first, second))
        assert found.mean.value == pytest.approx((first + second) / 2)
        assert (found.both.value, found.same.value) == pytest.approx((both, same))
        # Of the choices that were made: one more than with both orders, and it fell on what was shown first.
        assert found.shown_first.value == pytest.approx(5 / 8)

    def test_what_is_missing_in_both_orders_is_not_the_same_where_it_is_wrong_and_is_where_it_is_a_tie(
        self,
    ) -> None:
        records = [*RECORDS[:3], {"label": 1, "d1": None, "d2": None}]
        wrong, tie = figures(*records, missing="wrong"), figures(*records, missing="tie")
        assert wrong.lacking == {NO_EITHER: 1}
        assert (wrong.same.value, tie.same.value) == (1 / 4, 2 / 4)

    @given(
        st.lists(
            st.tuples(*[st.sampled_from([1, 2, "tie"])] + [st.sampled_from([1, 2, "tie", None])] * 2),
            min_size=1,
            max_size=12,
        )
    )
    def test_wrong_figures_are_those_that_are_counted_over_all_items(
        self, said: list[tuple[int | str, int | str | None, int | str | None]]
    ) -> None:
        turned = {1: 2, 2: 1, "tie": "tie", None: None}
        found = figures(
            *({"label": label, "d1": one, "d2": two} for label, one, two in said), missing="wrong"
        )
        assert found.first.value == pytest.approx(sum(label == one for label, one, _ in said) / len(said))
        assert found.second.value == pytest.approx(
            sum(label == turned[two] for label, _, two in said) / len(said)
        )
        assert found.both.value == pytest.approx(
            sum(label == one == turned[two] for label, one, two in said) / len(said)
        )
        assert found.same.value == pytest.approx(
            sum(one is not None and one == turned[two] for _, one, two in said) / len(said)
        )

    def test_an_item_counts_once_between_the_orders_where_every_person_counts_for_themselves(self) -> None:
        records: list[dict[str, Any]] = [
            {"votes": [1, 1, 2], "d1": 1, "d2": 1},
            {"votes": [2], "d1": 2, "d2": 1},
            {"votes": [2, 1], "d1": None, "d2": 1},
        ]
        found = figures(*records, choice="each(votes)=d1+flip(d2)")
        assert (found.n, found.same.value, found.lacking) == (2, 0.5, {NO_FIRST: 1})
        assert (found.first.n, found.first.value) == (4, 3 / 4)
        assert found.shown_first.value == 3 / 4

    def test_a_tie_is_one_however_each_side_writes_it(self) -> None:
        records: list[dict[str, Any]] = [
            {"label": "Tie", "d1": "tie", "d2": "TIE"},
            {"label": "TIE", "d1": 1, "d2": "tie"},
            {"label": 1, "d1": 1, "d2": 2},
        ]
        found = figures(*records)
        assert (found.first.value, found.second.value) == pytest.approx((2 / 3, 1))
        assert [row.choice for row in chosen("label=d1", *records).rows] == ["TIE", "1", "1"]
        assert [row.human for row in chosen("label=d1", *records).rows] == ["TIE", "TIE", "1"]

    def test_one_order_alone_has_no_such_figures(self) -> None:
        assert two_orders("mine", beside(rows_of(*RECORDS)), Choosing.parse("label=d1", {}), Naming()) is None
