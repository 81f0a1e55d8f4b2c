"""Values as notebooks show them: a piece of static HTML in which all text is escaped, for dark and light pages."""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from agentdebate.debates.record import Record
from agentdebate.report.grid import Grid
from agentdebate.report.markup import as_html, html_text
from agentdebate.report.transcript_text import drawn as transcript_text
from agentdebate.report.transcript_text import verdict_line
from agentdebate.store.stored_run import Run, StoredRecord
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.talk.messages import Transcript, Verdict

ROWS = 20
"""Rows of a table that are shown."""
_TEXT = 100_000
"""Characters of a text, such as a transcript."""
_STYLE = (
    ".agentdebate,.agentdebate table,.agentdebate pre{color:inherit;background:transparent}"
    ".agentdebate th,.agentdebate td{text-align:left;color:inherit;background:transparent}"
    ".agentdebate caption{text-align:left;font-weight:600}"
    ".agentdebate pre{white-space:pre-wrap}"
)
"""Text takes the page's colour, so that dark and light pages both work."""


def drawn(value: object) -> str:
    """The value as HTML. Raises TypeError for one that notebooks show as text."""
    for kind, parts in _KINDS.items():
        if isinstance(value, kind):
            return "\n".join([f'<div class="agentdebate">\n<style>{_STYLE}</style>', *parts(value), "</div>"])
    raise TypeError(f"{type(value).__name__} has no HTML")


def _of_table(table: Table[Any]) -> Iterator[str]:
    rows = [[*map(_cell, row)] for row in islice(table.values(), ROWS + 1)]
    notes = [f"the first {ROWS} rows"] if len(rows) > ROWS else []
    figures = [column.name for column in table.schema if column.kind in ("integer", "number")]
    yield as_html(Grid(table.title, table.columns, rows[:ROWS], figures, notes))


def _of_run(run: Run) -> Iterator[str]:
    yield _line(f"run {run.id}: {run.strategy} on {run.task}, model {run.head.model}; {run.state}")
    yield from _of_table(run.records())


def _of_verdict(verdict: Verdict) -> Iterator[str]:
    yield _line(verdict_line(verdict))
    yield _folded("transcript", str(verdict.transcript))


def _of_record(record: Record | StoredRecord) -> Iterator[str]:
    yield _line(f"{record.id}: {record.outcome.name}")
    yield from (_folded(name, text) for name, text in record.item.fields.items())
    yield _folded("transcript", transcript_text(record.transcript))


def _line(text: str) -> str:
    return f"<p><b>{html_text(text)}</b></p>"


def _folded(title: str, text: str) -> str:
    body = html_text(text if len(text) <= _TEXT else f"{text[:_TEXT]} ...", lines=True)
    return f"<details><summary>{html_text(title)}</summary><pre>{body}</pre></details>"


def _cell(value: Any) -> object:
    if isinstance(value, list | tuple):
        return ", ".join(one["content"] if isinstance(one, Mapping) else str(one) for one in value)
    return value


_KINDS: Mapping[type, Callable[[Any], Iterator[str]]] = {
    Table: _of_table,
    Run: _of_run,
    Verdict: _of_verdict,
    Record: _of_record,
    StoredRecord: _of_record,
    Tabular: lambda value: _of_table(value.to_table()),
    Transcript: lambda value: iter([_folded("transcript", str(value))]),
}
"""Renderers by the kind of value; the first kind that fits counts."""
