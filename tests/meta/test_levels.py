"""Agreement at each level, for the data and for resamples, is that of the rows written out."""

from collections import defaultdict
from math import isnan, nan
from statistics import fmean
from typing import Any, get_args

import numpy as np
import pytest
from agreement_cases import crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st

from agentdebate.meta import draws as draws_of
from agentdebate.meta import levels, within
from agentdebate.meta.bootstrap import Bootstrap, Units
from agentdebate.meta.columns import columns
from agentdebate.meta.judged import Judged, Judgements
from agentdebate.meta.levels import Level, groups, point, resampled, system_means
from agentdebate.meta.measures import Statistic, measure

LEVELS: tuple[Level, ...] = get_args(Level)
NAMES = [name for name in get_args(Statistic) if name != "pairwise-accuracy"]
"""Pairwise accuracy makes no pair of a row with its copy, and so is not that of rows written out."""


def written_out(
    rows: list[Judged], name: str, level: Level, sources: dict[str, int], systems: dict[str, int]
) -> float:
    """A resample as the data that it stands for: copies of a source are sources, copies of a system systems."""
    drawn = [
        (f"{row.source}#{copy}", f"{row.system}#{twin}", row.human, row.score)
        for row in rows
        for copy in range(sources[row.source])
        for twin in range(systems[row.system])
    ]
    if not drawn:
        return nan
    return point(columns(judgements(drawn)), measure(name), level).value


@settings(max_examples=40)
@given(
    crossed(),
    st.sampled_from(NAMES),
    st.sampled_from(LEVELS),
    st.sampled_from(["sources", "systems", "both"]),
)
def test_a_resample_has_the_value_of_its_rows_written_out(
    judged: Judgements, name: str, level: Level, over: Any
) -> None:
    table = columns(judged)
    draws = Bootstrap(resamples=5, over=over, seed=3).draw(table.places)
    found = resampled(table, measure(name), level, draws)
    for number, value in enumerate(found):
        counts = [
            {
                name: int(drawn[number][place]) if drawn is not None else 1
                for place, name in enumerate(sorted(set(names)))
            }
            for drawn, names in (
                (draws.sources, [row.source for row in table.rows]),
                (draws.systems, [row.system for row in table.rows]),
            )
        ]
        expected = written_out(list(table.rows), name, level, counts[0], counts[1])
        assert value == pytest.approx(expected, nan_ok=True, abs=1e-9)


@pytest.mark.parametrize("large", [2, 48])
@pytest.mark.parametrize("over", ["sources", "systems", "both"])
def test_resamples_are_computed_in_parts_that_make_no_difference(
    monkeypatch: pytest.MonkeyPatch, over: Units, large: int
) -> None:
    generator = np.random.default_rng(5)
    rows = [(f"s{s}", f"m{m}", *generator.integers(1, 6, 2).tolist()) for s in range(6) for m in range(5)]
    table = columns(judgements(rows))
    draws = Bootstrap(resamples=20, over=over).draw(table.places)
    for level in LEVELS:
        whole = resampled(table, measure("kendall-b"), level, draws)
        with monkeypatch.context() as patched:
            patched.setattr(draws_of, "_CELLS", 70)
            patched.setattr(within, "_CELLS", 70)
            patched.setattr(within, "_LARGE", large)
            parts = resampled(table, measure("kendall-b"), level, draws)
        assert parts.tolist() == pytest.approx(whole.tolist(), nan_ok=True)


@settings(max_examples=40)
@given(crossed())
def test_the_group_level_is_the_mean_over_sources_with_a_value(judged: Judgements) -> None:
    by_source = defaultdict(list)
    for row in judged.rows:
        by_source[row.source].append(row)
    values = [
        measure("pearson").of(np.array([row.human for row in rows]), np.array([row.score for row in rows]))
        for rows in by_source.values()
    ]
    sound = [value for value in values if not isnan(value)]
    found = point(columns(judged), measure("pearson"), "group")
    assert found.groups == len(sound)
    assert sum(found.left_out.values()) == len(values) - len(sound)
    assert found.value == pytest.approx(fmean(sound) if sound else nan, nan_ok=True)


def test_means_that_differ_by_rounding_only_are_tied(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same scores, summed in another order."""
    values = [1.1, 0.2, 0.666667, 4.333333, 0.333333, 1.1, 1.1]
    rows = [(str(place), "first", value, 1.0) for place, value in enumerate(values)]
    rows += [(str(place), "second", value, 2.0) for place, value in enumerate(reversed(values))]
    table = columns(judgements(rows))
    assert len(set(next(groups(table, "system"))[0])) == 1
    monkeypatch.setattr(levels, "_DECIMALS", 20)
    assert len(set(next(groups(table, "system"))[0])) == 2, "or the test could not fail"


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e6])
def test_scores_are_not_too_small_to_rank_systems_by(size: float) -> None:
    rows = [("a", f"m{number}", float(number), size * (1 + number / 10)) for number in range(5)]
    assert point(columns(judgements(rows)), measure("kendall-b"), "system").value == pytest.approx(1)


def test_a_system_that_was_not_drawn_has_no_part_in_the_means() -> None:
    """Sources that not every system has texts of."""
    rows = [("a", "m1", 1.0, 1.0), ("a", "m2", 2.0, 3.0), ("b", "m2", 4.0, 2.0), ("b", "m3", 5.0, 4.0)]
    table = columns(judgements(rows))
    draws = Bootstrap(resamples=50).draw(table.places)
    values = resampled(table, measure("bias"), "system", draws)
    assert draws.sources is not None
    drawn = {0: [0.5], 2: [-1.5], 1: [0.0, -0.5, -1.0]}
    expected = [
        fmean(drawn[int(count)]) if count != 1 else fmean([0, -0.5, -1]) for count in draws.sources[:, 1]
    ]
    assert values == pytest.approx(expected)
    assert system_means(table, np.ones((1, 4)))[0].tolist() == [[1.0, 3.0, 5.0]]


@pytest.mark.parametrize("step", [1, 7, 40])
def test_draws_are_the_same_in_however_many_parts(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Those of the sources of all resamples, and then those of the systems, from one generator."""
    generator = np.random.default_rng(5)
    expected = [
        np.stack([np.bincount(one, minlength=units) for one in generator.integers(0, units, (40, units))])
        for units in (11, 3)
    ]
    monkeypatch.setattr(draws_of, "_CELLS", 11 * step)
    draws = draws_of.Draws(40, 5, 11, 3)
    sources = draws.values(11, lambda drawn: drawn.of_sources(np.arange(11)))
    systems = draws.values(11, lambda drawn: drawn.of_systems(np.arange(3)))
    assert (sources.tolist(), systems.tolist()) == (expected[0].tolist(), expected[1].tolist())
    assert draws.sources is not None
    assert draws.sources.tolist() == expected[0].tolist()


def test_what_goes_wrong_in_a_part_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws_of, "_CELLS", 10)

    def broken(drawn: draws_of.Drawn) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        draws_of.Draws(40, 5, 11, 0).values(11, broken)
