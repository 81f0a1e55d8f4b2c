"""The worth of a panel: copies of a judge add nothing, and judges that err by themselves one each."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.studies.panel_worth import PanelWorth, panel_worth

TEXTS = 4000
LABELS = ("A", "B", "tie")
DRAW = np.random.default_rng(5)
TRUTH = DRAW.integers(0, 3, TEXTS)


def choices() -> Any:
    """A judge that is right more often about some labels than about others, and errs on its own."""
    wrong = DRAW.random(TEXTS) < np.array([0.1, 0.3, 0.5])[TRUTH]
    return np.array(LABELS)[np.where(wrong, DRAW.integers(0, 3, TEXTS), TRUTH)]


def scores() -> Any:
    """A strict judge that errs on its own."""
    return 0.5 * TRUTH - 1 + DRAW.normal(size=TEXTS)


def noise() -> Any:
    return np.array(LABELS)[DRAW.integers(0, 3, TEXTS)]


def worth(judged: Sequence[Any], *, people: bool = True, resamples: int = 100) -> PanelWorth:
    labels = LABELS if isinstance(judged[0][0], str) else None
    truth = [(LABELS[one] if labels else float(one)) if people else None for one in TRUTH]
    entries = [
        Judgements(
            f"judge {number}",
            "best",
            [
                Judged(f"{k}", f"s{k // 2}", "", human, said)
                for k, (human, said) in enumerate(zip(truth, one.tolist(), strict=True))
            ],
            labels=labels,
        )
        for number, one in enumerate(judged)
    ]
    return panel_worth(entries, bootstrap=Bootstrap(resamples))


@pytest.mark.parametrize(("judge", "people"), [(choices, True), (scores, True), (noise, False)])
def test_three_copies_are_worth_one_judge_and_three_that_err_alone_three(
    judge: Callable[[], Any], people: bool
) -> None:
    one, alone = judge(), worth([judge() for _ in range(3)], people=people)
    copies = worth([one, one, one], people=people)
    assert (copies.value, copies.another, copies.most) == pytest.approx((1, 0, 1), abs=1e-6)
    assert copies.adds == pytest.approx([0, 0, 0], abs=1e-6)
    assert (alone.value, alone.another) == pytest.approx((3, 1), abs=0.1)
    assert alone.adds == pytest.approx([1, 1, 1], abs=0.1)
    assert alone.low is not None
    assert alone.high is not None
    assert alone.low < 3 < alone.high
    assert (alone.n, alone.of) == (TEXTS, "errors" if people else "votes")


def test_two_copies_and_one_that_errs_alone_are_worth_less_than_two() -> None:
    """By hand: correlations 1, 0 and 0 have the mean 1/3, and 3 / (1 + 2/3) = 1.8."""
    one = scores()
    found = worth([one, one, scores()])
    assert found.value == pytest.approx(1.8, abs=0.05)
    assert found.adds == pytest.approx([-0.2, -0.2, 0.8], abs=0.05)


def test_a_judge_without_errors_has_none_to_correlate() -> None:
    found = worth([TRUTH.astype(float), scores()])
    assert (found.value, found.correlation, found.low) == (None, None, None)


def test_an_interval_holds_the_worth_of_judges_that_share_half_of_their_errors() -> None:
    """Errors correlate .5, so that three judges are worth 1.5."""
    shared = DRAW.normal(size=TEXTS)
    found = worth([TRUTH + shared + DRAW.normal(size=TEXTS) for _ in range(3)], resamples=400)
    assert found.low is not None
    assert found.high is not None
    assert 1.4 < found.low < 1.5 < found.high < 1.6
