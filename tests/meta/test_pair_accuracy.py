"""Pairwise accuracy with tie calibration: against all pairs, one by one."""

from itertools import combinations
from math import isnan
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from agreement_cases import SCORES, crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.meta import tie_calibration
from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.columns import columns
from agentdebate.meta.judged import Judgements
from agentdebate.meta.levels import Level, groups
from agentdebate.meta.pair_accuracy import accuracy
from agentdebate.meta.tie_calibration import calibrated

values = st.lists(SCORES, min_size=5, max_size=5).map(np.array)
LEVELS: tuple[Level, ...] = ("pooled", "group", "system")


def by_hand(human: Any, score: Any, epsilon: float, w: Any = None) -> float:
    weights = np.ones(len(human)) if w is None else w
    right = total = 0.0
    for i, j in combinations(range(len(human)), 2):
        weight = weights[i] * weights[j]
        people, judge = human[i] - human[j], score[i] - score[j]
        said = 0 if abs(judge) <= epsilon * (1 + 1e-9) else np.sign(judge)  # but for rounding
        right += weight * (said == np.sign(people))
        total += weight
    return right / total if total else float("nan")


@given(
    values, values, st.sampled_from([0, 0.5, 1.0, 5.0]), st.lists(st.integers(0, 2), min_size=5, max_size=5)
)
def test_it_is_the_share_of_pairs_on_which_both_say_the_same(
    human: Any, score: Any, epsilon: float, drawn: list[int]
) -> None:
    """With weights too: pairs of different rows, as often as both were drawn."""
    w = np.array(drawn, dtype=float)
    expected = by_hand(human, score, epsilon, w)
    assert accuracy(human, score, w[None], epsilon)[0] == pytest.approx(expected, nan_ok=True)
    own = accuracy(human[None], score[None], w[None], epsilon)[0]
    assert own == pytest.approx(expected, nan_ok=True)


@settings(max_examples=50)
@given(crossed(), st.sampled_from(LEVELS))
def test_epsilon_is_the_least_that_makes_the_mean_largest(judged: Judgements, level: Level) -> None:
    parts = list(groups(columns(judged), level))
    gaps = sorted({0.0} | {float(abs(a - b)) for _, score in parts for a, b in combinations(score, 2)})
    mean = [fmean(by_hand(*part, gap) for part in parts) for gap in gaps]
    best = next(gap for gap, value in zip(gaps, mean, strict=True) if value >= max(mean) - 1e-12)
    assert calibrated(parts) == pytest.approx(best)
    found = agree(judged, "pairwise-accuracy", level)
    assert found.value == pytest.approx(max(mean))
    assert found.epsilon == pytest.approx(best)


def test_people_who_hold_texts_equal_are_met_by_a_judge_who_hardly_tells_them_apart() -> None:
    """Two pairs of equal texts, .1 apart for the judge, and whole points between them."""
    rows = [
        ("a", f"m{n}", human, score)
        for n, (human, score) in enumerate([(1, 1.0), (1, 1.1), (3, 3.0), (3, 3.1)])
    ]
    found = agree(judgements(rows), "pairwise-accuracy", "group")
    assert found.value == 1.0
    assert found.epsilon == pytest.approx(0.1)


def test_differences_that_are_equal_but_for_rounding_are_tied_together() -> None:
    """.3 less .2 is less than .2 less .1 by a digit; both are tenths."""
    rows = [("a", f"m{n}", 1.0, score) for n, score in enumerate([0.1, 0.2, 0.3, 0.4])]
    found = agree(judgements([*rows, ("a", "m9", 2.0, 9.0)]), "pairwise-accuracy", "pooled")
    assert found.value == 1.0
    assert found.epsilon == pytest.approx(0.3)


def test_a_source_that_people_hold_all_equal_counts() -> None:
    """It has no correlation, and a judge can be right about it."""
    rows = [("flat", "m0", 2.0, 1.0), ("flat", "m1", 2.0, 1.0), ("a", "m0", 1.0, 1.0), ("a", "m1", 2.0, 5.0)]
    found = agree(judgements([*rows, ("alone", "m0", 1.0, 1.0)]), "pairwise-accuracy", "group")
    assert (found.value, found.groups) == (1.0, 2)
    assert found.left_out == {"groups with fewer than two rows": 1}


