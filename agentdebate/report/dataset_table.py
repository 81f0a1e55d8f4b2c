"""The items that came out of the files of a published dataset, and why some rows gave none."""

from collections.abc import Iterator

from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.meta.prose import number_of
from agentdebate.visible import one_line

_NAMED = 20
"""Rows left out for the same reason that are named before it is said how many more there are."""


def account_lines(dataset: Dataset, taken: Taken) -> Iterator[str]:
    """Report the number of items in a dataset's files, and why some rows gave none."""
    yield f"{dataset.name}: {number_of(len(taken.items), 'item')} from {number_of(taken.rows, 'row')}"
    for reason, left_out in taken.left_out.items():
        more = f", and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        yield one_line(f"no item: {reason} ({len(left_out)}): {', '.join(left_out[:_NAMED])}{more}")
