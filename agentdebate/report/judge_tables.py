"""Tables that `agree` gives below agreement: differences, both orders, calibration, confidences, people among themselves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.calibration import Calibration
from agentdebate.meta.comparison import Comparison, holm
from agentdebate.meta.judgements import Raters
from agentdebate.meta.prose import counted
from agentdebate.meta.reliability import AMONG
from agentdebate.meta.selective import Selective
from agentdebate.meta.talk import grouped
from agentdebate.meta.two_orders import OrderFigures
from agentdebate.report.figures import NONE, figure, percent, statistic_name
from agentdebate.report.grid import Columns, Grid, Number

LEVELS: Mapping[str, str] = {"pooled": "pooled", "group": "mean over sources", "system": "system level"}
"""Levels as a table's head names them."""
COLUMNS = (
    "judge", "aspect", "statistic", "level", "value", "low", "high", "n", "groups", "left_out", "missing",
)  # fmt: skip
"""Fields of every record of agreement: `left_out` counts groups that have no value and no part in the mean."""
_LEAST = 0.001
"""The p below which no digits are shown."""
_SHOWN = 10
"""Thresholds that a table shows, about equally far apart in coverage; a record has all."""


Record = dict[str, Any]
"""A line of a table as JSON has it."""


def agreement_record(one: Agreement) -> Record:
    """One figure of agreement as a record, with all reasons for which something was left out."""
    plain = {name: getattr(one, name) for name in COLUMNS}
    more = {name: value for name in ("epsilon", "imputed") if (value := getattr(one, name))}
    return {**plain, "left_out": one.groups_left_out, "reasons": dict(one.left_out), **more}


def number_of(one: Agreement, count: str = "") -> Number:
    """A figure of agreement as a cell."""
    return Number(one.value, one.low, one.high, count)


def interval_record(one: Agreement) -> Record:
    """A figure with its interval and its n as a record."""
    return {name: getattr(one, name) for name in ("value", "low", "high", "n")}


def _number(name: str) -> Callable[[Record], Number]:
    """The cell of a figure that a record has under a name."""
    return lambda record: Number(*(record[name][end] for end in ("value", "low", "high")))


def corrected(comparisons: Sequence[Comparison]) -> tuple[Record, ...]:
    """Comparisons as records, with p-values that are corrected over the aspects of the same judges, statistic and level (Holm)."""
    records = [asdict(one) for one in comparisons]
    for some in grouped(records, _kind).values():
        for name, holms in (("p", "p_holm"), ("williams", "williams_holm")):
            p = holm({one["aspect"]: one[name] for one in some if one[name] is not None})
            for one in some:
                one[holms] = p.get(one["aspect"])
    return tuple(records)


def _kind(one: Record) -> tuple[Any, ...]:
    """Return the key that the comparisons of one table share."""
    return tuple(one[name] for name in ("first", "second", "statistic", "level"))


_DIFFERENCES: Columns = {
    "aspect": "aspect",
    "diff.": lambda one: Number(one["difference"], one["low"], one["high"]),
    "p": lambda one: _p(one["p"]),
    "p Holm": lambda one: _p(one["p_holm"]),
    "Williams": lambda one: _p(one["williams_holm"]),
    "n": "n",
}


def comparison_grids(comparisons: Sequence[Record]) -> tuple[Grid, ...]:
    """A table for each two judges, statistic and level, an aspect a row."""
    return tuple(map(_differences, grouped(comparisons, _kind).values()))


def _differences(found: Sequence[Record]) -> Grid:
    first, second, statistic, level = _kind(found[0])
    columns = dict(_DIFFERENCES)
    if all(one["williams_holm"] is None for one in found):
        del columns["Williams"]
    title = f"{first} less {second}: {statistic_name(statistic)}, {LEVELS.get(level, level)}"
    return Grid.of(title, found, columns, notes=[_tested(found)])


def _tested(found: Sequence[Record]) -> str:
    """Say what the figures of a difference are."""
    drawn = max(found, key=lambda one: int(one["resamples"]))
    of = f"{drawn['resamples']:,} resamples of {counted(drawn['sources'], 'source')}"
    intervals = f"intervals: bootstrap, {of}" if drawn["resamples"] else "no intervals"
    test = "a permutation test by source" if any(one["permutations"] for one in found) else "no test"
    return f"n: texts that both judged; {intervals}; p: two-sided, {test}; p Holm: over the aspects."


def _p(value: float | None) -> str:
    return NONE if value is None else f"<{figure(_LEAST)}" if value < _LEAST else figure(value)


