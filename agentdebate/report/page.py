"""One self-contained page: a picture, what it shows, and its numbers. Nothing in it is loaded from elsewhere."""

import html
from collections.abc import Iterator, Sequence

from agentdebate.visible import visible

NONE = "-"

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff; max-width: 72rem; margin: 2rem auto; padding: 0 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25 }
figure { margin: 0 }
figure svg { max-width: 100%; height: auto; display: block }
figcaption { color: #333; max-width: 52rem; margin: .75rem 0 1.5rem }
.numbers { overflow-x: auto }
table { border-collapse: collapse; font-size: .875rem; font-variant-numeric: tabular-nums }
th, td { padding: .3rem .75rem; text-align: left; border-bottom: 1px solid #ddd; white-space: nowrap }
th { border-bottom: 2px solid #888 }
td.figure, th.figure { text-align: right }
"""


def page(
    title: str, caption: str, head: Sequence[str], rows: Sequence[Sequence[object]], picture: str
) -> str:
    """The page as HTML. `picture` is an SVG as matplotlib writes it; all other text is escaped."""
    drawn = picture[picture.index("<svg") :].replace(
        "<svg", f'<svg role="img" aria-label="{html_text(title)}"', 1
    )
    lines = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{html_text(title)}</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f"<h1>{html_text(title)}</h1>",
        f"<figure>\n{drawn}\n<figcaption>{html_text(caption)}</figcaption>\n</figure>",
        *_table(head, rows),
        "</body>",
        "</html>",
    ]
    return "\n".join(lines) + "\n"


def cell(value: object) -> str:
    """A value as the table shows it."""
    if value is None:
        return NONE
    if isinstance(value, float):
        return f"{value:.4f}".rstrip("0").rstrip(".") if value else "0"
    return str(value)


def html_text(text: str) -> str:
    """Text for an element or an attribute between quotation marks, in which nothing is a tag or hidden."""
    return html.escape(visible(text))


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> Iterator[str]:
    figures = [
        any(isinstance(row[place], int | float) for row in rows)
        and not any(isinstance(row[place], str) for row in rows)
        for place in range(len(head))
    ]
    yield '<div class="numbers">\n<table>\n<thead>'
    yield _line("th", head, figures)
    yield "</thead>\n<tbody>"
    for row in rows:
        yield _line("td", row, figures)
    yield "</tbody>\n</table>\n</div>"


def _line(tag: str, values: Sequence[object], figures: Sequence[bool]) -> str:
    cells = (
        f"<{tag}{' class=' + chr(34) + 'figure' + chr(34) if figure else ''}>{html_text(cell(value))}</{tag}>"
        for value, figure in zip(values, figures, strict=True)
    )
    return f"<tr>{''.join(cells)}</tr>"
