"""agentdebate gate: whether a run keeps to limits and is not worse than another, as an exit code."""

import sys
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.console.output import as_json_line, show
from agentdebate.cli.options.common import OUTPUT, STORE, Json, Output, StorePath, limits
from agentdebate.errors import UsageError
from agentdebate.report.gate import CODES
from agentdebate.report.gate import gate as checked
from agentdebate.report.output_file import sources_of, written
from agentdebate.store.reader import LAST

Format = Literal["text", "markdown", "junit"]


def gate(
    run: str = LAST,
    /,
    *,
    at_least: tuple[str, ...] = (),
    at_most: tuple[str, ...] = (),
    not_worse_than: str | None = None,
    margin: float | None = None,
    format: Annotated[Format, Parameter(group=OUTPUT)] = "text",
    output: Output = None,
    store: StorePath = STORE,
    as_json: Json = False,
) -> int:
    """Check a run against limits and another run: exit code 0 for pass, 1 for fail, 3 where more items would have to decide.

    Example: agentdebate gate last --at-least consistency=4.0 --at-most failures=0.01

    Parameters
    ----------
    run
        A run, or the beginning of its name; "last" is the newest.
    at_least
        NAME=N: the least mean of an aspect; NAME@GROUP=N of a group or a system of items.
    at_most
        NAME=N: the most of an aspect, or the largest share (0 to 1) of failures or abstentions.
    not_worse_than
        A run of the same judge on the same items, with other texts judged.
    margin
        Points by which a mean may have gone down [a tenth of its scale].
    format
        The form of the tables; junit is XML that CI systems read.
    output
        A file for them [standard output].

    """
    if as_json and format != "text":
        raise UsageError(f"--json and --format {format} are two formats: give one of them")
    found = checked(
        run,
        at_least=limits(at_least, "--at-least"),
        at_most=limits(at_most, "--at-most"),
        not_worse_than=not_worse_than,
        margin=margin,
        store=store,
    )
    if output is None and format == "text" and not as_json:
        show(found.blocks())
        return CODES[found.decision]
    made = {"text": found.__str__, "markdown": found.to_markdown, "junit": found.to_junit}
    text = as_json_line(found.to_dict()) if as_json else made[format]()
    if output is None:
        sys.stdout.write(text)
    else:
        with written(output, sources_of(run, store=store)) as stream:
            stream.write(text)
    return CODES[found.decision]