_OF_PEOPLE: Mapping[str, tuple[str, str]] = {
    "1st": ("first", "accuracy_first"),
    "2nd": ("second", "accuracy_second"),
    "mean": ("mean", "accuracy_mean"),
    "both right": ("both", "accuracy_both"),
}
_OF_ORDERS: Mapping[str, tuple[str, str]] = {
    "same": ("same", "positional_agreement"),
    "kappa": ("kappa", "positional_kappa"),
    "shown first": ("shown_first", "shown_first"),
}
"""The figures of both orders: a column's title, the field, and the name in a record."""
_ORDERS_NOTE = "1st, 2nd: accuracy in each order; same: the same choice in both; shown first: of the choices, ties aside, .5 at best."


def orders_grids(found: Sequence[OrderFigures]) -> tuple[Grid, ...]:
    """A table for each thing that is chosen in both orders, a judge a row."""
    tables = grouped(found, lambda one: one.aspect).items()
    return tuple(_orders(f"Both orders, {aspect}", some) for aspect, some in tables)


def _orders(title: str, found: Sequence[OrderFigures]) -> Grid:
    figures = {**_OF_PEOPLE, **_OF_ORDERS}
    columns: Columns = {
        "judge": "judge",
        **{name: _number(key) for name, (_, key) in figures.items()},
        "n": "n",
        "one missing": "left_out",
    }
    return Grid.of(title, map(orders_record, found), columns, notes=[_ORDERS_NOTE])


def orders_record(one: OrderFigures) -> Record:
    """The figures of a judge in both orders as a record, with their intervals."""
    figures = (*_OF_PEOPLE.values(), *_OF_ORDERS.values())
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "n": one.n,
        **{key: interval_record(getattr(one, name)) for name, key in figures},
        "left_out": one.lacking.total(),
        "imputed": 0,
        "reasons": dict(one.lacking),
    }


_ERRORS: Columns = {
    "judge": lambda record: f"{record['judge']}, {record['aspect']}",
    "calib.": lambda record: Number(record["calibration_error"]),
    "n": "n",
}
_ERRORS_NOTE = "calib.: how far the two means of a bin are apart, averaged over texts."
_BINS: Columns = {
    "scores": lambda one: f"{one.low:.3g} to {one.high:.3g}",
    "n": "n",
    "judge": lambda one: Number(one.score),
    "people": lambda one: Number(one.human),
    "bias": lambda one: Number(one.score - one.human),
}


def calibration_grids(found: Sequence[Calibration]) -> tuple[Grid, ...]:
    """A table of errors, a judge and aspect a row; and one for each judge and aspect, a bin a row."""
    if not found:
        return ()
    errors = Grid.of("Calibration", map(calibration_record, found), _ERRORS, notes=[_ERRORS_NOTE])
    bins = [
        Grid.of(f"Calibration of {one.judge}, {one.aspect}", one.bins, _BINS) for one in found if one.bins
    ]
    return errors, *bins


def calibration_record(one: Calibration) -> Record:
    """A reliability table as a record."""
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "n": one.n,
        "missing": one.missing,
        "calibration_error": one.error,
        "bins": [asdict(each) for each in one.bins],
    }


_THRESHOLDS: Columns = {
    "at least": lambda one: f"{one.threshold:g}",
    "n": "n",
    "coverage": lambda one: percent(one.coverage),
    "right": lambda one: Number(one.right, one.low, one.high),
}


def selective_grids(found: Sequence[Selective]) -> tuple[Grid, ...]:
    """A table for each judge and aspect, a threshold of confidence a row."""
    return tuple(map(_thresholds, found))


def _thresholds(one: Selective) -> Grid:
    threshold = NONE if one.threshold is None else f"{one.threshold:g}"
    note = (
        f"area {figure(one.area)}; above {threshold} at most {percent(one.risk)} are wrong, as sure as {percent(one.confidence)}; right: "
        "with its Clopper-Pearson interval."
    )
    every = max(1, len(one.curve) // _SHOWN)
    title = f"{one.judge}, {one.aspect}: right above a confidence"
    return Grid.of(title, one.curve[::-1][::every], _THRESHOLDS, notes=[note])


def reliability_grids(found: Sequence[Agreement], raters: Raters) -> tuple[Grid, ...]:
    """A table of how well people agree among themselves for each statistic, an aspect a row."""
    return tuple(
        Grid.of(
            f"{AMONG.capitalize()} ({raters.kind}s): {statistic_name(statistic)}",
            some,
            {"aspect": "aspect", "value": number_of, "n": "n"},
        )
        for statistic, some in grouped(found, lambda one: one.statistic).items()
    )
