"""A judge that saw two texts in both orders: how right it is in each, and whether it says the same of the texts in both."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.expression import Function, Order
from agentdebate.meta.imputation import LEFT_OUT, Missing, missing_label
from agentdebate.meta.judgements import Choices, Judged
from agentdebate.meta.labels import Labels, in_order
from agentdebate.meta.long_table import Judgement, chosen
from agentdebate.meta.talk import Value

NO_FIRST = "items without a choice in the first order"
NO_SECOND = "items without a choice in the second order"
NO_EITHER = "items without a choice in either order"
NONE_FIRST, NONE_SECOND = "no choice in the first order", "no choice in the second order"
"""Label of a missing choice that counts as wrong: neither people's label nor that of the other order."""
UNLIKE = "not the same in both orders"
"""The label of a judge that says one thing in one order and another in the other."""
FIRST, SECOND = "shown first", "shown second"


@dataclass(frozen=True)
class TwoOrders:
    """Choices of a judge in two orders, both translated to the same texts. A row is the same item in all three."""

    first: Choices
    """Its choices in the order of the data, beside people's."""
    second: Choices
    """Its choices in the other order, turned around, beside people's."""
    shown: Choices
    """Its choices in the other order as said of the texts in the places in which they were shown."""
    places: Mapping[str, str] = field(default_factory=dict)
    """Place of the chosen text in the first order. A tie has none."""

    @property
    def lacking(self) -> Counter[str]:
        """Items without a choice in one of the orders or in both: reason to count."""
        pairs = zip(_once(self.first).rows, _once(self.second).rows, strict=True)
        found = (_lacking(one.score, other.score) for one, other in pairs)
        return Counter(why for why in found if why)


@dataclass(frozen=True)
class OrderFigures:
    """The figures of a judge in both orders."""

    judge: str
    aspect: str
    n: int
    """Items that the figures are over: those with a choice in both orders, or all where a missing one counts as something."""
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
    missing: Missing = LEFT_OUT
    """Value of a choice that is missing in an order; by default such items are left out."""
    people: bool = True
    """True if there are people to compare with."""


def two_orders(found: Choices, table: Sequence[Judgement], labels: Labels, people: Function) -> TwoOrders:
    """A judge's choices in each order, of a table with rows of both; `found` is the vote of them."""
    turned = [
        row._replace(order="") for row in table if row.order or not row.judge
    ]  # as said of the texts in their places
    parts: tuple[tuple[Sequence[Judgement], Order], ...] = ((table, ""), (table, "flip"), (turned, ""))
    first, second, places = (
        chosen(found.judge, found.aspect, rows, labels, people=people, orders=(order,))
        for rows, order in parts
    )
    names = dict(zip(labels.texts, (FIRST, SECOND), strict=False))
    return TwoOrders(first, second, places, names)


def order_figures(
    orders: TwoOrders, *, bootstrap: Bootstrap | None = None, missing: Missing = LEFT_OUT
) -> OrderFigures:
    """The figures of both orders; those against people have no value where there are none. The intervals resample sources.

    By default they are over the items with a choice in both orders. Where a `missing` choice counts as something it does so
    in each order by itself, and they are over all items; one that counts as wrong is not the same as any other, that of the
    other order included. What was shown first is counted over the choices that were made. Raises UsageError where no
    label reads like the number.
    """
    first, second = _counting(orders, missing)
    between = _between(first, second)
    return OrderFigures(
        judge=first.judge,
        aspect=first.aspect,
        n=len(between.rows),
        first=agree(first, "accuracy", bootstrap=bootstrap),
        second=agree(second, "accuracy", bootstrap=bootstrap),
        mean=agree(_either(first, second), "accuracy", bootstrap=bootstrap),
        both=agree(_both(first, second), "accuracy", bootstrap=bootstrap),
        same=agree(between, "accuracy", bootstrap=bootstrap),
        kappa=agree(between, "kappa", bootstrap=bootstrap),
        shown_first=agree(_shown(orders, missing), "accuracy", bootstrap=bootstrap),
        lacking=orders.lacking,
        missing=missing,
        people=any(row.human is not None for row in orders.first.rows),
    )


def _lacking(first: Value | None, second: Value | None) -> str | None:
    """Return the order that lacks a choice; None where both have one."""
    if first is None and second is None:
        return NO_EITHER
    return NO_FIRST if first is None else NO_SECOND if second is None else None


def _counting(orders: TwoOrders, missing: Missing) -> tuple[Choices, Choices]:
    """The choices of both orders that figures are over, where a missing one counts as is said."""
    first, second = orders.first, orders.second
    if missing == LEFT_OUT:
        whole = _whole(orders)
        return _rows_at(first, whole), _rows_at(second, whole)
    return _filled(first, missing, NONE_FIRST), _filled(second, missing, NONE_SECOND)


def _whole(orders: TwoOrders) -> list[int]:
    """The places of items with a choice in both orders."""
    pairs = zip(orders.first.rows, orders.second.rows, strict=True)
    return [place for place, (one, other) in enumerate(pairs) if not _lacking(one.score, other.score)]


def _rows_at(choices: Choices, places: Sequence[int]) -> Choices:
    return replace(choices, rows=tuple(choices.rows[place] for place in places))


def _filled(choices: Choices, missing: Missing, wrong: str) -> Choices:
    """The choices with a label for those that are missing; `wrong` is one that is like no other."""
    labels, label = missing_label(choices, missing)
    rows = tuple(row if row.score is not None else replace(row, score=label or wrong) for row in choices.rows)
    return replace(choices, rows=rows, labels=labels if label else (*labels, wrong))


def _shown(orders: TwoOrders, missing: Missing) -> Choices:
    """Each choice that is not a tie as the place in which its text was shown; that it is the first has people's place."""
    first, shown = orders.first, orders.shown
    if missing == LEFT_OUT:
        whole = _whole(orders)
        first, shown = _rows_at(first, whole), _rows_at(shown, whole)
    rows = tuple(
        replace(row, human=FIRST, score=orders.places[str(row.score)])
        for row in _either(_once(first), _once(shown)).rows
        if row.score in orders.places
    )
    return Choices(first.judge, first.aspect, rows, labels=(FIRST, SECOND))


def _once(choices: Choices) -> Choices:
    """A row an item, where every person has a row of each."""
    places = {row.text or -place: place for place, row in reversed([*enumerate(choices.rows)])}
    return _rows_at(choices, sorted(places.values()))


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
