"""The page of what a run cost: by agent, round and model, how much a cache gave, and the dearest debates."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.models.prices import PriceTable, built_in, cost
from agentdebate.store.call_costs import Share
from agentdebate.store.costs import asked_as
from agentdebate.store.debate_list import DebateList
from agentdebate.store.debate_order import DebateOrder
from agentdebate.store.reader import RunHead
from agentdebate.usage import Usage
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf

_PATIENCE = 0.08
"""Seconds for which calls are counted before the page is shown as far as it came."""
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
    counted: int
    complete: bool
    unread: int
    dearest: tuple[Mapping[str, Any], ...]
    dearest_by: str


def costs_page(shelf: Shelf, head: RunHead, *, patience: float | None = _PATIENCE) -> CostsPage:
    """The costs as far as they can be counted within so many seconds; all of them where `patience` is None."""
    counted = shelf.costs(head)
    if not counted.complete:
        counted.count(patience)
    shares = dict(counted.shares)
    names = shelf.kept(
        "spoken", head, counted.debates, lambda: shelf.reader().spoken_in(head.id, counted.ends)
    )

    def priced_as(agent: str) -> str:
        return names.get(agent) or asked_as(head, agent)

    whole = _line("all", shares.items(), Usage(), priced_as)
    ways: Mapping[str, Callable[[tuple[str, int, str]], str]] = {
        "agent": lambda key: key[0],
        "round": lambda key: f"round {key[1]}" if key[1] else "before the first round",
        "model": lambda key: names.get(key[0]) or key[2],
    }
    by, dearest = _dearest(shelf.debates(head.id), "tokens" if whole.usage.tokens else "calls")
    return CostsPage(
        run=run_line(shelf, head),
        total=whole,
        by={
            way: _lines(shares, of, whole.usage, priced_as, by_round=way == "round")
            for way, of in ways.items()
        },
        counted=counted.debates,
        complete=counted.complete,
        unread=counted.unread,
        dearest=dearest,
        dearest_by=by,
    )


def _dearest(debates: DebateList, otherwise: str) -> tuple[str, tuple[Mapping[str, Any], ...]]:
    """The dearest debates, and by what: money, where any is known."""
    by_money = debates.part(order=DebateOrder("money", descending=True), most=_DEAREST).rows
    if by_money and by_money[0]["money"]:
        return "money", tuple(by_money)
    return otherwise, tuple(debates.part(order=DebateOrder(otherwise, descending=True), most=_DEAREST).rows)


def _lines(
    shares: Mapping[tuple[str, int, str], Share],
    name_of: Callable[[tuple[str, int, str]], str],
    all_of: Usage,
    priced_as: Callable[[str], str],
    *,
    by_round: bool,
) -> tuple[CostLine, ...]:
    groups: dict[str, list[tuple[tuple[str, int, str], Share]]] = {}
    for key, share in sorted(shares.items(), key=lambda one: one[0][1]):
        groups.setdefault(name_of(key), []).append((key, share))
    lines = [_line(name, some, all_of, priced_as) for name, some in groups.items()]
    return tuple(
        lines
        if by_round
        else sorted(lines, key=lambda line: (-line.usage.tokens, -line.usage.calls, line.name))
    )


def _line(
    name: str,
    shares: Iterable[tuple[tuple[str, int, str], Share]],
    all_of: Usage,
    priced_as: Callable[[str], str],
) -> CostLine:
    some = list(shares)
    usage = sum((share.usage for _, share in some), Usage(calls=0))
    whole = all_of.tokens or usage.tokens
    calls = all_of.calls or usage.calls
    return CostLine(
        name=name,
        served=tuple(sorted({model for (_, _, model), _ in some} - {name})),
        usage=usage,
        cached_calls=sum(share.cached_calls for _, share in some),
        seconds=sum(share.seconds for _, share in some),
        money=_money(some, built_in(), priced_as),
        part=usage.tokens / whole if whole else usage.calls / calls if calls else 0.0,
    )


def _money(
    shares: Iterable[tuple[tuple[str, int, str], Share]], table: PriceTable, priced_as: Callable[[str], str]
) -> float | None:
    total = 0.0
    for (agent, _, model), share in shares:
        if not share.usage.tokens:
            continue
        price = table.price_served(model, priced_as(agent))
        if price is None:
            return None
        total += cost(share.usage, price)
    return total
