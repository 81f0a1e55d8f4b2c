"""One number of agreement and all that is said with it; statistics are those of the libraries."""

import math
import random
from dataclasses import replace
from typing import Any, get_args

import krippendorff
import numpy as np
import pytest
from agreement_cases import SCORES, crossed, judgements
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats  # type: ignore[import-untyped]  # it has no types of its own

from agentdebate.errors import MissingExtra, UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.figure import Bootstrap, Level
from agentdebate.meta.judgements import Judged, Judgements
from agentdebate.meta.measures import OF_SCORES, Distance, Measure, alpha

LEVELS: tuple[Level, ...] = get_args(Level)
SMALL = Bootstrap(resamples=30)
FLAT = judgements(
    [
        *[("varied", f"m{n}", float(n), float(n)) for n in range(4)],
        *[("human", f"m{n}", 3.0, float(n)) for n in range(4)],
        *[("predicted", f"m{n}", float(n), 2.0) for n in range(4)],
        *[("both", f"m{n}", 1.0, 2.0) for n in range(4)],
        ("alone", "m0", 1.0, 1.0),
    ]
)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([], "fewer than two rows"),
        ([(1.0, 1.0)], "fewer than two rows"),
        ([(1.0, 1.0), (1.0, 2.0)], "constant human scores"),
        ([(1.0, 1.0), (2.0, 1.0)], "constant predicted scores"),
        ([(1.0, 3.0), (1.0, 3.0)], "constant human and predicted scores"),
    ],
)
@pytest.mark.parametrize("statistic", ["pearson", "spearman", "kendall-b", "kendall-c"])
def test_a_correlation_that_is_not_defined_says_why(rows: Any, reason: str, statistic: str) -> None:
    judged = judgements([("a", f"m{n}", *pair) for n, pair in enumerate(rows)])
    found = agree(judged, statistic, "pooled", bootstrap=SMALL)
    assert (found.value, found.low, found.high) == (None, None, None)
    assert found.left_out == {f"all rows: {reason}": len(rows)}
    over_systems = agree(judged, statistic, "system")
    assert over_systems.value is None
    assert over_systems.left_out == {f"all systems: {reason.replace('rows', 'systems')}": len(rows)}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("statistic", OF_SCORES)
@pytest.mark.parametrize("size", [1e-100, 1.0, 1e100, 1e308])
def test_no_or_few_rows_and_odd_sizes_are_no_error(statistic: str, level: Level, size: float) -> None:
    rows = [
        ("a", "m0", 0.1 * size, -size),
        ("a", "m1", 0.2 * size, size),
        ("b", "m0", -0.3 * size, 0.9 * size),
    ]
    for number in range(4):
        found = agree(judgements(rows[:number]), statistic, level, bootstrap=Bootstrap(resamples=5))
        assert found.value is None or math.isfinite(found.value)
        assert found.missing == (number if size > 1e100 else 0)


@settings(max_examples=25)
@given(crossed(), st.randoms(use_true_random=False), st.sampled_from(OF_SCORES), st.sampled_from(LEVELS))
def test_the_order_of_the_rows_decides_nothing(
    judged: Judgements, chance: random.Random, statistic: str, level: Level
) -> None:
    """To the last digit, the interval's ends too."""
    rows = list(judged.rows)
    chance.shuffle(rows)
    shuffled = replace(judged, rows=tuple(rows))
    assert agree(shuffled, statistic, level, bootstrap=SMALL) == agree(
        judged, statistic, level, bootstrap=SMALL
    )


def noisy(sources: int = 40, systems: int = 5) -> Judgements:
    chance = random.Random(7)
    rows = []
    for source in range(sources):
        for system in range(systems):
            human = chance.gauss(0, 1)
            rows.append((f"s{source}", f"m{system}", human, human + chance.gauss(0, 1)))
    return judgements(rows)


def test_texts_of_one_source_make_the_interval_as_wide_as_sources_are_few() -> None:
    """Ten copies of each row in its source are no more knowledge; ten times as many sources are."""
    few = noisy(sources=12)
    copies = replace(few, rows=tuple(replace(row, id=f"{row.id}-{n}") for row in few.rows for n in range(10)))
    widths = [
        (found.high or 0) - (found.low or 0)
        for found in (
            agree(one, "pearson", "pooled", bootstrap=Bootstrap(resamples=200))
            for one in (few, copies, noisy(sources=120))
        )
    ]
    assert widths[1] == pytest.approx(widths[0], rel=1e-6)
    assert widths[2] < widths[0] / 2


def test_sources_without_a_value_have_no_part_in_an_interval() -> None:
    """120 sources, of which 10 are constant to people and of 6 the judge has scored no text: the mean is over 104."""
    chance = random.Random(4)
    rows = [
        (f"s{n:03}", f"m{k}", 1.0 if n < 10 else float(k), None if n >= 114 else chance.gauss(k, 2))
        for n in range(120)
        for k in range(4)
    ]
    found = agree(judgements(rows), "spearman", "group", bootstrap=Bootstrap(resamples=200))
    assert (found.groups, found.sources) == (104, 114)
    without = [row for row in rows if "s010" <= row[0] < "s114"]
    expected = agree(judgements(without), "spearman", "group", bootstrap=Bootstrap(200)).low
    assert found.low == pytest.approx(expected, abs=0.03)


def test_an_interval_of_no_width_is_none() -> None:
    """All resamples of a judge that says what people say are the same, which is not to be sure of it."""
    rows = [(f"s{n}", "m", float(n), float(n)) for n in range(30)]
    for statistic in ("pearson", "spearman", "kendall-b", "mean-absolute-error", "pairwise-accuracy"):
        found = agree(judgements(rows), statistic, "pooled", bootstrap=SMALL)
        assert (found.value is None, found.low, found.high, found.method) == (False, None, None, "")


