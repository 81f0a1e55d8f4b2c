"""Values as notebooks show them: a piece of static HTML in which all text is escaped, for dark and light pages."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from agentdebate.debates.record import Record
from agentdebate.report.grid import Grid
from agentdebate.report.markup import as_html, html_text
from agentdebate.report.transcript_text import drawn as transcript_text
from agentdebate.report.transcript_text import verdict_line
from agentdebate.store.stored_run import Run, StoredRecord
from agentdebate.tables.table import Table, Tabular
from agentdebate.talk.messages import Transcript, Verdict

ROWS = 20
"""Rows of a table that are shown."""
_TEXT = 100_000
"""Characters of a text, such as a transcript."""
_STYLE = (
    ".agentdebate,.agentdebate *{color:inherit;background:transparent;text-align:left}"
    ".agentdebate pre{white-space:pre-wrap}"
)
"""Text takes the page's colour, so that dark and light pages both work."""


def drawn(value: object) -> str:
    """The value as HTML. Raises TypeError for one that notebooks show as text."""
    return "\n".join([f'<div class="agentdebate">\n<style>{_STYLE}</style>', *_parts(value), "</div>"])


def _parts(value: object) -> Iterator[str]:
    match value:
        case Table():
            yield _table(value)
        case Tabular():
            yield _table(value.to_table())
        case Run():
            yield _line(repr(value))
            yield _table(value.records())
        case Verdict():
            yield _line(verdict_line(value))
            yield _folded("transcript", str(value.transcript))
        case Transcript():
            yield _folded("transcript", str(value))
        case Record() | StoredRecord():
            yield _line(repr(value))
            yield from (_folded(name, text) for name, text in value.item.fields.items())
            yield _folded("transcript", transcript_text(value.transcript))
        case _:
            raise TypeError(f"{type(value).__name__} has no HTML")


def _table(table: Table[Any]) -> str:
    rows = [list(map(_cell, row)) for row in islice(table.values(), ROWS + 1)]
    notes = [f"the first {ROWS} rows"] if len(rows) > ROWS else []
    figures = [column.name for column in table.schema if column.kind in ("integer", "number")]
    return as_html(Grid(table.title, table.columns, rows[:ROWS], figures, notes))


def _cell(value: Any) -> object:
    if isinstance(value, list | tuple):
        return ", ".join(one["content"] if isinstance(one, Mapping) else str(one) for one in value)
    return value


def _line(text: str) -> str:
    return f"<p><b>{html_text(text)}</b></p>"


def _folded(title: str, text: str) -> str:
    body = html_text(text if len(text) <= _TEXT else f"{text[:_TEXT]} ...", lines=True)
    return f"<details><summary>{html_text(title)}</summary><pre>{body}</pre></details>"
