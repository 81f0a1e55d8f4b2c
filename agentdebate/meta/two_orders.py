"""A judge that saw two texts in both orders: how right it is in each, and whether it says the same of the texts in both."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.figure import NO_RESAMPLES, Bootstrap
from agentdebate.meta.judgements import Judged, Judgements

NO_BOTH = "items without a choice in one of the orders"
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
    figures: Mapping[str, Agreement]
    """The accuracy in the first order, in the second, their mean, and of items that are right in both; the positional agreement, of
    items with the same choice in both, and its kappa, in which people have no part; and `shown_first`, the share of choices for the
    text that was shown first, ties aside, of which a half means no bias.
    """
    lacking: Counter[str]
    """Items that are not among them: reason to count."""


def order_figures(orders: TwoOrders, *, bootstrap: Bootstrap = NO_RESAMPLES) -> OrderFigures:
    """The figures of both orders. The intervals resample sources."""

    def figure(rows: Iterable[Judged], statistic: str = "accuracy") -> Agreement:
        some = tuple(rows)
        labels = sorted({str(label) for row in some for label in (row.human, row.score) if label is not None})
        return agree(replace(orders.first, rows=some, labels=tuple(labels)), statistic, bootstrap=bootstrap)

    pairs = list(zip(orders.first.rows, orders.second.rows, strict=True))
    items = list({one.text or -place: (one, other) for place, (one, other) in enumerate(pairs)}.values())
    whole, once = ([(a, b) for a, b in some if None not in (a.score, b.score)] for some in (pairs, items))
    same = [replace(one, human=one.score, score=other.score) for one, other in once]
    return OrderFigures(
        orders.first.judge,
        orders.first.aspect,
        len(once),
        {
            "accuracy_first": figure(one for one, _ in whole),
            "accuracy_second": figure(other for _, other in whole),
            "accuracy_mean": figure(row for pair in whole for row in _apart(*pair)),
            "accuracy_both": figure(
                one if one.score == other.score else replace(one, score=UNLIKE) for one, other in whole
            ),
            "positional_agreement": figure(same),
            "positional_kappa": figure(same, "kappa"),
            "shown_first": figure(row for pair in once for row in _shown(pair, orders.texts)),
        },
        Counter({NO_BOTH: len(items) - len(once)} if len(items) > len(once) else {}),
    )


def _shown(pair: tuple[Judged, Judged], texts: Sequence[str]) -> Iterator[Judged]:
    """The choices of an item by the places in which the texts were shown, ties aside."""
    for row, shown in zip(_apart(*pair), (texts, texts[::-1]), strict=True):
        if row.score in shown:
            yield replace(row, human=FIRST, score=FIRST if row.score == shown[0] else SECOND)


def _apart(*pair: Judged) -> Iterator[Judged]:
    """Both orders' choices as rows of their own, of one source."""
    for place, row in enumerate(pair, 1):
        yield replace(row, id=f"{row.id}, order {place}", source=row.source or row.id)
