"""Agreement against what was varied: rounds, personas, agents, strategies (DEBATE, Figure 2; ChatEval, Figure 3; DRPE,
Figure 7).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.report.asked_cells import (
    Asked,
    aspects_of,
    found_in,
    mean_told,
    missing_told,
    n_told,
    with_people,
)
from agentdebate.report.figures import prose_name
from agentdebate.report.panels import in_legend, named, panels, size
from agentdebate.report.plot import COLOURS, MARKERS, Plot
from agentdebate.report.question import Question
from agentdebate.studies.cells import Cell, Kind
from agentdebate.visible import shortened

TITLES: Mapping[str, str] = {
    "rounds": "rounds",
    "persona": "persona",
    "agents": "agents with a ballot",
    "strategy": "strategy",
    "model": "model",
}
"""What can be varied, and what its axis is called."""

Line = str | tuple[int, tuple[int, ...]]
"""How a line is drawn: a sign, or the lengths of its strokes and gaps."""

KINDS: Mapping[Kind, tuple[str, Line]] = {
    "run": ("debate", "-"),
    "same calls": ("single judge, as many calls", "--"),
    "openings": ("vote of the openings, no talk", ":"),
    "corrw": ("CorrW of the evaluators, no judge", "-."),
    "same tokens": ("single judge, as many tokens", (0, (5, 1, 1, 1, 1, 1))),
}
"""What each kind of cell is called, and how its line is drawn."""

_LONGEST = 40
"""Characters of a name below the axis, and of each that the legend has for a line, before they are cut."""
_LONG = 9
"""Names longer than this are written aslant."""
_MANY = 5
"""More values than this need a wider panel."""
_ROW = 0.22
"""Inches of a line of the legend."""
_LETTERS = 12.5
"""Letters of the legend that fit an inch."""
_SIGN = 9
"""Letters that a line's sign and the gap beside it take."""

Series = tuple[str, Kind]


def lines_plot(
    cells: Sequence[Cell],
    by: str,
    question: Question,
    title: str,
    *,
    apart: Sequence[str] = (),
    note: str | None = None,
) -> Plot:
    """A panel an aspect, what is varied across, and agreement up. `apart` names what else tells lines apart.

    Raises UsageError where nothing varies, or no agreement can be computed.
    """
    asked = with_people(cells, question)
    without = [one.cell.label for one in asked if by not in one.cell.varied]
    if without:
        raise UsageError(f"{without[0]} has no {TITLES.get(by, by)} to plot its agreement against")
    aspects, ticks = aspects_of(asked), _ticks([one.cell.varied[by] for one in asked])
    first = next(entry for one in asked for entry in one.cell.judged)
    caption = (
        f"Agreement with people against {TITLES.get(by, by)}: {question.told(first, found_in(asked))}; {n_told(asked)}. {mean_told(aspects)}"
        f"{missing_told(asked, question)}{_kinds(asked)}{note or ''}"
    ).strip()
    head = (
        by,
        *apart,
        "kind",
        "aspect",
        "statistic",
        "value",
        "low",
        "high",
        "n",
        "missing",
        "calls a debate",
        "run",
    )
    rows = tuple(
        (
            one.cell.varied[by], *(one.cell.varied.get(name) for name in apart), one.cell.kind, it.aspect, it.statistic,
            it.value, it.low, it.high, it.n, it.missing, round(one.cell.calls_each, 2), one.cell.run,
        )
        for one in asked
        for it in one.found
    )  # fmt: skip
    drawn = [one for one in asked if any(found.value is not None for found in one.found)]
    lines = _Lines(tuple(drawn or asked), tuple(aspects), ticks, by, tuple(apart))
    across, down = size(len(aspects), columns=lines.columns, width=4.2 if lines.long else 3.3)
    below = (0.5 if lines.long else 0.0) + _ROW * lines.rows(across) + 0.2
    return Plot(title, caption, head, rows, (across, down + below), lines.draw)


