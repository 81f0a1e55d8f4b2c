"""Tables that `agree` gives below agreement: differences, both orders, calibration, confidences, people among themselves."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from agentdebate.meta.agreement import Agreement, agreement_rows
from agentdebate.meta.calibration import Calibration
from agentdebate.meta.comparison import Comparison, holm
from agentdebate.meta.reliability import AMONG
from agentdebate.meta.selective import Selective
from agentdebate.meta.talk import grouped
from agentdebate.meta.two_orders import OrderFigures
from agentdebate.report.grid import (
    LEVELS,
    Columns,
    Grid,
    Number,
    figure,
    p_value,
    percent,
    shown,
    statistic_name,
)

_SHOWN = 10
"""Thresholds that a table shows, about equally far apart in coverage; a record has all."""


Record = dict[str, Any]
"""A line of a table as JSON has it."""


def agreement_record(one: Agreement) -> Record:
    """One figure of agreement as a record, with all reasons for which something was left out."""
    (row,) = agreement_rows([one]).rows()
    return {**row, "reasons": dict(one.left_out)}


def number_of(one: Agreement, count: str = "") -> Number:
    """A figure of agreement as a cell."""
    return Number(one.value, one.low, one.high, count)


def interval_record(one: Agreement) -> Record:
    """A figure with its interval and its n as a record."""
    return {name: getattr(one, name) for name in ("value", "low", "high", "n")}


def _number(name: str) -> Callable[[OrderFigures], Number]:
    """The cell of a figure by its name."""
    return lambda one: number_of(one.figures[name])


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
    "diff.": shown(Number, "difference", "low", "high"),
    "p": shown(p_value, "p"),
    "p Holm": shown(p_value, "p_holm"),
    "Williams": shown(p_value, "williams_holm"),
    "n": "n",
}


def comparison_grids(comparisons: Sequence[Record]) -> Iterator[Grid]:
    """A table for each two judges, statistic and level, an aspect a row."""
    for (first, second, statistic, level), found in grouped(comparisons, _kind).items():
        title = f"{first} less {second}: {statistic_name(statistic)}, {LEVELS[level]}"
        drawn = max(one["resamples"] for one in found)
        test = "a permutation test by source" if any(one["p"] is not None for one in found) else "no test"
        how = f"intervals: bootstrap, {drawn:,} resamples" if drawn else "no intervals"
        notes = [
            f"n: texts that both judged; {how}; p: two-sided, {test}; p Holm, Williams: corrected over the aspects."
        ]
        if any(one["williams_holm"] is not None for one in found):
            notes += ["Williams takes texts to be independent: where they share a source it errs .15 at .05."]
        yield Grid.of(title, found, _DIFFERENCES, notes=notes)


_ORDERS: Columns = {
    "judge": "judge",
    "1st": _number("accuracy_first"),
    "2nd": _number("accuracy_second"),
    "mean": _number("accuracy_mean"),
    "both right": _number("accuracy_both"),
    "same": _number("positional_agreement"),
    "kappa": _number("positional_kappa"),
    "shown first": _number("shown_first"),
    "n": "n",
    "one missing": lambda one: one.lacking.total(),
}
_ORDERS_NOTE = "1st, 2nd: accuracy in each order; same: the same choice in both; shown first: of the choices, ties aside, .5 at best."


def orders_grids(found: Sequence[OrderFigures]) -> Iterator[Grid]:
    """A table for each thing that is chosen in both orders, a judge a row."""
    for aspect, some in grouped(found, lambda one: one.aspect).items():
        yield Grid.of(f"Both orders, {aspect}", some, _ORDERS, notes=[_ORDERS_NOTE])


def orders_record(one: OrderFigures) -> Record:
    """The figures of a judge in both orders as a record, with their intervals."""
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "n": one.n,
        **{name: interval_record(each) for name, each in one.figures.items()},
        "left_out": one.lacking.total(),
        "imputed": 0,
        "reasons": dict(one.lacking),
    }


_ERRORS: Columns = {
    "judge": lambda one: f"{one.judge}, {one.aspect}",
    "calib.": shown(Number, "error"),
    "n": "n",
}
_ERRORS_NOTE = "calib.: how far the two means of a bin are apart, averaged over texts."
_BINS: Columns = {
    "scores": lambda one: f"{one.low:.3g} to {one.high:.3g}",
    "n": "n",
    "judge": shown(Number, "score"),
    "people": shown(Number, "human"),
    "bias": lambda one: Number(one.score - one.human),
}


def calibration_grids(found: Sequence[Calibration]) -> tuple[Grid, ...]:
    """A table of errors, a judge and aspect a row; and one for each judge and aspect, a bin a row."""
    if not found:
        return ()
    bins = [
        Grid.of(f"Calibration of {one.judge}, {one.aspect}", one.bins, _BINS) for one in found if one.bins
    ]
    return Grid.of("Calibration", found, _ERRORS, notes=[_ERRORS_NOTE]), *bins


def calibration_record(one: Calibration) -> Record:
    """A reliability table as a record."""
    record = asdict(one)
    return {"calibration_error": record.pop("error"), **record}


_THRESHOLDS: Columns = {
    "at least": lambda one: f"{one.threshold:g}",
    "n": "n",
    "coverage": shown(percent, "coverage"),
    "right": shown(Number, "right", "low", "high"),
}


def selective_grid(one: Selective) -> Grid:
    """A judge on an aspect, a threshold of confidence a row."""
    sure = (
        f"from {one.threshold:g} on at most {percent(one.risk)} are wrong"
        if one.threshold is not None
        else f"no threshold can be shown to have at most {percent(one.risk)} wrong"
    )
    lacking = f"; without a confidence: {one.lacking}" if one.lacking else ""
    note = (
        f"area {figure(one.area)}; {sure}, as sure as {percent(one.confidence)}; right: "
        f"with its Clopper-Pearson interval{lacking}."
    )
    every = max(1, len(one.curve) // _SHOWN)
    return Grid.of(
        f"{one.judge}, {one.aspect}: right above a confidence",
        one.curve[::-1][::every],
        _THRESHOLDS,
        notes=[note],
    )


def reliability_grids(found: Sequence[Agreement], people: str) -> Iterator[Grid]:
    """A table of how well people agree among themselves for each statistic, an aspect a row."""
    columns: Columns = {"aspect": "aspect", "value": number_of, "n": "n"}
    for statistic, some in grouped(found, lambda one: one.statistic).items():
        yield Grid.of(f"{AMONG.capitalize()} ({people}s): {statistic_name(statistic)}", some, columns)
