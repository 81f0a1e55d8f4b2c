"""A judge that saw two texts in both orders: how right it is in each, and whether it says the same of the texts in both."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.figure import Bootstrap
from agentdebate.meta.judgements import Judged, Judgements

NO_FIRST = "items without a choice in the first order"
NO_SECOND = "items without a choice in the second order"
NO_EITHER = "items without a choice in either order"
UNLIKE = "not the same in both orders"
"""The label of a judge that says one thing in one order and another in the other."""
FIRST, SECOND = "shown first", "shown second"


@dataclass(frozen=True)
class TwoOrders:
    """Choices of a judge in two orders, both of the texts in their first order, beside people's. A row is the same item in both."""

    first: Judgements
    second: Judgements
    texts: tuple[str, ...]
    """The labels of the texts, in the first order."""


@dataclass(frozen=True)
class OrderFigures:
    """The figures of a judge in both orders, over the items with a choice in both."""

    judge: str
    aspect: str
    n: int
    """Number of these items."""
    first: Agreement
    """The accuracy in the first order."""
    second: Agreement
    mean: Agreement
    """The mean of these two."""
    both: Agreement
    """Number of items that are right in both orders."""
    same: Agreement
    """The positional agreement: how many items have the same choice in both orders. People have no part in it."""
    kappa: Agreement
    """Cohen's kappa of the two orders."""
    shown_first: Agreement
    """Share of the choices for the text that was shown first, ties aside; a half means no bias."""
    lacking: Counter[str]
    """Items without a choice in one of the orders or in both: reason to count."""


def order_figures(orders: TwoOrders, *, bootstrap: Bootstrap | None = None) -> OrderFigures:
    """The figures of both orders. The intervals resample sources."""

    def figure(rows: Iterable[Judged], statistic: str = "accuracy") -> Agreement:
        found = tuple(rows)
        labels = sorted(
            {str(label) for row in found for label in (row.human, row.score) if label is not None}
        )
        return agree(replace(orders.first, rows=found, labels=tuple(labels)), statistic, bootstrap=bootstrap)

    pairs = list(zip(orders.first.rows, orders.second.rows, strict=True))
    items = list({one.text or -place: (one, other) for place, (one, other) in enumerate(pairs)}.values())
    whole = [(one, other) for one, other in pairs if one.score is not None and other.score is not None]
    once = [(one, other) for one, other in items if one.score is not None and other.score is not None]
    same = [replace(one, human=one.score, score=other.score) for one, other in once]
    places = [dict(zip(orders.texts, names, strict=False)) for names in ((FIRST, SECOND), (SECOND, FIRST))]
    shown = [
        replace(row, human=FIRST, score=place[str(row.score)])
        for pair in once
        for row, place in zip(_apart(*pair), places, strict=True)
        if row.score in place
    ]
    reasons = {(True, True): NO_EITHER, (True, False): NO_FIRST, (False, True): NO_SECOND}
    lacks = ((one.score is None, other.score is None) for one, other in items)
    return OrderFigures(
        judge=orders.first.judge,
        aspect=orders.first.aspect,
        n=len(once),
        first=figure(one for one, _ in whole),
        second=figure(other for _, other in whole),
        mean=figure(row for pair in whole for row in _apart(*pair)),
        both=figure(one if one.score == other.score else replace(one, score=UNLIKE) for one, other in whole),
        same=figure(same),
        kappa=figure(same, "kappa"),
        shown_first=figure(shown),
        lacking=Counter(reasons[lack] for lack in lacks if any(lack)),
    )


def _apart(first: Judged, second: Judged) -> tuple[Judged, Judged]:
    """Both orders' choices as rows of their own, of one source."""
    source = first.source or first.id
    return (
        replace(first, id=f"{first.id}, order 1", source=source),
        replace(second, id=f"{second.id}, order 2", source=source),
    )
