"""Pictures of agreement: against what was varied (DEBATE, Figure 2; ChatEval, Figure 3; DRPE, Figure 7), and against the cost."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.report.asked_cells import Asked, ask_all, aspects_of, found_in
from agentdebate.report.figures import prose_name
from agentdebate.report.plot import COLOURS, GREY, MARKERS, Plot, entitle, legend, panels, size
from agentdebate.report.question import Question
from agentdebate.studies.cells import Cell, Kind
from agentdebate.visible import shortened

Unit = Literal["calls", "tokens", "money"]

TITLES: Mapping[str, str] = {
    "rounds": "rounds",
    "persona": "persona",
    "agents": "agents with a ballot",
    "strategy": "strategy",
    "model": "model",
}
"""What can be varied, and what its axis is called."""
KINDS: Mapping[Kind, tuple[str, str]] = {
    "run": ("debate", "-"),
    "same calls": ("single judge, as many calls", "--"),
    "same tokens": ("single judge, as many tokens", "--"),
    "openings": ("vote of the openings, no talk", ":"),
    "corrw": ("CorrW of the evaluators, no judge", "-."),
}
"""What each kind of cell is called, and how its line is drawn."""
COLUMNS = 3
_LONG = 9
"""Names longer than this are written aslant."""
_NAME = 32
"""Letters of a name below the axis or in the legend."""
_BESIDE, _ROW = 3.0, 0.24
"""Inches of the legend, and of a line of it."""
_FIGURES = ("aspect", "statistic", "value", "low", "high", "n", "missing")


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
    asked = _with_people(cells, question)
    without = [one.cell.label for one in asked if by not in one.cell.varied]
    if without:
        raise UsageError(f"{without[0]} has no {TITLES.get(by, by)} to plot its agreement against")
    head = (by, *apart, "kind", *_FIGURES, "calls a debate", "run")
    rows = [
        (
            *(one.cell.varied.get(name) for name in (by, *apart)), one.cell.kind, *(getattr(it, name) for name in _FIGURES),
            round(one.cell.calls_each, 2), one.cell.run,
        )
        for one in asked for it in one.found
    ]  # fmt: skip
    ticks, series = _ticks([one.cell.varied[by] for one in asked]), _series(asked, apart)
    caption = f"Agreement with people against {TITLES.get(by, by)}: {question.told(found_in(asked))} {note or ''}".strip()

    def draw(axes: Any, aspect: str) -> dict[str, Any]:
        handles: dict[str, Any] = {}
        for number, (name, some) in enumerate(series.items()):
            style = _style(number, some[0])
            line = KINDS[some[0].cell.kind][1] if all(map(_is_number, ticks)) else "none"
            points = sorted(
                (ticks[one.cell.varied[by]], one.value(aspect))
                for one in some
                if one.value(aspect) is not None
            )
            for one in some:
                _whisker(axes, ticks[one.cell.varied[by]], one, aspect, style["color"])
            (handles[name],) = (
                axes.plot(*zip(*points, strict=True), linestyle=line, **style)
                if points
                else axes.plot([], [])
            )
        names = [shortened(tick, _NAME) for tick in ticks]
        aslant = any(len(tick) > _LONG for tick in names)
        more = {"rotation": 25, "ha": "right", "rotation_mode": "anchor"} if aslant else {}
        axes.set_xticks(list(ticks.values()), names, **more)
        axes.set(xlabel=TITLES.get(by, shortened(by, _NAME)))
        return handles

    return Plot(title, caption, head, rows, *_drawn(asked, len(series), draw))


def cost_plot(
    cells: Sequence[Cell], unit: Unit, question: Question, title: str, note: str | None = None
) -> Plot:
    """A panel an aspect; every cell is a point. Raises UsageError where the cost or the agreement is not known."""
    asked = _with_people(cells, question)
    costs = {one.cell.run + one.cell.kind: cost_of(one.cell, unit) for one in asked}
    unknown = [one.cell.label for one in asked if costs[one.cell.run + one.cell.kind] is None]
    if unknown:
        raise UsageError(
            f"what {unknown[0]} cost is not known: give the price of its model with prices=..., or plot per='calls' or tokens"
        )
    currency = next((one.cell.cost.currency for one in asked if one.cell.cost.currency), "USD")
    axis = f"{currency if unit == 'money' else unit} a debate"
    head = ("cell", "kind", axis, *_FIGURES, "run")
    rows = [
        (one.cell.label, one.cell.kind, costs[one.cell.run + one.cell.kind], *(getattr(it, name) for name in _FIGURES), one.cell.run)
        for one in asked for it in one.found
    ]  # fmt: skip
    caption = (
        f"Agreement with people against {axis}, replies from a cache counted as if they had been paid for: "
        f"{question.told(found_in(asked))} {note or ''}"
    ).strip()

    def draw(axes: Any, aspect: str) -> dict[str, Any]:
        handles = {}
        for number, one in enumerate(asked):
            place, value = costs[one.cell.run + one.cell.kind], one.value(aspect)
            if value is not None:
                _whisker(axes, place or 0.0, one, aspect, GREY)
                (handles[f"{one.cell.label} ({KINDS[one.cell.kind][0]})"],) = axes.plot(
                    [place], [value], linestyle="none", **_style(number, one)
                )
        axes.set(xlabel=axis)
        axes.margins(x=0.12)
        return handles

    return Plot(title, caption, head, rows, *_drawn(asked, len(asked), draw))


def cost_of(cell: Cell, unit: Unit) -> float | None:
    """What a debate of a cell took on average; None where it is not known."""
    whole = getattr(cell.cost, unit)
    return None if whole is None or not cell.debates else whole / cell.debates


def _drawn(
    asked: Sequence[Asked], entries: int, panel: Callable[[Any, str], dict[str, Any]]
) -> tuple[tuple[float, float], Callable[[Any], None]]:
    """The size of a picture with a panel an aspect, and what draws it; one legend of so many entries is for all panels."""
    aspects = aspects_of(asked)
    across, down = size(len(aspects), COLUMNS, width=4.0)

    def draw(figure: Any) -> None:
        handles: dict[str, Any] = {}
        for axes, aspect in zip(panels(figure, len(aspects), COLUMNS, sharey=True), aspects, strict=True):
            handles |= panel(axes, aspect)
            axes.set(ylabel=prose_name(asked[0].found[0].statistic))
            axes.ticklabel_format(axis="y", useOffset=False)
            axes.yaxis.set_tick_params(labelleft=True)
            entitle(axes, aspect)
        legend(figure, handles)

    return (across + _BESIDE, max(down, _ROW * entries + 0.6)), draw


def _with_people(cells: Sequence[Cell], question: Question) -> list[Asked]:
    asked = [one for one in ask_all(cells, question) if one.found]
    if not asked:
        raise UsageError("there is no agreement to plot: no run has people's scores (hold it with human=...)")
    return asked


def _series(asked: Sequence[Asked], apart: Sequence[str]) -> dict[str, list[Asked]]:
    """The cells of each line, by what the legend calls it."""
    found: dict[str, list[Asked]] = {}
    for one in asked:
        told = [
            f"{key} {value}" if _is_number(value) else value
            for key in apart
            if (value := one.cell.varied.get(key, ""))
        ]
        found.setdefault(": ".join(filter(None, (", ".join(told), KINDS[one.cell.kind][0]))), []).append(one)
    return found


def _whisker(axes: Any, place: float, one: Asked, aspect: str, colour: str) -> None:
    found = one.of(aspect)
    if found and found.low is not None and found.high is not None:
        axes.plot([place, place], [found.low, found.high], color=colour, linewidth=1, alpha=0.5, zorder=1)


def _style(number: int, one: Asked) -> dict[str, Any]:
    """A colour and a shape; controls are hollow."""
    colour = COLOURS[number % len(COLOURS)]
    shape = MARKERS[(number // len(COLOURS) + number) % len(MARKERS)]
    return {
        "marker": shape,
        "color": colour,
        "markerfacecolor": colour if one.cell.kind == "run" else "white",
        "markersize": 7,
    }


def _ticks(values: Sequence[str]) -> dict[str, float]:
    """Where each value stands: numbers at their place, names in the order in which they come."""
    names = list(dict.fromkeys(values))
    if all(map(_is_number, names)):
        return {name: float(name) for name in sorted(names, key=float)}
    return {name: float(place) for place, name in enumerate(names)}


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdecimal()
