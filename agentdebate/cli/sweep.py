"""agentdebate sweep: an ablation in one command, with controls at the same cost."""

import asyncio
from dataclasses import replace
from typing import Annotated, Any, cast

from cyclopts import Parameter

from agentdebate.cli.console.logs import logged
from agentdebate.cli.console.output import one_line, out_json, say, show
from agentdebate.cli.console.run_page import follow, show_forecast, warn_of_missing
from agentdebate.cli.console.watchdog import leave_word
from agentdebate.cli.options.agree import QuestionOptions
from agentdebate.cli.options.common import (
    LIMITS,
    STORE,
    STRATEGY,
    Json,
    Log,
    StorePath,
    json_or_text,
)
from agentdebate.cli.options.order import Order
from agentdebate.datasets.named_values import listed_in, pairs
from agentdebate.errors import BudgetSpent, ModelError, UsageError
from agentdebate.models.base import Effort
from agentdebate.report.forecast_table import sweep_forecast_blocks
from agentdebate.report.prose import counted
from agentdebate.report.run_page import ended_words
from agentdebate.report.sweep import SweepForecastOptions, sweep_forecast
from agentdebate.report.sweep import sweep as swept
from agentdebate.runs.evaluation import Evaluation
from agentdebate.studies.sweep import SweepListener
from agentdebate.studies.sweep_cell import AGENTS, CAST, PERSONA, SweepCell

_STRATEGY = Parameter(group=STRATEGY)
TOGETHER = "+"
"""Stands between cards that sit in one cell together: a comma stands between cells."""


async def sweep(
    strategy: str,
    data: str,
    /,
    *,
    vary: Annotated[tuple[str, ...], _STRATEGY] = (),
    control: Annotated[str, _STRATEGY] = "solo",
    control_temperature: Annotated[float, _STRATEGY] = 1.0,
    by_tokens: Annotated[bool, _STRATEGY] = False,
    cell: Annotated[tuple[str, ...], _STRATEGY] = (),
    controls: Annotated[bool | None, _STRATEGY] = None,
    control_effort: Annotated[Effort | None, _STRATEGY] = None,
    options: Order = Order(),
    asking: QuestionOptions = QuestionOptions(),
    dry_run: Annotated[bool, Parameter(group=LIMITS)] = False,
    store: StorePath = STORE,
    as_json: Json = False,
    log: Log = None,
) -> int:
    """Judge the same items in several ways, and compare them with their controls.

    The controls are the single judge sampled as often as the debate called, and the vote of the debate's openings without
    talk. Where nothing varies, or with --controls, there are more. A run whose evaluators and people have scores has CorrW beside it: the evaluators alone, weighted by their correlation
    with people. A sweep that was stopped goes on where it was when it is called again: runs that have ended are not held again.

    Example: agentdebate sweep debate summaries.jsonl --task summarization --vary rounds=1,2,4 --human coherence=expert

    Parameters
    ----------
    strategy
        A strategy by name; --vary strategy=... goes before it.
    data
        A JSONL, CSV, ... file, or a folder with --as.
    vary
        NAME=VALUE,VALUE, such as rounds=1,2; the option again for combinations. Names are options of the strategy, strategy, model,
        temperature, effort, agents (a number, or cards with +), persona (the panel's cards, or the critic's) and cast.ROLE.
    control
        The single judge, sampled as often as a debate calls.
    control_temperature
        The temperature of its samples.
    by_tokens
        Add the single judge sampled until it took as many tokens as a debate.
    cell
        One more cell: a strategy and what it sets, such as chateval:ballots=every; the option again for more.
    controls
        Hold all controls: also the single judge by tokens and asked once, and the same rounds in which no agent hears another.
    control_effort
        The effort with which the single judge thinks longer.
    dry_run
        Print what all of it will cost at most, and stop.

    """
    order = replace(options, name=strategy, data=data, looks=dry_run)
    supply = await order.supply(whole=True)
    said = {
        **vars(order.casting),
        "settings": order.settings,
        "store": store,
        "control": control,
        "control_temperature": control_temperature,
        "by_tokens": by_tokens,
        "cells": cells_of(cell),
        "control_effort": control_effort,
        **({} if controls is None else {"controls": controls}),
        "progress": Narrator(),
    }
    words = cast(SweepForecastOptions, said)
    varied = vary_of(vary)
    if dry_run:
        told = await sweep_forecast(supply, strategy, vary=varied, **words)
        return show_forecast(told.to_dict(), sweep_forecast_blocks(told), told.assumptions, as_json=as_json)
    try:
        with logged(log):
            found = await swept(supply, strategy, vary=varied, **asking.arguments, **words)
    except (asyncio.CancelledError, BudgetSpent, ModelError):
        say("stopped; what was paid for is kept; the same command goes on from there")
        leave_word("")
        raise
    warn_of_missing(found.coverages)
    if as_json:
        out_json(found.to_dict())
    else:
        show(found.blocks())
    return found.exit_code


def vary_of(texts: tuple[str, ...]) -> dict[str, list[Any]]:
    """Read NAME=VALUE,VALUE texts as the library takes them. Raises UsageError."""
    return {
        key: [_value(key, value, "--vary") for value in listed_in(listed)]
        for key, listed in pairs(texts, "--vary").items()
    }


def cells_of(texts: tuple[str, ...]) -> list[dict[str, Any]]:
    """Read STRATEGY:NAME=VALUE,NAME=VALUE texts as the library takes them. Raises UsageError."""
    split = [text.partition(":") for text in texts]
    for text, (name, *_) in zip(texts, split, strict=True):
        if not name.strip():
            raise UsageError(
                f"--cell takes a strategy and what it sets, such as debate:rounds=2, not {text!r}"
            )
    return [
        {
            "strategy": name,
            **{key: _value(key, value, "--cell") for key, value in pairs(listed_in(given), "--cell").items()},
        }
        for name, _, given in split
    ]


def _value(key: str, text: str, option: str) -> Any:
    """Read a value: cards that sit together, or else JSON or text."""
    cards = key in (AGENTS, PERSONA) or key.startswith(CAST)
    return text.split(TOGETHER) if cards and TOGETHER in text else json_or_text(text, f"{option} {key}")


class Narrator(SweepListener):
    """Says on standard error how far a sweep has come."""

    def begins(self, name: str, cells: int, items: int) -> None:
        """Say how much there is to do."""
        leave_word("what is on disk is kept; the same command goes on from there")
        say(f"{name}: {counted(cells, 'cell')} over {counted(items, 'item')}")

    async def holds(self, cell: SweepCell, run: Evaluation, *, again: bool) -> None:
        """Show a cell's progress, and what failed in it."""
        say(one_line(f"{cell.label}: run {run.id}{' resumed' if again else ''}"))
        await follow(run)
        say(f"{ended_words(run.progress.outcomes)}, {counted(run.progress.calls, 'call')}")
