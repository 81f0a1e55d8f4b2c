"""agentdebate sweep: an ablation in one command, with controls at the same cost."""

import asyncio
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import draw_cost
from agentdebate.cli.console.logs import to_stderr
from agentdebate.cli.console.missing import warn_of_missing
from agentdebate.cli.console.output import number, one_line, out_json, say, show
from agentdebate.cli.console.progress import FailureKinds, showing
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.cast import agents_of
from agentdebate.cli.options.common import STORE, Json, Raw, StorePath
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.question import QuestionOptions
from agentdebate.cli.options.sweep import sweep_items, sweep_options
from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.files import STDIN
from agentdebate.datasets.named_values import names
from agentdebate.errors import BudgetSpent, ModelError, UsageError
from agentdebate.meta.imputation import missing_as
from agentdebate.report.forecast_table import sweep_forecast_blocks
from agentdebate.report.plot import check_path, write
from agentdebate.report.run_results import ended_words
from agentdebate.report.sweep import SweepOptions, sweep_forecast
from agentdebate.report.sweep import sweep as swept
from agentdebate.report.sweep_table import SweepTable
from agentdebate.runs.evaluation import Evaluation
from agentdebate.store.reader import RunHead
from agentdebate.studies.sweep import SweepListener
from agentdebate.studies.sweep_cell import AGENTS, CAST, PERSONA, SweepCell

TOGETHER = "+"
"""Stands between cards that sit in one cell together: a comma stands between cells."""


async def sweep(
    strategy: str,
    data: str,
    /,
    *,
    vary: Annotated[
        tuple[str, ...],
        Parameter(
            help="NAME=VALUE,VALUE,...; the option again for every combination. strategy, model, temperature, agents (a "
            "number, or cards with + between them), persona (the panel's cards, or the critic's), cast.ROLE, or any option "
            "of the strategy, such as rounds.",
            negative="",
            show_default=False,
        ),
    ] = (),
    control: Annotated[
        str, Parameter(name="--control", help="The single judge that is sampled as often as a debate calls.")
    ] = "solo",
    control_temperature: Annotated[float, Parameter(help="The temperature of its samples.")] = 1.0,
    by_tokens: Annotated[
        bool,
        Parameter(
            help="Add the single judge sampled until it took as many tokens as a debate, beside the one with as many calls.",
            negative="",
            show_default=False,
        ),
    ] = False,
    output: Annotated[
        Path | None, Parameter(name=["--output", "-o"], help="A file for a plot: .png, .svg or .html.")
    ] = None,
    store: StorePath = STORE,
    as_json: Json = False,
    as_csv: Annotated[
        bool, Parameter(name="--csv", negative="", show_default=False, help="Print the table as CSV.")
    ] = False,
    raw: Raw = False,
    options: Order = Order(),
    asking: QuestionOptions = QuestionOptions(),
    dry_run: Annotated[
        bool,
        Parameter(
            help="Say how many calls, tokens and how much money all cells and controls will cost at the most, and stop.",
            negative="",
            show_default=False,
        ),
    ] = False,
) -> int:
    """Judge the same items in several ways, a run for each, and compare them with people and with two controls.

    The controls are the single judge sampled as often as the debate called, and the vote of the debate's openings without
    talk. A run whose evaluators and people have scores has CorrW beside it: the evaluators alone, weighted by their correlation
    with people. A sweep that was stopped goes on where it was when it is called again: runs that have ended are not held again.

    Parameters
    ----------
    strategy
        A strategy by name; --vary strategy=... goes before it.
    data
        A JSONL, JSON, CSV or TSV file.

    """
    if output is not None:
        check_path(output)
    if as_json and as_csv:
        raise UsageError("--json and --csv are two forms of the same table: give one of them")
    if raw and not as_csv:
        raise UsageError("--raw is for --csv: JSON says everything as it is")
    if data == STDIN:
        raise UsageError("a sweep reads its data more than once: give it a file")
    order = options.of(strategy, data, dry=dry_run)
    varied = vary_of(vary)
    if dry_run:
        order.check_dry()
    taken = sweep_items(order)
    if output is not None and not any(item.human for item in taken.items):
        raise UsageError(
            "-o plots agreement with people, and the data has no scores of theirs: name them with --human"
        )
    words = sweep_options(order, taken, store)
    words["control"], words["control_temperature"] = control, control_temperature
    words["by_tokens"], words["listener"] = by_tokens, Narrator()
    if dry_run:
        return await _foretell(order, taken, varied, words, as_json=as_json)
    to_stderr()
    with _stoppable():
        found = await swept(
            taken.items,
            strategy,
            vary=varied,
            statistic=asking.statistic,
            level=asking.level,
            resampling=asking.resampling,
            missing=missing_as(asking.missing),
            **words,
        )
    return _show(found, output, store=store, as_json=as_json, as_csv=as_csv, raw=raw)


