"""Where items come from, and how they are read: files of one's own, standard input, the hub, and datasets as they are published."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from heapq import heappush, heappushpop
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any, Self

from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.datasets.files import STDIN, format_of, read_rows
from agentdebate.datasets.hub import is_hub
from agentdebate.datasets.items import Columns, item_of, items
from agentdebate.datasets.published import load_dataset, published, take
from agentdebate.datasets.row import Row, value_of
from agentdebate.datasets.supply import Supply, is_large, streamed
from agentdebate.errors import UsageError, nearest
from agentdebate.tasks import Item, Task


def digest(path: Path) -> str:
    """The SHA-256 of a file; of a folder, that of the list of its files and of those right below it, each with its own."""
    if path.is_dir():
        files = sorted(file for pattern in ("*", "*/*") for file in path.glob(pattern) if file.is_file())
        lines = (f"{digest(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
        return sha256("".join(lines).encode()).hexdigest()
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


class Sample:
    """Holds the items whose ids and the seed have the smallest digests, so that a draw is the same on every machine.

    A larger sample with the same seed holds the smaller one, and lines that are added to the file displace few.
    """

    def __init__(self, size: int, seed: int = 0) -> None:
        self._size, self._seed = size, seed
        self._held: list[tuple[int, int, Item]] = []
        self.seen = 0
        """The items that it was drawn from."""

    def __repr__(self) -> str:
        return f"<Sample of {self._size} from {self.seen} items>"

    def add(self, item: Item) -> None:
        """Take an item in."""
        self.seen += 1
        digest = sha256(f"{self._seed}\n{item.id}".encode("utf-8", "backslashreplace")).digest()
        one = (-int.from_bytes(digest), self.seen, item)
        if len(self._held) < self._size:
            heappush(self._held, one)
        else:
            heappushpop(self._held, one)

    def of(self, items: Iterable[Item]) -> Self:
        """Take these items in, too."""
        for item in items:
            self.add(item)
        return self

    def items(self) -> tuple[Item, ...]:
        """Give the drawn items, in the order in which they came. Raises UsageError where there were fewer."""
        if self.seen < self._size:
            raise UsageError(f"sample=...: {self._size} items cannot be drawn from {self.seen}: draw fewer")
        return tuple(item for _, _, item in sorted(self._held, key=lambda one: one[1]))


def join(rows: Iterable[Row], other: Iterable[Row], on: Sequence[str]) -> Iterator[Row]:
    """Each row with the columns of the other file's row that has the same values in the columns `on`.

    A column that both have keeps the value of the first. Raises DataError where no row, or more than one, matches.
    """
    index: dict[tuple[Any, ...], Row] = {}
    for match in other:
        key = _key(match, on)
        if key in index:
            raise match.error(f"{_shown(on, key)} is on line {index[key].line} too")
        index[key] = match
    for row in rows:
        key = _key(row, on)
        if key not in index:
            raise row.error(f"the joined file has no row with {_shown(on, key)}")
        yield Row(row.path, row.line, {**index[key].data, **row.data})


def _key(row: Row, on: Sequence[str]) -> tuple[Any, ...]:
    return tuple(json.dumps(value_of(row, column)) for column in on)


def _shown(on: Sequence[str], key: Sequence[Any]) -> str:
    return ", ".join(f"{column} = {value}" for column, value in zip(on, key, strict=True))


@dataclass(frozen=True)
class DataSource:
    """A file, or what else holds items, and how it is read as items of a task. Raises UsageError for what does not go together."""

    path: str
    task: Task
    columns: Columns = field(default_factory=Columns)
    """Which columns hold what."""
    dataset: Dataset | None = None
    """As which published dataset it is read."""
    subset: bool = False
    """Whether it is a part of that dataset, so that nothing is counted."""
    joined: Path | None = None
    """A file with more columns."""
    on: Sequence[str] = ()
    """The columns by which that file matches."""
    limit: int | None = None
    """How many items are read at the most."""
    sample: int | None = None
    """How many items are drawn at random, in place of the first ones."""
    seed: int = 0
    """The seed of that draw."""
    form: str | None = None
    """jsonl, json, csv, tsv or parquet; None goes by the file's ending."""

    def __post_init__(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise UsageError("limit=... is at least 1")
        if self.sample is not None and self.sample < 1:
            raise UsageError("sample=... is at least 1")
        if self.sample is not None and self.limit is not None:
            raise UsageError(
                "limit=... takes the first items, and sample=... draws from all: leave one of them out"
            )
        if self.subset and self.dataset is None:
            raise UsageError(
                "subset=... goes with dataset=..., which counts what is in the whole of a dataset"
            )
        if (self.joined is None) != (not self.on):
            raise UsageError("join=... FILE and on=... COLUMN go together")
        if self.joined is not None and str(self.joined) == self.path == STDIN:
            raise UsageError("standard input cannot be both the data and what is joined to it")
        check_columns(self.columns, self.task)

    async def supply(self) -> Supply:
        """The items: read before the first is judged, but for a large file's and those of standard input.

        Raises DataError and UsageError.
        """
        if (
            self.dataset is None
            and (not is_on_disk(self.path) or is_large(self.path))
            and self.form != "json"
        ):
            supply = await streamed(self.stream())
            if self.sample is None:
                return supply
            taken = await self._drawn(supply, self.sample)
        else:
            taken = self.load()
        return Supply(taken.items, taken)

    def stream(self) -> Iterator[Item]:
        """The items as they are read; that no id is there twice is for others to see to."""
        return islice((item_of(row, self.task, self.columns) for row in self._rows()), self.limit)

    def load(self) -> Taken:
        """The items. Raises DataError and UsageError."""
        if self.dataset is None:
            loaded = tuple(islice(items(self._rows(), self.task, self.columns), self.limit))
            taken = Taken(loaded, len(loaded), {})
        else:
            taken = self._taken(self.dataset)
        if self.sample is None:
            return taken
        return replace(taken, items=Sample(self.sample, self.seed).of(taken.items).items())

    async def _drawn(self, supply: Supply, size: int) -> Taken:
        """Draw from items as they are read. Raises UsageError."""
        sample = Sample(size, self.seed)
        async with aclosing(supply):
            assert not isinstance(supply.items, Sequence)
            async for item in supply.items:
                sample.add(item)
        return Taken(sample.items(), sample.seen, {})

    @property
    def is_lines(self) -> bool:
        """Whether each line of the file is an item."""
        return format_of(self.path, self.form) == "jsonl"

    def _taken(self, dataset: Dataset) -> Taken:
        """The items of a published dataset, from its files or from one with columns joined to it."""
        if self.joined is not None:
            return take(dataset, self._rows(), task=self.task, limit=self.limit, subset=self.subset)
        return load_dataset(
            dataset.name, self.path, task=self.task, limit=self.limit, subset=self.subset, format=self.form
        )

    def _rows(self) -> Iterator[Row]:
        rows = read_rows(self.path, self.form)
        return rows if self.joined is None else join(rows, read_rows(self.joined), self.on)


def check_columns(columns: Columns, task: Task) -> None:
    """Raise UsageError for columns of what the task does not have, and for what the task has under another argument."""
    fields, aspects = (*task.fields, *task.optional), [aspect.name for aspect in task.aspects]
    for argument, given, known in (
        ("fields", columns.fields, fields),
        ("human", columns.human, aspects),
        ("human_scale", [name for name in columns.human_scales if name], aspects),
    ):
        for name in given:
            if name not in known:
                raise UsageError(
                    f"{argument}=...: task {task.name!r} has no {name!r}. {nearest(name, known)}"
                )
    if columns.human_scales and task.candidates:
        raise UsageError(
            f"human_scale=...: in task {task.name!r} people's scores say which text is better, on whatever scale; leave it out"
        )
    for name, column in columns.more.items():
        if name in fields:
            raise UsageError(
                f"also=...: {name!r} is a field of the task {task.name!r}; say fields='{name}={column}'"
            )


def published_alone(name: str, given: Sequence[str]) -> Dataset:
    """The published dataset of that name, which knows what is in which column. Raises UsageError where arguments are `given` that say it."""
    found = published(name)
    if given:
        told = ", ".join(f"{one}=..." for one in given)
        raise UsageError(f"dataset='{found.name}' knows what is in which column; leave out {told}")
    return found


def digests_of(path: str, joined: Path | None, *, streamed: bool) -> dict[str, str]:
    """The digests of the files that items come from, as a run keeps them; that of one that is read while the run goes on is not
    there yet.
    """
    found = {"sha256": digest(Path(path))} if is_on_disk(path) and not streamed else {}
    if joined is not None and str(joined) != STDIN:
        found["join_sha256"] = digest(joined)
    return found


def is_on_disk(path: str) -> bool:
    """Whether it can be read twice: a file or a folder, and neither standard input, a pipe nor a dataset of the hub."""
    return path != STDIN and not is_hub(path) and not _is_stream(path)


def _is_stream(path: str) -> bool:
    with suppress(OSError, ValueError):
        mode = Path(path).stat().st_mode
        return not (S_ISREG(mode) or S_ISDIR(mode))
    return False
