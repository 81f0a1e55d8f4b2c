"""`plot`: a picture of a run, or of several side by side, with all that has to be said beside it, as a PNG, an SVG or a page."""

import io
import textwrap
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, Unpack

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError, nearest
from agentdebate.extras import optional, require
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import ALL_ABSTAINED, people_judged
from agentdebate.meta.talk import grouped
from agentdebate.models.prices import PriceTable
from agentdebate.models.prices import prices as price_table
from agentdebate.report.coverage import coverage_record, coverage_told
from agentdebate.report.grid import Grid, figure, interval, statistic_name
from agentdebate.report.markup import as_html, html_text
from agentdebate.report.output_file import check_free
from agentdebate.report.question import KINDS, Asked, Question, QuestionOptions, ask_all, aspects_of, found_in
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, read_store
from agentdebate.studies.cells import Cell, cell_of, runs_named
from agentdebate.studies.stop_replay import as_held, cut_cells
from agentdebate.tasks import aspect_names
from agentdebate.visible import shortened

EXTRA = "plots"
ENDINGS = (".png", ".svg", ".html")
DOTS = 160
"""Dots an inch of a PNG."""
_LINE, _LETTERS = 0.2, 14.5
"""Inches that a line of the caption takes, and its letters that fit an inch."""
_TITLE, _CAPTION = 150, 4000
"""Characters of both before they are cut; JSON has all of them."""
MOST = 60
"""Panels of a picture: more take minutes to draw, and cannot be read."""
_COLUMNS = 3
_WIDE, _HIGH = 4.0, 3.2
"""Inches of a panel."""
_BESIDE = 2.6
"""Inches of the legend."""
_NAME = 34
"""Letters of a name in a picture."""

STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "text.parse_math": False,  # names are text, whatever is in them
    "svg.fonttype": "path",
}
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Told apart by the colour-blind too (Okabe and Ito, "Color Universal Design", 2008)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")


@dataclass(frozen=True, repr=False)
class Plot:
    """A picture with its caption, as `plot` gives it: write it to a file, or take its `rows`."""

    title: str
    caption: str
    """Caption of the plot: statistic, level, n, interval, and what was left out."""
    rows: Sequence[Mapping[str, Any]]
    """The numbers that are drawn, a record each."""
    panels: Sequence[Callable[[Any], None]]
    """Each draws a panel on its matplotlib Axes."""
    coverages: Sequence[Coverage] = ()
    """Coverage of the plotted texts by each judge."""

    def __repr__(self) -> str:
        return f"<Plot {self.title}>"

    def write(self, output: str | Path) -> None:
        """Write it to a file that ends in .png or .svg, or in .html, which has the numbers too.

        Raises UsageError for another ending, for too many panels and where the file cannot be written; MissingExtra.
        """
        path = Path(output)
        check_path(path)
        if len(self.panels) > MOST:
            raise UsageError(
                f"this would be a picture of {len(self.panels)} panels; name fewer runs, or aspects=... ({MOST} at most)"
            )
        form = path.suffix.lower()[1:]
        content = _page(self).encode() if form == "html" else _drawn(self, form)
        try:
            path.write_bytes(content)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from error

    def to_dict(self) -> dict[str, Any]:
        """The plot as JSON has it."""
        coverages = list(map(coverage_record, self.coverages))
        return {"title": self.title, "caption": self.caption, "rows": list(self.rows), "coverage": coverages}


def named(text: str) -> str:
    """A name as a picture has it; matplotlib leaves names out of a legend that begin with an underscore."""
    return shortened(f" {text}" if text.startswith("_") else text, _NAME)


def check_path(path: Path) -> None:
    """Raise UsageError for a file that no plot can be written to, before anything is computed; MissingExtra without matplotlib."""
    require("matplotlib", EXTRA)
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"a plot is written to a file that ends in {', '.join(ENDINGS)}, not to {path}")
    check_free(path)
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.absolute().parent} to write {path.name} to")


def _drawn(plot: Plot, form: str) -> bytes:
    """The picture with its title above the panels and its caption below them."""
    matplotlib = optional("matplotlib", EXTRA)
    figures = optional("matplotlib.figure", EXTRA)
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # A character that the font lacks is drawn as a box; JSON has it.
        warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)
        across = min(len(plot.panels), _COLUMNS)
        down = -(-len(plot.panels) // across)
        width = across * _WIDE + _BESIDE
        lines = textwrap.wrap(shortened(plot.caption, _CAPTION), int(width * _LETTERS))
        height = down * _HIGH + _LINE * len(lines) + 0.5
        figure = figures.Figure(figsize=(width, height), layout="constrained")
        for place, draw in enumerate(plot.panels, 1):
            draw(figure.add_subplot(down, across, place))
        figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside right center")
        figure.suptitle(shortened(plot.title, _TITLE), x=0.01, ha="left", fontweight="bold")
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8.5)
        data = io.BytesIO()
        figure.savefig(data, format=form, dpi=DOTS)
    return data.getvalue()


