"""The table of what a run will cost."""

from agentdebate.cli.console import number, out, out_json, say, table
from agentdebate.runs.forecast import Forecast

UNKNOWN = "unknown"


def show_forecast(told: Forecast, *, as_json: bool) -> None:
    """A line a model: calls, tokens and money at the most; what was assumed goes to standard error."""
    if as_json:
        out_json(told.row())
        return
    head = ["model", "calls", "prompt tokens", "completion tokens", f"money ({told.currency or 'USD'})"]
    lines: list[list[object]] = [
        [one.model, one.usage.calls, one.usage.prompt_tokens, one.usage.completion_tokens, _money(one.money)]
        for one in told.shares
    ]
    table("At the most", head, lines, numeric=head[1:])
    counted = "counted" if told.counted == "exact" else "estimated from the length of the texts"
    out(
        f"{number(told.items, 'item')}, {number(told.debates, 'debate')}; tokens are {counted}; money: {_money(told.money)}"
    )
    for line in told.assumptions:
        say(line)


def _money(amount: float | None) -> str:
    return UNKNOWN if amount is None else f"{amount:.4f}"
