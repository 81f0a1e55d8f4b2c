"""`plot`: a picture of a run, or of several side by side: people's scores, and agreement against what was varied or what it cost."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Literal

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError, nearest
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.coverage import coverage
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Choices, Judgements
from agentdebate.meta.levels import Level
from agentdebate.meta.run_rows import people_judged
from agentdebate.meta.talk import grouped
from agentdebate.models.prices import PriceTable
from agentdebate.models.prices import prices as price_table
from agentdebate.report.coverage import coverage_told
from agentdebate.report.figures import figure, interval, prose_name
from agentdebate.report.plot import COLOURS, MARKERS, Plot, named
from agentdebate.report.question import KINDS, Asked, Question, ask_all, aspects_of, found_in
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, read_store
from agentdebate.studies.cells import Cell, cell_of
from agentdebate.studies.sweeps import runs_named
from agentdebate.tasks import aspect_names

Unit = Literal["calls", "tokens", "money"]
PlotKind = Literal["people", "cost", "rounds", "persona", "agents", "strategy", "model"]
"""Kind of plot: the judge's scores against people's, or agreement against the cost or a setting of the runs."""
_VARIED = ("rounds", "persona", "agents", "strategy", "model")
_JITTER = 0.02
"""Largest shift of a point, as a share of the axis."""
_LONG = 9
"""Names longer than this are written aslant."""
_FIGURES = ("judge", "aspect", "statistic", "value", "low", "high", "n", "missing")

Place = float | str
"""Position of a cell along the axis: a number, or a name."""
Point = tuple[Asked, Place, str]
"""A cell with its agreement, its place, and the line that it is on."""


def plot(
    kind: PlotKind,
    *runs: str,
    aspects: Sequence[str] | str = (),
    per: Unit = "calls",
    title: str | None = None,
    prices: PriceTable | None = None,
    store: str | Path = USUAL_STORE,
    statistic: str | None = None,
    level: Level = "pooled",
    bootstrap: Bootstrap | None = Bootstrap(),
    missing: Missing = LEFT_OUT,
) -> Plot:
    """Draw a run, or several side by side, with a caption that says what is shown.

    "people" has the judge's scores against people's; "rounds", "persona", "agents", "strategy" and
    "model" have agreement with people against what the runs were held with, and "cost" against calls, tokens or money, as `per` says.
    `runs` are names, the beginnings of some, "last", LABEL=RUN, or a sweep's name for all of its runs:

        ad.plot("people", "last", store="runs.db").write("people.png")

    The question of agreement is put by `statistic`, `level`, `bootstrap` and `missing`. Raises UsageError and StoreError.
    """
    question = Question(statistic, level, bootstrap, missing)
    with read_store(store) as reader:
        heads = runs_named(reader, runs or (LAST,))
        cells = [cell_of(reader, head, prices or price_table(), label=label) for label, head in heads]
    kept = [replace(cell, judged=_about(cell.judged, aspect_names(aspects))) for cell in cells]
    entries = [one for cell in kept for one in cell.judged]
    called = title or f"{kind} of {heads[0][0] if len(heads) == 1 else f'{len(heads)} runs'}"
    if kind == "people":
        made = people_plot(entries, question, called)
    elif kind == "cost":
        made = agreement_plot(kept, f"{per} a debate", partial(cost_of, unit=per), question, called)
    else:
        own = [cell for cell in kept if cell.kind == "run"]
        made = agreement_plot(own, kind, partial(held_with, by=kind), question, called)
    coverages = tuple(map(coverage, entries))
    note = offline_note(name for _, head in heads for name in head.models)
    told = " ".join(filter(None, (made.caption, coverage_told(coverages), note)))
    return replace(made, caption=told, coverages=coverages)


def _about(
    entries: Sequence[Judgements | Choices], aspects: Sequence[str]
) -> tuple[Judgements | Choices, ...]:
    """Those about the aspects that were named. Raises UsageError."""
    known = list(dict.fromkeys(one.aspect for one in entries))
    for name in aspects:
        if name not in known:
            raise UsageError(f"aspects=...: the run has no {name!r}. {nearest(name, known)}")
    return tuple(one for one in entries if not aspects or one.aspect in aspects)


def people_plot(entries: Sequence[Judgements | Choices], question: Question, title: str) -> Plot:
    """Every text a point, moved a little so that none hides another. Raises UserError."""
    scored = [one for one in people_judged(entries) if isinstance(one, Judgements)]
    if not scored:
        raise UsageError("there is nothing to plot: no score of people's of a single text is known")
    found = [question.ask(entry) for entry in scored]
    caption = (
        f"Each point is a text: people's score across, the judge's up, moved by up to {_JITTER:.0%} of the axis. Above each panel: "
        f"{question.told(found)}"
    )
    panels = [partial(_scatter, entry, one) for entry, one in zip(scored, found, strict=True)]
    return Plot(title, caption, list(map(_record, found)), panels)


def _record(one: Agreement) -> dict[str, Any]:
    return {name: getattr(one, name) for name in _FIGURES}


def _scatter(entry: Judgements, one: Agreement, axes: Any) -> None:
    pairs = [(row.human, row.score) for row in entry.rows if row.human is not None and row.score is not None]
    chance = Random(0)  # noqa: S311 - the same picture every time
    sides = [_moved(values, chance) for values in zip(*pairs, strict=True)]
    axes.scatter(*(sides or ([], [])), s=14, color=COLOURS[0], alpha=0.4)
    axes.set(xlabel="people", ylabel=named(entry.judge))
    axes.set_title(f"{named(entry.aspect)}\n{figure(one.value)} {interval(one.low, one.high)} n = {one.n}")


def _moved(values: Sequence[float], chance: Random) -> list[float]:
    reach = (max(values) - min(values)) * _JITTER
    return [value + chance.uniform(-reach, reach) for value in values]


def cost_of(cell: Cell, unit: Unit) -> float:
    """Compute the mean cost of a cell's debates, replies from a cache counted as paid for. Raises UsageError where it is unknown."""
    whole = getattr(cell.cost, unit)
    if whole is None:
        raise UsageError(
            f"what {cell.label} cost is not known: give the price of its model with prices=..., or plot per='calls' or tokens"
        )
    return float(whole) / max(cell.debates, 1)


