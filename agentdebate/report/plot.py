"""A plot with all that has to be said beside it, and how it is written: PNG, SVG, or a page of its own."""

import io
import textwrap
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.extras import optional, require
from agentdebate.report.grid import Grid
from agentdebate.report.html import page
from agentdebate.report.output_file import check_free
from agentdebate.visible import shortened

EXTRA = "plots"
ENDINGS = (".png", ".svg", ".html")
DOTS = 160
"""Dots an inch of a PNG."""

_LINE = 0.2
"""Inches that a line of the caption takes."""
_LETTERS = 14.5
"""Letters of the caption that fit an inch."""
_HEAD = 0.25
"""Inches that a line of the title takes."""
_CAPITALS = 8.5
"""Letters of the title that fit an inch."""
_TITLE, _CAPTION = 300, 4000
"""Characters of both in a picture before they are cut; a page has all of them."""
MOST = 60
"""Panels of a picture: more take minutes to draw, and cannot be read."""
_ABOVE, _BENEATH = 34, 42
"""Bold letters that fit above a panel, and plain ones."""
_DIGITS = 5
"""Decimals of where panels are, as shares of the picture."""

STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, so that every machine draws the same
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e3e3e3",
    "legend.frameon": False,
    "svg.hashsalt": "agentdebate",
    "text.parse_math": False,  # names are text, whatever is in them
    "svg.fonttype": "path",
}

BLUE, VERMILION, GREEN, ORANGE, PURPLE, SKY, BLACK = (
    "#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#000000",
)  # fmt: skip
COLOURS = (BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK)
"""Told apart by the colour-blind too (Okabe and Ito, "Color Universal Design", 2008)."""
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
GREY = "#6b6b6b"


@dataclass(frozen=True)
class Plot:
    """A picture, its title and caption, and its numbers as a table."""

    title: str
    caption: str
    """What is shown: statistic, level, n, interval, and what was left out."""
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    """The numbers that are drawn, a line each."""
    size: tuple[float, float]
    """Width and height of the picture in inches."""
    draw: Callable[[Any], None]
    """Draws on a matplotlib Figure."""


def check_path(path: Path) -> None:
    """Raise UsageError for a file that no plot can be written to, before anything is computed; MissingExtra as `write`."""
    require("matplotlib", EXTRA)
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"a plot is written to a file that ends in {', '.join(ENDINGS)}, not to {path}")
    check_free(path)
    if not path.absolute().parent.is_dir():
        raise UsageError(f"there is no folder {path.absolute().parent} to write {path.name} to")


def write(plot: Plot, path: Path) -> None:
    """Write a plot in the form that the file's ending names. The same plot gives the same bytes.

    Raises UsageError for another ending and where the file cannot be written, and MissingExtra without matplotlib.
    """
    check_path(path)
    ending = path.suffix.lower()
    if ending == ".html":
        figures = [
            name
            for name, *cells in zip(plot.head, *plot.rows, strict=True)
            if not any(isinstance(one, str) for one in cells)
        ]
        grid = Grid(plot.title, plot.head, plot.rows, figures)
        content = page(plot.caption, grid, _drawn(plot, "svg", alone=False).decode()).encode()
    else:
        content = _drawn(plot, ending[1:], alone=True)
    try:
        path.write_bytes(content)
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error


def _drawn(plot: Plot, form: str, *, alone: bool) -> bytes:
    """The picture; where it stands alone, with its title and caption."""
    matplotlib = optional("matplotlib", EXTRA)
    figures = optional("matplotlib.figure", EXTRA)
    with matplotlib.rc_context(STYLE), warnings.catch_warnings():
        # A character that the font lacks is drawn as a box; the page has it in its table.
        warnings.filterwarnings("ignore", r"Glyph \d+", UserWarning)
        figure = figures.Figure(figsize=plot.size, layout="constrained")
        plot.draw(_framed(figure, plot) if alone else figure)
        _settle(figure)
        data = io.BytesIO()
        blank = {"Software": None} if form == "png" else {"Date": None, "Creator": None}
        figure.savefig(data, format=form, dpi=DOTS, metadata=blank)
    return data.getvalue()


def _settle(figure: Any) -> None:
    """Have the panels stay where the layout puts them, but for the last digits, in which the same layout may differ."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for part in figure.subfigs:
        box = part.bbox_relative
        box.p0, box.p1 = ([round(end, _DIGITS) for end in corner] for corner in (box.p0, box.p1))
    for axes in figure.axes:
        axes.set_position([round(end, _DIGITS) for end in axes.get_position(original=True).bounds])


def _framed(figure: Any, plot: Plot) -> Any:
    """The place between the title and the caption, which are written."""
    width, height = plot.size
    titled = textwrap.wrap(shortened(plot.title, _TITLE), int((width - 0.3) * _CAPITALS))
    lines = textwrap.wrap(shortened(plot.caption, _CAPTION), int((width - 0.3) * _LETTERS))
    above, below = _HEAD * len(titled) + 0.15, _LINE * len(lines) + 0.2
    figure.set_size_inches(width, above + height + below)
    top, middle, bottom = figure.subfigures(3, 1, height_ratios=[above, height, below])
    left = 0.15 / width
    top.text(left, 1 - 0.12 / above, "\n".join(titled), va="top", fontsize=13, fontweight="bold")
    bottom.text(left, 0.1 / below, "\n".join(lines), va="bottom", fontsize=8.5, color="#333333")
    return middle


def size(panels: int, columns: int, width: float = 3.3, height: float = 3.0) -> tuple[float, float]:
    """The size of a picture of so many panels, in inches. Raises UsageError for too many."""
    if panels > MOST:
        raise UsageError(
            f"this would be a picture of {panels} panels; name fewer runs, or aspects=... ({MOST} at the most)"
        )
    return max(min(panels, columns) * width, 6.4), -(-panels // columns) * height + 0.2


def panels(figure: Any, count: int, columns: int, **options: Any) -> Iterator[Any]:
    """The axes of so many panels; places in the last line that are left over stay empty."""
    grid = figure.subplots(-(-count // columns), min(count, columns), squeeze=False, **options)
    places = [axes for line in grid for axes in line]
    for axes in places[count:]:
        axes.remove()
    yield from places[:count]


def entitle(axes: Any, title: str, *below: str) -> None:
    """Give a panel its title, with lines in plain letters beneath it."""
    axes.set_title(shortened(title, _ABOVE) + "\n" * len(below), loc="left")
    text = "\n".join(shortened(line, _BENEATH) for line in below)
    axes.text(0, 1.02, text, transform=axes.transAxes, fontsize=8.5, va="bottom")


def legend(figure: Any, handles: dict[str, Any]) -> None:
    """Draw the legend beside the panels; matplotlib leaves out names that begin with an underscore."""
    names = [
        f" {shortened(name, _ABOVE)}" if name.startswith("_") else shortened(name, _ABOVE) for name in handles
    ]
    figure.legend(handles.values(), names, loc="outside right upper", handlelength=3)