def test_there_is_no_interval_over_a_single_source() -> None:
    found = agree(judgements([("a", f"m{n}", float(n), float(n % 3)) for n in range(5)]), "pearson", "pooled",
                  bootstrap=SMALL)  # fmt: skip
    assert found.value is not None
    assert (found.low, found.high, found.resamples) == (None, None, 0)


def test_a_row_whose_source_is_not_known_is_one_of_its_own() -> None:
    rows = tuple(Judged(str(n), "", "", float(n), float(n % 7)) for n in range(30))
    named = tuple(replace(row, source=row.id) for row in rows)
    found, expected = (
        agree(Judgements("j", "a", one), "pearson", "pooled", bootstrap=SMALL) for one in (rows, named)
    )
    assert found == expected
    assert found.low is not None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"statistic": "kendal-b"}, "'kendal-b'.*Did you mean 'kendall-b'"),
        ({"level": "groups"}, "'groups'.*Did you mean 'group'"),
    ],
)
def test_an_unknown_name_is_an_error_with_the_nearest_one(change: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        agree(FLAT, **{"statistic": "pearson", "level": "pooled", **change})


def test_without_scipy_the_error_is_the_line_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def not_installed(module: str) -> Any:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module.partition(".")[0])

    monkeypatch.setattr("agentdebate.extras.import_module", not_installed)
    with pytest.raises(MissingExtra, match=r"numpy is not installed.*agentdebate\[agree\]"):
        agree(FLAT, "pearson", "pooled")


def test_means_of_systems_that_differ_by_rounding_only_are_tied() -> None:
    """The same scores, summed in another order."""
    values = [1.1, 0.2, 0.666667, 4.333333, 0.333333, 1.1, 1.1]
    rows = [(str(place), "first", value, 1.0) for place, value in enumerate(values)]
    rows += [(str(place), "second", value, 2.0) for place, value in enumerate(reversed(values))]
    found = agree(judgements(rows), "kendall-b", "system")
    assert found.left_out == {"all systems: constant human scores": 2}


@pytest.mark.parametrize("size", [1e-9, 1e-3, 1.0, 1e6])
def test_scores_are_not_too_small_to_rank_systems_by(size: float) -> None:
    rows = [("a", f"m{number}", float(number), size * (1 + number / 10)) for number in range(5)]
    assert agree(judgements(rows), "kendall-b", "system").value == pytest.approx(1)


def test_accuracy_and_kappa_take_whole_numbers_as_labels() -> None:
    grades = judgements([("a", "m", 1.0, 1.0), ("a", "m", 2.0, 3.0), ("b", "m", 3.0, 3.0)])
    assert agree(grades, "accuracy").value == pytest.approx(2 / 3)
    assert agree(grades, "kappa").value == pytest.approx((2 / 3 - 1 / 3) / (1 - 1 / 3))
    for odd in (1.5, 5000.0):
        with pytest.raises(UsageError, match="whole numbers"):
            agree(judgements([("a", "m", 1.0, odd)]), "kappa")
    with pytest.raises(UsageError, match="one level, pooled"):
        agree(grades, "kappa", "group")


# Statistics: for the data, for many sources at once, and for rows that are drawn.


SIZE = 7
columns = st.lists(SCORES, min_size=SIZE, max_size=SIZE).map(np.array)
ORACLES: dict[str, Any] = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall-b": stats.kendalltau,
    "kendall-c": lambda x, y: stats.kendalltau(x, y, variant="c"),
}
names = st.sampled_from(list(ORACLES))
distances = st.sampled_from(get_args(Distance))
tables = st.integers(2, 6).flatmap(
    lambda units: st.lists(
        st.lists(st.none() | st.integers(1, 4), min_size=3, max_size=3), min_size=units, max_size=units
    )
).map(lambda rows: np.array(rows, dtype=float))  # fmt: skip


def oracle(name: str, x: Any, y: Any) -> float:
    if len(x) < 2 or len(set(x)) == 1 or len(set(y)) == 1:
        return math.nan
    return float(ORACLES[name](x, y).statistic)


@settings(max_examples=50)
@given(names, columns, columns)
def test_the_value_of_the_data_is_that_of_scipy(name: str, x: Any, y: Any) -> None:
    assert Measure(name).of(x, y) == pytest.approx(oracle(name, x, y), nan_ok=True, abs=1e-12)


@settings(max_examples=50)
@given(names, columns, columns, st.lists(st.integers(0, SIZE - 1), min_size=1, max_size=12).map(np.array))
def test_rows_that_are_drawn_have_the_value_of_scipy(name: str, x: Any, y: Any, rows: Any) -> None:
    found = Measure(name).drawn(x, y)(rows)
    assert found == pytest.approx(oracle(name, x[rows], y[rows]), nan_ok=True, abs=1e-12)


@settings(max_examples=60)
@given(tables, distances)
def test_alpha_is_that_of_the_library(ratings: Any, distance: Distance) -> None:
    several = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    known = several[~np.isnan(several)]
    if len(set(known.tolist())) < 2:
        assert math.isnan(alpha(ratings, distance))
        return
    expected = krippendorff.alpha(several.T, level_of_measurement=distance)
    assert alpha(ratings, distance) == pytest.approx(expected, abs=1e-9)


def test_alpha_takes_scores_that_all_differ() -> None:
    """Of which the library would need a matrix of as many rows and columns, for each unit."""
    generator = np.random.default_rng(1)
    x = generator.normal(size=20_000)
    assert 0.8 < Measure("alpha").of(x, x + generator.normal(0, 0.5, 20_000)) < 0.95
