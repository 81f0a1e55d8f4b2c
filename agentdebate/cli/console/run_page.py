"""A run as commands show it: how far it is, the first failure of each kind, and what it came to."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from agentdebate.cli.console.command_lines import in_options, see_run
from agentdebate.cli.console.output import console, one_line, out_json, say, show
from agentdebate.meta.coverage import Coverage
from agentdebate.report.coverage import coverage_sentences
from agentdebate.report.grid import Block
from agentdebate.report.run_page import RunPage
from agentdebate.runs.progress_line import showing
from agentdebate.store.reader import Reader
from agentdebate.store.run_head import RunHead, replaced_told

if TYPE_CHECKING:
    from agentdebate.runs.evaluation import Evaluation

Row = Mapping[str, Any]


async def follow(
    evaluation: "Evaluation",
    *,
    as_json: bool = False,
    quiet: bool = False,
) -> None:
    """Take the records of a run as they come, and show how far it is."""
    kinds = set[str]()
    with nullcontext() if quiet else showing(evaluation.progress, console(stderr=True)) as ended:
        async for record in evaluation:
            row = record.row()
            if as_json:
                out_json(row)
            failure = record.failure
            if failure is not None and failure.error not in kinds:
                kinds.add(failure.error)
                reason = in_options(failure.reason)
                say(one_line(f"first failure of its kind: {record.id}: {failure.error}: {reason}"))
            if ended is not None:
                ended()
    sys.stdout.flush()


def warn_of_missing(coverages: Sequence[Coverage]) -> None:
    """Warn for each judge and aspect of which many judgements are missing, or all."""
    for line in coverage_sentences(coverages):
        say(one_line(f"warning: {line}"))


def show_forecast(row: Row, blocks: Iterable[Block], assumptions: Iterable[str], *, as_json: bool) -> int:
    """Print the highest cost of something, and what was assumed."""
    if as_json:
        out_json(row)
        return 0
    show(blocks)
    for line in assumptions:
        say(line)
    return 0


def say_replaced(files: Sequence[str]) -> None:
    """Say which files of the project stand in the place of built-in ones, where some do."""
    if told := replaced_told(files):
        say(one_line(told))


def show_run(reader: Reader, head: RunHead, store: str, *, as_json: bool) -> int:
    """Print a run. The exit code comes back: 1 where nothing could be read in it, and no process may still be at work."""
    page = RunPage.read(reader, head)
    for line in page.damage:
        say(f"warning: {line}")
    if as_json:
        out_json({**page.record(), "rows": list(reader.rows(head.id))})
        warn_of_missing(page.results.coverages)
    else:
        show(page.blocks(see=f"{see_run(head.id, store)} --json", worded=in_options))
        if not page.nothing_read:
            warn_of_missing(page.results.coverages)
    if page.nothing_read:
        say(f"warning: {page.nothing_read}")
    return 1 if page.lacking else 0
