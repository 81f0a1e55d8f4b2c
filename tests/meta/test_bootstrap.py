"""Resamples: all statistics over the same draws of sources and systems, and the intervals that they give."""

from dataclasses import replace
from math import isnan, nan
from statistics import fmean
from typing import Any, get_args

import numpy as np
import pytest
from agreement_cases import crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.columns import columns
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.levels import Level, compared, drawn_value, of_sources, point
from agentdebate.meta.measures import Statistic, measure

LEVELS: tuple[Level, ...] = get_args(Level)
NAMES = [name for name in get_args(Statistic) if name != "pairwise-accuracy"]
"""Pairwise accuracy makes no pair of a row with its copy, and so is not that of rows written out."""


def written_out(judged: Judgements, name: str, level: Level, drawn: Any) -> float:
    """A resample as the data that it stands for: copies of a source are sources."""
    rows = judged.rows
    sources = sorted({row.source for row in rows})
    again: Any = [
        (f"{row.source}#{copy}", row.system, row.human, row.score)
        for copy, source in enumerate(drawn)
        for row in rows
        if row.source == sources[source]
    ]
    return point(columns(judgements(again)), measure(name), level).value


@settings(max_examples=40)
@given(crossed(), st.sampled_from(NAMES), st.sampled_from(LEVELS), st.integers(0, 9))
def test_a_resample_has_the_value_of_its_rows_written_out(
    judged: Judgements, name: str, level: Level, seed: int
) -> None:
    table = columns(judged)
    drawn = np.random.default_rng(seed).integers(0, table.places.sources, table.places.sources)
    found = drawn_value(table, measure(name), level)(drawn)
    assert found == pytest.approx(written_out(judged, name, level, drawn), nan_ok=True, abs=1e-9)


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
    assert ours.error == pytest.approx(float(theirs.standard_error), rel=0.08)


def test_few_sources_reach_as_far_as_students_t() -> None:
    """The mean of 12 sources, whose interval by t is known."""
    generator = np.random.default_rng(6)
    errors = generator.normal(size=12)
    judged = judgements([(f"s{n:02}", "m", 0.0, float(one)) for n, one in enumerate(errors)])
    found = agree(judged, "bias", bootstrap=Bootstrap(resamples=4000))
    known = stats.ttest_1samp(errors, 0).confidence_interval(0.95)
    assert found.low is not None
    assert found.high is not None
    assert found.high - found.low == pytest.approx(known.high - known.low, rel=0.15)


@settings(max_examples=40)
@given(crossed())
def test_the_group_level_is_the_mean_over_sources_with_a_value(judged: Judgements) -> None:
    table = columns(judged)
    values = [measure("pearson").of(table.human[rows], table.score[rows]) for rows in table.groups()]
    assert of_sources(table, measure("pearson")) == pytest.approx(values, nan_ok=True)
    sound = [value for value in values if not isnan(value)]
    found = point(table, measure("pearson"), "group")
    assert found.groups == len(sound)
    assert sum(found.left_out.values()) == len(values) - len(sound)
    assert found.value == pytest.approx(fmean(sound) if sound else nan, nan_ok=True)


def test_means_that_differ_by_rounding_only_are_tied() -> None:
    """The same scores, summed in another order."""
    values = [1.1, 0.2, 0.666667, 4.333333, 0.333333, 1.1, 1.1]
    rows = [(str(place), "first", value, 1.0) for place, value in enumerate(values)]
    rows += [(str(place), "second", value, 2.0) for place, value in enumerate(reversed(values))]
    ((human, _),) = compared(columns(judgements(rows)), "system")
    assert len(set(human)) == 1


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e6])
def test_scores_are_not_too_small_to_rank_systems_by(size: float) -> None:
    rows = [("a", f"m{number}", float(number), size * (1 + number / 10)) for number in range(5)]
    assert point(columns(judgements(rows)), measure("kendall-b"), "system").value == pytest.approx(1)


def test_the_order_of_names_and_not_of_rows_decides_who_is_drawn() -> None:
    rows = [(f"s{n}", "m", float(n % 5), float(n % 3)) for n in range(30)]
    once, again = (
        agree(judgements(some), "kendall-b", bootstrap=Bootstrap(50)) for some in (rows, rows[::-1])
    )
    assert replace(once) == replace(again)
