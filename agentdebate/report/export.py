"""`export`: a run written out as JSONL or CSV, in one call with the words of the command."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Literal, get_args

from agentdebate.codec import plain
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.report.json_lines import json_line, line_for
from agentdebate.report.output_file import written
from agentdebate.report.spreadsheet import csv_line
from agentdebate.store.reader import LAST, data_files
from agentdebate.store.run_tables import RunCall
from agentdebate.store.stored_run import Run, open_store
from agentdebate.tables.table import Table
from agentdebate.talk.envelope import message_data

What = Literal["verdicts", "messages", "calls", "ballots", "costs"]
"""What a row is: a verdict, a message, a model call, a rating of a ballot, or what an agent's calls of a model cost."""

Format = Literal["jsonl", "csv"]

STORE = "agentdebate.db"
"""The store in the current folder."""

_NESTED = ("messages", "calls")
"""What does not fit into CSV."""

Row = Mapping[str, Any]


def export(
    run: Run | str = LAST,
    output: str | Path | IO[str] | None = None,
    *,
    what: What = "verdicts",
    format: Format | None = None,
    raw: bool = False,
    store: str | Path = STORE,
) -> Table[Any]:
    """Write a run into a file or a stream, and give it as a table; without `output` it is the table alone.

    A `format` None is CSV for a file that ends in .csv, and JSONL else. `run` is a run that `open_store` gave, or the name of one in `store`. The files are those of the command `export`: CSV is for
    verdicts, ballots and costs, and with `raw` no cell of it is changed to be safe in a spreadsheet. Raises UsageError and
    StoreError.
    """
    form: Format = format or format_of(output)
    check_export(what, form, raw=raw)
    found = run if isinstance(run, Run) else open_store(store).run(run)
    if isinstance(output, str | Path):
        with written(Path(output), data_files([found.head])) as stream:
            write_export(found, stream, what=what, format=form, raw=raw)
    elif output is not None:
        write_export(found, output, what=what, format=form, raw=raw, line=partial(line_for, output))
    tables: Mapping[What, Callable[[], Table[Any]]] = {
        "verdicts": found.records,
        "messages": found.messages,
        "calls": found.calls,
        "ballots": found.ballots,
        "costs": found.costs,
    }
    return tables[what]()


def format_of(output: object) -> Format:
    """The format that the ending of a file names; JSONL where it names none. Raises UsageError for one that is not written."""
    ending = Path(output).suffix.lower() if isinstance(output, str | Path) else ""
    if ending in (".json", ".parquet", ".xlsx", ".xls", ".tsv"):
        raise UsageError(f"a run is exported as .jsonl or .csv, not as {ending}")
    return "csv" if ending == ".csv" else "jsonl"


def check_export(what: str, format: str, *, raw: bool) -> None:
    """Raise UsageError for what cannot be written so."""
    for name, given, known in (("what", what, get_args(What)), ("format", format, get_args(Format))):
        if given not in known:
            raise UsageError(f"{name} cannot be {given!r}. {nearest(given, known)}")
    if format == "csv" and what in _NESTED:
        raise UsageError(f"{what} are nested and go into JSONL; CSV is for verdicts, ballots and costs")
    if raw and format != "csv":
        raise UsageError("raw is for the format csv: JSON says everything as it is")


def write_export(
    run: Run,
    stream: IO[str],
    *,
    what: What,
    format: Format,
    raw: bool = False,
    line: Callable[[Any], str] = json_line,
) -> None:
    """Write a run as it is read; `line` makes a line of JSON."""
    if format == "jsonl":
        stream.writelines(map(line, _rows(run, what)))
    elif what == "verdicts":
        _write_verdicts(_verdicts(run), stream, raw=raw)
    else:
        _write_csv(run.ballots() if what == "ballots" else run.costs(), stream, raw=raw)


