"""agentdebate sweep: an ablation in one command, with controls at the same cost."""

import asyncio
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.console.command_lines import draw_cost
from agentdebate.cli.console.logs import LogOptions
from agentdebate.cli.console.output import number, one_line, out_json, say, show
from agentdebate.cli.console.run_page import follow, warn_of_missing
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.agree import QuestionOptions
from agentdebate.cli.options.common import LIMITS, STORE, STRATEGY, Json, StorePath
from agentdebate.cli.options.order import Order
from agentdebate.cli.options.strategy import agents_of
from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.files import STDIN
from agentdebate.datasets.named_values import names
from agentdebate.datasets.supply import Supply
from agentdebate.errors import BudgetSpent, ModelError, UsageError
from agentdebate.report.forecast_table import sweep_forecast_blocks
from agentdebate.report.run_results import ended_words
from agentdebate.report.sweep import SweepOptions, SweepTable, sweep_forecast
from agentdebate.report.sweep import sweep as swept
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
    vary: Annotated[tuple[str, ...], Parameter(group=STRATEGY)] = (),
    control: Annotated[str, Parameter(group=STRATEGY)] = "solo",
    control_temperature: Annotated[float, Parameter(group=STRATEGY)] = 1.0,
    by_tokens: Annotated[bool, Parameter(group=STRATEGY)] = False,
    options: Order = Order(),
    asking: QuestionOptions = QuestionOptions(),
    dry_run: Annotated[bool, Parameter(group=LIMITS)] = False,
    store: StorePath = STORE,
    as_json: Json = False,
    logs: LogOptions = LogOptions(),
) -> int:
    """Judge the same items in several ways, and compare them with two controls.

    The controls are the single judge sampled as often as the debate called, and the vote of the debate's openings without
    talk. A run whose evaluators and people have scores has CorrW beside it: the evaluators alone, weighted by their correlation
    with people. A sweep that was stopped goes on where it was when it is called again: runs that have ended are not held again.

    Example: agentdebate sweep debate summaries.jsonl --task summarization --vary rounds=1,2,4 --human coherence=expert

    Parameters
    ----------
    strategy
        A strategy by name; --vary strategy=... goes before it.
    data
        A JSONL, JSON, CSV, TSV or Parquet file.
    vary
        NAME=VALUE,VALUE, such as rounds=1,2; the option again for combinations. Names are options of the strategy, strategy, model,
        temperature, agents (a number, or cards with +), persona (the panel's cards, or the critic's) and cast.ROLE.
    control
        The single judge, sampled as often as a debate calls.
    control_temperature
        The temperature of its samples.
    by_tokens
        Add the single judge sampled until it took as many tokens as a debate.
    dry_run
        Print what all of it will cost at most, and stop.

    """
    if data == STDIN:
        raise UsageError("a sweep reads its data more than once: give it a file")
    order = replace(options, strategy=strategy, data=data, looks=dry_run)
    varied = vary_of(vary)
    taken = order.data_source(order.judged_task()).load()
    for line in order.source.account(taken):
        say(line)
    words = _arguments(order, taken, store)
    words["control"], words["control_temperature"] = control, control_temperature
    words["by_tokens"], words["listener"] = by_tokens, Narrator()
    if dry_run:
        return await _foretell(order, taken, varied, words, as_json=as_json)
    with logs.opened(), _stoppable():
        found = await swept(taken.items, strategy, vary=varied, **asking.arguments, **words)
    return _show(found, store, as_json=as_json)


def vary_of(texts: Sequence[str]) -> dict[str, list[Any]]:
    """Read NAME=VALUE,VALUE texts as the library takes them. Raises UsageError."""
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
    """Read a value: a name, agents with + between them or their number, or an option of the strategy."""
    if key in ("strategy", "model"):
        return text
    if key in (AGENTS, PERSONA) or key.startswith(CAST):
        cards = text.split(TOGETHER)
        return agents_of(text) if key == AGENTS and len(cards) == 1 and text.isdigit() else cards
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return text


def _arguments(order: Order, taken: Taken, store: str) -> SweepOptions:
    """Write the order as `sweep` takes it, but for what varies. Raises UserError."""
    settings, words = order.settings(), order.casting.words
    aspects = tuple(aspect.name for aspect in order.judged_task().choose(settings.aspects))
    data = order.source.described(order.data, Supply(taken.items, taken))
    return SweepOptions(
        settings=replace(settings, aspects=aspects, configuration={}),
        options=words.options,
        cast=words.cast,
        agents=words.agents,
        models=words.models,
        store=store,
        prices=order.spending.table(order.found_project),
        configured=lambda _: {"data": data},
    )


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
        """Say how much there is to do."""
        leave_word("what is on disk is kept; the same command goes on from there")
        say(f"{name}: {number(cells, 'cell')} over {number(items, 'item')}")

    def has_ended(self, cell: SweepCell, head: RunHead) -> None:
        """Say that a cell was held before."""
        say(one_line(f"{cell.label}: run {head.id} has ended"))

    async def holds(self, cell: SweepCell, run: Evaluation, *, again: bool) -> None:
        """Show a cell's progress, and what failed in it."""
        say(one_line(f"{cell.label}: run {run.id}{' taken up again' if again else ''}"))
        await follow(run)
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


def _show(found: SweepTable, store: str, *, as_json: bool) -> int:
    """Print the table of a sweep. The exit code comes back."""
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    if found.has_agreement:
        say(one_line(f"{draw_cost(found.name, store)} draws the runs against their cost"))
    return max(cell.outcomes.exit_code for cell in found.cells if not cell.read_off)
