"""What a run cost, as a table: a line for each agent and model, and one for all of them."""

from collections.abc import Iterator, Sequence
from itertools import islice

from agentdebate.meta.prose import number_of
from agentdebate.report.text_table import Block, TextTable
from agentdebate.store.run_tables import Cost, Costs
from agentdebate.visible import shortened

MOST = 20
"""Lines of agents before it is said how many more there are: recruits are new ones for each text."""

UNKNOWN = "?"
"""Stands for money where no price is known."""


def cost_blocks(costs: Costs) -> Iterator[Block]:
    """What a run cost; nothing where no model was called."""
    lines = list(costs)
    if not lines:
        return
    yield ""
    cells = [_cells(one.agent, one.model, one) for one in lines[:MOST]]
    cells.append(_cells("all", "", costs.total))
    head = ["agent", "model", "calls", "prompt", "completion", "cached calls", "money"]
    shown = [place for place, name in enumerate(head) if name != "cached calls" or costs.total.saved.calls]
    yield TextTable(
        "Costs",
        [head[place] for place in shown],
        [[line[place] for place in shown] for line in cells],
        numeric=head[2:],
        whole=["cached calls"],
    )
    if len(lines) > MOST:
        yield f"... and {number_of(len(lines) - MOST, 'more agent')}, which are in the line of all"
    yield from _legend(lines)


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
