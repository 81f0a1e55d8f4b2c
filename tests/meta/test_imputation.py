"""What a missing judgement counts as: nothing, wrong, a tie or a value, for scores and for choices."""

from typing import Any

import pytest
from agreement_cases import judgements

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.imputation import Missing, missing_as
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.tasks import Scale

FIVE = Scale(low=1, high=5)


def chosen(*pairs: tuple[str | None, str | None], tie: str | None = "C") -> Judgements:
    rows = tuple(Judged(str(place), "", "", human, choice) for place, (human, choice) in enumerate(pairs))
    return Judgements("j", "best", rows, labels=("A", "B", "C"), tie=tie)


def scored(*pairs: tuple[float | None, float | None], scale: Scale | None = FIVE) -> Judgements:
    return judgements([("s", f"m{place}", *pair) for place, pair in enumerate(pairs)], scale=scale)


@pytest.mark.parametrize(
    ("text", "missing"), [("left-out", "left-out"), ("wrong", "wrong"), ("tie", "tie"), ("-2.5", -2.5)]
)
def test_ways_and_numbers_are_read(text: str, missing: Missing) -> None:
    assert missing_as(text) == missing


@pytest.mark.parametrize("text", ["", "worst", "nan", "inf", "1e300", "0 0"])
def test_anything_else_is_refused_with_all_that_fits(text: str) -> None:
    with pytest.raises(UsageError, match=r"missing=\.\.\. is left-out, wrong, tie or a number"):
        missing_as(text)


def test_a_tie_is_the_label_that_stands_for_one() -> None:
    found = agree(chosen(("C", None), ("A", None), ("A", "A")), "accuracy", missing="tie")
    assert found.value == pytest.approx(2 / 3)


@pytest.mark.parametrize("statistic", ["pearson", "bias"])
def test_a_judge_that_judged_nothing_has_no_figure(statistic: str) -> None:
    found = agree(scored((1, None), (5, None), (4, None)), statistic, missing="wrong")
    assert (found.value, found.left_out) == (None, {"all rows: the judge has judged none of them": 3})


@pytest.mark.parametrize(
    ("entry", "missing", "statistic", "message"),
    [
        (scored((1, None), scale=None), "wrong", "bias", r"wrong where its scale is known: scale='1-5'"),
        (scored((80, None)), "wrong", "bias", r"people's scores to be from 1 to 5.* is 80"),
        (scored((1, None)), "tie", "bias", r"a missing score of 'coherence' is left-out, a number, or wrong"),
        (
            chosen(("A", None), tie=None),
            "tie",
            "kappa",
            r"tie where a label stands for one .*labels='TIE=tie'",
        ),
        (chosen(("A", None)), 2, "kappa", r"a missing choice of 'best' is left-out, wrong, or tie"),
        (chosen(("A", None)), "wrong", "kappa-linear", r"no place in an order of labels"),
    ],
)
def test_what_a_missing_one_cannot_count_as_is_refused(
    entry: Any, missing: Missing, statistic: str, message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        agree(entry, statistic, missing=missing)
