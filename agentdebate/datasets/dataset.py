"""A dataset as its authors publish it: what a row of its file comes to, and what came out of the whole file."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError
from agentdebate.tasks import Item, Task


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that gives no item, and why."""

    id: str
    reason: str
    """A sentence without its full stop: "no summary has enough votes"."""


@dataclass(frozen=True)
class Dataset:
    """How to read one published dataset. `read` makes an item of a row, or says why there is none; it raises DataError."""

    name: str
    about: str
    source: str
    """The paper and section."""
    task: str
    """The task that its items are of."""
    fields: tuple[str, ...]
    """The fields that its items have."""
    row: str
    """What a row of its file is: "article"."""
    item: str
    """What an item made of it is: "pair"."""
    read: Callable[[Row], Item | LeftOut]

    def check(self, task: Task) -> None:
        """Raise UsageError for a task that needs a field which the items do not have."""
        missing = [name for name in task.fields if name not in self.fields]
        if missing:
            raise UsageError(
                f"the items of {self.name} have no {missing[0]!r}, which task {task.name!r} needs; "
                f"they have {', '.join(self.fields)}, as task {self.task!r} wants them"
            )


@dataclass(frozen=True)
class Taken:
    """What came out of a file."""

    items: tuple[Item, ...]
    rows: int
    """How many rows were looked at."""
    left_out: Mapping[str, tuple[str, ...]]
    """Why rows gave no item: reason to the ids of the rows, in the file's order."""


def take(
    dataset: Dataset, rows: Iterable[Row], *, task: Task | None = None, limit: int | None = None
) -> Taken:
    """The items of a published file, as items of `task` where one is given; the rows after the item `limit` are not read.

    Raises DataError for rows that are not as the dataset has them, and where no row gives an item; UsageError for a task
    that the items do not fit.
    """
    if task is not None:
        dataset.check(task)
    found: list[Item] = []
    left_out: dict[str, list[str]] = {}
    lines: dict[str, int] = {}
    path = None
    for row in rows:
        path, made = row.path, dataset.read(row)
        if made.id in lines:
            raise row.error(f"the id {made.id!r} is on line {lines[made.id]} too")
        lines[made.id] = row.line
        if isinstance(made, LeftOut):
            left_out.setdefault(made.reason, []).append(made.id)
        else:
            found.append(made.model_copy(update={"task": task.name}) if task else made)
        if len(found) == limit:
            break
    if not found:
        raise DataError(f"no {dataset.row} of it gives a {dataset.item} ({len(lines)} looked at)", path=path)
    return Taken(tuple(found), len(lines), {reason: tuple(ids) for reason, ids in left_out.items()})
