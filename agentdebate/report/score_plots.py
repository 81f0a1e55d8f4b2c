"""Pictures of scores: the judge's against people's, and how both are distributed. A panel an aspect and judge."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from statistics import StatisticsError, fmean, linear_regression, pstdev
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.judgements import Judgements
from agentdebate.report.figures import figure as printed
from agentdebate.report.figures import interval
from agentdebate.report.plot import BLUE, GREY, ORANGE, VERMILION, Plot, entitle, panels, size
from agentdebate.report.question import Question
from agentdebate.visible import shortened

COLUMNS = 4
_NAME = 34
"""Letters of a judge's name beside an axis."""
_JITTER = 0.02
"""How far a point is moved at the most, as a share of the axis."""
_CROWD = 5000
"""More points than this are pixels within an SVG, which would be as long as a book."""
_BINS = 10
"""Bins of scores that are not whole numbers on a short scale."""
_LONGEST = 20
"""The longest scale, in whole steps, that has a bin a step."""

Line = tuple[float, float]
Scales = Mapping[str, tuple[float, float]]


def people_plot(entries: Sequence[Judgements], question: Question, title: str) -> Plot:
    """Every text a point, moved a little so that none hides another, and the line through them. Raises UserError."""
    if not entries:
        raise UsageError("there is nothing to plot: no score of people's is known")
    found = [question.ask(entry) for entry in entries]
    lines = [_regression(_pairs(entry)) for entry in entries]
    caption = (
        f"Each point is a text: people's score across, the judge's up, moved by up to {_JITTER:.0%} of the axis. The line is the "
        f"least-squares regression of the judge's scores; dotted is where both are equal. Above each panel: {question.told(found)}"
    )
    head = ("judge", "aspect", "statistic", "value", "low", "high", "n", "missing", "slope", "intercept")
    rows = [
        (*(getattr(one, name) for name in head[:-2]), *(line or (None, None)))
        for one, line in zip(found, lines, strict=True)
    ]
    return Plot(
        title,
        caption,
        head,
        rows,
        size(len(entries), COLUMNS),
        lambda figure: _scatters(figure, entries, found, lines),
    )


def scores_plot(entries: Sequence[Judgements], title: str, scales: Scales) -> Plot:
    """The share of scores in each bin, the judge's beside people's. `scales` are the ends of the aspects' scales, as far as known."""
    if not entries:
        raise UsageError("there is nothing to plot: the run has no scores")
    bins = [_edges(entry, scales.get(entry.aspect)) for entry in entries]
    caption = (
        "The share of scores in each bin; a whole score is the middle of its bin. Above each panel: mean (population standard "
        "deviation), n."
    )
    head = ("judge", "aspect", "from", "to", "judge's share", "judge's n", "people's share", "people's n")
    rows = [line for entry, edges in zip(entries, bins, strict=True) for line in _bin_rows(entry, edges)]
    return Plot(
        title,
        caption,
        head,
        rows,
        size(len(entries), COLUMNS),
        lambda figure: _histograms(figure, entries, bins),
    )


def _scatters(
    figure: Any, entries: Sequence[Judgements], found: Sequence[Agreement], lines: Sequence[Line | None]
) -> None:
    places = panels(figure, len(entries), COLUMNS)
    for axes, entry, one, line in zip(places, entries, found, lines, strict=True):
        pairs = _pairs(entry)
        wide, up = (_ends([pair[side] for pair in pairs]) for side in (0, 1))
        axes.plot(wide, wide, ":", color=GREY, linewidth=1)
        _points(axes, pairs, wide, up)
        if line:
            axes.plot(wide, [line[0] * x + line[1] for x in wide], color=VERMILION, linewidth=2)
        axes.set(xlim=wide, ylim=up, xlabel="people", ylabel=shortened(entry.judge, _NAME))
        entitle(axes, entry.aspect, f"{printed(one.value)} {interval(one.low, one.high)} n = {one.n}")


def _points(axes: Any, pairs: Sequence[Line], wide: Line, up: Line) -> None:
    if not pairs:
        return
    chance = Random(0)  # noqa: S311 - the same picture every time
    reach = (wide[1] - wide[0]) * _JITTER, (up[1] - up[0]) * _JITTER
    moved = [(x + chance.uniform(-1, 1) * reach[0], y + chance.uniform(-1, 1) * reach[1]) for x, y in pairs]
    faint = max(0.25, min(0.7, 60 / len(pairs)))
    crowd = len(pairs) > _CROWD
    axes.scatter(*zip(*moved, strict=True), s=14, color=BLUE, alpha=faint, linewidths=0, rasterized=crowd)


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


def _histograms(figure: Any, entries: Sequence[Judgements], bins: Sequence[Sequence[float]]) -> None:
    for axes, entry, edges in zip(panels(figure, len(entries), COLUMNS), entries, bins, strict=True):
        sides = [("judge", BLUE, _own(entry)), ("people", ORANGE, _people(entry))]
        sides = [side for side in sides if side[2]]
        width = 0.84 * (edges[1] - edges[0]) / max(len(sides), 1)
        middles = [(low + high) / 2 for low, high in pairwise(edges)]
        for number, (name, colour, values) in enumerate(sides):
            shift = (number - (len(sides) - 1) / 2) * width
            axes.bar(
                [one + shift for one in middles], _shares(values, edges), width, color=colour, label=name
            )
        axes.set(xlabel=shortened(entry.judge, _NAME), ylabel="share", xlim=(edges[0], edges[-1]))
        axes.set_xticks(middles if len(middles) <= _BINS else edges[::2])
        axes.grid(visible=False, axis="x")
        entitle(
            axes,
            entry.aspect,
            *(f"{name} {fmean(v):.2f} ({pstdev(v):.2f}), n = {len(v)}" for name, _, v in sides),
        )
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=2)


def _bin_rows(entry: Judgements, edges: Sequence[float]) -> Iterator[tuple[Any, ...]]:
    own, people = _own(entry), _people(entry)
    for (low, high), mine, theirs in zip(
        pairwise(edges), _shares(own, edges), _shares(people, edges), strict=True
    ):
        yield entry.judge, entry.aspect, low, high, mine, len(own), theirs if people else None, len(people)


def _shares(values: Sequence[float], edges: Sequence[float]) -> list[float]:
    """The share of the values within each pair of neighbouring edges, the upper edge not included but for the last."""
    counts = [0] * (len(edges) - 1)
    for value in values:
        counts[next((place for place, edge in enumerate(edges[1:]) if value < edge), len(counts) - 1)] += 1
    return [count / max(len(values), 1) for count in counts]


def _edges(entry: Judgements, scale: tuple[float, float] | None) -> list[float]:
    own = _own(entry)
    ends = [*own, *_people(entry), *(scale or ())]
    low, high = min(ends, default=0.0), max(ends, default=1.0)
    if all(float(value).is_integer() for value in (low, high, *own)) and high - low <= _LONGEST:
        return [low - 0.5 + step for step in range(int(high - low) + 2)]
    return [low + ((high - low) or 1.0) * step / _BINS for step in range(_BINS + 1)]


def _own(entry: Judgements) -> list[float]:
    return [float(row.score) for row in entry.rows if row.score is not None]


def _people(entry: Judgements) -> list[float]:
    return [float(row.human) for row in entry.rows if row.human is not None]
