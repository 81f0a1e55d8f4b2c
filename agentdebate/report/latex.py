"""Panels as one LaTeX table, as booktabs sets them."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from agentdebate.report.figures import NONE
from agentdebate.report.grid import Grid
from agentdebate.report.panel import COUNTS, LONGEST, LONGEST_CAPTION, Cell, Panel
from agentdebate.visible import shortened, visible

_ESCAPES: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\symbol{34}",
    "`": r"\symbol{96}",
    **{mark: f"\\{mark}" for mark in "&%$#_{}"},
}
_BEYOND = r"\providecommand{\beyondlatin}[2]{\ifdefined\Umathcode #1\else #2\fi}"
"""pdfLaTeX stops at characters beyond Latin, and shows their number instead; LuaLaTeX and XeLaTeX show what their font has."""
_JOINED = re.compile("([-'])(?=\\1)")
"""Characters that become another one beside their like."""
_KNOWN = re.compile(
    "[ -~\u00a1-\u00ac\u00ae-\u0148\u014a-\u017e\u2013\u2014\u2018-\u201a\u201c-\u201e\u2026]"
)
"""Characters that every LaTeX can set."""
_SYMBOLS: Mapping[str, str] = {
    "Pearson's r": "Pearson's $r$",
    "Spearman's rho": r"Spearman's $\rho$",
    "tau-b": r"$\tau_b$",
    "tau-c": r"$\tau_c$",
    "Cohen's kappa": r"Cohen's $\kappa$",
    "Fleiss' kappa": r"Fleiss' $\kappa$",
    "Krippendorff's alpha": r"Krippendorff's $\alpha$",
}
_SYMBOL = re.compile("|".join(map(re.escape, _SYMBOLS)))


def as_latex(panels: Sequence[Panel], caption: str, grids: Sequence[Grid] = ()) -> str:
    r"""One table of all panels, to be set with \usepackage{booktabs}, and one of further tables, which has no caption."""
    tables = [_floating(_of_panels(panels), max((len(one.columns) for one in panels), default=0), caption)]
    tables += [_floating(_of_grid(grid), len(grid.head) - 1, grid.title) for grid in grids]
    lines = [line for table in tables for line in table]
    beyond = [_BEYOND] if any(r"\beyondlatin" in line for line in lines) else []
    return "\n".join(["% needs \\usepackage{booktabs}", *beyond, *lines]) + "\n"


def _floating(rows: Iterable[str], figures: int, caption: str) -> Iterator[str]:
    yield r"\begin{table}[t]"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{l{'r' * figures}}}"
    yield r"\toprule"
    yield from rows
    yield r"\bottomrule"
    yield r"\end{tabular}"
    yield rf"\caption{{{escaped(shortened(caption, LONGEST_CAPTION))}}}"
    yield r"\end{table}"


def _of_panels(panels: Sequence[Panel]) -> Iterator[str]:
    """The rows of all panels; a head that a panel shares with the one before it is not said again."""
    widest = max((len(panel.columns) for panel in panels), default=0)
    columns: tuple[str, ...] = ()
    for panel in panels:
        if panel.columns != columns:
            columns = panel.columns
            yield _row(["judge", *map(_named, columns)], widest)
        yield r"\midrule"
        yield rf"\multicolumn{{{widest + 1}}}{{l}}{{\emph{{{_named(panel.title)}}}}} \\"
        for judge in panel.judges:
            yield from _judge(panel, judge, widest)
        if panel.column_counts:
            yield _row([COUNTS, *map(_small, panel.column_counts)], widest)


def _of_grid(grid: Grid) -> Iterator[str]:
    yield _row([_named(name) for name in grid.head], 0)
    yield r"\midrule"
    for row in grid.rows:
        yield _row([_named(row[0]), *map(_figure, row[1:])], 0)


def _judge(panel: Panel, judge: str, widest: int) -> Iterator[str]:
    cells = panel.cells(judge)
    yield _row([_named(judge), *map(_value, cells)], widest)
    for part in ([cell.interval for cell in cells], [cell.count for cell in cells]):
        if any(part):
            yield _row(["", *map(_small, part)], widest)


def _small(text: str) -> str:
    return rf"{{\scriptsize {escaped(text)}}}" if text else ""


def _figure(text: str) -> str:
    """A figure with a minus that is as long as one."""
    return "--" if text == NONE else f"$-${escaped(text[1:])}" if text[:1] == "-" else escaped(text)


def _value(cell: Cell) -> str:
    value = _figure(cell.value)
    return rf"\textbf{{{value}}}" if cell.best else value


def _row(cells: Sequence[str], widest: int) -> str:
    return " & ".join([*cells, *[""] * (widest + 1 - len(cells))]).rstrip() + r" \\"


def _named(text: str) -> str:
    shown = escaped(shortened(text, LONGEST))
    return (
        f"{{{shown[0]}}}{shown[1:]}" if shown[:1] in {"[", "*"} else shown
    )  # which an end of a row would take


def escaped(text: str) -> str:
    """Text in which nothing is a command; the symbols of statistics are set as such."""
    place, parts = 0, []
    for found in _SYMBOL.finditer(text):
        parts += [_plain(text[place : found.start()]), _SYMBOLS[found[0]]]
        place = found.end()
    return "".join([*parts, _plain(text[place:])])


def _plain(text: str) -> str:
    shown = unicodedata.normalize("NFC", visible(text))
    return _JOINED.sub(r"\g<0>{}", "".join(map(_character, shown)))


def _character(character: str) -> str:
    if _KNOWN.fullmatch(character):
        return _ESCAPES.get(character, character)
    return rf"\beyondlatin{{{character}}}{{U+{ord(character):04X}}}"
