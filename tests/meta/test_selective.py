"""How much of the data a judge has judged, what people say of the rest, and figures at each coverage."""

import numpy as np
import pytest
from agreement_cases import judgements
from hypothesis import given
from hypothesis import strategies as st
from rows import rows_of
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.errors import UsageError
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.join import join
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.selective import of_stages, selective, threshold_for


def chosen(*rows: tuple[bool, float | None]) -> Judgements:
    """Choices that are right or wrong, and how sure the judge is."""
    return Judgements(
        "judge",
        "best",
        tuple(
            Judged(f"q{n}", "", "", "A", "A" if right else "B", confidence=sure)
            for n, (right, sure) in enumerate(rows)
        ),
        labels=("A", "B"),
    )


def test_the_curve_and_its_area_by_hand() -> None:
    """Of the surest two one is wrong, which are tied; the third is right; one says nothing of how sure it is."""
    found = selective(chosen((True, 0.9), (False, 0.9), (True, 0.5), (True, None)))
    assert (found.n, found.lacking) == (3, 1)
    assert [(one.threshold, one.n, one.coverage) for one in found.curve] == [(0.9, 2, 2 / 3), (0.5, 3, 1)]
    assert [one.right for one in found.curve] == pytest.approx([1 / 2, 2 / 3])
    assert found.area == pytest.approx((2 * 1 / 2 + 1 / 3) / 3)
    assert found.threshold is None


def test_intervals_are_clopper_and_pearsons() -> None:
    found = selective(chosen(*[(n != 3, 0.5) for n in range(20)]))
    theirs = stats.binomtest(19, 20).proportion_ci(0.95, method="exact")
    assert (found.curve[0].low, found.curve[0].high) == pytest.approx((theirs.low, theirs.high))


def test_scores_are_right_within_half_a_point() -> None:
    rows = tuple(
        Judged(str(n), "", "", 3.0, score, confidence=0.5) for n, score in enumerate((3.5, 2.4, 3.0))
    )
    assert selective(Judgements("judge", "x", rows)).curve[0].right == pytest.approx(2 / 3)


def test_a_threshold_takes_so_many_texts_that_none_wrong_would_show_it() -> None:
    """28 right ones show a risk of .1 at .95: .9 to the 28th is above .05, and to the 29th below."""
    sure = np.linspace(1, 0.5, 40)
    assert threshold_for(sure[:28], np.ones(28, dtype=bool), 0.1, 0.95) is None
    assert threshold_for(sure, np.ones(40, dtype=bool), 0.1, 0.95) == 0.5
    assert threshold_for(sure, np.arange(40) < 33, 0.1, 0.95) == pytest.approx(sure[32])


@pytest.mark.parametrize(("silent", "threshold"), [(1, 0), (20, None)])
def test_a_stages_unknown_confidence_counts_as_0(silent: int, threshold: float | None) -> None:
    (found,) = of_stages([chosen(*[(True, 0.0)] * 60, *[(False, None)] * silent)])
    assert (found.threshold, found.lacking) == (threshold, silent)


def test_a_risk_lies_between_0_and_1() -> None:
    with pytest.raises(UsageError, match="risk"):
        of_stages([chosen((True, 0.5))], risk=1)


# Coverage.


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
