"""agentdebate report: runs as one file that can be handed on."""

import sys
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.common import STORE, Output, StorePath
from agentdebate.errors import UsageError
from agentdebate.report.prose import megabytes
from agentdebate.viewer.report_file import Debates, markdown_of, write_report


def report(
    *runs: str,
    output: Output = None,
    debates: Debates = "all",
    prompts: Annotated[bool, Parameter(negative="--no-prompts")] = True,
    public: bool = False,
    markdown: bool = False,
    store: StorePath = STORE,
) -> int:
    """Write runs into one HTML file that loads nothing and works from disk: summary, agreement, dynamics, cost, failures, debates.

    Example: agentdebate report last -o report.html

    Parameters
    ----------
    runs
        Runs, or the beginnings of their names; "last" is the newest, and the one that is taken where none is named.
    output
        The file [standard output for --markdown].
    debates
        Which debates: all with what was said, those that failed, or all as rows of a table alone.
    prompts
        Include the prompt and the raw reply of each call.
    public
        Leave out all that was said, and reasons of failures: debates are rows. Ids and figures stay.
    markdown
        Write a short page of tables, for a pull request.

    """
    if output is not None:
        write_report(
            *runs,
            output=output,
            store=store,
            debates=debates,
            prompts=prompts,
            public=public,
            markdown=markdown,
        )
        say(f"{output}: {megabytes(output.stat().st_size)}")
    elif markdown:
        sys.stdout.write(markdown_of(*runs, store=store, public=public))
    else:
        raise UsageError("name the file: -o report.html")
    return 0
