"""A judge that saw two texts in both orders: how right it is in each, and whether it says the same of the texts in both."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.judgements import Choices, Judged
from agentdebate.meta.labels import in_order

NO_FIRST = "items without a choice in the first order"
NO_SECOND = "items without a choice in the second order"
NO_EITHER = "items without a choice in either order"
UNLIKE = "not the same in both orders"
"""The label of a judge that says one thing in one order and another in the other."""
FIRST, SECOND = "shown first", "shown second"


@dataclass(frozen=True)
class TwoOrders:
    """Choices of a judge in two orders, both of the texts in their first order, beside people's. A row is the same item in both."""

    first: Choices
    second: Choices
    texts: tuple[str, ...]
    """The labels of the texts, in the first order."""

    @property
    def lacking(self) -> Counter[str]:
        """Items without a choice in one of the orders or in both: reason to count."""
        reasons = {(True, True): NO_EITHER, (True, False): NO_FIRST, (False, True): NO_SECOND}
        pairs = zip(_once(self.first).rows, _once(self.second).rows, strict=True)
        lacks = ((one.score is None, other.score is None) for one, other in pairs)
        return Counter(reasons[lack] for lack in lacks if any(lack))

    @property
    def whole(self) -> "TwoOrders":
        """The items with a choice in both orders."""
        pairs = enumerate(zip(self.first.rows, self.second.rows, strict=True))
        places = [place for place, pair in pairs if all(row.score is not None for row in pair)]
        return replace(self, first=_rows_at(self.first, places), second=_rows_at(self.second, places))


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
    people: bool = True
    """True if there are people to compare with."""


def order_figures(orders: TwoOrders, *, bootstrap: Bootstrap | None = None) -> OrderFigures:
    """The figures of both orders; those against people have no value where there are none. The intervals resample sources."""
    first, second = orders.whole.first, orders.whole.second
    accuracy = partial(agree, statistic="accuracy", bootstrap=bootstrap)
    between = _between(first, second)
    return OrderFigures(
        judge=first.judge,
        aspect=first.aspect,
        n=len(between.rows),
        first=accuracy(first),
        second=accuracy(second),
        mean=accuracy(_either(first, second)),
        both=accuracy(_both(first, second)),
        same=accuracy(between),
        kappa=agree(between, "kappa", bootstrap=bootstrap),
        shown_first=accuracy(_shown(orders.whole)),
        lacking=orders.lacking,
        people=any(row.human is not None for row in orders.first.rows),
    )


def _rows_at(choices: Choices, places: Sequence[int]) -> Choices:
    return replace(choices, rows=tuple(choices.rows[place] for place in places))


def _once(choices: Choices) -> Choices:
    """A row an item, where every person has a row of each."""
    places = {row.text or -place: place for place, row in reversed([*enumerate(choices.rows)])}
    return _rows_at(choices, sorted(places.values()))


def _shown(orders: TwoOrders) -> Choices:
    """Each choice that is not a tie as the place in which its text was shown; that it is the first has people's place."""
    first, second = (
        _placed(_once(choices), dict(zip(orders.texts, places, strict=False)))
        for choices, places in ((orders.first, (FIRST, SECOND)), (orders.second, (SECOND, FIRST)))
    )
    return replace(_either(first, second), labels=(FIRST, SECOND), tie=None, left_out={})


def _placed(choices: Choices, places: Mapping[str, str]) -> Choices:
    rows = (
        replace(row, human=FIRST, score=places[str(row.score)]) for row in choices.rows if row.score in places
    )
    return replace(choices, rows=tuple(rows))


def _either(first: Choices, second: Choices) -> Choices:
    """Both orders' choices, a row each, of the same source."""
    rows = [
        replace(row, id=f"{row.id}, order {number}", source=row.source or row.id)
        for number, one in enumerate((first, second), 1)
        for row in one.rows
    ]
    return replace(first, rows=tuple(rows), labels=_together(first, second))


def _both(first: Choices, second: Choices) -> Choices:
    """The choice where it is the same in both orders."""
    rows = tuple(
        one if one.score == other.score else replace(one, score=UNLIKE)
        for one, other in zip(first.rows, second.rows, strict=True)
    )
    return replace(first, rows=rows, labels=(*_together(first, second), UNLIKE))


def _between(first: Choices, second: Choices) -> Choices:
    """The choice in the second order beside that in the first, which has the place of people's."""
    rows = tuple(
        Judged(one.id, one.source, one.system, one.score, other.score)
        for one, other in zip(_once(first).rows, _once(second).rows, strict=True)
    )
    return replace(first, rows=rows, labels=_together(first, second))


def _together(first: Choices, second: Choices) -> tuple[str, ...]:
    return in_order((*first.labels, *second.labels), first.tie)
