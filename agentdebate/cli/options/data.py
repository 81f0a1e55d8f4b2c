"""Options about the data of a run: its files and their columns."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.options.common import DATA
from agentdebate.datasets.data_source import DataSource, digests_of, is_on_disk, published_alone
from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.datasets.items import Columns
from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.report.dataset_table import account_lines
from agentdebate.tasks import Scale, Task

_OF_COLUMNS = ("field", "also", "id", "group", "system", "human", "human_scale", "evidence", "join", "format")
"""The options that say which files and columns hold what, which a published dataset knows by itself."""


@Parameter(name="*", group=DATA)
@dataclass(frozen=True)
class DataOptions:
    """The data of a run: its files and their columns."""

    field: Annotated[tuple[str, ...], Parameter(name=["--field", "-f"])] = ()
    """FIELD=COLUMN, such as source=article; several with commas."""
    id: str | None = None
    """The columns that make up an item's id, with commas."""
    group: str | None = None
    """The column of the source that items share."""
    system: str | None = None
    """The column that names the system that wrote the text."""
    human: tuple[str, ...] = ()
    """ASPECT=COLUMN of people's scores [the object in the column human]."""
    human_scale: tuple[str, ...] = ()
    """SCALE, or ASPECT=SCALE, on which people scored, such as 0-100: their scores are mapped onto the aspect's own."""
    also: tuple[str, ...] = ()
    """FIELD=COLUMN of a text that the agents are not shown, such as reference=references; a list of texts becomes reference_1,
    reference_2, ..."""
    evidence: tuple[str, ...] = ()
    """NAME=COLUMN of an evaluator's scores that were computed elsewhere; evaluators to run are options of the strategy:
    --set evaluators=..."""
    dataset: Annotated[str | None, Parameter(name="--as")] = None
    """Read a file or folder as this dataset is published: summeval, topical-chat, faireval, goyal2022 or hanna."""
    subset: bool = False
    """The file is a part of the dataset of --as, so nothing is counted."""
    join: Annotated[Path | None, Parameter(allow_leading_hyphen=True)] = None
    """A file with more columns."""
    on: str | None = None
    """The columns by which --join matches, with commas."""
    limit: int | None = None
    """Judge the first N items only."""
    sample: int | None = None
    """Judge N items drawn at random: the same ones for the same --seed."""
    format: str | None = None
    """jsonl, json, csv, tsv or parquet [by the file's ending]."""

    def task(self, named: str | None) -> str:
        """Return the task that was named, or else the dataset's own. Raises UsageError."""
        if named is not None:
            return named
        if self.dataset is None:
            raise UsageError(
                "--task is missing: it says what kind of item is judged, which is known without it only with --as (see --help)"
            )
        return self._published(self.dataset).task

    def source(self, path: str, task: Task, *, seed: int | None = None) -> DataSource:
        """Describe where the items are, and how they are read; `seed` draws the sample. Raises UsageError."""
        return DataSource(
            path,
            task,
            self._columns(),
            dataset=None if self.dataset is None else self._published(self.dataset),
            subset=self.subset,
            joined=self.join,
            on=names(self.on),
            limit=self.limit,
            sample=self.sample,
            seed=seed or 0,
            form=self.format,
        )

    def described(self, path: str, supply: Supply) -> dict[str, Any]:
        """Describe the data as the run's record keeps it: whole paths, the options that were given, what was left out.

        The digest of a file that is read while the run goes on is not there yet.
        """
        taken = supply.taken
        return {
            "path": str(Path(path).absolute()) if is_on_disk(path) else path,
            **{name: value for name, value in vars(self).items() if value},
            **({"join": str(self.join.absolute())} if self.join else {}),
            **digests_of(path, self.join, streamed=supply.streamed),
            **({"rows": taken.rows, "left_out": dict(taken.left_out)} if self.dataset and taken else {}),
        }

    def account(self, taken: Taken | None) -> Iterator[str]:
        """Say how many items came out of a published file, and why some of its rows gave none."""
        if self.dataset is not None and taken is not None:
            yield from account_lines(self._published(self.dataset), taken)

    def _published(self, name: str) -> Dataset:
        """Look up the dataset of --as, which knows its columns by itself. Raises UsageError."""
        return published_alone(name, [option for option in _OF_COLUMNS if getattr(self, option)])

    def _columns(self) -> Columns:
        return Columns(
            fields=free_pairs(self.field, "--field"),
            id=names(self.id),
            group=self.group,
            system=self.system,
            human=free_pairs(self.human, "--human"),
            human_scales=dict(map(_scale, chain.from_iterable(map(names, self.human_scale)))),
            more=free_pairs(self.also, "--also"),
            evidence=free_pairs(self.evidence, "--evidence"),
        )


def _scale(text: str) -> tuple[str, Scale]:
    """Read ASPECT=SCALE; without an aspect it is for all of them. Raises UsageError."""
    aspect, _, scale = text.rpartition("=")
    return aspect, Scale.parse(scale)
