"""Judges that saw two texts in both orders, as a table and as records."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.two_orders import OrderFigures
from agentdebate.report.figures import figure, percent
from agentdebate.report.grid import Grid

HEAD = ("judge", "1st", "2nd", "mean", "both right", "same", "kappa", "shown first", "n", "left out")
_FIGURES = ("first", "second", "mean", "both", "same", "kappa", "shown_first")
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
        Grid(f"Both orders, {aspect}", HEAD, tuple(map(_row, (one for one in found if one.aspect == aspect))))
        for aspect in dict.fromkeys(one.aspect for one in found)
    )


def orders_record(one: OrderFigures) -> Mapping[str, Any]:
    """The figures of a judge in both orders as a record, with their intervals."""
    figures = {name: getattr(one, field) for field, name in _NAMES.items()}
    return {
        "judge": one.judge,
        "aspect": one.aspect,
        "n": one.n,
        **{
            name: {"value": each.value, "low": each.low, "high": each.high, "n": each.n}
            for name, each in figures.items()
        },
        "left_out": one.left_out.total(),
        "reasons": dict(one.left_out),
    }


def orders_caption(found: Sequence[OrderFigures], missing: Missing = LEFT_OUT) -> Iterator[str]:
    """What the table says, and what it leaves out, whatever a `missing` judgement counts as elsewhere."""
    if not found:
        return
    yield (
        "Both orders, over the n items with a choice in each (left out: those without, and their share): accuracy in the first order (1st) and in the second (2nd), the mean of the "
        "two, and the share that is right in both; the share with the same choice in both orders (positional agreement) and "
        "Cohen's kappa between the orders, in which people have no part; and how many choices fell on the text shown first, "
        "ties aside, where a half is no bias for a place."
    )
    lacking = {
        f"{reason} ({one.judge}: {count})" for one in found for reason, count in sorted(one.left_out.items())
    }
    if lacking:
        however = "" if missing == LEFT_OUT else ", whatever a missing judgement counts as elsewhere"
        yield f"Left out of it{however}: {'; '.join(sorted(lacking))}."


def _row(one: OrderFigures) -> tuple[str, ...]:
    lost = one.left_out.total()
    left_out = f"{lost} ({percent(lost / (one.n + lost))})" if lost else "0"
    return (one.judge, *(figure(getattr(one, name).value) for name in _FIGURES), str(one.n), left_out)
