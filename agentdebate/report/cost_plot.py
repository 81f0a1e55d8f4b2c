"""Agreement against what it costs: calls, tokens or money a debate."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

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
from agentdebate.report.plot import COLOURS, GREY, MARKERS, Plot
from agentdebate.report.question import Question
from agentdebate.studies.cells import Cell
from agentdebate.visible import shortened

Unit = Literal["calls", "tokens", "money"]

_BESIDE = 32
"""Letters of a name in the legend."""
_ROW = 0.24
"""Inches of a line of the legend."""


def cost_plot(
    cells: Sequence[Cell], unit: Unit, question: Question, title: str, note: str | None = None
) -> Plot:
    """A panel an aspect; every cell is a point. Raises UsageError where the cost or the agreement is not known."""
    asked = with_people(cells, question)
    costs = [each_of(one.cell, unit) for one in asked]
    unknown = [one.cell.label for one, cost in zip(asked, costs, strict=True) if cost is None]
    if unknown:
        raise UsageError(
            f"what {unknown[0]} cost is not known: give the price of its model with prices=..., or plot per='calls' or tokens"
        )
    aspects = aspects_of(asked)
    axis = f"{_unit(asked, unit)} a debate"
    caption = (
        f"Agreement with people against {axis}, replies from a cache counted as if they had been paid for: "
        f"{question.told(asked[0].cell.judged[0], found_in(asked))}; {n_told(asked)}. {mean_told(aspects)}{missing_told(asked, question)}{note or ''}"
    ).strip()
    head = ("cell", "kind", axis, "aspect", "statistic", "value", "low", "high", "n", "missing", "run")
    rows = tuple(
        (one.cell.label, one.cell.kind, cost, it.aspect, it.statistic, it.value, it.low, it.high, it.n, it.missing, one.cell.run)
        for one, cost in zip(asked, costs, strict=True)
        for it in one.found
    )  # fmt: skip
    across, down = size(len(aspects), columns=3)

    def draw(figure: Any) -> None:
        places = [cost or 0.0 for cost in costs]
        _draw(figure, asked, places, aspects, axis)

    return Plot(title, caption, head, rows, (across + 3.0, max(down, _ROW * len(asked) + 0.6)), draw)


def each_of(cell: Cell, unit: Unit) -> float | None:
    """What a debate of a cell took on average; None where it is not known."""
    whole = {"calls": cell.cost.calls, "tokens": cell.cost.tokens, "money": cell.cost.money}[unit]
    return None if whole is None or not cell.debates else whole / cell.debates


def _draw(
    figure: Any, asked: Sequence[Asked], places: Sequence[float], aspects: Sequence[str], axis: str
) -> None:
    handles: dict[str, Any] = {}
    up = prose_name(asked[0].found[0].statistic)
    for axes, aspect in zip(panels(figure, len(aspects), columns=3, sharey=True), aspects, strict=True):
        for number, (one, place) in enumerate(zip(asked, places, strict=True)):
            value, found = one.value(aspect), one.of(aspect)
            if value is None:
                continue
            if found and found.low is not None and found.high is not None:
                axes.plot(
                    [place, place], [found.low, found.high], color=GREY, linewidth=0.8, alpha=0.5, zorder=1
                )
            (mark,) = axes.plot([place], [value], **_mark(number, one))
            handles[_name(number, one, asked)] = mark
        axes.set(xlabel=shortened(axis, _BESIDE), ylabel=up)
        axes.margins(x=0.12)
        axes.ticklabel_format(axis="y", useOffset=False)
        axes.yaxis.set_tick_params(labelleft=True)
        named(axes, aspect)
    figure.legend(handles.values(), in_legend(handles), loc="outside right upper")


def _mark(number: int, one: Asked) -> Mapping[str, Any]:
    """A cell's colour and shape; controls are hollow."""
    colour = COLOURS[number % len(COLOURS)]
    shape = MARKERS[(number // len(COLOURS) + number) % len(MARKERS)]
    fill = colour if one.cell.kind == "run" else "white"
    return {
        "marker": shape, "color": colour, "markerfacecolor": fill, "markeredgewidth": 1.6, "markersize": 8, "alpha": 0.9, "linestyle": "none",
    }  # fmt: skip


def _name(number: int, one: Asked, asked: Sequence[Asked]) -> str:
    label = one.cell.label
    short = shortened(label, _BESIDE)
    twice = [other.cell.label for other in asked].count(label) > 1
    kind = "" if one.cell.kind == "run" else " (control)"
    return f"{short} [{number + 1}]{kind}" if twice and not kind else f"{short}{kind}"


def _unit(asked: Sequence[Asked], unit: Unit) -> str:
    currency = next((one.cell.cost.currency for one in asked if one.cell.cost.currency), "USD")
    return currency if unit == "money" else unit
