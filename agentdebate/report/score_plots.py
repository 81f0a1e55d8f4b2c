"""Pictures of scores: the judge's against people's, and how both are distributed. A panel an aspect and judge."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from random import Random
from statistics import StatisticsError, fmean, linear_regression, pstdev
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.arrays import np
from agentdebate.meta.judgements import Judgements
from agentdebate.report.figures import figure, interval
from agentdebate.report.plot import COLOURS, Plot, named
from agentdebate.report.question import Question

_JITTER = 0.02
"""How far a point is moved at the most, as a share of the axis."""
_BINS = 10
"""Bins of scores that are not whole numbers on a short scale."""
_LONGEST = 20
"""The longest scale, in whole steps, that has a bin a step."""
_FIGURES = ("judge", "aspect", "statistic", "value", "low", "high", "n", "missing")

Line = tuple[float, float]
"""Two numbers: a point, the ends of an axis, or slope and intercept."""


def people_plot(entries: Sequence[Judgements], question: Question, title: str) -> Plot:
    """Every text a point, moved a little so that none hides another, and the line through them. Raises UserError."""
    if not entries:
        raise UsageError("there is nothing to plot: no score of people's is known")
    found = [(entry, question.ask(entry), _regression(_pairs(entry))) for entry in entries]
    rows = [
        {name: getattr(one, name) for name in _FIGURES}
        | dict(zip(("slope", "intercept"), line or (None, None), strict=True))
        for _, one, line in found
    ]
    caption = (
        f"Each point is a text: people's score across, the judge's up, moved by up to {_JITTER:.0%} of the axis. The line is the "
        f"least-squares regression. Above each panel: {question.told([one for _, one, _ in found])}"
    )
    return Plot(title, caption, rows, [partial(_scatter, *one) for one in found])


def _scatter(entry: Judgements, one: Agreement, line: Line | None, axes: Any) -> None:
    pairs = _pairs(entry)
    wide, high = (_ends([pair[side] for pair in pairs]) for side in (0, 1))
    chance = Random(0)  # noqa: S311 - the same picture every time
    across, up = ((end - begin) * _JITTER for begin, end in (wide, high))
    moved = [(x + chance.uniform(-across, across), y + chance.uniform(-up, up)) for x, y in pairs]
    axes.scatter([x for x, _ in moved], [y for _, y in moved], s=14, color=COLOURS[0], alpha=0.4)
    if line:
        axes.plot(wide, [line[0] * x + line[1] for x in wide], color=COLOURS[1], label="regression")
    axes.set(xlim=wide, ylim=high, xlabel="people", ylabel=named(entry.judge))
    axes.set_title(f"{named(entry.aspect)}\n{figure(one.value)} {interval(one.low, one.high)} n = {one.n}")


def _pairs(entry: Judgements) -> list[Line]:
    return [(row.human, row.score) for row in entry.rows if row.human is not None and row.score is not None]


def _regression(pairs: Sequence[Line]) -> Line | None:
    """Slope and intercept; None where people's scores are all the same, or there are too few."""
    try:
        found = linear_regression([x for x, _ in pairs], [y for _, y in pairs])
    except StatisticsError:
        return None
    return found.slope, found.intercept


def _ends(values: Sequence[float]) -> Line:
    low, high = min(values, default=0.0), max(values, default=1.0)
    margin = (high - low) * 0.06 or 0.5
    return low - margin, high + margin


def scores_plot(entries: Sequence[Judgements], title: str, scales: Mapping[str, Line]) -> Plot:
    """The share of scores in each bin, the judge's beside people's. `scales` are the ends of the aspects' scales, as far as known."""
    if not entries:
        raise UsageError("there is nothing to plot: the run has no scores")
    found = [(entry, _edges(entry, scales.get(entry.aspect))) for entry in entries]
    rows = [row for entry, edges in found for row in _bin_rows(entry, edges)]
    caption = (
        "The share of scores in each bin; a whole score is the middle of its bin. Above each panel: mean (population standard "
        "deviation), n."
    )
    return Plot(title, caption, rows, [partial(_histogram, *one) for one in found])


def _sides(entry: Judgements) -> dict[str, list[float]]:
    """The judge's scores, and people's."""
    return {
        "judge": [float(row.score) for row in entry.rows if row.score is not None],
        "people": [float(row.human) for row in entry.rows if row.human is not None],
    }


def _histogram(entry: Judgements, edges: Sequence[float], axes: Any) -> None:
    told = [named(entry.aspect)]
    step = edges[1] - edges[0]
    for colour, shift, (name, values) in zip(COLOURS, (-0.2, 0.2), _sides(entry).items(), strict=False):
        if values:
            middles = [low + step * (0.5 + shift) for low in edges[:-1]]
            axes.bar(middles, _shares(values, edges), 0.4 * step, color=colour, label=name)
            told.append(f"{name} {fmean(values):.2f} ({pstdev(values):.2f}), n = {len(values)}")
    axes.set(xlabel=named(entry.judge), ylabel="share")
    axes.set_title("\n".join(told))


def _bin_rows(entry: Judgements, edges: Sequence[float]) -> list[dict[str, Any]]:
    judge, people = _sides(entry).values()
    shares = zip(pairwise(edges), _shares(judge, edges), _shares(people, edges), strict=True)
    return [
        {
            "judge": entry.judge,
            "aspect": entry.aspect,
            "from": low,
            "to": high,
            "judge's share": mine,
            "judge's n": len(judge),
            "people's share": theirs if people else None,
            "people's n": len(people),
        }
        for (low, high), mine, theirs in shares
    ]


def _shares(values: Sequence[float], edges: Sequence[float]) -> list[float]:
    """The share of the values within each pair of neighbouring edges, the upper edge not included but for the last."""
    counts, _ = np.histogram(values, edges)
    return [float(count) / max(len(values), 1) for count in counts]


def _edges(entry: Judgements, scale: Line | None) -> list[float]:
    values = [value for side in _sides(entry).values() for value in (*side, *(scale or ()))]
    low, high = min(values, default=0.0), max(values, default=1.0)
    if all(value.is_integer() for value in map(float, values)) and high - low <= _LONGEST:
        return [low - 0.5 + step for step in range(int(high - low) + 2)]
    return [low + ((high - low) or 1.0) * step / _BINS for step in range(_BINS + 1)]
