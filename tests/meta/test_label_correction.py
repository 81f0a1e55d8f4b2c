"""Figures of many judgements, corrected by few labels: PPI++, and Rogan and Gladen's for shares."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

from agentdebate.errors import UsageError
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.label_correction import Corrected, Correction, corrections, rogan_gladen

SOUND = (0.93, 0.97)
"""Bounds of the coverage of intervals of 95 % over SIMULATIONS."""
SIMULATIONS = 1000


def entry(
    human: Sequence[float | str | None], score: Sequence[float | str], **more: tuple[str, ...] | str
) -> Judgements:
    """Texts that share no source."""
    rows = [Judged(f"{k}", "", "", *pair) for k, pair in enumerate(zip(human, score, strict=True))]
    return Judgements("judge", "x", rows, **more)  # type: ignore[arg-type]  # labels and a tie


def ends(one: Corrected) -> list[float]:
    return [one.value, one.low, one.high]


PPI_PY = {
    (1, 30, 500, None): [3.271731851, 3.049994132, 3.493469571],
    (2, 80, 300, None): [2.882268371, 2.702062469, 3.062474274],
    (3, 200, 1000, 3.0): [0.434226502, 0.373695773, 0.49475723],
}
"""What ppi_mean_pointestimate and ppi_mean_ci of ppi_py 0.2.3 say of these seeds, labels, other texts and pass marks. The package is not
installed here: it brings sixteen others, and an older NumPy."""


@pytest.mark.parametrize("drawn", PPI_PY)
def test_a_mean_and_a_pass_rate_are_those_of_ppi_py(drawn: tuple[int, int, int, float | None]) -> None:
    seed, labels, others, mark = drawn
    draw = random.Random(seed)
    truth = [draw.gauss(3, 1) for _ in range(labels + others)]
    score = [0.7 * one + draw.gauss(0.5, 0.8) for one in truth]
    if mark:
        truth, score = ([float(one > mark) for one in some] for some in (truth, score))
    (found,) = corrections(entry([*truth[:labels], *[None] * others], score))
    assert ends(found.corrected) == pytest.approx(PPI_PY[drawn], abs=1e-6)
    assert (found.labels, found.others) == (labels, others)
    assert found.by_judge == pytest.approx(np.mean(score))
    assert (found.rogan_gladen is not None) == (mark is not None)


def of_systems(draw: np.random.Generator, *, shared: bool) -> tuple[Correction, ...]:
    """Systems of the means 1 and 0 on 150 sources, hard and easy ones, of which people judged 50; the judge is off by .5."""
    hard, rows = draw.normal(size=150), []
    for k in range(150):
        for mean, system in ((0.0, "worse"), (1.0, "better")):
            truth = mean + hard[k] + draw.normal()
            human, score = float(truth) if k < 50 else None, float(truth + 0.5 + draw.normal())
            rows.append(Judged(f"{system} {k}", f"s{k}" if shared else "", system, human, score))
    return corrections(Judgements("judge", "x", rows))


def test_systems_are_compared_with_the_errors_of_sources_that_they_share() -> None:
    shared, apart = (of_systems(np.random.default_rng(0), shared=one) for one in (True, False))
    assert [one.of for one in shared] == ["mean", "better", "worse", "better less worse"]
    assert shared[3].corrected.value == apart[3].corrected.value == pytest.approx(1, abs=0.5)
    assert shared[3].corrected.low > apart[3].corrected.low
    better, worse = (one.corrected for one in apart[1:3])
    assert apart[3].corrected.value == pytest.approx(better.value - worse.value)
    reach = np.hypot(
        better.high - better.value, worse.high - worse.value
    )  # of independent means, as ppi_py has each
    assert apart[3].corrected.high == pytest.approx(apart[3].corrected.value + reach, abs=1e-9)


def test_differences_of_systems_are_covered() -> None:
    draw = np.random.default_rng(1)
    found = [of_systems(draw, shared=True)[-1] for _ in range(SIMULATIONS)]
    signs = [1 if one.of == "better less worse" else -1 for one in found]
    held = [one.corrected.low <= sign <= one.corrected.high for one, sign in zip(found, signs, strict=True)]
    assert SOUND[0] <= np.mean(held) <= SOUND[1]


def judged(draw: np.random.Generator, labels: int, others: int) -> Judgements:
    """Texts of which .6 are good by people, and a judge with a sensitivity of .85 and a specificity of .75."""
    good = draw.random(labels + others) < 0.6
    says = np.where(draw.random(len(good)) < np.where(good, 0.85, 0.75), good, ~good)
    human = [("good" if one else "bad") if k < labels else None for k, one in enumerate(good)]
    return entry(human, ["good" if one else "bad" for one in says], labels=("bad", "good"))


def test_shares_by_both_corrections_are_covered() -> None:
    draw, held = np.random.default_rng(2), np.zeros(3)
    for _ in range(SIMULATIONS):
        _, good, difference = corrections(judged(draw, 100, 300))
        assert isinstance(good.rogan_gladen, Corrected)
        for place, (one, true) in enumerate(
            ((good.corrected, 0.6), (good.rogan_gladen, 0.6), (difference.corrected, -0.2))
        ):
            held[place] += one.low <= true <= one.high
    assert all(SOUND[0] <= share <= SOUND[1] for share in held / SIMULATIONS)


def test_rogan_and_gladens_share_by_hand() -> None:
    """Sensitivity .9, specificity .8 and a share of .55 that passes: (.55 + .8 - 1) / .7 = .5.

    For the interval 91 of 102, 81 of 102 and 56.921 of 103.841 pass: .49873, less a shift of .00256, and .15701 to either side.
    """
    human = np.arange(200) < 100
    ours = np.where(human, np.arange(200) < 90, np.arange(200) >= 180)
    found = rogan_gladen(human, ours, np.arange(100) < 55)
    assert ends(found) == pytest.approx([0.5, 0.33916, 0.65319], abs=1e-5)


@pytest.mark.parametrize(
    ("human", "ours"), [("1100", "0011"), ("1100", "1010"), ("1111", "1111"), ("0000", "0000")]
)
def test_a_judge_that_says_nothing_of_a_share_corrects_none(human: str, ours: str) -> None:
    people, judge = (np.array([one == "1" for one in some * 20]) for some in (human, ours))
    with pytest.raises(UsageError, match=r"above 1|not all"):
        rogan_gladen(people, judge, np.ones(50, dtype=bool))


def test_a_share_that_cannot_be_corrected_so_says_why_beside_the_other_correction() -> None:
    found = corrections(entry([*"AABB" * 5, *[None] * 9], [*"BBAA" * 5, *"A" * 9], labels=("A", "B")))
    assert [one.of for one in found] == ["share of A", "share of B", "A less B"]
    assert isinstance(found[0].rogan_gladen, str)
    assert found[0].corrected.value == pytest.approx(0.5)


@pytest.mark.parametrize("human", [[1.0, *[None] * 9], [1.0] * 10, [None] * 10])
def test_without_labels_or_texts_without_them_there_is_nothing_to_correct(human: list[float | None]) -> None:
    with pytest.raises(UsageError, match=r"correct=\.\.\. takes 2 texts or more"):
        corrections(entry(human, [1.0] * 10))
