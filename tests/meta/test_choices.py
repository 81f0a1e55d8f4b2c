"""Choices: accuracy and kappa are scikit-learn's."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import (  # type: ignore[import-untyped]  # it has no types of its own
    accuracy_score,
    cohen_kappa_score,
)

from agentdebate.errors import DataError, UsageError
from agentdebate.meta.agreement import agree, confusion
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.measures import OF_CHOICES, alpha

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
