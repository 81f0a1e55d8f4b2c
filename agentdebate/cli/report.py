"""agentdebate report: runs as one file that can be handed on."""

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console.output import say
from agentdebate.cli.options.common import STORE, StorePath
from agentdebate.errors import UsageError
from agentdebate.meta.prose import megabytes
from agentdebate.viewer.report import markdown_of, write_report
from agentdebate.viewer.report_choice import Debates


def report(
    *runs: str,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="The file [standard output for --markdown].")
    ] = None,
    debates: Annotated[
        Debates,
        Parameter(
            help="Which debates: all with what was said, those that failed, or all as rows of a table alone."
        ),
    ] = "all",
    debate: Annotated[
        tuple[str, ...],
        Parameter(
            help="The id of a debate that is wanted; the option again for more.",
            negative="",
            show_default=False,
        ),
    ] = (),
    prompts: Annotated[
        bool, Parameter(help="The prompt and the raw reply of each call are in it.", show_default=False)
    ] = True,
    public: Annotated[
        bool,
        Parameter(
            help="Leave out texts, prompts, and what repeats them: quotes, reasons, replies. Ids stay.",
            negative="",
            show_default=False,
        ),
    ] = False,
    markdown: Annotated[
        bool,
        Parameter(help="A short page of tables, for a pull request.", negative="", show_default=False),
    ] = False,
    store: StorePath = STORE,
) -> int:
    """Write runs into one HTML file that loads nothing and works from disk: summary, agreement, dynamics, cost, failures, debates.

    Parameters
    ----------
    runs
        Runs, or the beginnings of their names; "last" is the newest, and the one that is taken where none is named.

    """
    if output is None:
        if not markdown:
            raise UsageError("name the file: -o report.html")
        sys.stdout.write(markdown_of(*runs, store=store, public=public))
        return 0
    write_report(
        *runs,
        output=output,
        store=store,
        debates=debates,
        chosen=debate,
        prompts=prompts,
        public=public,
        markdown=markdown,
        size=lambda size: say(f"{output}: about {megabytes(size)}"),
    )
    return 0
