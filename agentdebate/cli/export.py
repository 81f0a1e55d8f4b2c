"""agentdebate export: a run as JSONL or CSV."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console import as_json_line
from agentdebate.cli.options import STORE, Raw, StorePath
from agentdebate.errors import UsageError
from agentdebate.report.export import Format, What, check_export, opened, write_export
from agentdebate.store.open import open_store
from agentdebate.store.reader import LAST


def export(
    run: str = LAST,
    /,
    *,
    what: Annotated[
        What,
        Parameter(
            help="One row a verdict, a message, a model call, a rating of a ballot, or what an agent's calls of a model cost."
        ),
    ] = "verdicts",
    format: Annotated[Format, Parameter(help="CSV is for verdicts, ballots and costs.")] = "jsonl",
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
    if raw and format != "csv":
        raise UsageError("--raw is for --format csv: JSON says everything as it is")
    check_export(what, format, raw=raw)
    with open_store(store) as held:
        found = held.run(run)  # before the file is opened: a wrong name empties no file
        if output is None:
            write_export(found, sys.stdout, what=what, format=format, raw=raw, line=as_json_line)
        else:
            with opened(output) as stream:
                write_export(found, stream, what=what, format=format, raw=raw, line=as_json_line)
    return 0