def _page(plot: Plot) -> str:
    """A page with the picture and its numbers; it loads nothing from elsewhere."""
    title, caption = html_text(plot.title), html_text(plot.caption)
    picture = _drawn(plot, "svg").decode().partition("<svg")[2]
    grid = Grid.of(plot.title, plot.rows, {name: name for name in plot.rows[0]})
    return f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<svg role="img" aria-label="{caption}"{picture}
{as_html(grid)}
</html>
"""


Unit = Literal["calls", "tokens", "money"]
PlotKind = Literal["people", "scores", "cost", "rounds", "persona", "agents", "strategy", "model"]
"""Kind of plot: the judge's scores against people's or beside them, or agreement against the cost or a setting of the runs."""
_VARIED = ("strategy", "model", "agents", "rounds", "persona")
_LARGEST = 90
"""Area of the largest point of people's scores."""
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
    **asked: Unpack[QuestionOptions],
) -> Plot:
    """Draw a run, or several side by side, with a caption that says what is shown.

    "people" has the judge's scores against people's, "scores" how both are distributed; "rounds" (also as if the talk were cut after each), "persona", "agents", "strategy" and
    "model" have agreement with people against what the runs were held with, and "cost" against calls, tokens or money, as `per` says.
    `runs` are names, the beginnings of some, "last", LABEL=RUN, or a sweep's name for all of its runs:

        ad.plot("people", "last", store="runs.db").write("people.png")

    The question of agreement is put by `statistic`, `level`, `bootstrap` and `missing`. Raises UsageError and StoreError.
    """
    question = Question(**asked)
    with read_store(store) as reader:
        heads = runs_named(reader, runs or (LAST,))
        cells = [cell_of(reader, head, prices or price_table(), label=label) for label, head in heads]
        if kind == "rounds":
            cells = [as_held(reader, head, cell) for (_, head), cell in zip(heads, cells, strict=True)]
            ran = zip(heads, [*cells], strict=True)
            cells += (cut for (_, head), cell in ran for cut in cut_cells(reader, head, cell))
    if all(0 < cell.debates == cell.abstentions for cell in cells if not cell.read_off):
        raise UsageError(f"there is nothing to plot, since {ALL_ABSTAINED}")
    kept = [replace(cell, judged=_about(cell.judged, aspect_names(aspects))) for cell in cells]
    entries = [one for cell in kept if cell.kind != "cut" for one in cell.judged]
    called = title or f"{kind} of {heads[0][0] if len(heads) == 1 else f'{len(heads)} runs'}"
    if kind in ("people", "scores"):
        known = people_judged(entries) if kind == "people" else entries
        scored = [one for one in known if one.labels is None]
        if not scored:
            raise UsageError(f"there is nothing to plot: {kind} is about scores of texts, and none is known")
        made = people_plot(scored, question, called) if kind == "people" else scores_plot(scored, called)
    elif kind == "cost":
        made = agreement_plot(kept, f"{per} a debate", partial(cost_of, unit=per), question, called)
    else:
        kept = [cell for cell in kept if cell.kind in ("run", "cut")]
        made = agreement_plot(kept, kind, partial(held_with, by=kind), question, called)
    coverages = tuple(map(coverage, entries))
    note = offline_note(name for _, head in heads for name in head.models)
    told = " ".join(filter(None, (made.caption, coverage_told(coverages), note)))
    return replace(made, caption=told, coverages=coverages)


def _about(entries: Sequence[Judgements], aspects: Sequence[str]) -> tuple[Judgements, ...]:
    """Judgements on the aspects that were named. Raises UsageError."""
    known = list(dict.fromkeys(one.aspect for one in entries))
    for name in aspects:
        if name not in known:
            raise UsageError(f"aspects=...: the run has no {name!r}. {nearest(name, known)}")
    return tuple(one for one in entries if not aspects or one.aspect in aspects)


def scores_plot(entries: Sequence[Judgements], title: str) -> Plot:
    """A panel an aspect: how often the judge, and people, give each score."""
    rows = [
        {"judge": one.judge, "aspect": one.aspect, "of": who, "score": score, "texts": count}
        for one in entries
        for who, values in _sides(one).items()
        for score, count in sorted(Counter(values).items())
    ]
    caption = "Texts by their scores, of the judge and of people. Above each panel: n of both."
    return Plot(title, caption, rows, [partial(_histogram, one) for one in entries])


def _sides(entry: Judgements) -> dict[str, list[float]]:
    """The judge's scores, and people's."""
    judge = [float(row.score) for row in entry.rows if row.score is not None]
    return {"judge": judge, "people": [float(row.human) for row in entry.rows if row.human is not None]}


def _histogram(entry: Judgements, axes: Any) -> None:
    sides = _sides(entry)
    axes.hist(list(sides.values()), color=COLOURS[:2], label=list(sides))
    axes.set(xlabel=named(entry.judge), ylabel="texts")
    axes.set_title(f"{named(entry.aspect)}\nn = {' and '.join(str(len(some)) for some in sides.values())}")