def vary_of(texts: Sequence[str]) -> dict[str, list[Any]]:
    """KEY=VALUE,VALUE,... texts as the library takes them. Raises UsageError."""
    found: dict[str, list[Any]] = {}
    for text in texts:
        key, equals, listed = text.partition("=")
        values = names(listed)
        if not (key and equals and values):
            raise UsageError(f"--vary takes NAME=VALUE,VALUE,..., such as rounds=1,2,3, not {text!r}")
        if key in found:
            raise UsageError(f"--vary names {key!r} twice")
        found[key] = [_value(key, value) for value in values]
    return found


def _value(key: str, text: str) -> Any:
    """A value: a name, agents with + between them or their number, or an option of the strategy."""
    if key in ("strategy", "model"):
        return text
    if key in (AGENTS, PERSONA) or key.startswith(CAST):
        cards = text.split(TOGETHER)
        return agents_of(text) if key == AGENTS and len(cards) == 1 and text.isdigit() else cards
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


@contextmanager
def _stoppable() -> Iterator[None]:
    """Say how to go on, where the sweep is stopped meanwhile."""
    try:
        yield
    except (asyncio.CancelledError, BudgetSpent, ModelError):
        say("stopped; what was paid for is kept; the same command goes on from there")
        leave_word("")
        raise


class Narrator(SweepListener):
    """Says on standard error how far a sweep has come."""

    def begins(self, name: str, cells: int, items: int) -> None:
        """How much there is to do."""
        leave_word("what is on disk is kept; the same command goes on from there")
        say(f"{name}: {number(cells, 'cell')} over {number(items, 'item')}")

    def has_ended(self, cell: SweepCell, head: RunHead) -> None:
        """That a cell is there."""
        say(one_line(f"{cell.label}: run {head.id} has ended"))

    async def holds(self, cell: SweepCell, run: Evaluation, *, again: bool) -> None:
        """A cell, its progress, and what failed in it."""
        say(one_line(f"{cell.label}: run {run.id}{' taken up again' if again else ''}"))
        kinds = FailureKinds()
        with showing(run.progress) as line:
            async for record in run:
                kinds.tell(record.id, record.row())
                line.update()
        say(f"{ended_words(run.progress.outcomes)}, {number(run.progress.calls, 'call')}")


async def _foretell(
    order: Order, taken: Taken, vary: dict[str, list[Any]], words: SweepOptions, *, as_json: bool
) -> int:
    """Print what all cells and controls cost at the most."""
    found = await sweep_forecast(taken.items, order.strategy, vary=vary, **words)
    if as_json:
        out_json(found.to_dict())
        return 0
    show(sweep_forecast_blocks(found))
    for line in found.assumptions:
        say(line)
    return 0


def _show(
    found: SweepTable, output: Path | None, *, store: str, as_json: bool, as_csv: bool, raw: bool
) -> int:
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    elif as_csv:
        sys.stdout.write(found.to_csv(raw=raw))
    else:
        show(found.blocks())
    if output is not None:
        write(found.plot(), output)
        say(one_line(f"plot: {output}"))
    if found.has_agreement:
        say(one_line(f"{draw_cost(found.name, store)} draws the runs against their cost"))
    return max(cell.outcomes.exit_code for cell in found.cells if not cell.read_off)
