"""What a sweep will cost, cell by cell, its controls among them."""

from collections.abc import Sequence
from math import ceil, fsum

from agentdebate.cli.console import number, out, out_json, say, table
from agentdebate.cli.forecasting import UNKNOWN
from agentdebate.cli.sweeping import Planned, control
from agentdebate.runs.forecast import Forecast
from agentdebate.strategies.base import MOST_SAMPLES


async def foretell(
    plans: Sequence[Planned], judge: str, temperature: float, *, by_tokens: bool, as_json: bool
) -> None:
    """Print what all cells and controls cost at the most. Nothing is asked of any model."""
    lines: dict[str, tuple[str, Forecast]] = {}
    for plan in plans:
        plan.order.spending.check()
        told = await plan.order.foretold(plan.taken.items, plan.prepared)
        lines[plan.label] = "debate", told
        calls = max(1, ceil(told.usage.calls / max(told.debates, 1)))
        beside = control(plan, judge, calls, temperature)
        sampled = await beside.order.foretold(beside.taken.items, beside.prepared)
        lines.setdefault(beside.label, ("control", sampled))
        if by_tokens and sampled.usage.tokens:
            as_many = ceil(calls * told.usage.tokens / sampled.usage.tokens)
            more = control(plan, judge, min(as_many, MOST_SAMPLES), temperature, "same tokens")
            lines[more.label] = "control", await more.order.foretold(more.taken.items, more.prepared)
    _show(lines, as_json=as_json)


def _show(lines: dict[str, tuple[str, Forecast]], *, as_json: bool) -> None:
    all_told = [told for _, told in lines.values()]
    amounts = [told.money for told in all_told]
    known = [amount for amount in amounts if amount is not None]
    currencies = {told.currency for told in all_told if told.currency}
    money = fsum(known) if len(known) == len(amounts) and len(currencies) < 2 else None  # noqa: PLR2004 - two cannot be added
    assumptions = list(dict.fromkeys(line for told in all_told for line in told.assumptions))
    calls = sum(told.usage.calls for told in all_told)
    if as_json:
        rows = [{"cell": label, "kind": kind, **told.row()} for label, (kind, told) in lines.items()]
        out_json({"rows": rows, "calls": calls, "money": money, "assumptions": assumptions})
        return
    head = ["cell", "kind", "debates", "calls", "prompt tokens", "completion tokens", "money"]
    body: list[list[object]] = [
        [label, kind, told.debates, told.usage.calls, told.usage.prompt_tokens, told.usage.completion_tokens, _money(told.money)]
        for label, (kind, told) in lines.items()
    ]  # fmt: skip
    table("At the most", head, body, numeric=head[2:])
    tokens = sum(told.usage.tokens for told in all_told)
    unit = currencies.pop() if len(currencies) == 1 else "USD"
    out(f"in all: {number(calls, 'call')}, {number(tokens, 'token')}, money ({unit}): {_money(money)}")
    out("without what a cache answers, and without runs of the sweep that have ended already")
    for line in assumptions:
        say(line)


def _money(amount: float | None) -> str:
    return UNKNOWN if amount is None else f"{amount:.4f}"