def test_the_interval_holds_epsilon_fixed() -> None:
    generator = np.random.default_rng(2)
    rows = [
        (f"s{s}", f"m{m}", float(generator.integers(1, 4)), float(generator.normal()))
        for s in range(12)
        for m in range(4)
    ]
    judged = judgements(rows)
    table = columns(judged)
    for level in LEVELS:
        found = agree(judged, "pairwise-accuracy", level, bootstrap=Bootstrap(resamples=50))
        assert found.epsilon == calibrated(groups(table, level))
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.high <= 1
        assert not isnan(found.error or float("nan"))


@pytest.mark.parametrize("most", [10, 10**9])
def test_of_very_many_pairs_epsilon_is_near_and_pairs_are_counted_in_parts(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No pair that the exact epsilon ties is let go, and the step is too small to tie others here."""
    generator = np.random.default_rng(6)
    human, score = generator.integers(1, 4, 40) * 1.0, generator.integers(0, 30, 40) / 10
    exact = calibrated([(human, score)])
    monkeypatch.setattr(tie_calibration, "_MOST", most)
    monkeypatch.setattr(tie_calibration, "_PART", 100)
    found = calibrated([(human, score)])
    assert exact * (1 - 1e-8) <= found <= exact + 3 / 100_000
    w = np.ones((1, 40))
    assert accuracy(human, score, w, found) == accuracy(human, score, w, exact)


@settings(max_examples=50)
@given(crossed(), st.sampled_from(LEVELS))
def test_texts_that_are_scored_alike_are_counted_as_if_each_stood_alone(
    judged: Judgements, level: Level
) -> None:
    parts = list(groups(columns(judged), level))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tie_calibration, "_MANY", 0)
        together = calibrated(parts)
    assert together == pytest.approx(calibrated(parts))


@settings(max_examples=50)
@given(crossed(), st.sampled_from(["pooled", "group"]), st.sampled_from([1, 3, 100]))
def test_pairs_that_are_counted_by_steps_give_the_epsilon_of_pairs_one_by_one(
    judged: Judgements, level: Level, block: int
) -> None:
    """No two differences of these scores are nearer than the steps are wide."""
    parts = list(groups(columns(judged), level))
    exact = calibrated(parts)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tie_calibration, "_MOST", 0)
        patched.setattr(tie_calibration, "_STEPS", 1000)
        patched.setattr(tie_calibration, "_BLOCK", block)
        assert calibrated(parts) == pytest.approx(exact)


@settings(max_examples=50)
@given(st.integers(0, 999), st.sampled_from([1, 4]), st.sampled_from([1, 6, 64]))
def test_an_epsilon_that_is_found_by_steps_is_as_good_as_two_steps_allow(
    seed: int, apart: int, block: int
) -> None:
    generator = np.random.default_rng(seed)
    human = generator.integers(0, 12 // apart, 20) * 1.0
    score = human + generator.normal(0, 2, 20)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(tie_calibration, "_MOST", 0)
        patched.setattr(tie_calibration, "_STEPS", 50)
        patched.setattr(tie_calibration, "_BLOCK", block)
        found = calibrated([(human, score)])
    gaps = {0.0} | {float(abs(a - b)) for a, b in combinations(score, 2)}
    assert found in gaps
    near = 2 * float(np.ptp(score)) / 50
    assert by_hand(human, score, found) >= max(_at_least(human, score, gap, near) for gap in gaps)


def _at_least(human: Any, score: Any, epsilon: float, near: float) -> float:
    """Accuracy, were no pair right whose scores differ by epsilon or by nearly as much."""
    pairs = list(combinations(range(len(human)), 2))
    right = sum(
        gap <= epsilon - near
        if human[i] == human[j]
        else gap > epsilon + near and (human[i] > human[j]) == (score[i] > score[j])
        for i, j in pairs
        for gap in [abs(score[i] - score[j])]
    )
    return float(right) / len(pairs) - 1e-12
