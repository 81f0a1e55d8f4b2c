"""Tables in LaTeX, as booktabs sets them."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from agentdebate.report.figures import NONE
from agentdebate.report.grid import Grid, Number, cell_text
from agentdebate.report.markdown import LONGEST_CAPTION
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
_JOINED = re.compile("([-'])(?=\\1)")
"""Characters that become another one beside their like."""
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


def as_latex(grids: Sequence[Grid], caption: Sequence[str] = ()) -> str:
    r"""Write tables to be set with \usepackage{booktabs}; the caption stands below the first."""
    told = [caption, *([()] * len(grids))]
    lines = [line for grid, text in zip(grids, told, strict=False) for line in _floating(grid, text)]
    return (
        "\n".join(["% needs \\usepackage{booktabs}; XeLaTeX or LuaLaTeX where names are not Latin", *lines])
        + "\n"
    )


def _floating(grid: Grid, told: Sequence[str]) -> Iterator[str]:
    yield r"\begin{table}[t]"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{{''.join('r' if figures else 'l' for figures in grid.figures)}}}"
    yield r"\toprule"
    yield _row([_named(name) for name in grid.head])
    yield r"\midrule"
    for row in grid.rows:
        yield from map(_row, zip_longest(*map(_lines, row), fillvalue=""))
    yield r"\bottomrule"
    yield r"\end{tabular}"
    text = " ".join([f"{grid.title}.", *told, *grid.notes])
    yield rf"\caption{{{escaped(shortened(text, LONGEST_CAPTION))}}}"
    yield r"\end{table}"


def _lines(value: object) -> list[str]:
    """A cell; a statistic has its interval and its count in small letters below it."""
    if not isinstance(value, Number):
        text = cell_text(value)
        return [_figure(text) if text[:2].strip("-.").isdigit() or text == NONE else _named(text)]
    first, *rest = value.parts
    shown = _figure(first)
    small = [rf"{{\scriptsize {escaped(part)}}}" for part in rest]
    return [rf"\textbf{{{shown}}}" if value.best else shown, *small]


def _figure(text: str) -> str:
    """A figure with a minus that is as long as one."""
    return "--" if text == NONE else f"$-${escaped(text[1:])}" if text[:1] == "-" else escaped(text)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells).rstrip() + r" \\"


def _named(text: str) -> str:
    shown = escaped(cell_text(text))
    # A bracket or a star would be taken for an option of the end of the row before.
    return f"{{{shown[0]}}}{shown[1:]}" if shown[:1] in {"[", "*"} else shown


def escaped(text: str) -> str:
    """Text in which nothing is a command; the symbols of statistics are set as such."""
    place, parts = 0, []
    for found in _SYMBOL.finditer(text):
        parts += [_plain(text[place : found.start()]), _SYMBOLS[found[0]]]
        place = found.end()
    return "".join([*parts, _plain(text[place:])])


def _plain(text: str) -> str:
    shown = unicodedata.normalize("NFC", visible(text))
    return _JOINED.sub(r"\g<0>{}", "".join(_ESCAPES.get(one, one) for one in shown))
