"""Choices: accuracy and kappa are scikit-learn's; pairwise accuracy with tie calibration is that of all pairs, one by one."""

from itertools import combinations
from statistics import fmean
from typing import Any

import numpy as np
import pytest
from agreement_cases import SCORES, crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import (  # type: ignore[import-untyped]  # it has no types of its own
    accuracy_score,
    cohen_kappa_score,
)

from agentdebate.errors import DataError, UsageError
from agentdebate.meta import measures
from agentdebate.meta.agreement import agree, confusion, figure_of
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.measures import OF_CHOICES, Measure, alpha, calibrated

LABELS = ("first", "tie", "second")
KAPPAS: dict[Any, Any] = {"kappa": None, "kappa-linear": "linear", "kappa-quadratic": "quadratic"}
pairs = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=2, max_size=8)


def choices(rows: list[Any], **more: Any) -> Judgements:
    chosen = tuple(Judged(str(number), f"q{number}", "", *row) for number, row in enumerate(rows))
    return Judgements("judge", "overall", chosen, labels=LABELS, **more)


def oracle(statistic: str, human: list[str], choice: list[str]) -> float | None:
    if statistic == "accuracy":
        return float(accuracy_score(human, choice))
    if len({*human, *choice}) == 1:
        return None
    if statistic in KAPPAS:
        return float(cohen_kappa_score(human, choice, labels=LABELS, weights=KAPPAS[statistic]))
    numbers = np.array(
        [[LABELS.index(a), LABELS.index(b)] for a, b in zip(human, choice, strict=True)], dtype=float
    )
    kind: Any = {"alpha": "interval"}.get(statistic, statistic.removeprefix("alpha-"))
    return alpha(numbers, kind)


@given(pairs, st.sampled_from(OF_CHOICES))
def test_the_value_is_that_of_the_libraries(rows: list[Any], statistic: str) -> None:
    found = agree(choices(rows), statistic)
    expected = oracle(statistic, *map(list, zip(*rows, strict=True)))
    assert found.value == (None if expected is None else pytest.approx(expected))
    assert (found.statistic, found.n, found.missing) == (statistic, len(rows), 0)


@pytest.mark.parametrize("statistic", [one for one in OF_CHOICES if one != "accuracy"])
def test_where_nothing_is_left_to_chance_there_is_no_value_and_a_reason(statistic: str) -> None:
    found = agree(choices([("tie", "tie")] * 3), statistic, bootstrap=Bootstrap(resamples=5))
    assert (found.value, found.low, found.resamples) == (None, None, 0)
    assert list(found.left_out.values()) == [3]


@pytest.mark.parametrize("statistic", OF_CHOICES)
def test_no_choices_are_no_error(statistic: str) -> None:
    found = agree(choices([]), statistic, bootstrap=Bootstrap(resamples=5))
    assert (found.value, found.left_out) == (None, {"all rows: fewer than two rows": 0})


def test_the_order_of_rows_decides_nothing() -> None:
    judged = choices([("first", "tie"), ("tie", "tie"), ("second", "first"), ("first", "first")] * 4)
    turned = Judgements("judge", "overall", judged.rows[::-1], labels=LABELS)
    for statistic in OF_CHOICES:
        both = (agree(one, statistic, bootstrap=Bootstrap(resamples=20)) for one in (judged, turned))
        assert next(both) == next(both)


def test_wrong_input_is_named() -> None:
    with pytest.raises(DataError, match=r"item '1' has the label 'frist'. Did you mean 'first'"):
        agree(choices([("tie", "tie"), ("tie", "frist")]), "kappa")
    with pytest.raises(UsageError, match=r"'kapa'.*Did you mean 'kappa'"):
        agree(choices([("tie", "tie")]), "kapa")


def test_a_confusion_has_every_pair_of_labels() -> None:
    found = confusion(choices([("first", "tie"), ("first", "tie"), ("second", "second"), ("tie", None)]))
    assert list(found) == [(human, choice) for human in LABELS for choice in LABELS]
    assert {key: count for key, count in found.items() if count} == {
        ("first", "tie"): 2,
        ("second", "second"): 1,
    }


# Pairs.


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
