"""Where the items of a run come from, and which columns hold what."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from stat import S_ISDIR, S_ISREG
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.options.common import listed_pairs
from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.datasets.digest import digest
from agentdebate.datasets.files import STDIN, format_of, read_rows
from agentdebate.datasets.hub import is_hub
from agentdebate.datasets.items import Columns, item_of, items
from agentdebate.datasets.joining import join
from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.published import load_dataset, published, take
from agentdebate.datasets.row import Row
from agentdebate.datasets.supply import Supply, is_large, streamed
from agentdebate.errors import UsageError
from agentdebate.report.dataset_table import account_lines
from agentdebate.tasks import Item, Scale, Task

_OF_COLUMNS = ("field", "also", "id", "group", "system", "human", "human_scale", "evidence")
"""The options that say which columns hold what: a published dataset knows that by itself."""


@Parameter(name="*")
@dataclass(frozen=True)
class DataOptions:
    """Where the items come from, and which columns hold what."""

    field: Annotated[
        tuple[str, ...],
        Parameter(
            name=["--field", "-f"],
            help="FIELD=COLUMN, such as source=article; several with commas, or the option again.",
            negative="",
            show_default=False,
        ),
    ] = ()
    id: Annotated[str | None, Parameter(help="The columns that make up an item's id, with commas.")] = None
    group: Annotated[str | None, Parameter(help="The column of the source that items share.")] = None
    system: Annotated[str | None, Parameter(help="The column of what made the text.")] = None
    human: Annotated[
        tuple[str, ...],
        Parameter(
            help="ASPECT=COLUMN of people's scores; several as with --field [the object in the column human, if there is one].",
            negative="",
            show_default=False,
        ),
    ] = ()
    human_scale: Annotated[
        tuple[str, ...],
        Parameter(
            help="SCALE, or ASPECT=SCALE, on which people scored, such as 0-100: their scores are mapped onto the aspect's own.",
            negative="",
            show_default=False,
        ),
    ] = ()
    also: Annotated[
        tuple[str, ...],
        Parameter(
            help="FIELD=COLUMN of a text that goes with the item and is not shown to the agents, such as "
            "reference=references; a list of texts becomes reference_1, reference_2, ...",
            negative="",
            show_default=False,
        ),
    ] = ()
    evidence: Annotated[
        tuple[str, ...],
        Parameter(
            help="NAME=COLUMN of an evaluator's scores that were computed elsewhere; several as with --field.",
            negative="",
            show_default=False,
        ),
    ] = ()
    dataset: Annotated[
        str | None,
        Parameter(
            name="--as",
            help="Read a file, or a folder with several, as this dataset is published: summeval, topical-chat, "
            "faireval, goyal2022 or hanna.",
        ),
    ] = None
    subset: Annotated[
        bool,
        Parameter(
            help="With --as: it is a part of the dataset, so nothing is counted.",
            negative="",
            show_default=False,
        ),
    ] = False
    join: Annotated[Path | None, Parameter(help="A file with more columns.", allow_leading_hyphen=True)] = (
        None
    )
    on: Annotated[str | None, Parameter(help="The columns by which --join matches, with commas.")] = None
    limit: Annotated[int | None, Parameter(help="Judge the first N items only.")] = None
    format: Annotated[
        str | None, Parameter(help="jsonl, json, csv, tsv or parquet [by the file's ending].")
    ] = None

    def task(self, named: str | None) -> str:
        """The task that was named, or else the dataset's own. Raises UsageError."""
        if named is not None:
            return named
        if self.dataset is None:
            raise UsageError(
                "--task is missing: it says what kind of item is judged, which is known without it only with --as (see --help)"
            )
        return self._published().task

    async def supply(self, path: str, task: Task) -> Supply:
        """The items of a file: read before the first is judged, but for a large file's and those of standard input.

        Raises DataError and UsageError.
        """
        self._check()
        if self.dataset is None and (not is_on_disk(path) or is_large(path)) and self.format != "json":
            return await streamed(self.stream(path, task))
        taken = self.load(path, task)
        return Supply(taken.items, taken)

    def stream(self, path: str, task: Task) -> Iterator[Item]:
        """The items of a file as they are read; that no id is there twice is for others to see to."""
        self._check()
        columns = self._columns(task)
        return islice((item_of(row, task, columns) for row in self._rows(path)), self.limit)

    def load(self, path: str, task: Task) -> Taken:
        """The items of a file. Raises DataError and UsageError."""
        self._check()
        if self.dataset is not None:
            return self._taken(path, task)
        loaded = tuple(islice(items(self._rows(path), task, self._columns(task)), self.limit))
        return Taken(loaded, len(loaded), {})

    def _check(self) -> None:
        if self.limit is not None and self.limit < 1:
            raise UsageError("--limit is at least 1")
        if self.subset and self.dataset is None:
            raise UsageError("--subset goes with --as, which counts what is in the whole of a dataset")

    def described(self, path: str, supply: Supply) -> dict[str, Any]:
        """Where the items come from, as the run keeps it: whole paths, the options that were given, what was left out.

        The digest of a file that is read while the run goes on is not there yet.
        """
        taken = supply.taken
        given = {name: value for name, value in vars(self).items() if value}
        joined = {"join": str(self.join.absolute())} if self.join else {}
        counted = {"rows": taken.rows, "left_out": dict(taken.left_out)} if self.dataset and taken else {}
        files = {"sha256": digest(Path(path))} if is_on_disk(path) and not supply.streamed else {}
        if self.join and str(self.join) != STDIN:
            files["join_sha256"] = digest(self.join)
        return {
            "path": str(Path(path).absolute()) if is_on_disk(path) else path,
            **given,
            **joined,
            **files,
            **counted,
        }

    def account(self, taken: Taken | None) -> Iterator[str]:
        """Lines that say how many items came out of a published file, and why some of its rows gave none."""
        if self.dataset is None or taken is None:
            return
        yield from account_lines(self._published(), taken, self.limit)

    def is_lines(self, path: str) -> bool:
        """Whether each line of the file is an item."""
        return format_of(path, self.format) == "jsonl"

    def _published(self) -> Dataset:
        """The dataset of --as. Raises UsageError."""
        found = published(self.dataset or "")
        given = [
            f"--{name.replace('_', '-')}" for name in _OF_COLUMNS if getattr(self, name) not in (None, ())
        ]
        if given:
            raise UsageError(f"--as {found.name} knows what is in which column; leave out {', '.join(given)}")
        return found

    def _taken(self, path: str, task: Task) -> Taken:
        """The items of a published dataset, from its files or from one with columns joined to it."""
        dataset = self._published()
        if self.join or self.on:
            rows = self._rows(path)
            return take(dataset, rows, task=task, limit=self.limit, subset=self.subset)
        return load_dataset(
            dataset.name, path, task=task, limit=self.limit, subset=self.subset, format=self.format
        )

    def _rows(self, path: str) -> Iterator[Row]:
        if (self.join is None) != (self.on is None):
            raise UsageError("--join FILE and --on COLUMN go together")
        if self.join is None:
            return read_rows(path, self.format)
        if str(self.join) == path == STDIN:
            raise UsageError("standard input cannot be both the data and what is joined to it")
        return join(read_rows(path, self.format), read_rows(self.join), names(self.on))

    def _columns(self, task: Task) -> Columns:
        return Columns(
            fields=listed_pairs(self.field, (*task.fields, *task.optional), "--field", task.name),
            id=names(self.id),
            group=self.group,
            system=self.system,
            human=listed_pairs(self.human, [aspect.name for aspect in task.aspects], "--human", task.name),
            human_scales=self._human_scales(task),
            more=self._more(task),
            evidence=self._evidence(),
        )

    def check_judged(self, task: Task, aspects: Sequence[str]) -> None:
        """Raise UsageError where people's scores are named of an aspect that is not judged."""
        known = [aspect.name for aspect in task.aspects]
        for name in listed_pairs(self.human, known, "--human", task.name):
            if name not in aspects:
                raise UsageError(
                    f"--human: {name!r} is not judged here, which is {', '.join(aspects)}: leave it out, or say --aspects with it"
                )

    def _human_scales(self, task: Task) -> dict[str, Scale]:
        """The scales on which people scored, by aspect; "" stands for every aspect. Raises UsageError."""
        if not self.human_scale:
            return {}
        if task.candidates:
            raise UsageError(
                f"--human-scale: in task {task.name!r} people's scores say which text is better, on whatever scale; leave it out"
            )
        known = [aspect.name for aspect in task.aspects]
        plain = [text for text in self.human_scale if "=" not in text]
        if len(plain) > 1:
            raise UsageError(f"--human-scale is given twice, {plain[0]} and {plain[1]}: say ASPECT=SCALE")
        named = listed_pairs(
            [text for text in self.human_scale if "=" in text], known, "--human-scale", task.name
        )
        found = {**dict.fromkeys(["" for _ in plain], "".join(plain)), **named}
        return {name: Scale.parse(scale) for name, scale in found.items()}

    def _evidence(self) -> dict[str, str]:
        for text in self.evidence:
            if "=" not in text:
                raise UsageError(
                    f"--evidence takes NAME=COLUMN of scores that are in the data, not {text!r}; evaluators that are to be run "
                    "belong to a strategy: --set evaluators=..."
                )
        return free_pairs(self.evidence, "--evidence")

    def _more(self, task: Task) -> dict[str, str]:
        more = free_pairs(self.also, "--also")
        for name, column in more.items():
            if name in (*task.fields, *task.optional):
                raise UsageError(
                    f"--also: {name!r} is a field of the task {task.name!r}; say --field {name}={column}"
                )
        return more


def is_on_disk(path: str) -> bool:
    """Whether it can be read twice: a file or a folder, and neither standard input, a pipe nor a dataset of the hub."""
    return path != STDIN and not is_hub(path) and not _is_stream(path)


def _is_stream(path: str) -> bool:
    with suppress(OSError, ValueError):
        mode = Path(path).stat().st_mode
        return not (S_ISREG(mode) or S_ISDIR(mode))
    return False
