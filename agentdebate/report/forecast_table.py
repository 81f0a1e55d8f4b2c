"""The table of what a run will cost."""

from collections.abc import Iterator

from agentdebate.report.grid import Block, Columns, Grid, money, shown
from agentdebate.report.prose import counted
from agentdebate.runs.forecast import Forecast
from agentdebate.studies.sweep_forecast import SweepForecast


def _cost(of: str = "") -> Columns:
    """Columns of a cost; `of` is the field that holds it."""
    return {
        "calls": f"{of}usage.calls",
        "prompt tokens": f"{of}usage.prompt_tokens",
        "completion tokens": f"{of}usage.completion_tokens",
        "money": shown(money, f"{of}money"),
    }


def forecast_blocks(told: Forecast) -> Iterator[Block]:
    """A line a model: highest calls, tokens and money; what was assumed is not among them."""
    yield Grid.of("At most", told.shares, {"model": "model", **_cost()})
    how = "counted" if told.counted == "exact" else "estimated from the length of the texts"
    sizes = f"{counted(told.items, 'item')}, {counted(told.debates, 'debate')}"
    yield f"{sizes}; tokens are {how}; money ({told.currency or 'USD'}): {money(told.money)}"


def sweep_forecast_blocks(told: SweepForecast) -> Iterator[Block]:
    """A line a cell or control: highest calls, tokens and money; what was assumed is not among them."""
    columns = _cost("forecast.")
    yield Grid.of("At most", told, {"cell": "cell", "kind": "kind", **columns}, numeric=columns)
    sizes = f"{counted(told.calls, 'call')}, {counted(told.tokens, 'token')}"
    currencies = ", ".join(told.currencies) or "USD"
    yield f"in all: {sizes}, money ({currencies}): {money(told.money)}; without what a cache answers, and runs that have ended already"
