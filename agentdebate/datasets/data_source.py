"""Sources of items, and how they are read: files of one's own, standard input, and datasets as they are published."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, replace
from hashlib import file_digest, sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Any

from agentdebate.datasets.dataset import Taken
from agentdebate.datasets.files import STDIN, format_of, read_rows
from agentdebate.datasets.items import Columns, item_of, items, on_scale
from agentdebate.datasets.named_values import names
from agentdebate.datasets.published import load_dataset, published
from agentdebate.datasets.row import Row, value_of
from agentdebate.datasets.supply import Supply, look_through, streamed
from agentdebate.errors import UsageError, nearest
from agentdebate.tasks import Item, Task

LARGE = 32 * 2**20
"""Bytes from which a file is read while its items are judged. Smaller ones are looked through before anything is paid for."""


def digest(path: Path) -> str:
    """The SHA-256 of a file; of a folder, that of the list of its files and of those right below it, each with its own."""
    if path.is_dir():
        files = sorted(file for pattern in ("*", "*/*") for file in path.glob(pattern) if file.is_file())
        lines = (f"{digest(file)}  {file.relative_to(path).as_posix()}\n" for file in files)
        return sha256("".join(lines).encode()).hexdigest()
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def sampled(given: Iterable[Item], size: int, seed: int = 0) -> tuple[Item, ...]:
    """The items whose ids and the seed have the smallest digests, in their order, so that a draw is the same on every machine.

    A larger sample with the same seed holds the smaller one, and lines that are added to the file displace few. Raises
    UsageError where there are fewer items.
    """

    def place(one: tuple[int, Item]) -> bytes:
        return sha256(f"{seed}\n{one[1].id}".encode("utf-8", "backslashreplace")).digest()

    drawn = sorted(nsmallest(size, enumerate(given), key=place), key=lambda one: one[0])
    if len(drawn) < size:
        raise UsageError(f"sample=...: {size} items cannot be drawn from {len(drawn)}: draw fewer")
    return tuple(item for _, item in drawn)


def join(rows: Iterable[Row], other: Iterable[Row], on: Sequence[str]) -> Iterator[Row]:
    """Each row with the columns of the other file's row that has the same values in the columns `on`.

    A column that both have keeps the value of the first. Raises DataError where no row, or more than one, matches.
    """
    index: dict[str, Row] = {}
    for match in other:
        first = index.setdefault(_key(match, on), match)
        if first is not match:
            raise match.error(f"{_key(match, on)} is on line {first.line} too")
    for row in rows:
        key = _key(row, on)
        if key not in index:
            raise row.error(f"the joined file has no row with {key}")
        yield Row(row.path, row.line, {**index[key].data, **row.data})


def _key(row: Row, on: Sequence[str]) -> str:
    return ", ".join(f"{column} = {json.dumps(value_of(row, column))}" for column in on)


@dataclass(frozen=True)
class DataSource(Columns):
    """A file, or what else holds items, and how it is read as items of a task. `evaluate`, `enqueue`, `forecast` and `sweep` take one.

        people = ad.DataSource("people.csv", "summarization", fields={"source": "article"}, human={"fluency": "fluency_mean"})

    A run keeps where its items came from. Raises UsageError for what does not go together.
    """

    path: str | Path = ""
    """A JSONL, JSON, CSV, TSV or Parquet file, or a published dataset's folder; - is standard input."""
    task: Task | str | None = None
    """The kind of item, such as summarization [the dataset's own]."""
    _: KW_ONLY
    dataset: str | None = None
    """Read a file or folder as this dataset is published: summeval, topical-chat, faireval, goyal2022 or hanna."""
    subset: bool = False
    """The file is a part of the dataset, so nothing is counted."""
    join: str | Path | None = None
    """A file with more columns."""
    on: Sequence[str] | str | None = None
    """The columns by which that file matches, with commas."""
    limit: int | None = None
    """Judge the first N items only."""
    sample: int | None = None
    """Judge N items drawn at random: the same ones for the same seed."""
    seed: int = 0
    """The seed of that draw."""
    format: str | None = None
    """jsonl, json, csv, tsv or parquet [by the file's ending]."""

    def __post_init__(self) -> None:
        told = ", ".join(f"{name}=..." for name in _COLUMNS if getattr(self, name))
        for name, most in (("limit", self.limit), ("sample", self.sample)):
            if most is not None and most < 1:
                raise UsageError(f"{name}=... is at least 1, not {most}")
        wrong = {
            "limit=... takes the first items, sample=... any: leave one out": (
                self.sample is not None and self.limit is not None
            ),
            "subset=... goes with dataset=..., which counts what is in the whole of a dataset": (
                self.subset and self.dataset is None
            ),
            "join=... FILE and on=... COLUMN go together": (self.join is None) != (not self.on),
            f"dataset='{self.dataset}' knows what is in which file and column; leave out {told}": (
                self.dataset is not None and told
            ),
        }
        for problem, is_so in wrong.items():
            if is_so:
                raise UsageError(problem)

    @property
    def kind(self) -> Task | str:
        """The task of the items: the one that was named, or else the dataset's own. Raises UsageError."""
        if self.task is not None:
            return self.task
        if self.dataset is None:
            raise UsageError(
                "task=... is missing: it says what kind of item is judged, which is known without it only with dataset=..."
            )
        return published(self.dataset).task

    async def supply(self, task: Task, *, whole: bool = False) -> Supply:
        """Read the items before the first is judged, or as they are judged: those of a large file and of standard input, unless
        the `whole` is wanted.

        Raises DataError and UsageError.
        """
        at_hand = whole or self.dataset or self.sample or self.format == "json"
        size = size_of(self.path)
        if at_hand or (size is not None and size < LARGE):
            taken = self.load(task)
            record = self._record(None if size is None else digest(Path(self.path)))
            if self.dataset is not None:
                record |= {"rows": taken.rows, "left_out": dict(taken.left_out)}
            return Supply(taken.items, task, record, taken)
        check_columns(self, task)
        rows = islice((item_of(row, task, self) for row in self._rows()), self.limit)
        items = await streamed(rows)
        if size is None:
            return Supply(items, task, self._record(None))
        told, lines = await look_through(self.path)
        are_items = format_of(self.path, self.format) == "jsonl"
        count = min(lines, self.limit or lines) if are_items else None
        return Supply(items, task, self._record(told), count=count)

    def load(self, task: Task) -> Taken:
        """The items. Raises DataError and UsageError."""
        check_columns(self, task)
        if self.dataset is not None:
            taken = load_dataset(self.dataset, self.path, task=task, limit=self.limit, subset=self.subset)
            return replace(taken, items=self._drawn(self._scaled(item, task) for item in taken.items))
        kept = self._drawn(islice(items(self._rows(), task, self), self.limit))
        return Taken(kept, len(kept), {})

    def _drawn(self, found: Iterator[Item]) -> tuple[Item, ...]:
        return tuple(found) if self.sample is None else sampled(found, self.sample, self.seed)

    def _scaled(self, item: Item, task: Task) -> Item:
        """An item of a published dataset with people's scores mapped as `human_scale` says. Raises DataError."""
        row = Row(f"{self.path}, item {item.id!r}", 0, item.human)
        names = item.human if "" in self.scales else self.scales
        human = {name: on_scale(row, name, name, task, self.scales) for name in names}
        return item.model_copy(update={"human": {**item.human, **human}})

    def _rows(self) -> Iterator[Row]:
        rows = read_rows(self.path, self.format)
        return rows if self.join is None else join(rows, read_rows(self.join), names(self.on))

    def _record(self, told: str | None) -> dict[str, Any]:
        """Describe the data as a run keeps it: whole paths, what was said of it, digests; `told` is that of the file."""
        said = {name: value for name in _SAID if (value := getattr(self, name))}
        found: dict[str, Any] = json.loads(json.dumps(said, default=str))
        if told is not None:
            found |= {"path": str(Path(self.path).absolute()), "sha256": told}
        if self.join is not None and str(self.join) != STDIN:
            path = Path(self.join).absolute()
            found |= {"join": str(path), "join_sha256": digest(path)}
        return found


_COLUMNS = [name for name in (*Columns.__dataclass_fields__, "join", "format") if name != "human_scale"]
"""Columns, which a published dataset knows by itself."""
_SAID = tuple(name for name in DataSource.__dataclass_fields__ if name != "task")
"""Fields that a run keeps."""


def check_columns(columns: Columns, task: Task) -> None:
    """Raise UsageError for columns of what the task does not have."""
    fields, aspects = (*task.fields, *task.optional), [aspect.name for aspect in task.aspects]
    for argument, given, known in (
        ("fields", columns.fields, fields),
        ("human", columns.human, aspects),
        ("human_scale", columns.scales, aspects),
    ):
        for name in filter(None, given):
            if name not in known:
                raise UsageError(
                    f"{argument}=...: task {task.name!r} has no {name!r}. {nearest(name, known)}"
                )


def size_of(path: str | Path) -> int | None:
    """The bytes of what can be read twice, a file or a folder; None for standard input and pipes."""
    if str(path) == STDIN:
        return None
    with suppress(OSError, ValueError):
        found = Path(path).stat()
        return found.st_size if S_ISREG(found.st_mode) or S_ISDIR(found.st_mode) else None
    return 0
