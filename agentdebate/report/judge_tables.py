"""What `agree` gives besides agreement, a table and a record each: differences, both orders, calibration, selective figures, people."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.calibration import Calibrated
from agentdebate.meta.comparison import Comparison, holm
from agentdebate.meta.imputation import LEFT_OUT
from agentdebate.meta.judgements import Raters
from agentdebate.meta.reliability import PEOPLE
from agentdebate.meta.selective import Kept, Selective
from agentdebate.meta.two_orders import OrderFigures
from agentdebate.report.figures import NONE, figure, percent, statistic_name
from agentdebate.report.grid import Grid, Number

LEVELS: Mapping[str, str] = {"pooled": "pooled", "group": "mean over sources", "system": "system level"}
"""Levels as a table's head names them."""
COLUMNS = (
    "judge", "aspect", "statistic", "level", "value", "low", "high", "n", "groups", "left_out", "missing",
)  # fmt: skip
"""What every record of agreement has: `left_out` counts groups that have no value and no part in the mean."""
_LEAST = 0.001
"""The p below which no digits are shown."""
_SHOWN = 10
"""Thresholds that a table shows, about equally far apart in coverage; a record has all."""


def agreement_record(one: Agreement) -> dict[str, Any]:
    """One figure of agreement as a record, with all reasons for which something was left out."""
    plain = {name: getattr(one, name) for name in COLUMNS}
    more = {name: value for name in ("epsilon", "imputed") if (value := getattr(one, name))}
    return {**plain, "left_out": one.groups_left_out, "reasons": dict(one.left_out), **more}


def number_of(one: Agreement, count: str = "") -> Number:
    """A figure of agreement as a cell."""
    return Number(one.value, one.low, one.high, count)


@dataclass(frozen=True)
class Corrected:
    """A comparison, with its p-values corrected over the aspects (Holm)."""

    comparison: Comparison
    p_holm: float | None
    williams_holm: float | None

    @property
    def kind(self) -> tuple[str, str, str, str]:
        """What the comparisons of one table have in common."""
        one = self.comparison
        return one.first, one.second, one.statistic, one.level


def corrected(comparisons: Sequence[Comparison]) -> tuple[Corrected, ...]:
    """The comparisons with p-values that are corrected over the aspects of the same judges, statistic and level."""
    plain = [Corrected(one, None, None) for one in comparisons]
    return tuple(
        Corrected(one.comparison, *(_holm(one, plain, name) for name in ("p", "williams"))) for one in plain
    )


def _holm(one: Corrected, among: Sequence[Corrected], name: str) -> float | None:
    family = {
        other.comparison.aspect: p
        for other in among
        if other.kind == one.kind and (p := getattr(other.comparison, name)) is not None
    }
    return holm(family).get(one.comparison.aspect)


def comparison_record(one: Corrected) -> dict[str, Any]:
    """A comparison as a record."""
    return {**asdict(one.comparison), "p_holm": one.p_holm, "williams_holm": one.williams_holm}


def comparison_grids(comparisons: Sequence[Corrected]) -> tuple[Grid, ...]:
    """A table for each two judges, statistic and level, an aspect a row."""
    kinds = dict.fromkeys(one.kind for one in comparisons)
    return tuple(_differences([one for one in comparisons if one.kind == kind]) for kind in kinds)


_TESTS: Mapping[str, str] = {"permutation": "a permutation test by source", "mcnemar": "McNemar's exact test"}


def _tested(found: Sequence[Comparison]) -> str:
    """What the figures of a difference are."""
    if not any(one.n for one in found):
        return "Nothing is compared: the judges have judged no text in common."
    drawn = f"of {found[0].resamples:,} resamples of {found[0].sources:,} sources"
    tests = (
        " and ".join(dict.fromkeys(_TESTS[one.test] for one in found if one.test))
        or "none, as there is no test of this statistic"
    )
    return f"intervals: bootstrap {drawn}; p: two-sided, {tests}; p Holm: over the aspects"


def _differences(found: Sequence[Corrected]) -> Grid:
    first, second, statistic, level = found[0].kind
    williams = ["Williams"] if any(one.comparison.williams is not None for one in found) else []
    rows: list[list[object]] = [
        [
            one.comparison.aspect,
            Number(one.comparison.difference, one.comparison.low, one.comparison.high),
            _p(one.comparison.p),
            _p(one.p_holm),
            *(_p(one.williams_holm) for _ in williams),
            one.comparison.n,
        ]
        for one in found
    ]
    title = f"{first} less {second}: {statistic_name(statistic)}, {LEVELS.get(level, level)}"
    head = ("aspect", "diff.", "p", "p Holm", *williams, "n")
    return Grid(title, head, rows, notes=[_tested([one.comparison for one in found])])


def _p(value: float | None) -> str:
    return NONE if value is None else f"<{figure(_LEAST)}" if value < _LEAST else figure(value)


