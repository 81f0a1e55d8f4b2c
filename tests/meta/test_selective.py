"""Selective figures: the risk-coverage curve, its area, and thresholds that keep to a stated risk."""

import numpy as np
import pytest
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.errors import UsageError
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
