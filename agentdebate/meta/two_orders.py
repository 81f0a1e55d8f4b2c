"""A judge that saw two texts in both orders: how right it is in each, and whether it says the same of the texts in both."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.choices import agree_on_choices
from agentdebate.meta.choosing import Choosing, choices, judged_pair, with_tie
from agentdebate.meta.judged import Choices, Chosen
from agentdebate.meta.labels import meant
from agentdebate.meta.predicted import Joined, Naming

NO_FIRST = "items without a choice in the first order"
NO_SECOND = "items without a choice in the second order"
UNLIKE = "not the same in both orders"
"""The label of a judge that says one thing in one order and another in the other."""
FIRST, SECOND = "shown first", "shown second"


@dataclass(frozen=True)
class TwoOrders:
    """What a judge chose in each of two orders, both as said of the same texts, of the items with a choice in both."""

    first: Choices
    """Its choices in the order of the data, beside people's."""
    second: Choices
    """Its choices in the other order, turned around, beside people's."""
    shown: Choices
    """Of each choice in either order that is no tie, whether it fell on the text that was shown first."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Items without a choice in one of the orders."""


@dataclass(frozen=True)
class OrderFigures:
    """The figures of a judge in both orders."""

    judge: str
    aspect: str
    n: int
    """Items with a choice in both orders."""
    first: Agreement
    """The accuracy in the first order."""
    second: Agreement
    mean: Agreement
    """The mean of these two."""
    both: Agreement
    """How many items are right in both orders."""
    same: Agreement
    """The positional agreement: how many items have the same choice in both orders. People have no part in it."""
    kappa: Agreement
    """Cohen's kappa of the two orders."""
    shown_first: Agreement
    """How often a choice fell on the text that was shown first, ties aside; a half is no bias."""
    left_out: Counter[str]


def two_orders(judge: str, joined: Joined, choosing: Choosing, naming: Naming) -> TwoOrders | None:
    """What a judge chose in each order; None where its choice is not FIELD+flip(FIELD).

    Raises what `choices` does.
    """
    pair = judged_pair(joined, choosing)
    if choosing.orders is None or pair is None:
        return None
    # Without labels both sides say the same, in the words of both orders together.
    labels = choosing.labels or {word: word for word in (pair.first, pair.second, pair.tie)}
    named = replace(choosing, labels=with_tie(labels, several=True))
    straight, turned = choosing.orders
    first, second, shown = (
        choices(judge, joined, replace(named, terms=(term,)), naming)
        for term in (straight, turned, replace(turned, flipped=False))
    )
    kept, left_out = list[int](), Counter[str]()
    for place, (one, other) in enumerate(zip(first.rows, second.rows, strict=True)):
        lacking = NO_FIRST if one.choice is None else NO_SECOND if other.choice is None else None
        if lacking is None:
            kept.append(place)
        else:
            left_out[lacking] += 1
    first, second, shown = (
        replace(one, rows=tuple(one.rows[place] for place in kept)) for one in (first, second, shown)
    )
    places = {meant(labels)[word]: name for word, name in ((pair.first, FIRST), (pair.second, SECOND))}
    return TwoOrders(first, second, _shown(first, shown, places), left_out)


def order_figures(orders: TwoOrders, *, bootstrap: Bootstrap | None = None) -> OrderFigures:
    """The figures of both orders; those against people have no value where there are none. The intervals resample sources."""
    first, second = orders.first, orders.second
    between = _between(first, second)
    return OrderFigures(
        judge=first.judge,
        aspect=first.aspect,
        n=len(first.rows),
        first=agree_on_choices(first, "accuracy", bootstrap=bootstrap),
        second=agree_on_choices(second, "accuracy", bootstrap=bootstrap),
        mean=agree_on_choices(_either(first, second), "accuracy", bootstrap=bootstrap),
        both=agree_on_choices(_both(first, second), "accuracy", bootstrap=bootstrap),
        same=agree_on_choices(between, "accuracy", bootstrap=bootstrap),
        kappa=agree_on_choices(between, "kappa", bootstrap=bootstrap),
        shown_first=agree_on_choices(orders.shown, "accuracy", bootstrap=bootstrap),
        left_out=orders.left_out,
    )


def _shown(first: Choices, shown: Choices, places: Mapping[str, str]) -> Choices:
    """Each choice that is no tie as the place in which its text was shown; that it is the first has people's place."""
    rows = tuple(
        replace(row, source=row.source or row.id, human=FIRST, choice=places[row.choice or ""])
        for row in _either(first, shown).rows
        if row.choice in places
    )
    return Choices(first.judge, first.aspect, (FIRST, SECOND), rows)


def _either(first: Choices, second: Choices) -> Choices:
    """Both orders' choices, a row each, of the same source."""
    rows = [
        replace(row, id=f"{row.id}, order {number}", source=row.source or row.id)
        for number, one in enumerate((first, second), 1)
        for row in one.rows
    ]
    return replace(first, rows=tuple(rows))


def _both(first: Choices, second: Choices) -> Choices:
    """The choice where it is the same in both orders."""
    rows = tuple(
        one if one.choice == other.choice else replace(one, choice=UNLIKE)
        for one, other in zip(first.rows, second.rows, strict=True)
    )
    return replace(first, rows=rows, labels=(*first.labels, UNLIKE))


def _between(first: Choices, second: Choices) -> Choices:
    """The choice in the second order beside that in the first, which has the place of people's."""
    rows = tuple(
        Chosen(one.id, one.source, one.choice, other.choice)
        for one, other in zip(first.rows, second.rows, strict=True)
    )
    return replace(first, rows=rows)