def people_plot(entries: Sequence[Judgements], question: Question, title: str) -> Plot:
    """A panel an aspect: people's scores across and the judge's up. Raises UserError."""
    found = [question.ask(entry) for entry in entries]
    caption = (
        "People's scores across, the judge's up; a point is the texts with these two scores, the larger the more. "
        f"Above each panel: {question.told(found)}"
    )
    panels = [partial(_scatter, entry, one) for entry, one in zip(entries, found, strict=True)]
    return Plot(title, caption, list(map(figure_record, found)), panels)


def figure_record(one: Agreement) -> dict[str, Any]:
    """A figure of agreement as a line of a plot's numbers."""
    return {name: getattr(one, name) for name in _FIGURES}


def _scatter(entry: Judgements, one: Agreement, axes: Any) -> None:
    known = [(row.human, row.score) for row in entry.rows if row.human is not None and row.score is not None]
    counts = Counter(known)
    most = max(counts.values(), default=1)
    sizes = [_LARGEST * count / most for count in counts.values()]
    across, up = zip(*counts, strict=True) if counts else ((), ())
    axes.scatter(across, up, s=sizes, color=COLOURS[0], alpha=0.4)
    axes.set(xlabel="people", ylabel=named(entry.judge))
    axes.set_title(f"{named(entry.aspect)}\n{figure(one.value)} {interval(one.low, one.high)} n = {one.n}")


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
    apart = _apart([one.cell.varied for one in asked], axis)
    points = [(one, place(one.cell), _line(one.cell, apart)) for one in asked]
    points.sort(key=lambda point: point[1] if isinstance(point[1], float) else 0.0)
    rows = [
        {
            "cell": one.cell.label,
            "kind": one.cell.kind,
            axis: where,
            **figure_record(found),
            "run": one.cell.run,
        }
        for one, where, _ in points
        for found in one.found
    ]
    told = question.told(found_in(asked)).replace("In brackets", "Vertical lines")
    caption = f"Agreement with people against {axis}: {told}"
    lines = grouped(points, lambda point: point[2])
    return Plot(title, caption, rows, [partial(_panel, lines, axis, one) for one in aspects_of(asked)])


def _apart(varied: Sequence[Mapping[str, str]], axis: str) -> list[str]:
    """Names of settings that tell cells apart, without those that follow from the ones before."""
    told: list[str] = []
    for name in _VARIED:
        groups = [len({tuple(map(one.get, some)) for one in varied}) for some in (told, [*told, name])]
        if name != axis and groups[1] > max(groups[0], 1):
            told.append(name)
    return told


def _line(cell: Cell, apart: Sequence[str]) -> str:
    told = [
        cell.varied[name] if name in ("strategy", "model") else f"{name} {cell.varied[name]}"
        for name in apart
        if name in cell.varied
    ]
    if cell.kind == "cut":
        return f"{KINDS[cell.kind]}, {cell.label}"
    return ", ".join(told if told and cell.kind == "run" else [*told, KINDS[cell.kind]])


def draw_line(
    axes: Any,
    number: int,
    places: Sequence[Place],
    found: Sequence[Agreement | float | None],
    name: str,
    *,
    hollow: bool,
) -> None:
    """Draw marks with their intervals in the colour of a number, joined where they stand at numbers."""
    colour = COLOURS[number % len(COLOURS)]
    for place, one in zip(places, found, strict=True):
        if isinstance(one, Agreement) and one.low is not None:
            axes.plot([place, place], [one.low, one.high], color=colour, alpha=0.4)
    axes.plot(
        places,
        [one.value if isinstance(one, Agreement) else one for one in found],
        linestyle="none" if len(places) == 1 or isinstance(places[0], str) else "-",
        color=colour,
        marker=MARKERS[(number + number // len(COLOURS)) % len(MARKERS)],
        markerfacecolor="white" if hollow else colour,
        label=named(name),
    )


def _panel(lines: Mapping[str, Sequence[Point]], axis: str, aspect: str, axes: Any) -> None:
    """Draw the lines of an aspect, with a hollow mark for a cell without a run of its own."""
    for number, (line, points) in enumerate(lines.items()):
        places = [named(place) if isinstance(place, str) else place for _, place, _ in points]
        asked = [one for one, _, _ in points]
        found = [one.of(aspect) or one.value(aspect) for one in asked]
        draw_line(axes, number, places, found, line, hollow=asked[0].cell.kind != "run")
        axes.set_ylabel(statistic_name(points[0][0].found[0].statistic))
    if axis in _VARIED and all(isinstance(place, float) for place in places):
        axes.xaxis.get_major_locator().set_params(integer=True)
    axes.tick_params(axis="x", rotation=25 if any(len(str(place)) > _LONG for place in places) else 0)
    axes.set_xlabel(named(axis))
    axes.set_title(named(aspect))
