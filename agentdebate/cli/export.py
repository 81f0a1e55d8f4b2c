"""agentdebate export: a run as JSONL or CSV."""

import csv
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated, Any, Literal

from cyclopts import Parameter

from agentdebate.cli.console import as_json_line
from agentdebate.cli.options import STORE, StorePath
from agentdebate.cli.rows import aspect_names, score_names
from agentdebate.errors import UsageError
from agentdebate.store.reader import LAST, Reader, read_store

What = Literal["verdicts", "messages", "calls"]


def export(
    run: str = LAST,
    /,
    *,
    what: Annotated[What, Parameter(help="One row a verdict, a message, or a model call.")] = "verdicts",
    format: Annotated[Literal["jsonl", "csv"], Parameter(help="CSV is for verdicts only.")] = "jsonl",
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
    with read_store(store) as reader:
        head = reader.run(run)  # before the file is opened: a wrong name empties no file
        with _opened(output) as stream:
            if format == "csv":
                _write_csv(reader, head.id, stream)
            else:
                stream.writelines(as_json_line(row) for row in _rows(reader, head.id, what))
    return 0


def _rows(reader: Reader, run: str, what: What) -> Iterator[dict[str, Any]]:
    if what == "verdicts":
        yield from reader.rows(run)
        return
    for debate in reader.debates(run):
        if what == "messages":
            for message in reader.messages(run, debate):
                yield {"debate": debate, **message.model_dump(mode="json")}
        else:
            for call in reader.calls(run, debate):
                yield {"debate": debate, **vars(call), "completion": call.completion.model_dump(mode="json")}


def _write_csv(reader: Reader, run: str, stream: IO[str]) -> None:
    """One line a verdict; scores have a column each, and so have people's."""
    rows = list(reader.rows(run))
    people = list(dict.fromkeys([*aspect_names(rows), *(name for row in rows for name in row["human"])]))
    flat = [_flat(row, score_names(rows), people) for row in rows]
    writer = csv.DictWriter(stream, list(flat[0]) if flat else ["debate"], lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)


def _flat(row: dict[str, Any], scores: list[str], people: list[str]) -> dict[str, Any]:
    plain = {key: value for key, value in row.items() if not isinstance(value, dict | list)}
    failure = row["failure"] or {}
    return {
        **plain,
        **{f"score_{name}": row["scores"].get(name) for name in scores},
        **{f"human_{name}": row["human"].get(name) for name in people},
        "candidates": " ".join(row.get("candidates", ())),
        "winners": " ".join(row.get("winners", ())),
        "lost": " ".join(lost["agent"] for lost in row.get("lost", ())),
        "models": " ".join(row["models"]),
        "failure": failure.get("error"),
    }


@contextmanager
def _opened(path: Path | None) -> Iterator[IO[str]]:
    if path is None:
        yield sys.stdout
        return
    try:
        stream = path.open("w", encoding="utf-8", newline="")
    except OSError as error:
        raise UsageError(f"{path} cannot be written: {error.strerror}") from error
    with stream:
        yield stream
