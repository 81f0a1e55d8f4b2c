"""Tables in markup: Markdown, LaTeX as booktabs sets it, and HTML."""

import html
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from agentdebate.report.grid import NONE, Grid, Number, cell_text
from agentdebate.visible import shortened, visible

LONGEST_CAPTION = 20_000
"""Characters of a paragraph before it is cut."""
_MARKS = re.compile(r"[\\`*_{}\[\]<>|~&$!@#]|:(?=\S)|(?<=www)\.", re.IGNORECASE)
"""Characters that Markdown, or a page that shows it, takes for markup, addresses and formulas."""
_BLOCK = re.compile(r"^(\d*)(?=[-+=.)])")
"""Beginnings of a line that make it a list or a heading."""


def as_markdown(grids: Sequence[Grid], caption: Sequence[str] = ()) -> str:
    """Write each table below its title, with its notes, and the lines of the caption behind all of them."""
    parts = [part for grid in grids for part in (_table(grid), *map(paragraph, grid.notes))]
    return "\n\n".join([*parts, *map(paragraph, caption)]) + "\n"


def _table(grid: Grid) -> str:
    rule = ["---:" if figures else "---" for figures in grid.figures]
    rows = [
        [markdown_text(cell_text(name)) for name in grid.head],
        rule,
        *([*map(_cell, row)] for row in grid.rows),
    ]
    return "\n".join(
        [f"**{markdown_text(cell_text(grid.title))}**", "", *(f"| {' | '.join(row)} |" for row in rows)]
    )


def _cell(value: object) -> str:
    if not isinstance(value, Number):
        return markdown_text(cell_text(value))
    first, *rest = value.parts
    return " ".join([f"**{first}**" if value.best else first, *rest])


def paragraph(text: str) -> str:
    """Text as a paragraph of its own, on one line."""
    return _BLOCK.sub(r"\1\\", markdown_text(shortened(text, LONGEST_CAPTION).strip()))


def markdown_text(text: str) -> str:
    """Text on one line, in which nothing is markup."""
    return _MARKS.sub(lambda mark: f"\\{mark[0]}", text)


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


def as_latex(grids: Sequence[Grid], caption: Sequence[str] = ()) -> str:
    r"""Write tables to be set with \usepackage{booktabs}; the caption stands below the first."""
    lines = ["% needs \\usepackage{booktabs}, and XeLaTeX or LuaLaTeX where names are not Latin"]
    for place, grid in enumerate(grids):
        lines += _floating(grid, [] if place else caption)
    return "\n".join(lines) + "\n"


def _floating(grid: Grid, told: Sequence[str]) -> Iterator[str]:
    yield r"\begin{table}[t]"
    yield r"\centering"
    yield rf"\begin{{tabular}}{{{''.join('r' if figures else 'l' for figures in grid.figures)}}}"
    yield r"\toprule"
    yield _row([_named(name) for name in grid.head])
    yield r"\midrule"
    yield from (_row([_latex(cell) for cell in row]) for row in grid.rows)
    yield r"\bottomrule"
    yield r"\end{tabular}"
    text = " ".join([f"{grid.title}.", *told, *grid.notes])
    yield rf"\caption{{{escaped(shortened(text, LONGEST_CAPTION))}}}"
    yield r"\end{table}"


def _latex(value: object) -> str:
    """A cell; a statistic has its interval and its count in small letters behind it."""
    if not isinstance(value, Number):
        return _named(cell_text(value))
    first, *rest = value.parts
    shown = "--" if first == NONE else f"$-${first[1:]}" if first[0] == "-" else first
    small = [rf"{{\scriptsize {escaped(part)}}}" for part in rest]
    return " ".join([rf"\textbf{{{shown}}}" if value.best else shown, *small])


def _row(cells: Sequence[str]) -> str:
    return " & ".join(cells).rstrip() + r" \\"


def _named(text: str) -> str:
    shown = escaped(cell_text(text))
    # A bracket or a star would be taken for an option of the end of the row before.
    return f"{{{shown[0]}}}{shown[1:]}" if shown[:1] in {"[", "*"} else shown


def escaped(text: str) -> str:
    """Text in which nothing is a command."""
    shown = unicodedata.normalize("NFC", visible(text))
    return _JOINED.sub(r"\g<0>{}", "".join(_ESCAPES.get(one, one) for one in shown))


def as_html(grid: Grid) -> str:
    """Write a table, its title as its caption, and its notes below it."""
    rows = [_tags("td", row, grid.figures) for row in grid.texts]
    head = f"<table>\n<caption>{html_text(grid.title)}</caption>\n<thead>{_tags('th', grid.head, grid.figures)}</thead>"
    notes = [f"<p>{html_text(note)}</p>" for note in grid.notes]
    return "\n".join([head, "<tbody>", *rows, "</tbody>", "</table>", *notes])


def html_text(text: str, *, lines: bool = False) -> str:
    """Text for an element or an attribute between quotation marks, in which nothing is a tag or hidden."""
    return html.escape(visible(text, lines=lines))


def _tags(tag: str, cells: Sequence[str], figures: Sequence[bool]) -> str:
    marks = [' class="figure"' if one else "" for one in figures]
    found = (f"<{tag}{mark}>{html_text(cell)}</{tag}>" for cell, mark in zip(cells, marks, strict=True))
    return f"<tr>{''.join(found)}</tr>"
