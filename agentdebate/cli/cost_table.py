"""What a run cost, as a table: a line for each agent and model, and one for all of them."""

from collections.abc import Sequence
from itertools import islice

from agentdebate.cli.console import number, out, table
from agentdebate.store.costs import Cost, Costs
from agentdebate.visible import shortened

MOST = 20
"""Lines of agents before it is said how many more there are: recruits are new ones for each text."""

UNKNOWN = "?"
"""Stands for money where no price is known."""


def print_costs(costs: Costs) -> None:
    """Print what a run cost; nothing where no model was called."""
    lines = list(costs)
    if not lines:
        return
    out()
    cells = [_cells(one.agent, one.model, one) for one in lines[:MOST]]
    cells.append(_cells("all", "", costs.total))
    head = ["agent", "model", "calls", "prompt", "completion", "cached calls", "money"]
    shown = [place for place, name in enumerate(head) if name != "cached calls" or costs.total.saved.calls]
    table(
        "Costs",
        [head[place] for place in shown],
        [[line[place] for place in shown] for line in cells],
        numeric=head[2:],
        whole=["cached calls"],
    )
    if len(lines) > MOST:
        out(f"... and {number(len(lines) - MOST, 'more agent')}, which are in the line of all")
    for line in _legend(lines):
        out(line)


def _cells(agent: str, model: str, cost: Cost) -> list[object]:
    usage = cost.usage
    money = UNKNOWN if cost.money is None else f"{cost.money:.4f} {cost.currency or ''}".strip()
    return [agent, model, usage.calls, usage.prompt_tokens, usage.completion_tokens, cost.saved.calls, money]


def _legend(lines: Sequence[Cost]) -> list[str]:
    unknown = [one.model for one in lines if one.money is None]
    hints = (
        f"{UNKNOWN}: no price is known of {shortened(name, 100)}; a prices.toml in your project has yours"
        for name in unknown
    )
    return list(islice(hints, 1))
