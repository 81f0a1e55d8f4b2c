"""The table of what a run will cost."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from agentdebate.report.grid import Block, Grid, money
from agentdebate.report.prose import counted
from agentdebate.runs.forecast import Forecast
from agentdebate.studies.sweep_forecast import SweepForecast

_SHARE: Mapping[str, Callable[[Any], object]] = {
    "calls": lambda one: one.usage.calls,
    "prompt tokens": lambda one: one.usage.prompt_tokens,
    "completion tokens": lambda one: one.usage.completion_tokens,
    "money": lambda one: money(one.money),
}


def forecast_blocks(told: Forecast) -> Iterator[Block]:
    """A line a model: highest calls, tokens and money; what was assumed is not among them."""
    yield Grid.of("At most", told.shares, {"model": "model", **_SHARE})
    how = "counted" if told.counted == "exact" else "estimated from the length of the texts"
    sizes = f"{counted(told.items, 'item')}, {counted(told.debates, 'debate')}"
    yield f"{sizes}; tokens are {how}; money ({told.currency or 'USD'}): {money(told.money)}"


def sweep_forecast_blocks(told: SweepForecast) -> Iterator[Block]:
    """A line a cell or control: highest calls, tokens and money; what was assumed is not among them."""
    lines = [(one.cell, one.kind, *(cell(one.forecast) for cell in _SHARE.values())) for one in told]
    yield Grid("At most", ("cell", "kind", *_SHARE), lines, list(_SHARE))
    sizes = f"{counted(told.calls, 'call')}, {counted(told.tokens, 'token')}"
    currencies = ", ".join(told.currencies) or "USD"
    yield f"in all: {sizes}, money ({currencies}): {money(told.money)}; without what a cache answers, and runs that have ended already"
