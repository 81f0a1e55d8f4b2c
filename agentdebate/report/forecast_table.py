"""The table of what a run will cost."""

from collections.abc import Iterator

from agentdebate.meta.prose import number_of
from agentdebate.report.grid import Block, Grid
from agentdebate.runs.forecast import Forecast
from agentdebate.studies.sweep_forecast import SweepForecast

UNKNOWN = "unknown"


def forecast_blocks(told: Forecast) -> Iterator[Block]:
    """A line a model: calls, tokens and money at the most; what was assumed is not among them."""
    head = ["model", "calls", "prompt tokens", "completion tokens", f"money ({told.currency or 'USD'})"]
    lines: list[list[object]] = [
        [
            one.model,
            one.usage.calls,
            one.usage.prompt_tokens,
            one.usage.completion_tokens,
            money_cell(one.money),
        ]
        for one in told.shares
    ]
    yield Grid("At the most", head, lines, head[1:])
    counted = "counted" if told.counted == "exact" else "estimated from the length of the texts"
    sizes = f"{number_of(told.items, 'item')}, {number_of(told.debates, 'debate')}"
    yield f"{sizes}; tokens are {counted}; money: {money_cell(told.money)}"


def money_cell(amount: float | None) -> str:
    """An amount as a table has it."""
    return UNKNOWN if amount is None else f"{amount:.4f}"


def sweep_forecast_blocks(told: SweepForecast) -> Iterator[Block]:
    """A line a cell or control: calls, tokens and money at the most; what was assumed is not among them."""
    head = ["cell", "kind", "debates", "calls", "prompt tokens", "completion tokens", "money"]
    lines: list[list[object]] = [_forecast_cells(one.cell, one.kind, one.forecast) for one in told]
    yield Grid("At the most", head, lines, head[2:])
    unit = next(iter(told.currencies)) if len(told.currencies) == 1 else "USD"
    sizes = f"{number_of(told.calls, 'call')}, {number_of(told.tokens, 'token')}"
    yield f"in all: {sizes}, money ({unit}): {money_cell(told.money)}"
    yield "without what a cache answers, and without runs of the sweep that have ended already"


def _forecast_cells(cell: str, kind: str, told: Forecast) -> list[object]:
    usage = told.usage
    return [
        cell,
        kind,
        told.debates,
        usage.calls,
        usage.prompt_tokens,
        usage.completion_tokens,
        money_cell(told.money),
    ]
