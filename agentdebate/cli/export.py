"""agentdebate export: a run as JSONL or CSV."""

import sys

from agentdebate.cli.console.output import one_line, say
from agentdebate.cli.options.common import STORE, Output, Raw, StorePath
from agentdebate.report.export import Format, What
from agentdebate.report.export import export as exported
from agentdebate.store.reader import LAST
from agentdebate.store.stored_run import open_store


def export(
    run: str = LAST,
    /,
    *,
    what: What = "verdicts",
    format: Format | None = None,
    output: Output = None,
    raw: Raw = False,
    store: StorePath = STORE,
) -> int:
    """Write out a run.

    Example: agentdebate export last --format csv -o verdicts.csv

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    what
        One row a verdict, a message, a model call, a rating of a ballot, or the cost of an agent's calls of a model.
    format
        CSV is for verdicts, ballots and costs [csv for a file that ends in .csv, and else jsonl].
    output
        A file [standard output].

    """
    with open_store(store) as held:
        found = held.run(run)
        exported(found, output or sys.stdout, what=what, format=format, raw=raw)
    if found.head.replaced:
        say(one_line(found.head.replaced_told))
    return 0
