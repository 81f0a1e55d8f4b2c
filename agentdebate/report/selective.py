"""Selective figures of judges with confidences, as tables and records."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from agentdebate.meta.selective import Selective
from agentdebate.report.figures import NONE, figure, interval, percent
from agentdebate.report.grid import Grid

_SHOWN = 10
"""Thresholds that a table shows, about equally far apart in coverage; a record has all."""


def selective_grids(found: Sequence[Selective]) -> tuple[Grid, ...]:
    """A table for each judge and aspect, a threshold a row."""
    return tuple(map(_grid, found))


def selective_record(one: Selective) -> Mapping[str, Any]:
    """The figures as a record, with the whole curve."""
    return asdict(one)


def selective_caption(found: Sequence[Selective]) -> list[str]:
    """What the tables say."""
    if not found:
        return []
    first = found[0]
    above = (
        "Above a confidence: how many judgements are at least so sure, and the share of these that are right (choices: people's; "
        "scores: at most half a point from people's), with its Clopper-Pearson interval."
    )
    threshold = (
        "The threshold is the lowest confidence above which, by fixed-sequence testing, the share of wrong ones is no higher than "
        f"{percent(first.risk)}, as sure as {percent(first.confidence)}."
    )
    return [above, "The area is that under the risk-coverage curve, 0 at best.", threshold]


def _grid(one: Selective) -> Grid:
    step = max(1, len(one.curve) // _SHOWN)
    shown = sorted({*range(0, len(one.curve), step), len(one.curve) - 1} - {-1})
    rows = tuple(
        (
            f"{kept.threshold:g}",
            str(kept.n),
            percent(kept.coverage),
            figure(kept.right),
            interval(kept.low, kept.high),
        )
        for kept in (one.curve[place] for place in shown)
    )
    threshold = NONE if one.threshold is None else f"{one.threshold:g}"
    title = (
        f"{one.judge}, {one.aspect}: right above a confidence; area {figure(one.area)}, threshold {threshold}"
    )
    return Grid(title, ("at least", "n", "coverage", "right", "interval"), rows)