def _rows(run: Run, what: What) -> Iterable[Row]:
    match what:
        case "verdicts":
            return _verdicts(run)
        case "messages":
            said = run.reader.said(run.id)
            return ({"debate": debate, **message_data(message)} for debate, message in said)
        case "calls":
            return (
                {**_stored(call), "completion": plain(call.completion)} for call in run.reader.asked(run.id)
            )
        case "ballots":
            return run.ballots()
        case "costs":
            return (one.row() for one in run.costs())


def _stored(call: RunCall) -> Row:
    """A call as it is stored: the model and the brief stand among the messages."""
    return {name: value for name, value in vars(call).items() if name not in ("model", "brief")}


def _write_csv(table: Table[Any], stream: IO[str], *, raw: bool) -> None:
    stream.write(csv_line(table.columns, raw=raw))
    stream.writelines(csv_line(row, raw=raw) for row in table.values())


def _verdicts(run: Run) -> Iterable[Row]:
    """The verdicts; where files stood in the place of built-in ones, each row says which."""
    more = {"replaced": ", ".join(run.head.replaced)} if run.head.replaced else {}
    return ({**row, **more} for row in run.reader.rows(run.id))


def _write_verdicts(rows: Iterable[Row], stream: IO[str], *, raw: bool) -> None:
    """One line a verdict; scores have a column each, and so have people's.

    All rows are looked at for their columns before the first is written. Meanwhile they lie in a file, for there may be many,
    and more may come.
    """
    columns = _Columns()
    with TemporaryFile("w+", encoding="utf-8") as kept:
        for row in rows:
            columns.look(row)
            kept.write(json.dumps(row) + "\n")
        kept.seek(0)
        names = columns.names
        stream.write(csv_line(names, raw=raw))
        for line in kept:
            cells = columns.cells(json.loads(line))
            stream.write(csv_line([cells.get(name) for name in names], raw=raw))


class _Columns:
    """The columns of a run's CSV, in the order in which rows need them."""

    def __init__(self) -> None:
        self._plain: dict[str, None] = {}
        self._scores: dict[str, None] = {}
        self._aspects: dict[str, None] = {}
        self._people: dict[str, None] = {}

    def look(self, row: Row) -> None:
        """Take in what a row has."""
        self._plain.update(dict.fromkeys(_plain(row)))
        self._scores.update(dict.fromkeys(_score_names(row)))
        self._aspects.update(dict.fromkeys(row["aspects"]))
        self._people.update(dict.fromkeys(row["human"]))

    @property
    def names(self) -> list[str]:
        """All columns."""
        scored = (f"score_{name}" for name in self._scores)
        people = (f"human_{name}" for name in {**self._aspects, **self._people})
        return list(dict.fromkeys([*(self._plain or ["debate"]), *scored, *people, *_JOINED]))

    def cells(self, row: Row) -> dict[str, Any]:
        """What a row has in each."""
        return {
            **_plain(row),
            **{f"score_{name}": row["scores"].get(name) for name in self._scores},
            **{f"human_{name}": row["human"].get(name) for name in {**self._aspects, **self._people}},
            **{name: " ".join(row.get(name, ())) for name in ("candidates", "winners", "families")},
            "models": ", ".join(row.get("models", ())),
            "lost": " ".join(lost["agent"] for lost in row.get("lost", ())),
            "confidences": " ".join(
                f"{one['agent']}={one['value']:.6g}" for one in row.get("confidences", ())
            ),
        }


_JOINED = ("candidates", "winners", "lost", "models", "families", "confidences")
"""Columns of words with blanks between them; models have commas, since their names may have blanks."""


def _plain(row: Row) -> dict[str, Any]:
    """What stands in a column as it is; of a failure its kind."""
    kind = row["failure"]["error"] if outcome_of(row) is FAILURE else None
    whole = {**row, "failure": kind}
    return {key: value for key, value in whole.items() if not isinstance(value, dict | list)}


def _score_names(row: Row) -> list[str]:
    """What a row has scores of: aspects, or each aspect of each candidate ("overall.answer_1")."""
    return [
        f"{aspect}.{candidate}" if candidate else aspect
        for aspect in row["aspects"]
        for candidate in row.get("candidates") or ("",)
    ]
