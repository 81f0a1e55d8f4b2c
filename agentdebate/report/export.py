"""`export`: a run written out as JSONL or CSV, in one call with the words of the command."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import IO, Any, Literal, get_args

from agentdebate.codec import plain
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.report.data_lines import csv_line, json_line, line_for
from agentdebate.report.output_file import written
from agentdebate.store.reader import LAST, data_files
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
    table: Table[Any] = getattr(found, "records" if what == "verdicts" else what)()
    return table


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
        _write_verdicts(run, stream, raw=raw)
    else:
        table: Table[Any] = run.ballots() if what == "ballots" else run.costs()
        stream.write(csv_line(table.columns, raw=raw))
        stream.writelines(csv_line(row, raw=raw) for row in table.values())


def _rows(run: Run, what: What) -> Iterable[Row]:
    match what:
        case "verdicts":
            return _verdicts(run)
        case "messages":
            return (
                {"debate": debate, **message_data(message)} for debate, message in run.reader.said(run.id)
            )
        case "calls":  # the model and the brief stand among the messages
            return (
                {name: value for name, value in vars(call).items() if name not in ("model", "brief")}
                | {"completion": plain(call.completion)}
                for call in run.reader.asked(run.id)
            )
        case "ballots":
            return run.ballots()
        case "costs":
            return (one.row() for one in run.costs())


def _verdicts(run: Run) -> Iterable[Row]:
    """The verdicts; where files stood in the place of built-in ones, each row says which."""
    more = {"replaced": ", ".join(run.head.replaced)} if run.head.replaced else {}
    return ({**row, **more} for row in run.reader.rows(run.id))


def _write_verdicts(run: Run, stream: IO[str], *, raw: bool) -> None:
    """One line a verdict; scores have a column each, and so have people's. The rows are read twice: first for their columns."""
    kinds: tuple[dict[str, None], ...] = ({}, {}, {}, {})
    for row in _verdicts(run):
        for known, cells in zip(kinds, _cells(row), strict=True):
            known.update(dict.fromkeys(cells))
    names = [name for known in kinds for name in known] or ["debate"]
    stream.write(csv_line(names, raw=raw))
    for row in _verdicts(run):
        line = {name: value for cells in _cells(row) for name, value in cells.items()}
        stream.write(csv_line([line.get(name) for name in names], raw=raw))


def _cells(row: Row) -> tuple[Row, Row, Row, Row]:
    """What a row has in plain columns, in those of scores, in those of people's, and in those of several words."""
    kind = row["failure"]["error"] if outcome_of(row) is FAILURE else None
    plain_cells = {
        key: value for key, value in {**row, "failure": kind}.items() if not isinstance(value, dict | list)
    }
    joined = {name: " ".join(row.get(name, ())) for name in ("candidates", "winners", "families")}
    return (
        plain_cells,
        {f"score_{name}": row["scores"].get(name) for name in _score_names(row)},
        {f"human_{name}": row["human"].get(name) for name in (*row["aspects"], *row["human"])},
        {
            **joined,
            "lost": " ".join(lost["agent"] for lost in row.get("lost", ())),
            "models": ", ".join(row.get("models", ())),
            "confidences": " ".join(
                f"{one['agent']}={one['value']:.6g}" for one in row.get("confidences", ())
            ),
        },
    )


def _score_names(row: Row) -> list[str]:
    """What a row has scores of: aspects, or each aspect of each candidate ("overall.answer_1")."""
    return [
        f"{aspect}.{candidate}" if candidate else aspect
        for aspect in row["aspects"]
        for candidate in row.get("candidates") or ("",)
    ]
