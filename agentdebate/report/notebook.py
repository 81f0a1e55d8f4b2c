"""Values as notebooks show them: a piece of static HTML in which all text is escaped, for dark and light pages."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import islice
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from agentdebate.debates.record import Record
from agentdebate.meta.agreement import Agreement
from agentdebate.report.agreement_table import AgreementTable
from agentdebate.report.grid import Grid as PlainGrid
from agentdebate.report.records import record as agreement_record
from agentdebate.report.transcript_text import (
    brief_line,
    failure_line,
    forget_line,
    selection_line,
    shown,
    told,
    verdict_line,
)
from agentdebate.store.stored_run import Run, StoredRecord
from agentdebate.tables.column import Column
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.talk.messages import (
    FLOOR,
    FORWARD,
    Ask,
    Brief,
    Evidence,
    Failure,
    Forget,
    Message,
    Reply,
    Selection,
    Tell,
    Verdict,
    line_of,
    words_of,
)
from agentdebate.talk.transcript import Transcript
from agentdebate.visible import one_line, shortened, visible

ROWS = 20
"""Rows of a table that are shown."""
FEW = 5
"""Records of a run that are shown."""
_CELL = 200
"""Characters of a cell."""
_TEXT = 10_000
"""Characters of a text."""
_MOST = 500
"""Messages of a transcript that are shown."""
_FIGURES = ("integer", "number")


@dataclass(frozen=True)
class Head:
    """The head of a column, and whether figures stand in it."""

    name: str
    figures: bool = False


@dataclass(frozen=True)
class Grid:
    """A table of texts."""

    title: str
    head: Sequence[Head]
    rows: Sequence[Sequence[str]]
    note: str = ""


@dataclass(frozen=True)
class Said:
    """Something that was said, with a text, or in one line."""

    head: str
    text: str | None = None
    kind: str = ""


@dataclass(frozen=True)
class Fold:
    """What is folded behind its title, or open."""

    title: str
    entries: Sequence[Said]
    open: bool = False


@dataclass(frozen=True)
class Shown:
    """What is shown of a value, from top to bottom."""

    head: str = ""
    lines: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    folds: Sequence[Fold] = ()


def drawn(value: object) -> str:
    """The value as HTML. Raises TypeError for one that notebooks show as text."""
    for kind, shown_as in _KINDS.items():
        if isinstance(value, kind):
            return _template().render(vars(shown_as(value)))
    raise TypeError(f"{type(value).__name__} has no HTML")


@cache
def _template() -> Template:
    loader = PackageLoader("agentdebate.report", "templates")
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("notebook.html")


def _of_tabular(value: Tabular) -> Shown:
    return Shown(grids=[_of_table(value.to_table(), ROWS)])


def _of_agreement_table(table: AgreementTable) -> Shown:
    return Shown(lines=[one_line(table.caption)], grids=[*map(_of_grid, table.grids)])


def _of_transcript(transcript: Transcript[Message]) -> Shown:
    return Shown(folds=[Fold(f"{len(transcript)} messages", list(_entries(transcript)), open=True)])


def _of_table(table: Table[Any], most: int) -> Grid:
    rows = [[_cell(value) for value in row] for row in islice(table.values(), most + 1)]
    note = f"the first {most} rows" if len(rows) > most else ""
    return Grid(shortened(table.title, _CELL), [*map(_head, table.schema)], rows[:most], note)


def _of_grid(grid: PlainGrid) -> Grid:
    """A table of figures whose first column names the rows."""
    first, *others = grid.head
    head = [Head(_cell(first)), *(Head(_cell(name), figures=True) for name in others)]
    return Grid(_cell(grid.title), head, [[*map(_cell, row)] for row in grid.rows])


def _head(column: Column) -> Head:
    return Head(shortened(column.name, _CELL), column.kind in _FIGURES)


def _of_run(run: Run) -> Shown:
    ended = ", ".join(f"{name} {count}" for name, count in run.head.outcomes.items()) or "no debate has ended"
    head = one_line(f"run {run.id}: {run.strategy} on {run.task}, model {run.head.model}")
    line = one_line(
        f"begun {datetime.fromtimestamp(run.head.created, UTC):%Y-%m-%d %H:%M:%S} UTC, {run.state}: {ended}"
    )
    return Shown(head, [line], [_of_table(run.records(), FEW)])


def _of_verdict(verdict: Verdict) -> Shown:
    folds = [Fold("transcript", list(_entries(verdict.transcript)))] if verdict.transcript else []
    return Shown(verdict_line(verdict), grids=_ballots(verdict), folds=folds)


def _of_record(record: Record | StoredRecord) -> Shown:
    verdict, failure = record.verdict, record.failure
    ending = verdict_line(verdict) if verdict else failure_line(failure) if failure else record.outcome.name
    fields = [Said(one_line(name), _text(text)) for name, text in record.item.fields.items()]
    folds = [Fold("item", fields), Fold("transcript", list(_entries(record.transcript)))]
    return Shown(one_line(record.id), [ending], _ballots(verdict) if verdict else (), folds)


def _of_agreement(agreement: Agreement) -> Shown:
    found = agreement_record(agreement)
    rows = [[_cell(name), _cell(value)] for name, value in found.items() if value not in (None, {})]
    return Shown(grids=[Grid("agreement with people", [Head("what"), Head("value")], rows)])


def _ballots(verdict: Verdict) -> list[Grid]:
    if not verdict.ballots:
        return []
    names = list(dict.fromkeys(name for cast in verdict.ballots for name in cast.ballot.scores))
    head = [Head("agent"), Head("round", figures=True), *(Head(_cell(name), figures=True) for name in names)]
    rows = [
        [
            *(_cell(cast.agent), _cell(cast.round)),
            *(_cell(cast.ballot.scores.get(name)) for name in names),
            *(_cell(cast.model), _cell(cast.ballot.reason)),
        ]
        for cast in verdict.ballots
    ]
    return [Grid("ballots", [*head, Head("model"), Head("reason")], rows)]


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, Mapping):
        return _cell(", ".join(f"{name} {one}" for name, one in value.items()))
    if isinstance(value, list | tuple):
        return _cell(", ".join(one["content"] if isinstance(one, Mapping) else str(one) for one in value))
    return shortened(one_line(str(value)), _CELL)


def _text(text: str) -> str:
    cut = text.strip()[:_TEXT]
    more = len(text.strip()) - len(cut)
    return visible(cut, lines=True) + (f"\n[{more:,} more characters]" if more else "")


def _entries(messages: Iterable[Message]) -> Iterator[Said]:
    """What was said, as a reader wants it: who heard what is left out, and what was passed on is one line."""
    purposes: dict[int, str] = {}
    last = ""
    for number, message in enumerate(messages):
        if number == _MOST:
            yield Said(f"the first {_MOST} messages")
            return
        if isinstance(message, Ask):
            purposes[message.seq] = message.purpose
        elif isinstance(message, Reply):
            relayed = not message.model and purposes.get(message.answers) == FORWARD.name
            again = message.sender == FLOOR and message.text == last
            yield _said(message) if not (relayed or again) else _passed_on(message)
            last = message.text if not relayed else last
        elif not isinstance(message, Tell):
            yield _other(message)


def _passed_on(message: Reply) -> Said:
    return Said(one_line(f"{message.sender} passes it on"))


def _said(message: Message) -> Said:
    where = f", round {message.round}" if message.round else ""
    line = told(line_of, message)
    head = f"{message.sender}{where}: {line}" if line else f"{message.sender}{where}"
    return Said(one_line(head), _text(shown(told(words_of, message))), _kind(message))


def _kind(message: Message) -> str:
    return message.kind if message.kind in ("score", "critique", "ruling") else "other"


_LINES: Mapping[type[Message], Callable[[Any], str]] = {
    Brief: brief_line,
    Selection: selection_line,
    Verdict: verdict_line,
    Failure: failure_line,
    Forget: forget_line,
}
"""Messages that are one line, and how it is made."""


def _other(message: Message) -> Said:
    if isinstance(message, Evidence):
        return Said("evidence", _text(message.text), "other")
    if type(message) in _LINES:
        return Said(one_line(_LINES[type(message)](message)))
    return Said(one_line(f"{message.sender}: {message.kind}: {told(line_of, message)}"))


_KINDS: Mapping[type, Callable[[Any], Shown]] = {
    Table: lambda table: Shown(grids=[_of_table(table, ROWS)]),
    Run: _of_run,
    Verdict: _of_verdict,
    Record: _of_record,
    StoredRecord: _of_record,
    Agreement: _of_agreement,
    AgreementTable: _of_agreement_table,
    Tabular: _of_tabular,
    Transcript: _of_transcript,
}
"""What is drawn, and how; the first kind that fits."""
