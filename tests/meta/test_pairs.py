"""Pairwise accuracy with tie calibration: against all pairs, one by one."""

from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from agreement_cases import SCORES, crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.meta import measures
from agentdebate.meta.agreement import agree, figure_of
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.measures import Measure, calibrated

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
    """Of drawn rows too: pairs of different rows, as often as both were drawn."""
    pairwise = Measure("pairwise-accuracy", epsilon)
    assert pairwise.of(human, score) == pytest.approx(by_hand(human, score, epsilon))
    found = pairwise.drawn(human, score)(np.repeat(np.arange(5), drawn))
    assert found == pytest.approx(by_hand(human, score, epsilon, drawn), nan_ok=True)


@settings(max_examples=50)
@given(crossed(), st.sampled_from(LEVELS))
def test_epsilon_is_the_least_that_makes_the_mean_largest(judged: Judgements, level: Level) -> None:
    parts = figure_of(judged, "bias", level).compared
    gaps = sorted({0.0} | {float(abs(a - b)) for _, score in parts for a, b in combinations(score, 2)})
    mean = [fmean(by_hand(*part, gap) for part in parts) for gap in gaps]
    best = next(gap for gap, value in zip(gaps, mean, strict=True) if value >= max(mean) - 1e-12)
    assert calibrated(parts) == pytest.approx(best)
    found = agree(judged, "pairwise-accuracy", level)
    assert found.value == pytest.approx(max(mean))
    assert found.epsilon == pytest.approx(best)


def test_differences_that_are_equal_but_for_rounding_are_tied_together() -> None:
    """.3 less .2 is less than .2 less .1 by a digit; both are tenths."""
    rows = [("a", f"m{n}", 1.0, score) for n, score in enumerate([0.1, 0.2, 0.3, 0.4])]
    found = agree(judgements([*rows, ("a", "m9", 2.0, 9.0)]), "pairwise-accuracy")
    assert found.value == 1.0
    assert found.epsilon == pytest.approx(0.3)


@pytest.mark.parametrize("level", LEVELS)
def test_the_interval_holds_epsilon_fixed(level: Level) -> None:
    generator = np.random.default_rng(2)
    rows = [
        (f"s{s:02}", f"m{m}", float(generator.integers(1, 4)), float(generator.normal()))
        for s in range(12)
        for m in range(4)
    ]
    judged = judgements(rows)
    found = agree(judged, "pairwise-accuracy", level, bootstrap=Bootstrap(resamples=50))
    assert found.epsilon == calibrated(figure_of(judged, "bias", level).compared)
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= found.high <= 1


def test_of_very_many_pairs_some_are_drawn_and_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(6)
    human = generator.integers(1, 4, 300) * 1.0
    rows = [(f"s{n:03}", "m", float(h), float(h + generator.normal())) for n, h in enumerate(human)]
    exact = agree(judgements(rows), "pairwise-accuracy")
    assert exact.pairs == 0
    monkeypatch.setattr(measures, "ALL_PAIRS", 20_000)
    drawn = agree(judgements(rows), "pairwise-accuracy")
    assert drawn.pairs == 20_000
    assert drawn.value == pytest.approx(exact.value, abs=0.02)
    assert drawn == agree(judgements(rows), "pairwise-accuracy"), "the same ones each time"
