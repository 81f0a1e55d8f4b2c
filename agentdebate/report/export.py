"""`export`: a run written out as JSONL or CSV, in one call with the words of the command."""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import IO, Any, Literal, get_args

from agentdebate.codec import plain
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import UsageError, nearest
from agentdebate.report.data_lines import as_json, csv_line, line_for
from agentdebate.report.output_file import written
from agentdebate.report.run_page import score_names
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST
from agentdebate.store.run_head import data_files
from agentdebate.store.stored_run import Run, open_store
from agentdebate.tables.table import Table
from agentdebate.talk.envelope import message_data

What = Literal["verdicts", "messages", "calls", "ballots", "costs"]
"""Kind of a row: a verdict, a message, a model call, a rating of a ballot, or what an agent's calls of a model cost."""

Format = Literal["jsonl", "csv"]

_NESTED = ("messages", "calls")
"""Kinds of rows that do not fit into CSV."""
Row = Mapping[str, Any]


def export(
    run: Run | str = LAST,
    output: str | Path | IO[str] | None = None,
    *,
    what: What = "verdicts",
    format: Format | None = None,
    raw: bool = False,
    store: str | Path = USUAL_STORE,
) -> Table[Any]:
    """Write a run into a file or a stream, and give it as a table; without `output` it is the table alone.

    A `format` None is CSV for a file that ends in .csv, and JSONL else. `run` is a run that `open_store` gave, or the name of one in `store`. The files are those of the command `export`: CSV is for
    verdicts, ballots and costs, and with `raw` no cell of it is changed to be safe in a spreadsheet. Raises UsageError and
    StoreError.
    """
    form: Format = format or format_of(output)
    _check(what, form, raw=raw)
    found = run if isinstance(run, Run) else open_store(store).run(run)
    if isinstance(output, str | Path):
        with written(Path(output), data_files([found.head])) as stream:
            _write(found, stream, what, form, raw=raw)
    elif output is not None:
        _write(found, output, what, form, raw=raw)
    table: Table[Any] = getattr(found, "records" if what == "verdicts" else what)()
    return table


def format_of(output: object) -> Format:
    """The format that the ending of a file names; JSONL where it names none. Raises UsageError for one that is not written."""
    ending = Path(output).suffix.lower() if isinstance(output, str | Path) else ""
    if ending not in ("", ".jsonl", ".csv"):
        raise UsageError(f"a run is exported as .jsonl or .csv, not as {ending}")
    return "csv" if ending == ".csv" else "jsonl"


def _check(what: str, format: str, *, raw: bool) -> None:
    """Raise UsageError for what cannot be written so."""
    for name, given, known in (("what", what, get_args(What)), ("format", format, get_args(Format))):
        if given not in known:
            raise UsageError(f"{name} cannot be {given!r}. {nearest(given, known)}")
    if format == "csv" and what in _NESTED:
        raise UsageError(f"{what} are nested and go into JSONL; CSV is for verdicts, ballots and costs")
    if raw and format != "csv":
        raise UsageError("raw is for the format csv: JSON says everything as it is")


def _write(run: Run, stream: IO[str], what: What, format: Format, *, raw: bool) -> None:
    """Write a run as it is read. The verdicts of CSV are read twice: first for their columns."""
    if format == "jsonl":
        stream.writelines(line_for(stream, row) for row in _rows(run, what))
        return
    flat: Callable[[Row], Row] = _flat if what == "verdicts" else dict
    names = list(dict.fromkeys(name for row in _rows(run, what) for name in flat(row))) or ["debate"]
    stream.write(csv_line(names, raw=raw))
    for row in map(flat, _rows(run, what)):
        stream.write(csv_line([row.get(name) for name in names], raw=raw))


def _rows(run: Run, what: What) -> Iterable[Row]:
    match what:
        case "verdicts":  # where files stood in the place of built-in ones, each row says which
            more = {"replaced": ", ".join(run.head.replaced)} if run.head.replaced else {}
            return ({**row, **more} for row in run.reader.rows(run.id))
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


def _flat(row: Row) -> Row:
    """A verdict in plain columns; scores have one each, and so have people's, and what else is nested is JSON."""
    cells = {name: value for name, value in row.items() if name not in ("scores", "human")}
    return {
        **{name: as_json(one) if isinstance(one, dict | list) else one for name, one in cells.items()},
        "failure": row["failure"]["error"] if outcome_of(row) is FAILURE else None,
        **{f"score_{name}": row["scores"].get(name) for name in score_names(row)},
        **{f"human_{name}": row["human"].get(name) for name in (*row["aspects"], *row["human"])},
    }
