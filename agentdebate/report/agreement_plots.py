"""Pictures of agreement: against what was varied (DEBATE, Figure 2; ChatEval, Figure 3; DRPE, Figure 7), and against the cost."""

from collections.abc import Sequence
from functools import partial
from typing import Any, Literal

from agentdebate.errors import UsageError
from agentdebate.meta.talk import grouped
from agentdebate.report.figures import prose_name
from agentdebate.report.plot import COLOURS, MARKERS, Plot, named
from agentdebate.report.question import KINDS, Asked, Question, ask_all, aspects_of, found_in
from agentdebate.studies.cells import Cell

Unit = Literal["calls", "tokens", "money"]

_LONG = 9
"""Names longer than this are written aslant."""
_FIGURES = ("aspect", "statistic", "value", "low", "high", "n", "missing")

Place = float | str
"""Where a cell stands along the axis: a number, or a name."""


def lines_plot(
    cells: Sequence[Cell], by: str, question: Question, title: str, *, apart: Sequence[str] = ()
) -> Plot:
    """A panel an aspect, what is varied across, and agreement up. `apart` names what else tells lines apart.

    Raises UsageError where nothing varies, or no agreement can be computed.
    """
    for cell in cells:
        if by not in cell.varied:
            raise UsageError(f"{cell.label} has no {by} to plot its agreement against")
    values = [cell.varied[by] for cell in cells]
    number = all(map(_is_number, values))
    places: list[Place] = [float(one) for one in values] if number else [*values]
    lines = [
        ", ".join([*(f"{name} {cell.varied.get(name, '')}" for name in apart), KINDS[cell.kind]])
        for cell in cells
    ]
    return _plot(cells, by, list(zip(places, lines, strict=True)), question, title)


def cost_plot(cells: Sequence[Cell], unit: Unit, question: Question, title: str) -> Plot:
    """A panel an aspect; every cell is a point. Raises UsageError where the cost or the agreement is not known."""
    costs: list[Place] = []
    for cell in cells:
        cost = cost_of(cell, unit)
        if cost is None:
            raise UsageError(
                f"what {cell.label} cost is not known: give the price of its model with prices=..., or plot per='calls' or tokens"
            )
        costs.append(cost)
    currency = next((cell.cost.currency for cell in cells if cell.cost.currency), "USD")
    axis = f"{currency if unit == 'money' else unit} a debate"
    lines = [f"{cell.label} ({KINDS[cell.kind]})" for cell in cells]
    return _plot(cells, axis, list(zip(costs, lines, strict=True)), question, title)


def cost_of(cell: Cell, unit: Unit) -> float | None:
    """What a debate of a cell took on average, replies from a cache counted as paid for; None where it is not known."""
    whole = getattr(cell.cost, unit)
    return None if whole is None or not cell.debates else whole / cell.debates


def _plot(
    cells: Sequence[Cell], axis: str, where: Sequence[tuple[Place, str]], question: Question, title: str
) -> Plot:
    """A picture of cells at their places, those of a line joined. Raises UsageError where people have scored nothing."""
    points = [
        (one, place, line)
        for one, (place, line) in zip(ask_all(cells, question), where, strict=True)
        if one.found
    ]
    asked = [one for one, _, _ in points]
    if not asked:
        raise UsageError("there is no agreement to plot: no run has people's scores (hold it with human=...)")
    rows = [
        {
            "cell": one.cell.label,
            "kind": one.cell.kind,
            axis: place,
            **{name: getattr(found, name) for name in _FIGURES},
            "run": one.cell.run,
        }
        for one, place, _ in points
        for found in one.found
    ]
    caption = f"Agreement with people against {axis}: {question.told(found_in(asked))}"
    panels = [partial(_panel, points, axis, aspect) for aspect in aspects_of(asked)]
    return Plot(title, caption, rows, panels)


def _panel(points: Sequence[tuple[Asked, Place, str]], axis: str, aspect: str, axes: Any) -> None:
    """Draw the lines of an aspect; what is no run of its own is hollow."""
    drawn = [point for point in points if point[0].value(aspect) is not None]
    for number, (line, some) in enumerate(grouped(drawn, lambda point: point[2]).items()):
        colour = COLOURS[number % len(COLOURS)]
        joined = sorted(some, key=lambda point: point[1]) if _is_number(str(some[0][1])) else some
        for one, place, _ in joined:
            found = one.of(aspect)
            if found and found.low is not None and found.high is not None:
                axes.plot([place, place], [found.low, found.high], color=colour, alpha=0.4)
        axes.plot(
            [place for _, place, _ in joined],
            [one.value(aspect) for one, _, _ in joined],
            linestyle="-" if _is_number(str(some[0][1])) else "none",
            color=colour,
            marker=MARKERS[number % len(MARKERS)],
            markerfacecolor=colour if some[0][0].cell.kind == "run" else "white",
            label=named(line),
        )
    if any(len(str(place)) > _LONG and isinstance(place, str) for _, place, _ in points):
        axes.tick_params(axis="x", rotation=25)
    axes.set(xlabel=named(axis), ylabel=prose_name(points[0][0].found[0].statistic))
    axes.set_title(named(aspect))


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).lstrip("-").isdecimal()
