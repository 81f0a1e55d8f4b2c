"""The datasets that can be read as they are published, by name, and the form that a folder's files have."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from itertools import chain
from pathlib import Path

from agentdebate.datasets.dataset import Dataset, Form, Part, Taken
from agentdebate.datasets.faireval import FAIREVAL
from agentdebate.datasets.files import ENDINGS, read_rows
from agentdebate.datasets.goyal2022 import GOYAL2022
from agentdebate.datasets.hanna import HANNA
from agentdebate.datasets.row import Row
from agentdebate.datasets.summeval import SUMMEVAL
from agentdebate.datasets.topical_chat import TOPICAL_CHAT
from agentdebate.errors import DataError, UsageError, nearest
from agentdebate.tasks import Task
from agentdebate.visible import shortened

PUBLISHED: Mapping[str, Dataset] = {
    dataset.name: dataset for dataset in (SUMMEVAL, TOPICAL_CHAT, FAIREVAL, GOYAL2022, HANNA)
}
"""Every dataset by its name."""

_LONGEST = 300
"""Characters of the fields of a file that an error shows."""


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
    name: str, path: str | Path, *, task: Task | None = None, limit: int | None = None, subset: bool = False
) -> Taken:
    """A published dataset from its file, or from the folder that holds its files, in any of its forms.

    The counts are checked unless there is a `limit` or it is a `subset`. With `task`, the items are of that task instead of
    the dataset's own. Raises DataError for files that are not as the dataset is published, and UsageError.
    """
    dataset = published(name)
    if limit is not None and limit < 1:
        raise UsageError(f"a limit is at least 1, not {limit}")
    form, parts = _recognised(dataset, Path(path))
    taken = dataset.collect(form.read(parts), path=path, form=form.name, task=task, limit=limit)
    if limit is None and not subset:
        dataset.check_counts(taken, path)
    return taken


@dataclass(frozen=True)
class _Table:
    """The rows of one file, of which the first has been looked at."""

    path: Path
    first: Row
    rest: Iterator[Row]

    def fits(self, part: Part) -> bool:
        """Tell whether the file may be that part of a form."""
        named = fnmatch(self.path.name.lower(), part.file)
        return named and all(name in self.first.data for name in part.fields)

    def __str__(self) -> str:
        return f"{self.path.name} has {shortened(', '.join(self.first.data), _LONGEST)}"


def _recognised(dataset: Dataset, path: Path) -> tuple[Form, dict[str, Iterator[Row]]]:
    """The form that the files have, and its parts. Files outside the form are not read.

    Raises DataError that says what is missing.
    """
    tables, broken = _tables(path)
    for form in dataset.forms:
        parts = {part.name: [table for table in tables if table.fits(part)] for part in form.parts}
        if all(parts.values()):
            return form, {name: _only(name, found) for name, found in parts.items()}
    told = [
        *map(str, tables),
        *map(str, dataset.forms),
        *broken,
        "name the folder that holds all of its files",
    ]
    raise DataError(f"this is not a known form of {dataset.name}; {'; '.join(told)}", path=path)


def _only(part: str, tables: Sequence[_Table]) -> Iterator[Row]:
    if len(tables) > 1:
        names = ", ".join(table.path.name for table in tables)
        raise DataError(
            f"several files hold the {part}: {names}; name one of them instead of the folder",
            path=tables[0].path.parent,
        )
    return chain([tables[0].first], tables[0].rest)


def _tables(path: Path) -> tuple[list[_Table], list[str]]:
    """The tables of a file or a folder, and what is wrong with the files of the folder that cannot be read.

    Of a folder, the files in it and in the folders right below it are looked at. Raises DataError.
    """
    if not path.is_dir():
        return _table(path), []
    tables, broken = list[_Table](), list[str]()
    for file in (file for pattern in ("*", "*/*") for file in sorted(path.glob(pattern))):
        if file.suffix.lower() in ENDINGS and file.is_file() and not file.name.startswith("."):
            try:
                tables += _table(file)
            except DataError as error:
                broken.append(str(error))
    return tables, broken


def _table(path: Path) -> list[_Table]:
    """The table in a file; none where it has no rows. Raises DataError."""
    rows = read_rows(path)
    first = next(rows, None)
    return [] if first is None else [_Table(path, first, rows)]
