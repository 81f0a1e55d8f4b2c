"""Tables in HTML, and one self-contained page of a picture with its numbers. Nothing is loaded from elsewhere."""

import html
from collections.abc import Sequence

from agentdebate.report.grid import Grid
from agentdebate.visible import visible

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 72rem; margin: 2rem auto }
figure { margin: 0; overflow-x: auto }
figure svg { max-width: 100%; height: auto }
figcaption { max-width: 52rem; margin: 1rem 0; white-space: pre-line }
th, td { padding: .3rem .75rem; text-align: left; border-bottom: 1px solid #ddd }
caption { text-align: left; font-weight: bold }
.figure { text-align: right }
"""


def page(caption: str, grid: Grid, picture: str) -> str:
    """Write a page. `picture` is an SVG as matplotlib writes it; all other text is escaped."""
    title = html_text(grid.title)
    drawn = picture[picture.index("<svg") :].replace("<svg", f'<svg role="img" aria-label="{title}"', 1)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{_STYLE}</style>
</head>
<body>
<h1>{title}</h1>
<figure>
{drawn}
<figcaption>{html_text(caption, lines=True)}</figcaption>
{as_html(grid)}
</figure>
</body>
</html>
"""


def as_html(grid: Grid) -> str:
    """Write a table, its title as its caption, and its notes below it."""
    rows = [_row("td", row, grid.figures) for row in grid.texts]
    return "\n".join(
        [
            f"<table>\n<caption>{html_text(grid.title)}</caption>",
            f"<thead>{_row('th', grid.head, grid.figures)}</thead>",
            *["<tbody>", *rows, "</tbody>", "</table>"],
            *(f"<p>{html_text(note)}</p>" for note in grid.notes),
        ]
    )


def html_text(text: str, *, lines: bool = False) -> str:
    """Text for an element or an attribute between quotation marks, in which nothing is a tag or hidden."""
    return html.escape(visible(text, lines=lines))


def _row(tag: str, cells: Sequence[str], figures: Sequence[bool]) -> str:
    marks = [' class="figure"' if one else "" for one in figures]
    return f"<tr>{''.join(f'<{tag}{mark}>{html_text(cell)}</{tag}>' for cell, mark in zip(cells, marks, strict=True))}</tr>"
