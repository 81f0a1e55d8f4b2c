"""Intervals: resamples of sources, the same draws for all statistics; and Wilson's, of shares and of kappa."""

from typing import Any, get_args

import numpy as np
import pytest
from agreement_cases import crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.meta.agreement import agree, figure_of
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.judgements import Judged, Judgements, Rated, Ratings
from agentdebate.meta.measures import OF_SCORES
from agentdebate.meta.reliability import ceiling

LEVELS: tuple[Level, ...] = get_args(Level)
NAMES = [name for name in OF_SCORES if name != "pairwise-accuracy"]
"""Pairwise accuracy makes no pair of a row with its copy, and so is not that of rows written out."""


def written_out(judged: Judgements, name: str, level: Level, drawn: Any) -> float:
    """A resample as the data that it stands for: copies of a source are sources."""
    sources = sorted({row.source for row in judged.rows})
    again: Any = [
        (f"{row.source}#{copy}", row.system, row.human, row.score)
        for copy, source in enumerate(drawn)
        for row in judged.rows
        if row.source == sources[source]
    ]
    return figure_of(judgements(again), name, level).value


@settings(max_examples=40)
@given(crossed(), st.sampled_from(NAMES), st.sampled_from(LEVELS), st.integers(0, 9))
def test_a_resample_has_the_value_of_its_rows_written_out(
    judged: Judgements, name: str, level: Level, seed: int
) -> None:
    figure = figure_of(judged, name, level)
    sources = figure.columns.places.sources
    drawn = np.random.default_rng(seed).integers(0, sources, sources)
    assert figure.drawn(drawn) == pytest.approx(
        written_out(judged, name, level, drawn), nan_ok=True, abs=1e-9
    )


@pytest.mark.parametrize(
    ("statistic", "of"),
    [("pearson", stats.pearsonr), ("spearman", stats.spearmanr), ("kendall-b", stats.kendalltau)],
)
def test_intervals_are_about_those_of_scipy(statistic: str, of: Any) -> None:
    generator = np.random.default_rng(4)
    x = generator.normal(size=150)
    y = x + generator.normal(size=150)
    theirs = stats.bootstrap(
        (x, y), lambda a, b: of(a, b).statistic, paired=True, vectorized=False, n_resamples=2000,
        method="BCa", rng=np.random.default_rng(1),
    )  # fmt: skip
    judged = judgements([(f"s{n:03}", "m", *pair) for n, pair in enumerate(zip(x, y, strict=True))])
    ours = agree(judged, statistic, bootstrap=Bootstrap(resamples=2000))
    assert (ours.low, ours.high) == pytest.approx(tuple(theirs.confidence_interval), abs=0.02)
    assert (ours.method, ours.sources, ours.resamples) == ("bootstrap", 150, 2000)


def test_few_sources_reach_as_far_as_students_t() -> None:
    """The mean of 12 sources, whose interval by t is known."""
    errors = np.random.default_rng(6).normal(size=12)
    judged = judgements([(f"s{n:02}", "m", 0.0, float(one)) for n, one in enumerate(errors)])
    found = agree(judged, "bias", bootstrap=Bootstrap(resamples=4000))
    known = stats.ttest_1samp(errors, 0).confidence_interval(0.95)
    assert (found.high or 0) - (found.low or 0) == pytest.approx(known.high - known.low, rel=0.15)


def chosen(right: Any, sources: list[str]) -> Judgements:
    """Choices that are right or wrong, of these sources."""
    rows = tuple(
        Judged(f"q{number}", source, "", "A", "A" if one else "B")
        for number, (one, source) in enumerate(zip(right, sources, strict=True))
    )
    return Judgements("judge", "best", rows, labels=("A", "B"))


@pytest.mark.parametrize(("right", "n"), [(0, 1), (0, 30), (1, 30), (15, 30), (30, 30), (999, 1600)])
@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_accuracy_of_independent_texts_has_wilsons_interval(right: int, n: int, confidence: float) -> None:
    theirs = stats.binomtest(right, n).proportion_ci(confidence, method="wilson")
    ours = agree(chosen(np.arange(n) < right, [""] * n), "accuracy", bootstrap=Bootstrap(1, confidence))
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)
    assert (ours.method, ours.sources, ours.resamples) == ("wilson", n, 0)


@pytest.mark.parametrize("right", [0, 1, 20, 30])
def test_texts_that_share_a_source_count_together(right: int) -> None:
    """Rows that only repeat another of their source count for nothing."""
    names = [f"s{number:02}" for number in range(30)]
    told = [number < right for number in range(30)]
    alone = agree(chosen(told, names), "accuracy", bootstrap=Bootstrap())
    three = agree(chosen(told * 3, names * 3), "accuracy", bootstrap=Bootstrap())
    assert (three.n, three.sources, three.method) == (90, 30, "wilson")
    assert (three.low, three.high) == pytest.approx((alone.low, alone.high), abs=0.03)


@pytest.mark.parametrize("statistic", ["accuracy", "kappa"])
def test_intervals_of_few_sources_hold_a_high_share_as_often_as_they_say(statistic: str) -> None:
    """Accuracy .95 in 15 sources of 4 texts, of which some are hard; one set of ten has no wrong text at all."""
    held, generator = 0, np.random.default_rng(3)
    for _ in range(300):
        right = generator.random((15, 4)) < generator.beta(3.8, 0.2, (15, 1))
        human = generator.integers(0, 2, (15, 4))
        rows = [
            Judged(f"{s}/{k}", f"s{s}", "", "AB"[human[s, k]], "AB"[human[s, k] ^ ~right[s, k]])
            for s, k in np.ndindex(15, 4)
        ]
        found = agree(Judgements("j", "best", rows, labels=("A", "B")), statistic, bootstrap=Bootstrap())
        held += (found.low or 9) <= (0.95 if statistic == "accuracy" else 0.9) <= (found.high or -9)
    assert 0.92 <= held / 300 <= 0.99


def test_kappa_of_independent_texts_has_wilsons_interval_of_the_share_that_agrees() -> None:
    rows = ["AB"[n % 2] for n in range(60)]
    judge = ["AB"[(n + (n % 5 == 0)) % 2] for n in range(60)]
    told = tuple(Judged(f"q{n}", "", "", *pair) for n, pair in enumerate(zip(rows, judge, strict=True)))
    entry = Judgements("j", "best", told, labels=("A", "B"))
    kappa, share = (agree(entry, name, bootstrap=Bootstrap()) for name in ("kappa", "accuracy"))
    assert (kappa.method, share.method) == ("kappa", "wilson")
    assert kappa.value == pytest.approx(0.6)
    assert (kappa.low, kappa.high) == pytest.approx((2 * (share.low or 0) - 1, 2 * (share.high or 0) - 1))


def test_a_judge_that_was_right_each_time_has_an_interval_of_kappa() -> None:
    told = tuple(Judged(f"q{n}", "", "", "AB"[n % 2], "AB"[n % 2]) for n in range(30))
    found = agree(Judgements("j", "best", told, labels=("A", "B")), "kappa", bootstrap=Bootstrap())
    assert (found.value, found.high) == pytest.approx((1, 1))
    assert found.low == pytest.approx(0.77, abs=0.01)


def test_a_ceiling_of_people_who_choose_alike_has_no_interval() -> None:
    """All resamples say the same, which is not to be sure of it."""
    rows = tuple(Rated(f"q{number}", "", "", ("A",) * 3) for number in range(30))
    found = ceiling(Ratings("best", rows, labels=("A", "B")), "accuracy", bootstrap=Bootstrap()).mean
    assert (found.value, found.low, found.method) == (1, None, "")
