"""agentdebate export: a run as JSONL or CSV."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Annotated, Any, Literal

from cyclopts import Parameter

from agentdebate.cli.console import as_json_line
from agentdebate.cli.options import STORE, Raw, StorePath
from agentdebate.cli.rows import Row, score_names
from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.errors import UsageError
from agentdebate.report.spreadsheet import csv_line
from agentdebate.store.reader import LAST, Reader, read_store

What = Literal["verdicts", "messages", "calls"]


def export(
    run: str = LAST,
    /,
    *,
    what: Annotated[What, Parameter(help="One row a verdict, a message, or a model call.")] = "verdicts",
    format: Annotated[Literal["jsonl", "csv"], Parameter(help="CSV is for verdicts only.")] = "jsonl",
    raw: Raw = False,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="A file [standard output].")
    ] = None,
    store: StorePath = STORE,
) -> int:
    """Write out a run.

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.

    """
    if format == "csv" and what != "verdicts":
        raise UsageError(f"{what} are nested and go into JSONL; CSV is for verdicts")
    if raw and format != "csv":
        raise UsageError("--raw is for --format csv: JSON says everything as it is")
    with read_store(store) as reader:
        head = reader.run(run)  # before the file is opened: a wrong name empties no file
        with _opened(output) as stream:
            if format == "csv":
                _write_csv(reader, head.id, stream, raw=raw)
            else:
                stream.writelines(as_json_line(row) for row in _rows(reader, head.id, what))
    return 0


def _rows(reader: Reader, run: str, what: What) -> Iterator[dict[str, Any]]:
    if what == "verdicts":
        yield from reader.rows(run)
        return
    if what == "messages":
        for debate, message in reader.said(run):
            yield {"debate": debate, **message.model_dump(mode="json")}
        return
    for debate, call in reader.asked(run):
        yield {"debate": debate, **vars(call), "completion": call.completion.model_dump(mode="json")}


def _write_csv(reader: Reader, run: str, stream: IO[str], *, raw: bool) -> None:
    """One line a verdict; scores have a column each, and so have people's.

    All rows are looked at for their columns before the first is written. Meanwhile they lie in a file, for there may be many,
    and more may come.
    """
    columns = _Columns()
    with TemporaryFile("w+", encoding="utf-8") as kept:
        for row in reader.rows(run):
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
        self._scores.update(dict.fromkeys(score_names(row)))
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
            **{name: " ".join(row.get(name, ())) for name in ("candidates", "winners", "models")},
            "lost": " ".join(lost["agent"] for lost in row.get("lost", ())),
            "confidences": " ".join(
                f"{one['agent']}={one['value']:.6g}" for one in row.get("confidences", ())
            ),
        }


_JOINED = ("candidates", "winners", "lost", "models", "confidences")
"""Columns of words with blanks between them."""


def _plain(row: Row) -> dict[str, Any]:
    """What stands in a column as it is; of a failure its kind."""
    kind = row["failure"]["error"] if outcome_of(row) is FAILURE else None
    whole = {**row, "failure": kind}
    return {key: value for key, value in whole.items() if not isinstance(value, dict | list)}


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[str]]:
    if path is None:
        yield sys.stdout
        return
    try:
        stream = path.open("w", encoding="utf-8", errors="backslashreplace", newline="")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    with stream:
        yield stream
