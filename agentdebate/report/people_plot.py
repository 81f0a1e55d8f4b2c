"""People's scores against the judge's: every text a point, moved a little so that none hides another, and the line through them."""

from collections.abc import Sequence
from random import Random
from statistics import StatisticsError, linear_regression
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.prose import counted
from agentdebate.report.panels import across, named, panels, size
from agentdebate.report.plot import BLUE, GREY, VERMILION, Plot
from agentdebate.report.question import Question, shown

_JITTER = 0.02
"""How far a point is moved at the most, as a share of the axis."""
_WHOLE = 2
"""An axis that is as long as this has ticks at whole numbers only."""
_CROWD = 5000
"""More points than this are pixels within an SVG, which would be as long as a book."""


def people_plot(
    entries: Sequence[Judgements], question: Question, title: str, note: str | None = None
) -> Plot:
    """A panel an aspect and a judge. Raises UserError."""
    if not entries:
        raise UsageError("there is nothing to plot: no score of people's is known")
    found = [question.ask(entry) for entry in entries]
    lines = [_line(_pairs(entry)) for entry in entries]
    caption = (
        f"Each point is a text: people's score across, the judge's up, moved by up to {_JITTER:.0%} of the axis so that none "
        "hides another. The line is the least-squares regression of the judge's scores on people's; dotted, on "
        f"axes that are alike, is where both are equal. Above each panel: {question.told(entries[0], found)}.{_missing(found, question)}{_of(note)}"
    )
    head = ("judge", "aspect", "statistic", "value", "low", "high", "n", "missing", "slope", "intercept")
    rows = tuple(
        (
            one.judge,
            one.aspect,
            one.statistic,
            one.value,
            one.low,
            one.high,
            one.n,
            one.missing,
            *(line or (None, None)),
        )
        for one, line in zip(found, lines, strict=True)
    )
    return Plot(
        title,
        caption,
        head,
        rows,
        size(len(entries), columns=across(entry.judge for entry in entries)),
        lambda figure: _draw(figure, entries, found, lines),
    )


def _draw(
    figure: Any,
    entries: Sequence[Judgements],
    found: Sequence[Agreement],
    lines: Sequence[tuple[float, float] | None],
) -> None:
    several = len({entry.judge for entry in entries}) > 1
    for axes, entry, one, line in zip(
        panels(figure, len(entries), columns=across(entry.judge for entry in entries)),
        entries,
        found,
        lines,
        strict=True,
    ):
        pairs = _pairs(entry)
        wide, up = _ends([x for x, _ in pairs]), _ends([y for _, y in pairs])
        if _alike(wide, up):
            wide = up = min(wide[0], up[0]), max(wide[1], up[1])
            axes.plot(wide, up, ":", color=GREY, linewidth=1)
        _points(axes, pairs, wide, up)
        if line:
            axes.plot(wide, [line[0] * x + line[1] for x in wide], color=VERMILION, linewidth=2)
        axes.set(xlim=wide, ylim=up, xlabel="people", ylabel="judge")
        for axis, (low, high) in ((axes.xaxis, wide), (axes.yaxis, up)):
            axis.get_major_locator().set_params(integer=high - low >= _WHOLE, nbins=6)
        named(axes, entry.aspect, *([entry.judge] if several else []), shown(one))


def _alike(wide: tuple[float, float], up: tuple[float, float]) -> bool:
    """Whether two ranges are so much the same that they are drawn alike: they share half of the longer one."""
    shared = min(wide[1], up[1]) - max(wide[0], up[0])
    return shared >= max(wide[1] - wide[0], up[1] - up[0]) / 2


def _points(
    axes: Any, pairs: Sequence[tuple[float, float]], wide: tuple[float, float], up: tuple[float, float]
) -> None:
    if not pairs:
        return
    chance = Random(0)  # noqa: S311 - the same picture every time
    reach = (wide[1] - wide[0]) * _JITTER, (up[1] - up[0]) * _JITTER
    moved = [(x + chance.uniform(-1, 1) * reach[0], y + chance.uniform(-1, 1) * reach[1]) for x, y in pairs]
    faint = max(0.25, min(0.7, 60 / max(len(pairs), 1)))
    crowd = len(pairs) > _CROWD
    axes.scatter(*zip(*moved, strict=True), s=14, color=BLUE, alpha=faint, linewidths=0, rasterized=crowd)


def _pairs(entry: Judgements) -> list[tuple[float, float]]:
    return [(row.human, row.score) for row in entry.rows if row.human is not None and row.score is not None]


def _line(pairs: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """Slope and intercept; None where people's scores are all the same, or there are too few."""
    try:
        found = linear_regression([x for x, _ in pairs], [y for _, y in pairs])
    except StatisticsError:
        return None
    return found.slope, found.intercept


def _ends(values: Sequence[float]) -> tuple[float, float]:
    if not values:
        return 0.0, 1.0
    low, high = min(values), max(values)
    margin = (high - low) * 0.06 or 0.5
    return low - margin, high + margin


def _missing(found: Sequence[Agreement], question: Question) -> str:
    """How many texts have no point, and what the figures make of them."""
    without = sum(one.missing + one.imputed for one in found)
    pairs = (
        f" {counted(without, 'pair')} without one of the two scores {_have(without)} no point."
        if without
        else ""
    )
    return f"{pairs}{question.of_missing(found, choices=False)}"


def _have(count: int) -> str:
    return "has" if count == 1 else "have"


def _of(note: str | None) -> str:
    return f" {note}" if note else ""
