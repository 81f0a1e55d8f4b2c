"""Published datasets as they are listed, and what came out of their files."""

from collections.abc import Iterator, Sequence
from typing import Any

from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.meta.prose import number_of
from agentdebate.report.grid import Block, Grid
from agentdebate.visible import one_line

_NAMED = 20
"""Rows left out for the same reason that are named before it is said how many more there are."""


def dataset_table(datasets: Sequence[Dataset]) -> Grid:
    """A line a dataset."""
    head = ("name", "task", "size", "licence")
    rows = [dataset_record(dataset) for dataset in datasets]
    return Grid("Datasets", head, [[row[name] for name in head] for row in rows], (), whole=("name", "task"))


def dataset_blocks(dataset: Dataset) -> Iterator[Block]:
    """All that is known of a dataset, a line each."""
    for key, value in dataset_record(dataset).items():
        for place, line in enumerate(value if isinstance(value, list) else [value]):
            yield f"{'' if place else key:<9} {line}"


def dataset_record(dataset: Dataset) -> dict[str, Any]:
    """A dataset as JSON has it."""
    return {
        "name": dataset.name,
        "task": dataset.task,
        "size": dataset.size,
        "source": dataset.source,
        "licence": dataset.licence,
        "home": dataset.home,
        "forms": [form.name for form in dataset.forms],
        "files": [one.url for one in dataset.files],
    }


def account_lines(dataset: Dataset, taken: Taken, limit: int | None) -> Iterator[str]:
    """How many items came out of the files of a dataset, and why some of its rows gave none."""
    first = "the first " if limit == len(taken.items) else ""
    rows = f"{first}{number_of(taken.rows, 'row')}"
    yield f"{dataset.name}: {number_of(len(taken.items), 'item')} from {rows}"
    if taken.left_out:
        yield f"{sum(map(len, taken.left_out.values()))} of {rows} give no item:"
    for reason, left_out in taken.left_out.items():
        more = f", and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        yield one_line(f"{reason} ({len(left_out)}): {', '.join(left_out[:_NAMED])}{more}")
