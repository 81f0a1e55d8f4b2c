"""The page of what a run cost: by agent, round and model, and how much a cache gave."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from agentdebate.models.prices import built_in, cost
from agentdebate.store.run_head import RunHead
from agentdebate.store.run_tables import Share
from agentdebate.usage import Usage
from agentdebate.usage import total as usage_of
from agentdebate.viewer.runs_page import RunLine, run_line
from agentdebate.viewer.shelf import Shelf


@dataclass(frozen=True)
class CostLine:
    """Cost of the calls with one thing in common."""

    name: str
    served: tuple[str, ...]
    """Names of a model at the endpoint, where they differ."""
    usage: Usage
    cached_calls: int
    seconds: float
    money: float | None
    """Price by the table of this package; None where it lacks a price for one of the models."""


@dataclass(frozen=True)
class CostsPage:
    """Page of a run's costs."""

    run: RunLine
    total: CostLine
    by: Mapping[str, tuple[CostLine, ...]]
    """Lines by "agent", "round" and "model"."""

    def part(self, line: CostLine) -> float:
        """Tokens, or calls where none are counted, as a part of all, from 0 to 1."""
        whole, own = self.total.usage, line.usage
        return own.tokens / whole.tokens if whole.tokens else own.calls / whole.calls if whole.calls else 0.0


def costs_page(shelf: Shelf, head: RunHead) -> CostsPage:
    """The costs of a run. Raises StoreError."""
    shares = shelf.kept("costs", head, "", lambda: shelf.reader().shares(head.id))
    names = {share.agent: share.model for share in shares if share.model}

    def money(some: Sequence[Share]) -> float | None:
        return _money(some, lambda agent: names.get(agent) or head.asked_as(agent))

    by_agent = _lines(shares, lambda share: share.agent, money)
    by_round = _lines(shares, _round, money)
    by_model = _lines(shares, lambda share: names.get(share.agent) or share.served, money)
    by = {"agent": _dearest(by_agent), "round": tuple(by_round), "model": _dearest(by_model)}
    return CostsPage(run_line(shelf, head), _line("all", shares, money), by)


def _round(share: Share) -> str:
    return f"round {share.round}" if share.round else "before the first round"


def _dearest(lines: Iterable[CostLine]) -> tuple[CostLine, ...]:
    return tuple(sorted(lines, key=lambda line: (-line.usage.tokens, -line.usage.calls, line.name)))


def _lines(
    shares: Iterable[Share],
    name_of: Callable[[Share], str],
    money: Callable[[Sequence[Share]], float | None],
) -> list[CostLine]:
    groups: dict[str, list[Share]] = {}
    for share in sorted(shares, key=lambda one: one.round):
        groups.setdefault(name_of(share), []).append(share)
    return [_line(name, some, money) for name, some in groups.items()]


def _line(name: str, shares: Sequence[Share], money: Callable[[Sequence[Share]], float | None]) -> CostLine:
    paid = [share for share in shares if not share.cached]
    return CostLine(
        name=name,
        served=tuple(sorted({share.served for share in shares} - {name})),
        usage=usage_of(share.usage for share in paid),
        cached_calls=sum(share.usage.calls for share in shares if share.cached),
        seconds=sum(share.seconds for share in paid),
        money=money(paid),
    )


def _money(shares: Iterable[Share], priced_as: Callable[[str], str]) -> float | None:
    total, table = 0.0, built_in()
    for share in shares:
        if not share.usage.tokens:
            continue
        price = table.price_served(share.served, priced_as(share.agent))
        if price is None:
            return None
        total += cost(share.usage, price)
    return total
