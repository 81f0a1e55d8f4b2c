"""The items that came out of the files of a published dataset, and why some rows gave none."""

from collections.abc import Iterator

from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.report.prose import counted
from agentdebate.visible import shortened

_LONGEST = 500
"""Characters of a line that names rows."""


def account_lines(dataset: Dataset, taken: Taken) -> Iterator[str]:
    """Report the number of items in a dataset's files, and why some rows gave none."""
    yield f"{dataset.name}: {counted(len(taken.items), 'item')} from {counted(taken.rows, 'row')}"
    for reason, left_out in taken.left_out.items():
        yield shortened(f"no item: {reason} ({len(left_out)}): {', '.join(left_out)}", _LONGEST)
