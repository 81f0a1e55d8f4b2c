"""Scores of several evaluators put together: means, a plan's selection, and weights learnt from people."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agentdebate.errors import UsageError
from agentdebate.meta.aggregation import (
    Aggregate,
    Case,
    EvaluatorScore,
    Statistic,
    average,
    cross_weight,
    select,
)

TOP = 8
"""The evaluators of generated cases score in whole numbers from 0 to this."""

statistics = st.sampled_from(["pearson", "spearman"])
folds = st.sampled_from([None, 2])


@st.composite
def runs(draw: st.DrawFn, evaluators: Sequence[str] = ("a", "b", "c")) -> list[Case]:
    """Cases of at least two sources and two aspects; scores, and people's, may be missing."""
    scores = st.none() | st.integers(0, TOP).map(float)
    count = draw(st.integers(4, 14))
    cases = [
        Case(
            id=str(number),
            aspect=draw(st.sampled_from(["coherence", "fluency"])),
            scores=tuple(EvaluatorScore(name, draw(scores), 0, TOP) for name in evaluators),
            group=draw(st.sampled_from([None, "g1", "g2", "g3"])),
            human=draw(st.none() | st.floats(1, 5)),
        )
        for number in range(count)
    ]
    assume(len({case.source for case in cases}) > 1)
    return cases


def case(
    number: int, human: float | None = None, /, group: str | None = None, **shares: float | None
) -> Case:
    """An aspect of an item by the evaluators' shares."""
    scores = tuple(EvaluatorScore(name, share) for name, share in shares.items())
    return Case(id=f"i{number}", aspect="coherence", scores=scores, group=group, human=human)


def by_id(rows: Sequence[Aggregate]) -> dict[str, Aggregate]:
    return {row.case.id: row for row in rows}


def test_a_mean_is_of_shares_of_the_ranges_without_what_is_missing() -> None:
    scores = (EvaluatorScore("bleu", 30, 0, 100), EvaluatorScore("lm", -2, -4, 0), EvaluatorScore("b", None))
    full, empty = average([replace(case(1), scores=scores), case(2, a=None)])
    assert full.score == pytest.approx(0.4)
    assert full.used == ("bleu", "lm")
    assert empty == Aggregate(case(2, a=None), None)


@pytest.mark.parametrize(("score", "share", "outside"), [(-1, 0, True), (5, 1, False), (6, 1, True)])
def test_a_score_outside_its_range_counts_as_the_nearer_end(
    score: float, share: float, outside: bool
) -> None:
    found = EvaluatorScore("a", score, 1, 5)
    assert (found.share, found.outside) == (share, outside)
    assert replace(found, lower=True).share == 1 - share, "where the lower score is the better one"


@pytest.mark.parametrize(
    ("shares", "selected", "score", "used"),
    [
        ({"a": 0.2, "b": 0.4, "c": 0.9}, ("a", "b"), 0.3, ("a", "b")),
        ({"a": 0.2, "b": 0.9, "judge": 0.6}, ("a",), 0.4, ("a", "judge")),
        ({"a": 0.2, "judge": 1.0}, None, None, ()),
        ({"a": 0.2, "judge": 1.0}, (), None, ()),
        ({"a": None, "b": 0.5}, ("a",), None, ()),
    ],
)
def test_the_selected_and_the_judge_count_and_where_none_is_selected_there_is_no_score(
    shares: dict[str, Any], selected: Any, score: float | None, used: tuple[str, ...]
) -> None:
    (row,) = select([replace(case(1, **shares), selected=selected)])
    assert (row.score, row.used) == (None if score is None else pytest.approx(score), used)


class TestWeights:
    def test_weights_are_correlations_in_the_other_rows(self) -> None:
        """For the row left out: a goes with people (1), b does so in part (1/2), c goes the other way, d is constant."""
        others = [
            case(1, 1.0, a=0.0, b=0.0, c=0.9, d=0.1),
            case(2, 2.0, a=0.1, b=0.2, c=0.8, d=0.1),
            case(3, 3.0, a=0.2, b=0.1, c=0.7, d=0.1),
        ]
        result = cross_weight([case(0, 2.0, a=0.4, b=0.7, c=0.5, d=0.9), *others])
        weights = {name: value for (_, name, fold), value in result.weights.items() if fold == 0}
        assert weights == {"a": pytest.approx(1.0), "b": pytest.approx(0.5), "c": 0.0, "d": 0.0}
        row = by_id(result.rows)["i0"]
        assert row.score == pytest.approx((0.4 + 0.7 / 2) / 1.5)
        assert row.used == ("a", "b")

    def test_an_aspect_has_weights_of_its_own(self) -> None:
        first = [case(number, float(number), a=number / 10, b=-0.1 * number + 0.9) for number in range(4)]
        second = [replace(one, aspect="fluency", human=-(one.human or 0.0)) for one in first]
        used = {(row.case.aspect, row.used) for row in cross_weight([*first, *second]).rows}
        assert used == {("coherence", ("a",)), ("fluency", ("b",))}

    def test_where_nobody_agrees_with_people_there_is_no_score(self) -> None:
        contrary = [case(number, float(number), a=1 - number / 10) for number in range(4)]
        for some in (contrary, [case(1, None, a=0.5), case(2, 3.0, a=0.5)]):
            assert {(row.score, row.used) for row in cross_weight(some).rows} == {(None, ())}

    @given(runs(), st.data(), statistics, folds)
    def test_no_row_is_weighed_by_its_own_source(
        self, cases: list[Case], data: st.DataObject, statistic: Statistic, folds: int | None
    ) -> None:
        """Whatever people say of a row, and of all others of its source: its score stays."""
        chosen = data.draw(st.sampled_from(cases))
        other = data.draw(st.none() | st.floats(-100, 100))
        changed = [replace(one, human=other) if one.source == chosen.source else one for one in cases]
        before, after = (
            by_id(cross_weight(some, statistic=statistic, folds=folds).rows) for some in (cases, changed)
        )
        assert after[chosen.id].score == before[chosen.id].score


class TestSplits:
    def test_each_source_is_left_out_by_itself(self) -> None:
        cases = [case(number, float(number), f"g{number // 2}", a=number / 10) for number in range(8)]
        result = cross_weight(cases)
        assert (result.folds, result.sources) == (4, 4)
        assert [fold for _, _, fold in result.weights] == [0, 1, 2, 3]

    @pytest.mark.parametrize(("folds", "says"), [(None, "2 folds and as many sources"), (1, "at least 2")])
    def test_too_few_sources_or_folds_are_an_error(self, folds: int | None, says: str) -> None:
        with pytest.raises(UsageError, match=says):
            cross_weight([case(1, 1.0, "g", a=0.1), case(2, 2.0, "g", a=0.2)], folds=folds)