_OF_PEOPLE: Mapping[str, str] = {"1st": "first", "2nd": "second", "mean": "mean", "both right": "both"}
_OF_ORDERS: Mapping[str, str] = {"same": "same", "kappa": "kappa", "shown first": "shown_first"}
_ORDER_NAMES: Mapping[str, str] = {
    "first": "accuracy_first",
    "second": "accuracy_second",
    "mean": "accuracy_mean",
    "both": "accuracy_both",
    "same": "positional_agreement",
    "kappa": "positional_kappa",
    "shown_first": "shown_first",
}


def orders_grids(found: Sequence[OrderFigures]) -> tuple[Grid, ...]:
    """A table for each thing that is chosen in both orders, a judge a row."""
    return tuple(
        _orders(aspect, [one for one in found if one.aspect == aspect])
        for aspect in dict.fromkeys(one.aspect for one in found)
    )


def _orders(aspect: str, found: Sequence[OrderFigures]) -> Grid:
    columns = {**(_OF_PEOPLE if any(one.people for one in found) else {}), **_OF_ORDERS}
    rows = [
        [one.judge, *(number_of(getattr(one, name)) for name in columns.values()), one.n, one.lacking.total()]
        for one in found
    ]
    note = "1st, 2nd: accuracy in each order; same: the same choice in both; shown first: of the choices, ties aside, .5 at best"
    return Grid(f"Both orders, {aspect}", ("judge", *columns, "n", "one missing"), rows, notes=[note])


def orders_record(one: OrderFigures) -> dict[str, Any]:
    """The figures of a judge in both orders as a record, with their intervals."""
    lacking, left_out = one.lacking.total(), one.missing == LEFT_OUT
    figures = {name: getattr(one, field) for field, name in _ORDER_NAMES.items()}
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "n": one.n,
        **{
            name: {key: getattr(it, key) for key in ("value", "low", "high", "n")}
            for name, it in figures.items()
        },
        "left_out": lacking if left_out else 0,
        "imputed": 0 if left_out else lacking,
        "reasons": dict(one.lacking),
    }


def calibration_grids(found: Sequence[Calibrated]) -> tuple[Grid, ...]:
    """A table of errors, a judge and aspect a row; and one for each judge and aspect, a bin a row."""
    if not found:
        return ()
    errors = [
        [f"{one.table.judge}, {one.table.aspect}", number_of(one.bias), number_of(one.error), Number(one.table.error), one.table.n]
        for one in found
    ]  # fmt: skip
    note = "bias: the judge's score less people's; calib.: how far the two means of a bin are apart, averaged over texts"
    return (
        Grid("Errors", ("judge", "bias", "abs. error", "calib.", "n"), errors, notes=[note]),
        *map(_bins, found),
    )


def _bins(one: Calibrated) -> Grid:
    rows = [
        [
            f"{it.low:.3g} to {it.high:.3g}",
            it.n,
            Number(it.score),
            Number(it.human),
            Number(it.score - it.human),
        ]
        for it in one.table.bins
    ]
    title = f"Calibration of {one.table.judge}, {one.table.aspect}"
    return Grid(
        title, ("scores", "n", "judge", "people", "bias"), rows, nothing=f"{title}: no text has both scores"
    )


def calibration_record(one: Calibrated) -> dict[str, Any]:
    """A reliability table as a record."""
    table = one.table
    return {
        "judge": table.judge,
        "aspect": table.aspect,
        "n": table.n,
        "missing": table.missing,
        "missing_share": table.share,
        "bias": {name: getattr(one.bias, name) for name in ("value", "low", "high")},
        "mean_absolute_error": {name: getattr(one.error, name) for name in ("value", "low", "high")},
        "calibration_error": table.error,
        "bins": [asdict(each) for each in table.bins],
    }


def selective_grids(found: Sequence[Selective]) -> tuple[Grid, ...]:
    """A table for each judge and aspect, a threshold of confidence a row."""
    return tuple(map(_thresholds, found))


def _thresholds(one: Selective) -> Grid:
    step = max(1, len(one.curve) // _SHOWN)
    shown = sorted({*range(0, len(one.curve), step), len(one.curve) - 1} - {-1})
    rows = [_kept(one.curve[place]) for place in shown]
    threshold = NONE if one.threshold is None else f"{one.threshold:g}"
    title = (
        f"{one.judge}, {one.aspect}: right above a confidence; area {figure(one.area)}, threshold {threshold}"
    )
    note = (
        f"right: people's choice, or at most half a point from people's score; threshold: above it at most {percent(one.risk)} are "
        f"wrong, as sure as {percent(one.confidence)}"
    )
    return Grid(title, ("at least", "n", "coverage", "right"), rows, notes=[note])


def _kept(one: Kept) -> list[object]:
    return [f"{one.threshold:g}", one.n, percent(one.coverage), Number(one.right, one.low, one.high)]


def reliability_grids(found: Sequence[Agreement], raters: Raters) -> tuple[Grid, ...]:
    """A table of how well people agree among themselves for each statistic, an aspect a row."""
    return tuple(
        Grid(
            f"{PEOPLE[:1].upper()}{PEOPLE[1:]} ({raters.kind}s): {statistic_name(statistic)}",
            ("aspect", "value", "n"),
            [[one.aspect, number_of(one), one.n] for one in found if one.statistic == statistic],
        )
        for statistic in dict.fromkeys(one.statistic for one in found)
    )
