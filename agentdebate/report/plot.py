"""A plot with all that has to be said beside it, and how it is written: a PNG or an SVG."""

import io
import textwrap
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentdebate.errors import UsageError
from agentdebate.extras import optional, require
from agentdebate.meta.coverage import Coverage
from agentdebate.report.coverage import coverage_record
from agentdebate.report.output_file import check_free
from agentdebate.visible import shortened

EXTRA = "plots"
ENDINGS = (".png", ".svg")
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
_DIGITS = 5
"""Decimals of where panels are, as shares of the picture."""

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
    "svg.hashsalt": "agentdebate",
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
        """Write it to a file that ends in .png or .svg. The same plot gives the same bytes.

        Raises UsageError for another ending, for too many panels and where the file cannot be written; MissingExtra.
        """
        path = Path(output)
        check_path(path)
        if len(self.panels) > MOST:
            raise UsageError(
                f"this would be a picture of {len(self.panels)} panels; name fewer runs, or aspects=... ({MOST} at the most)"
            )
        content = _drawn(self, path.suffix.lower()[1:])
        try:
            path.write_bytes(content)
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}") from error

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        coverages = list(map(coverage_record, self.coverages))
        return {"title": self.title, "caption": self.caption, "rows": list(self.rows), "coverage": coverages}


def named(text: str) -> str:
    """A name as a picture has it; matplotlib leaves names out of a legend that begin with an underscore."""
    return shortened(f" {text}" if text.startswith("_") else text, _NAME)


def check_path(path: Path) -> None:
    """Raise UsageError for a file that no plot can be written to, before anything is computed; MissingExtra without matplotlib."""
    require("matplotlib", EXTRA)
    if path.suffix.lower() not in ENDINGS:
        raise UsageError(f"a plot is written to a file that ends in {' or '.join(ENDINGS)}, not to {path}")
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
        _legend(figure)
        figure.suptitle(shortened(plot.title, _TITLE), x=0.01, ha="left", fontweight="bold")
        figure.supxlabel("\n".join(lines), x=0.01, ha="left", fontsize=8.5)
        _settle(figure)
        data = io.BytesIO()
        blank = {"Software": None} if form == "png" else {"Date": None, "Creator": None}
        figure.savefig(data, format=form, dpi=DOTS, metadata=blank)
    return data.getvalue()


def _legend(figure: Any) -> None:
    """Have one legend for all panels."""
    handles = {
        label: handle
        for axes in figure.axes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles, loc="outside right upper")


def _settle(figure: Any) -> None:
    """Have the panels stay where the layout puts them, but for the last digits, in which the same layout may differ."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position([round(end, _DIGITS) for end in axes.get_position(original=True).bounds])
