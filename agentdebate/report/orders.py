"""Judges that saw two texts in both orders, as a table and as records."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentdebate.meta.imputation import LEFT_OUT
from agentdebate.meta.two_orders import OrderFigures
from agentdebate.report.figures import figure, percent
from agentdebate.report.grid import Grid

_OF_PEOPLE: Mapping[str, str] = {"1st": "first", "2nd": "second", "mean": "mean", "both right": "both"}
_OF_ORDERS: Mapping[str, str] = {"same": "same", "kappa": "kappa", "shown first": "shown_first"}
_NAMES: Mapping[str, str] = {
    "first": "accuracy_first",
    "second": "accuracy_second",
    "mean": "accuracy_mean",
    "both": "accuracy_both",
    "same": "positional_agreement",
    "kappa": "positional_kappa",
    "shown_first": "shown_first",
}


def orders_grids(found: Sequence[OrderFigures]) -> tuple[Grid, ...]:
    """A table for each thing that is chosen, a judge a row."""
    return tuple(
        _grid(aspect, [one for one in found if one.aspect == aspect])
        for aspect in dict.fromkeys(one.aspect for one in found)
    )


def orders_record(one: OrderFigures) -> Mapping[str, Any]:
    """The figures of a judge in both orders as a record, with their intervals."""
    figures = {name: getattr(one, field) for field, name in _NAMES.items()}
    lacking, left_out = one.lacking.total(), one.missing == LEFT_OUT
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "n": one.n,
        **{
            name: {"value": each.value, "low": each.low, "high": each.high, "n": each.n}
            for name, each in figures.items()
        },
        "left_out": lacking if left_out else 0,
        "imputed": 0 if left_out else lacking,
        "reasons": dict(one.lacking),
    }


def orders_caption(found: Sequence[OrderFigures]) -> Iterator[str]:
    """What the table says, and what a choice counts as that is missing in one of the orders."""
    if not found:
        return
    missing, people = found[0].missing, any(one.people for one in found)
    whose = ", in which people have no part" if people else ""
    accuracies = (
        "accuracy in the first order (1st) and in the second (2nd), the mean of the two, and the share that is right in both; "
        if people
        else ""
    )
    yield (
        f"Both orders, over {_OVER if missing == LEFT_OUT else 'all n items'}: {accuracies}the share with the same choice in "
        f"both orders (positional agreement) and Cohen's kappa between the orders{whose}; and how many "
        f"{'choices' if missing == LEFT_OUT else 'of the choices that were made'} fell on the text shown first, ties aside, "
        "where a half is no bias for a place."
    )
    lacking = [f"{reason} ({one.judge}: {count})" for one in found for reason, count in one.lacking.items()]
    if lacking:
        yield f"{_COUNT_AS[missing] if isinstance(missing, str) else _AS_CHOICE.format(missing)}: {'; '.join(sorted(lacking))}."


_OVER = "the n items with a choice in each (left out: those without, and their share)"
_AS_CHOICE = "A choice that is missing in an order counts there as the choice {:g}"
_COUNT_AS: Mapping[str, str] = {
    "left-out": "Left out of it",
    "wrong": "A choice that is missing in an order counts as wrong there, and is not the same as that of the other order",
    "tie": "A choice that is missing in an order counts there as a tie",
}


def _grid(aspect: str, found: Sequence[OrderFigures]) -> Grid:
    """The table of what is chosen; without people nothing is right."""
    columns = {**(_OF_PEOPLE if any(one.people for one in found) else {}), **_OF_ORDERS}
    lost = "left out" if found[0].missing == LEFT_OUT else "missing"
    return Grid(
        f"Both orders, {aspect}",
        ("judge", *columns, "n", lost),
        tuple(_row(one, tuple(columns.values())) for one in found),
    )


def _row(one: OrderFigures, fields: Sequence[str]) -> tuple[str, ...]:
    lost = one.lacking.total()
    items = one.n + (lost if one.missing == LEFT_OUT else 0)
    share = f"{lost} ({percent(lost / items)})" if lost else "0"
    return (one.judge, *(figure(getattr(one, name).value) for name in fields), str(one.n), share)
