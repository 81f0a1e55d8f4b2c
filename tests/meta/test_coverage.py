"""How much of the data a judge has judged, and what people say of the rest."""

import pytest
from agreement_cases import judgements
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of

from agentdebate.meta.coverage import Coverage, coverage, coverage_of_people
from agentdebate.meta.joining import Match, Naming, Scored, beside, join_scores
from agentdebate.meta.joining import judgements as of_pairs
from agentdebate.meta.judgements import Choices, Chosen, Rated, Ratings, Voted, Votes
from agentdebate.meta.replies import READ, Asked, How, read_replies
from agentdebate.tasks import Scale

SCORE = st.none() | st.floats(-5, 5) | st.sampled_from([float("nan"), float("inf")])


@given(st.lists(st.tuples(SCORE, SCORE), max_size=30))
def test_what_is_there_and_what_is_missing_are_all_rows(
    pairs: list[tuple[float | None, float | None]],
) -> None:
    found = coverage(judgements([("s", "m", *pair) for pair in pairs]))
    assert found.judged + found.missing == found.rows == len(pairs)
    assert 0 <= found.share <= 1
    assert found.of_judged.n + found.of_missing.n <= found.rows


@given(st.lists(st.sampled_from(["Coherence: 3", "no", None]), min_size=1, max_size=8).map(list))
def test_replies_are_counted_row_by_row(samples: list[str | None]) -> None:
    rows = rows_of({"h": 1.0, "r": samples}, {"h": 5.0, "r": "Coherence: 2"}, {"h": 5.0, "r": None})
    read = read_replies(rows, [Asked("coherence", "r", Scale(low=1, high=5))], How())
    pairs = beside(read.rows)
    (entry,) = of_pairs("j", pairs, [Scored("coherence", "h", f"{READ}.coherence")], Naming())
    found, (account,) = coverage(entry), read.accounts
    assert (found.replies, found.unread) == (account.replies, account.unread)
    assert found.missing == 1 + (found.unread == len(samples))
    assert found.of_read.n + found.of_unread.n == found.replies == len(samples) + 1


def test_peoples_means_stand_beside_one_another() -> None:
    found = coverage(
        judgements([("s", "m", 1, None), ("s", "m", 2, None), ("s", "m", 4, 4), ("s", "m", None, None)])
    )
    assert (found.of_missing.mean, found.of_missing.n) == (1.5, 2)
    assert (found.of_judged.mean, found.share) == (4, 0.75)


def test_of_choices_the_labels_of_people_are_shared_out() -> None:
    picks = [("A", "A"), ("A", None), ("B", None), ("A", None), (None, None)]
    rows = tuple(Chosen(str(place), "", *pair) for place, pair in enumerate(picks))
    found = coverage(Choices("j", "best", ("A", "B"), rows))
    assert found.of_missing.labels == {"A": pytest.approx(2 / 3), "B": pytest.approx(1 / 3)}
    assert (found.of_judged.labels, found.of_missing.mean) == ({"A": 1}, None)


@pytest.mark.parametrize(
    ("missing", "notable", "empty"),
    [(0, False, False), (5, False, False), (6, True, False), (100, True, True)],
)
def test_more_than_a_twentieth_is_notable(missing: int, notable: bool, empty: bool) -> None:
    found = Coverage("j", "x", 100, missing)
    assert (found.notable, found.empty) == (notable, empty)


def test_unread_samples_are_notable_where_every_text_has_a_score() -> None:
    assert Coverage("j", "x", 10, 0, replies=100, unread=6).notable
    assert Coverage("j", "x", 10, 0, replies=100, unread=100).empty


def test_people_lack_what_not_every_annotator_rated() -> None:
    rows = (Rated("1", "", "", (1, 2)), Rated("2", "", "", (4, None)), Rated("3", "", "", (5,)))
    found = coverage_of_people("people", Ratings("x", rows), 2)
    assert (found.rows, found.missing, found.of_judged.mean, found.of_missing.mean) == (5, 4, 1.5, 4.5)


def test_what_people_say_together_is_told_of_texts_without_single_ratings_too() -> None:
    rows = (Rated("1", "", "", (1, 2)), Rated("2", "", "", (4, None)))
    known = {("1", "", ""): 1.5, ("2", "", ""): 4.0, ("3", "", ""): 5.0}
    found = coverage_of_people("people", Ratings("x", rows), 1, known)
    assert (found.rows, found.missing, found.of_judged.mean, found.of_missing.mean) == (3, 2, 1.5, 4.5)
    votes = (Voted("1", "", ({"a": 1}, {"a": 1})), Voted("2", "", ({"b": 1}, None)))
    chosen = {("1", "", ""): "a", ("2", "", ""): "b", ("3", "", ""): "b"}
    found = coverage_of_people("people", Votes("x", ("a", "b"), None, votes), 1, chosen)
    assert (found.missing, found.of_judged.labels, found.of_missing.labels) == (2, {"a": 1.0}, {"b": 1.0})


def test_a_text_whose_rows_a_condition_takes_away_is_left_out_and_not_missing() -> None:
    data = rows_of({"id": 1}, {"id": 2}, {"id": 3})
    judge = rows_of({"id": 1, "x": "a"}, {"id": 2, "x": "b"}, path="judge.jsonl")
    joined = join_scores(data, judge[:1], [Match("id", "id")], aside=[judge[1:]])
    assert [pair.data.data["id"] for pair in joined.pairs] == [1, 3]
    assert joined.unscored == 1
    assert list(joined.left_out.values()) == [1]