@dataclass(frozen=True)
class _Lines:
    """The picture: a panel an aspect, and in it a line a series."""

    asked: Sequence[Asked]
    aspects: Sequence[str]
    ticks: Mapping[str, float]
    by: str
    apart: Sequence[str]

    @property
    def long(self) -> bool:
        """Whether what stands below the axis needs room."""
        several = len(_series(self.asked, self.apart)) > len(KINDS)
        return several or any(len(tick) > _LONG for tick in self.ticks) or len(self.ticks) > _MANY

    @property
    def columns(self) -> int:
        """How many panels stand side by side."""
        return 3 if self.long else 4

    @property
    def names(self) -> dict[Series, str]:
        """What the legend calls each series."""
        return {
            (name, kind): f"{name}: {KINDS[kind][0]}" if name else KINDS[kind][0]
            for name, kind in _series(self.asked, self.apart)
        }

    def beside(self, width: float) -> int:
        """How many names of the legend stand side by side in so many inches."""
        longest = max(map(len, self.names.values()))
        return max(1, min(len(KINDS), int(width * _LETTERS / (longest + _SIGN))))

    def rows(self, width: float) -> int:
        """How many lines the legend has."""
        return -(-len(self.names) // self.beside(width)) if len(self.names) > 1 else 0

    def draw(self, figure: Any) -> None:
        """Draw all panels, and one legend for them."""
        handles: dict[str, Any] = {}
        for axes, aspect in zip(
            panels(figure, len(self.aspects), columns=self.columns, sharey=True), self.aspects, strict=True
        ):
            handles |= self._panel(axes, aspect)
        if len(handles) > 1:
            width = figure.get_figure(root=True).get_figwidth()
            figure.legend(
                handles.values(),
                in_legend(handles),
                loc="outside lower center",
                ncols=self.beside(width),
                handlelength=3,
            )

    def _panel(self, axes: Any, aspect: str) -> dict[str, Any]:
        """Draw the series of one aspect; what the legend shows of them comes back."""
        series = _series(self.asked, self.apart)
        groups = list(dict.fromkeys(name for name, _ in series))
        shift, joined, handles = _shift(self.ticks, len(series)), _numbers(self.ticks), {}
        for place, ((name, kind), some) in enumerate(series.items()):
            colour = _colour(groups.index(name), kind, len(groups))
            style = {
                "color": colour,
                "linestyle": KINDS[kind][1] if joined else "none",
                "marker": MARKERS[place % len(MARKERS)],
                "markerfacecolor": colour if kind == "run" else "white",
                "linewidth": 1.8 if kind == "run" else 1.2,
            }
            points = [(self.ticks[one.cell.varied[self.by]] + shift(place), one) for one in some]
            handles[self.names[name, kind]] = _points(axes, points, aspect, style)
        self._dress(axes, aspect)
        return handles

    def _dress(self, axes: Any, aspect: str) -> None:
        shown = [shortened(tick, _LONGEST) for tick in self.ticks]
        axes.set_xticks(list(self.ticks.values()), shown)
        if any(len(tick) > _LONG for tick in shown):
            axes.set_xticklabels(shown, rotation=25, ha="right", rotation_mode="anchor")
        if not _numbers(self.ticks):
            axes.set_xlim(-0.5, len(self.ticks) - 0.5)
        axes.set(
            xlabel=shortened(TITLES.get(self.by, self.by), _LONGEST),
            ylabel=prose_name(self.asked[0].found[0].statistic),
        )
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.yaxis.set_tick_params(labelleft=True)
        named(axes, aspect)


def _points(axes: Any, points: Sequence[tuple[float, Asked]], aspect: str, style: Mapping[str, Any]) -> Any:
    """Draw the points of one series with their intervals, from the left to the right."""
    known = sorted((pair for pair in points if pair[1].value(aspect) is not None), key=lambda pair: pair[0])
    for place, one in known:
        found = one.of(aspect)
        if found and found.low is not None and found.high is not None:
            axes.plot([place, place], [found.low, found.high], color=style["color"], linewidth=1, alpha=0.5)
    values = [one.value(aspect) for _, one in known]
    (line,) = axes.plot([place for place, _ in known], values, markersize=6, **style)
    return line


def _series(asked: Sequence[Asked], apart: Sequence[str]) -> dict[Series, list[Asked]]:
    found: dict[Series, list[Asked]] = {}
    for one in asked:
        name = ", ".join(_told(key, one.cell.varied.get(key, "")) for key in apart)
        found.setdefault((name, one.cell.kind), []).append(one)
    return found


def _told(key: str, value: str) -> str:
    """What was varied, in the legend: a name says by itself what it is, and a number does not."""
    return shortened(f"{key} {value}" if _numbers({value: 0.0}) else value, _LONGEST)


def _colour(group: int, kind: Kind, groups: int) -> str:
    """A group has one colour; where there is only one, its kinds have colours of their own."""
    place = list(KINDS).index(kind) if groups == 1 else group
    return COLOURS[place % len(COLOURS)]


def _ticks(values: Sequence[str]) -> dict[str, float]:
    """Where each value stands: numbers at their place, names in the order in which they come."""
    names = list(dict.fromkeys(values))
    try:
        return dict(sorted(((name, float(name)) for name in names), key=lambda pair: pair[1]))
    except ValueError:
        return {name: float(place) for place, name in enumerate(names)}


def _numbers(ticks: Mapping[str, float]) -> bool:
    return all(name.replace(".", "", 1).lstrip("-").isdecimal() for name in ticks)


def _shift(ticks: Mapping[str, float], series: int) -> Callable[[int], float]:
    """How far each of several series is moved aside, so that their intervals do not lie on one another."""
    places = sorted(ticks.values())
    gap = min((b - a for a, b in pairwise(places)), default=1.0)
    step = min(0.1, 0.5 / series) * gap
    return lambda place: (place - (series - 1) / 2) * step


def _kinds(asked: Sequence[Asked]) -> str:
    kinds = {one.cell.kind for one in asked}
    told = []
    if "same calls" in kinds:
        told.append("The single judge is sampled as often as the debate called, and its scores are averaged.")
    if "same tokens" in kinds:
        told.append("For the same tokens it is sampled until it took as many as the debate.")
    if "openings" in kinds:
        told.append("The vote of the openings merges the ballots that agents cast before they heard anybody.")
    if "corrw" in kinds:
        told.append("CorrW is the mean of the evaluators, weighted by their correlation with people.")
    return " ".join(told) + " " if told else ""
