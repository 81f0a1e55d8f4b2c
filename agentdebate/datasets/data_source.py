"""Sources of items, and how they are read: files of one's own, standard input, and datasets as they are published."""

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import file_digest, sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.datasets.files import STDIN, format_of, read_rows
from agentdebate.datasets.items import Columns, item_of, items
from agentdebate.datasets.published import load_dataset, published
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
class DataSource:
    """A file, or what else holds items, and how it is read as items of a task. Raises UsageError for what does not go together."""

    path: str
    task: Task
    columns: Columns = field(default_factory=Columns)
    dataset: Dataset | None = None
    """The published dataset as which it is read."""
    subset: bool = False
    """True if it is a part of that dataset, so that nothing is counted."""
    joined: Path | None = None
    """A file with more columns."""
    on: Sequence[str] = ()
    """The columns by which that file matches."""
    limit: int | None = None
    """Most items to read."""
    sample: int | None = None
    """Number of items to draw at random, in place of the first ones."""
    seed: int = 0
    """The seed of that draw."""
    form: str | None = None
    """jsonl, json, csv, tsv or parquet; None goes by the file's ending."""

    def __post_init__(self) -> None:
        wrong = {
            "limit=... is at least 1": self.limit is not None and self.limit < 1,
            "sample=... is at least 1": self.sample is not None and self.sample < 1,
            "limit=... takes the first items, and sample=... draws from all: leave one of them out": (
                self.sample is not None and self.limit is not None
            ),
            "subset=... goes with dataset=..., which counts what is in the whole of a dataset": (
                self.subset and self.dataset is None
            ),
            "join=... FILE and on=... COLUMN go together": (self.joined is None) != (not self.on),
            "standard input cannot be the data and what is joined to it": (
                self.path == STDIN == str(self.joined)
            ),
        }
        for problem, is_so in wrong.items():
            if is_so:
                raise UsageError(problem)
        check_columns(self.columns, self.task)

    async def supply(self) -> Supply:
        """The items: read before the first is judged, but for a large file's and those of standard input.

        Raises DataError and UsageError.
        """
        at_hand = self.dataset is not None or self.sample is not None or self.form == "json"
        if not at_hand and (not is_on_disk(self.path) or is_large(self.path)):
            return await streamed(self.stream())
        taken = self.load()
        return Supply(taken.items, taken)

    def stream(self) -> Iterator[Item]:
        """The items as they are read; that no id is there twice is for others to see to."""
        return islice((item_of(row, self.task, self.columns) for row in self._rows()), self.limit)

    def load(self) -> Taken:
        """The items. Raises DataError and UsageError."""
        if self.dataset is not None:
            taken = load_dataset(
                self.dataset.name, self.path, task=self.task, limit=self.limit, subset=self.subset
            )
            drawn = taken.items if self.sample is None else sampled(taken.items, self.sample, self.seed)
            return replace(taken, items=drawn)
        found = islice(items(self._rows(), self.task, self.columns), self.limit)
        kept = tuple(found) if self.sample is None else sampled(found, self.sample, self.seed)
        return Taken(kept, len(kept), {})

    @property
    def is_lines(self) -> bool:
        """True if each line of the file is an item."""
        return format_of(self.path, self.form) == "jsonl"

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
    """The published dataset of that name, which knows its files and columns. Raises UsageError where arguments are `given` that say them."""
    found = published(name)
    if given:
        told = ", ".join(f"{one}=..." for one in given)
        raise UsageError(f"dataset='{found.name}' knows what is in which file and column; leave out {told}")
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
    """True if it can be read twice: a file or a folder, neither standard input nor a pipe."""
    if path == STDIN:
        return False
    with suppress(OSError, ValueError):
        mode = Path(path).stat().st_mode
        return S_ISREG(mode) or S_ISDIR(mode)
    return True
