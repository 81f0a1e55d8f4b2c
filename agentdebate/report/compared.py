"""Differences between judges as tables and records, with the p-values corrected for being several."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from agentdebate.meta.comparison import Comparison, holm
from agentdebate.report.figures import NONE, figure, interval, percent, statistic_name
from agentdebate.report.grid import Grid
from agentdebate.report.panel import LEVELS

_LEAST = 0.001
"""The p below which no digits are shown."""


@dataclass(frozen=True)
class Corrected:
    """A comparison, with its p-values corrected over the aspects (Holm)."""

    comparison: Comparison
    p_holm: float | None
    williams_holm: float | None


def corrected(comparisons: Sequence[Comparison]) -> tuple[Corrected, ...]:
    """The comparisons with p-values that are corrected over the aspects of the same judges, statistic and level."""
    p = _holm(comparisons, lambda one: one.p)
    williams = _holm(comparisons, lambda one: one.williams)
    return tuple(Corrected(one, p.get(at), williams.get(at)) for at, one in enumerate(comparisons))


def comparison_record(one: Corrected) -> dict[str, Any]:
    """A comparison as a record."""
    return {**asdict(one.comparison), "p_holm": one.p_holm, "williams_holm": one.williams_holm}


def comparison_grids(comparisons: Sequence[Corrected]) -> tuple[Grid, ...]:
    """A table for each two judges, statistic and level, an aspect a row."""
    return tuple(
        _grid([one for one in comparisons if _kind(one.comparison) == kind]) for kind in _kinds(comparisons)
    )


def _kinds(comparisons: Sequence[Corrected]) -> list[tuple[str, ...]]:
    return list(dict.fromkeys(_kind(one.comparison) for one in comparisons))


def _kind(one: Comparison) -> tuple[str, ...]:
    return one.first, one.second, one.statistic, one.level


def _grid(comparisons: Sequence[Corrected]) -> Grid:
    first = comparisons[0].comparison
    with_williams = any(one.comparison.williams is not None for one in comparisons)
    with_missing = any(any(one.comparison.missing) for one in comparisons)
    head = ["aspect", "diff.", "interval", "p", "p Holm", *(["Williams"] if with_williams else [])]
    title = f"{first.first} less {first.second}: {statistic_name(first.statistic)}, {LEVELS.get(first.level, first.level)}"
    rows = [
        [
            one.comparison.aspect,
            figure(one.comparison.difference),
            interval(one.comparison.low, one.comparison.high) or NONE,
            _p(one.comparison.p),
            _p(one.p_holm),
            *([_p(one.williams_holm)] if with_williams else []),
            str(one.comparison.n),
            *([_missing(one.comparison)] if with_missing else []),
        ]
        for one in comparisons
    ]
    ends = ("n", "missing") if with_missing else ("n",)
    return Grid(title, (*head, *ends), tuple(map(tuple, rows)))


def _missing(one: Comparison) -> str:
    """The shares of texts that the first judge did not judge, and the second."""
    return " / ".join(percent(count / one.texts) if one.texts else NONE for count in one.missing)


def _p(value: float | None) -> str:
    return NONE if value is None else f"<{figure(_LEAST)}" if value < _LEAST else figure(value)


def _holm(comparisons: Sequence[Comparison], of: Callable[[Comparison], float | None]) -> dict[int, float]:
    """The corrected p-values by the place of the comparison."""
    found: dict[int, float] = {}
    for kind in dict.fromkeys(map(_kind, comparisons)):
        family = {
            str(at): p
            for at, one in enumerate(comparisons)
            if _kind(one) == kind and (p := of(one)) is not None
        }
        found.update({int(name): p for name, p in holm(family).items()})
    return found
