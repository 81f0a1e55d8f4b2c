"""The page of what a run cost: by agent, round and model, how much a cache gave, and the dearest debates."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.models.prices import PriceTable, built_in, cost
from agentdebate.store.debate_list import DebateList, DebateOrder
from agentdebate.store.reader import RunHead
from agentdebate.store.run_tables import Share
from agentdebate.usage import Usage
from agentdebate.usage import total as usage_of
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf

_DEAREST = 10


@dataclass(frozen=True)
class CostLine:
    """What the calls with one thing in common cost."""

    name: str
    served: tuple[str, ...]
    """Of a model, what the endpoint calls it, where that is another name."""
    usage: Usage
    cached_calls: int
    seconds: float
    money: float | None
    """By the price table of this package; None where it has no price for a model in it."""
    part: float
    """Its tokens as a part of all, from 0 to 1."""


@dataclass(frozen=True)
class CostsPage:
    """What a run cost."""

    run: RunLine
    total: CostLine
    by: Mapping[str, tuple[CostLine, ...]]
    """By "agent", "round" and "model"."""
    complete: bool
    """Whether the sums are there; until then the page says that they are being added up."""
    dearest: tuple[Mapping[str, Any], ...]
    dearest_by: str


def costs_page(shelf: Shelf, head: RunHead, *, wait: bool = False) -> CostsPage:
    """The costs, as soon as they are added up, or at once where one is to `wait` for them. Raises StoreError."""
    found = shelf.costs(head, wait=wait)
    shares = found or []
    names = {share.agent: share.model for share in shares if share.model}

    def priced_as(agent: str) -> str:
        return names.get(agent) or head.asked_as(agent)

    whole = _line("all", shares, Usage(), priced_as)
    ways: Mapping[str, Callable[[Share], str]] = {
        "agent": lambda share: share.agent,
        "round": lambda share: f"round {share.round}" if share.round else "before the first round",
        "model": lambda share: names.get(share.agent) or share.served,
    }
    by, dearest = _dearest(shelf.debates(head.id), "tokens" if whole.usage.tokens else "calls")
    return CostsPage(
        run=run_line(shelf, head),
        total=whole,
        by={
            way: _lines(shares, of, whole.usage, priced_as, by_round=way == "round")
            for way, of in ways.items()
        },
        complete=found is not None,
        dearest=dearest,
        dearest_by=by,
    )


def _dearest(debates: DebateList, otherwise: str) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """The dearest debates, and by what: money, where any is known."""
    by_money = debates.part(order=DebateOrder("money", descending=True), most=_DEAREST)
    if by_money and by_money[0]["money"]:
        return "money", tuple(by_money)
    return otherwise, tuple(debates.part(order=DebateOrder(otherwise, descending=True), most=_DEAREST))


def _lines(
    shares: Iterable[Share],
    name_of: Callable[[Share], str],
    all_of: Usage,
    priced_as: Callable[[str], str],
    *,
    by_round: bool,
) -> tuple[CostLine, ...]:
    groups: dict[str, list[Share]] = {}
    for share in sorted(shares, key=lambda one: one.round):
        groups.setdefault(name_of(share), []).append(share)
    lines = [_line(name, some, all_of, priced_as) for name, some in groups.items()]
    return tuple(
        lines
        if by_round
        else sorted(lines, key=lambda line: (-line.usage.tokens, -line.usage.calls, line.name))
    )


def _line(
    name: str,
    shares: Iterable[Share],
    all_of: Usage,
    priced_as: Callable[[str], str],
) -> CostLine:
    some = list(shares)
    paid = [share for share in some if not share.cached]
    usage = usage_of(share.usage for share in paid)
    whole = all_of.tokens or usage.tokens
    calls = all_of.calls or usage.calls
    return CostLine(
        name=name,
        served=tuple(sorted({share.served for share in some} - {name})),
        usage=usage,
        cached_calls=sum(share.usage.calls for share in some if share.cached),
        seconds=sum(share.seconds for share in paid),
        money=_money(paid, built_in(), priced_as),
        part=usage.tokens / whole if whole else usage.calls / calls if calls else 0.0,
    )


def _money(shares: Iterable[Share], table: PriceTable, priced_as: Callable[[str], str]) -> float | None:
    total = 0.0
    for share in shares:
        if not share.usage.tokens:
            continue
        price = table.price_served(share.served, priced_as(share.agent))
        if price is None:
            return None
        total += cost(share.usage, price)
    return total
