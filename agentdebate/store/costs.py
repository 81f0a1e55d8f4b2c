"""What a run cost, by agent and model, in tokens and in money."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from agentdebate.models.prices import PriceTable, cost
from agentdebate.store.reader import Reader, RunHead
from agentdebate.tables.column import Column
from agentdebate.tables.table import Table
from agentdebate.usage import Usage, total

COLUMNS = (
    Column("agent"),
    Column("model"),
    Column("served"),
    *(Column(name, "integer") for name in ("calls", "prompt_tokens", "cached_tokens", "cache_write_tokens")),
    *(Column(name, "integer") for name in ("completion_tokens", "reasoning_tokens", "cached_calls")),
    Column("money", "number"),
    Column("currency"),
)


@dataclass(frozen=True)
class Cost:
    """What one agent's calls of one model cost."""

    agent: str
    model: str
    """The model, by the name that ballots have: "openai/gpt-6.1-sol", with the host behind it where that is not the provider's own."""
    served: str
    """What the endpoint calls the model that answered, such as "gpt-6.1-sol"."""
    usage: Usage
    """What was paid for. What a cache gave cost nothing and is not in it."""
    saved: Usage
    """What a cache gave."""
    money: float | None
    """What it cost; None where no price is known."""
    currency: str | None

    def row(self) -> dict[str, Any]:
        """It as one flat row."""
        return {
            "agent": self.agent,
            "model": self.model,
            "served": self.served,
            **self.usage.model_dump(),
            "cached_calls": self.saved.calls,
            "money": self.money,
            "currency": self.currency,
        }


class Costs(Table[Cost]):
    """What a run cost: a row for each agent and model, and all together in `total`."""

    def __init__(self, title: str, costs: Iterable[Cost]) -> None:
        kept = tuple(costs)
        super().__init__(title, COLUMNS, lambda: iter(kept), Cost.row, count=lambda: len(kept))

    def __repr__(self) -> str:
        usage = self.total.usage
        money = "" if self.total.money is None else f", {self.total.money:.4g} {self.total.currency or ''}"
        return f"<Costs: {usage.calls} calls, {usage.tokens} tokens{money}>"

    @cached_property
    def total(self) -> Cost:
        """All of it together; its money is None where a price is not known or where there are several currencies."""
        costs = tuple(self)
        paid, saved = total(one.usage for one in costs), total(one.saved for one in costs)
        currencies = {one.currency for one in costs if one.currency is not None}
        known = all(one.money is not None for one in costs) and len(currencies) <= 1
        money = sum(one.money or 0.0 for one in costs) if known else None
        return Cost("", "", "", paid, saved, money, currencies.pop() if len(currencies) == 1 else None)


def costs_of(reader: Reader, head: RunHead, prices: PriceTable) -> Costs:
    """What a run cost so far, at these prices, the most expensive first. Raises StoreError where a call is damaged."""
    found, names = [], reader.spoken_models(head.id)
    for (agent, served), spending in reader.spending(head.id).items():
        paid, model = spending.paid, names.get(agent) or served
        price = prices.price_served(served, names.get(agent) or asked_as(head, agent))
        free = not paid.tokens
        money = 0.0 if free else None if price is None else cost(paid, price)
        currency = None if price is None else price.currency
        found.append(Cost(agent, model, served, paid, spending.saved, money, currency))
    found.sort(key=lambda one: (-(one.money or 0.0), -one.usage.tokens, one.agent, one.served))
    return Costs(f"costs of {head.id}", found)


def asked_as(head: RunHead, agent: str) -> str:
    """The name under which an agent's model was asked for."""
    strategy = head.configuration.get("strategy")
    models = strategy.get("models") if isinstance(strategy, Mapping) else None
    return str((models or {}).get(agent, head.model))