def held_with(cell: Cell, by: str) -> Place:
    """Return a setting of a cell, as a number where it is one. Raises UsageError where the cell lacks it."""
    if by not in cell.varied:
        raise UsageError(f"{cell.label} has no {by} to plot its agreement against")
    value = cell.varied[by]
    return float(value) if value.replace(".", "", 1).isdecimal() else value


def agreement_plot(
    cells: Sequence[Cell], axis: str, place: Callable[[Cell], Place], question: Question, title: str
) -> Plot:
    """A panel an aspect, and agreement up; cells that differ in nothing but their place are joined.

    Raises UsageError where a place is not known, or people have scored nothing.
    """
    asked = [one for one in ask_all(cells, question) if one.found]
    if not asked:
        raise UsageError("there is no agreement to plot: no run has people's scores (hold it with human=...)")
    apart = [
        name for name in _VARIED if name != axis and len({one.cell.varied.get(name) for one in asked}) > 1
    ]
    points = [(one, place(one.cell), _line(one.cell, apart)) for one in asked]
    points.sort(key=lambda point: point[1] if isinstance(point[1], float) else 0.0)
    rows = [
        {"cell": one.cell.label, "kind": one.cell.kind, axis: where, **_record(found), "run": one.cell.run}
        for one, where, _ in points
        for found in one.found
    ]
    caption = f"Agreement with people against {axis}: {question.told(found_in(asked))}"
    return Plot(title, caption, rows, [partial(_panel, points, axis, one) for one in aspects_of(asked)])


def _line(cell: Cell, apart: Sequence[str]) -> str:
    told = [f"{name} {cell.varied[name]}" for name in apart if name in cell.varied]
    return ", ".join([*told, KINDS[cell.kind]])


def _panel(points: Sequence[Point], axis: str, aspect: str, axes: Any) -> None:
    """Draw the lines of an aspect, with a hollow mark for a cell without a run of its own."""
    drawn = [
        (one, named(at) if isinstance(at, str) else at, line)
        for one, at, line in points
        if one.value(aspect) is not None
    ]
    lines = grouped(drawn, lambda point: point[2])
    for number, (line, some) in enumerate(lines.items()):
        colour, marker = COLOURS[number % len(COLOURS)], MARKERS[number % len(MARKERS)]
        places = [place for _, place, _ in some]
        for one, place, _ in some:
            found = one.of(aspect)
            if found and found.low is not None and found.high is not None:
                axes.plot([place, place], [found.low, found.high], color=colour, alpha=0.4)
        axes.plot(
            places,
            [one.value(aspect) for one, _, _ in some],
            linestyle="none" if isinstance(places[0], str) else "-",
            color=colour,
            marker=marker,
            markerfacecolor=colour if some[0][0].cell.kind == "run" else "white",
            label=named(line),
        )
    _name_axes(axes, axis, [place for _, place, _ in points])
    axes.set(xlabel=named(axis), ylabel=prose_name(points[0][0].found[0].statistic))
    axes.set_title(named(aspect))


def _name_axes(axes: Any, axis: str, places: Sequence[Place]) -> None:
    """Count settings in whole numbers, and write long names aslant."""
    if axis in _VARIED and all(isinstance(place, float) for place in places):
        axes.xaxis.get_major_locator().set_params(integer=True)
    if any(isinstance(place, str) and len(place) > _LONG for place in places):
        axes.tick_params(axis="x", rotation=25)
