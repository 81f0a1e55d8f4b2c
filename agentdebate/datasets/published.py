"""The datasets that can be read as they are published, by name."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from agentdebate.datasets.dataset import Dataset, Taken, collect
from agentdebate.datasets.faireval import FAIREVAL
from agentdebate.datasets.goyal2022 import GOYAL2022
from agentdebate.datasets.hanna import HANNA
from agentdebate.datasets.row import Row
from agentdebate.datasets.summeval import SUMMEVAL
from agentdebate.datasets.tables import Table, recognised, table_of, tables_at
from agentdebate.datasets.topical_chat import TOPICAL_CHAT
from agentdebate.errors import UsageError, nearest
from agentdebate.tasks import Task

PUBLISHED: Mapping[str, Dataset] = {
    dataset.name: dataset for dataset in (SUMMEVAL, TOPICAL_CHAT, FAIREVAL, GOYAL2022, HANNA)
}
"""Every dataset by its name."""


def known_datasets() -> tuple[Dataset, ...]:
    """Every published dataset that can be read: its task, size, licence, citation, forms and addresses.

    [dataset.name for dataset in ad.known_datasets()]
    """
    return tuple(PUBLISHED.values())


def published(name: str) -> Dataset:
    """The dataset of that name. Raises UsageError with the nearest known one."""
    if name not in PUBLISHED:
        raise UsageError(f"there is no dataset {name!r}. {nearest(name, PUBLISHED)}")
    return PUBLISHED[name]


def load_dataset(
    name: str,
    path: str | Path,
    *,
    task: Task | None = None,
    limit: int | None = None,
    subset: bool = False,
    format: str | None = None,
) -> Taken:
    """A published dataset from its file, or from the folder that holds its files, in any of its forms.

    The counts are checked unless there is a `limit` or it is a `subset`. With `task`, the items are of that task instead of
    the dataset's own. Raises DataError for files that are not as the dataset is published, and UsageError.
    """
    dataset = published(name)
    tables, broken = tables_at(path, format)
    return _taken(dataset, tables, broken, path=path, task=task, limit=limit, subset=subset)


def take(
    dataset: Dataset,
    rows: Iterable[Row],
    *,
    task: Task | None = None,
    limit: int | None = None,
    subset: bool = False,
) -> Taken:
    """The items of a dataset whose rows are all in one table; otherwise as load_dataset()."""
    table = table_of(rows)
    path = table.path if table else None
    return _taken(dataset, [table] if table else [], (), path=path, task=task, limit=limit, subset=subset)


def _taken(
    dataset: Dataset,
    tables: list[Table],
    broken: Iterable[str],
    *,
    path: object,
    task: Task | None,
    limit: int | None,
    subset: bool,
) -> Taken:
    if limit is not None and limit < 1:
        raise UsageError(f"a limit is at least 1, not {limit}")
    if task is not None:
        dataset.check(task)
    form, parts = recognised(dataset, tables, tuple(broken), path=path)
    taken = collect(dataset, form.read(parts), path=path, task=task, limit=limit, form=form.name)
    if limit is None and not subset:
        dataset.check_counts(taken, path)
    return taken
