"""What single people said: read from rows, and as the ceiling of judges that choose."""

from typing import Any

import pytest
from rows import rows_of

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.ceiling import as_ratings, as_votes, ceiling, chosen
from agentdebate.meta.choosing import Choosing
from agentdebate.meta.fields import entries_in, scores_in
from agentdebate.meta.joining import Naming, beside
from agentdebate.meta.judgements import Rated, Ratings, Voted, Votes
from agentdebate.meta.people import evened, single_ratings, single_votes
from agentdebate.meta.reliability import reliability

NAMING = Naming(("id",))
SMALL = Bootstrap(resamples=60)


def read(*given: Any, fields: tuple[str, ...] = ("r",)) -> Ratings:
    rows = rows_of(
        *({"id": n, **(one if isinstance(one, dict) else {"r": one})} for n, one in enumerate(given, 1))
    )
    return single_ratings("x", beside(rows), fields, NAMING)


def votes(*rows: Any, tie: str | None = "tie") -> Votes:
    """Votes for A, B or a tie, an item a row."""
    made = tuple(
        Voted(str(n), "", tuple(vote if isinstance(vote, dict) else vote and {vote: 1.0} for vote in row))
        for n, row in enumerate(rows)
    )
    return Votes("best", ("A", "B", *([tie] if tie else [])), tie, made)


class TestReading:
    def test_ratings_are_a_list_in_one_field(self) -> None:
        found = read([1, "2", None], None, [], [None, None], [4, 5, 3])
        assert [row.ratings for row in found.rows] == [(1, 2, None), (4, 5, 3)]
        assert found.left_out == {"rows without single ratings": 3}

    def test_or_a_field_a_person(self) -> None:
        found = read({"a": 1, "b": 2}, {"a": None, "b": None}, {"b": 3}, fields=("a", "b"))
        assert [row.ratings for row in found.rows] == [(1, 2), (None, 3)]
        assert found.left_out == {"rows without single ratings": 1}

    def test_what_is_no_list_is_an_error_at_its_line(self) -> None:
        with pytest.raises(DataError, match=r"line 2, 'r': a list is wanted here, an entry a person, not"):
            read([1, 2], 3)
        with pytest.raises(DataError, match=r"line 1, 'r.1': a number is wanted here"):
            read([1, "good"])

    def test_an_empty_cell_is_no_list(self) -> None:
        (row,) = rows_of({"r": " "})
        assert scores_in(row, ("r",)) == entries_in(row, ("r",)) == ()

    def test_rows_with_another_number_of_ratings_than_most_are_left_out_and_counted(self) -> None:
        found = evened(read([1, 2, 3], [1, 2], [3, 4, 5]))
        assert [len(row.ratings) for row in found.rows] == [3, 3]
        assert found.left_out == {"rows with another number of ratings than most": 1}
        assert evened(votes("AB", "ABA", "AA")).left_out == {
            "rows with another number of ratings than most": 1
        }

    def test_votes_are_labels_or_numbers_for_each_label(self) -> None:
        rows = rows_of(
            {"id": 1, "who": "A", "r": ["A", None, "Tie"]},
            {"id": 2, "who": "B", "r": [{"A": 0, "B": 0.5}, {"A": None}, "B"]},
            {"id": 3, "who": "B", "r": None},
        )
        labels = {"A": "1", "B": "2", "Tie": "tie"}
        found = single_votes(beside(rows), Choosing("best", "who", (), labels), ("r",), NAMING)
        assert [row.votes for row in found.rows] == [
            ({"A": 1.0}, None, {"Tie": 1.0}),
            ({"A": 0.0, "B": 0.5}, None, {"B": 1.0}),
        ]
        assert (found.labels, found.tie, found.left_out) == (
            ("A", "Tie", "B"),
            "Tie",
            {"rows without single ratings": 1},
        )
        without = single_votes(beside(rows), Choosing("best", "who", ()), ("r",), NAMING)
        assert (without.labels, without.tie) == (("A", "Tie", "B"), "Tie")

    def test_a_label_that_nobody_listed_is_an_error_at_its_line(self) -> None:
        rows = rows_of({"id": 1, "who": "A", "r": ["A", "AA"]})
        with pytest.raises(
            DataError, match=r"line 1, 'r': this is none of people's labels: 'AA'. Did you mean 'A'"
        ):
            single_votes(beside(rows), Choosing("best", "who", (), {"A": "1"}), ("r",), NAMING)


class TestChoosing:
    @pytest.mark.parametrize(
        ("given", "label"),
        [
            ([{"A": 1.0}], "A"),
            ([{"A": 1.0}, {"B": 1.0}], "tie"),
            ([{"A": 1.0}, {"A": 1.0}, {"B": 1.0}], "A"),
            ([{"A": 1.0, "B": 0.0}, {"A": 0.5, "B": 0.5}], "A"),
            ([{"A": 0.5, "B": 0.5}], "tie"),
            ([], None),
        ],
    )
    def test_the_label_that_most_is_for(self, given: Any, label: str | None) -> None:
        assert chosen(given, "tie") == label

    def test_without_a_label_for_it_there_is_no_tie(self) -> None:
        assert chosen([{"A": 1.0}, {"B": 1.0}], None) is None


class TestCeiling:
    def test_by_hand(self) -> None:
        """The first agrees with A of A, A; tie of A, B; not with B of B, B; the others likewise."""
        found = ceiling(votes("AAA", ("tie", "A", "B"), "ABB"), "accuracy", bootstrap=SMALL)
        # first: A=A, tie=tie, A!=B; second: A=A, A against tie and B is split, B against A and B is split
        assert [one.value for one in found.annotators] == pytest.approx([2 / 3, 1 / 3, 1 / 3])
        assert found.mean.value == pytest.approx(4 / 9)
        assert (found.mean.judge, found.mean.aspect, found.mean.n) == ("people, one left out", "best", 3)
        assert (found.mean.low or 0) <= 4 / 9 <= (found.mean.high or 0)

    def test_where_the_others_are_split_and_no_label_is_a_tie_the_row_is_left_out(self) -> None:
        found = ceiling(votes("AAA", "AAB", "BBB", tie=None), "accuracy", bootstrap=SMALL)
        assert [(one.n, one.value) for one in found.annotators] == [(2, 1.0), (2, 1.0), (3, 2 / 3)]
        assert found.mean.left_out == {"rows on which the other annotators are split": 1}
        assert (found.mean.method, found.mean.sources) == ("wilson", 3)

    def test_rows_that_not_everyone_voted_on_are_left_out_and_counted(self) -> None:
        found = ceiling(votes("AAA", ("A", None, "B"), "BBB", "ABA"), "kappa")
        assert found.mean.n == 3
        assert found.mean.left_out == {"rows that not every annotator rated": 1}

    def test_where_an_annotator_has_no_value_there_is_no_ceiling(self) -> None:
        found = ceiling(votes("AAA", "AAA"), "kappa", bootstrap=SMALL)
        assert (found.mean.value, found.mean.low) == (None, None)

    def test_it_takes_two_annotators(self) -> None:
        with pytest.raises(UsageError, match="not of 1"):
            ceiling(votes("A", "B"), "accuracy")

    def test_its_counts_are_those_of_the_annotator_with_the_fewest(self) -> None:
        """So that sources in the mean and sources left out are as many as there are."""
        rows = [
            ("a", (1, 1, 2)),
            ("a", (1, 2, 3)),
            ("b", (1, 2, 2)),
            ("b", (2, 2, 1)),
            ("c", (1, 3, 3)),
            ("c", (2, 1, 1)),
        ]
        given = tuple(Rated(str(n), source, "m", ratings) for n, (source, ratings) in enumerate(rows))
        found = ceiling(Ratings("x", given), "pearson", "group").mean
        assert found.groups + sum(found.left_out.values()) == 3
        assert found.groups == 2


class TestAsNumbers:
    def test_votes_have_the_reliability_of_their_labels(self) -> None:
        given = votes("AAA", "AAB", "BBB", ("tie", "tie", None))
        ratings = as_ratings(given)
        assert [row.ratings for row in ratings.rows] == [(0, 0, 0), (0, 0, 1), (1, 1, 1), (2, 2, None)]
        found = reliability(ratings, "fleiss-kappa")
        # three rows of three ratings: observed (1 + 1/3 + 1) / 3, by chance (5/9)^2 + (4/9)^2
        assert found.value == pytest.approx((7 / 9 - 41 / 81) / (1 - 41 / 81))

    def test_whole_ratings_are_votes_for_labels_with_all_between(self) -> None:
        ratings = Ratings("x", (Rated("1", "s", "m", (1.0, 3.0)), Rated("2", "s", "m", (3.0, None))))
        found = as_votes(ratings)
        assert (found.labels, found.tie) == (("1", "2", "3"), None)
        assert found.rows[1] == Voted("2/m", "s", ({"3": 1.0}, None))
        with pytest.raises(UsageError, match=r"of the single ratings of x, 1\.5 is among them"):
            as_votes(Ratings("x", (Rated("1", "s", "m", (1.5, 3.0)),)))
