"""Where the items of a run come from, and which columns hold what."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.options.common import listed_pairs
from agentdebate.datasets.data_source import DataSource, digests_of, is_on_disk, published_alone
from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.datasets.items import Columns
from agentdebate.datasets.named_values import free_pairs, names
from agentdebate.datasets.supply import Supply
from agentdebate.errors import UsageError
from agentdebate.report.dataset_table import account_lines
from agentdebate.tasks import Scale, Task

_OF_COLUMNS = {
    "field": "fields", "also": "also", "id": "ids", "group": "group", "system": "system", "human": "human",
    "human_scale": "human_scale", "evidence": "evidence",
}  # fmt: skip
"""The options that say which columns hold what, and the library's arguments: a published dataset knows that by itself."""


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
    sample: Annotated[
        int | None, Parameter(help="Judge N items that are drawn at random, the same ones for the same seed.")
    ] = None
    sample_seed: Annotated[
        int | None, Parameter(help="The seed of --sample alone [--seed, which models get too, or else 0].")
    ] = None
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

    def source(self, path: str, task: Task, *, seed: int | None = None) -> DataSource:
        """Where the items are, and how they are read; `seed` is the draw's where it has none of its own. Raises UsageError."""
        dataset = None if self.dataset is None else self._published()
        return DataSource(
            path,
            task,
            self._columns(task),
            dataset=dataset,
            subset=self.subset,
            joined=self.join,
            on=names(self.on),
            limit=self.limit,
            sample=self.sample,
            seed=(seed or 0) if self.sample_seed is None else self.sample_seed,
            form=self.format,
        )

    def described(self, path: str, supply: Supply) -> dict[str, Any]:
        """Where the items come from, as the run keeps it: whole paths, the options that were given, what was left out.

        The digest of a file that is read while the run goes on is not there yet.
        """
        taken = supply.taken
        given = {name: value for name, value in vars(self).items() if value}
        joined = {"join": str(self.join.absolute())} if self.join else {}
        counted = {"rows": taken.rows, "left_out": dict(taken.left_out)} if self.dataset and taken else {}
        return {
            "path": str(Path(path).absolute()) if is_on_disk(path) else path,
            **given,
            **joined,
            **digests_of(path, self.join, streamed=supply.streamed),
            **counted,
        }

    def account(self, taken: Taken | None) -> Iterator[str]:
        """Lines that say how many items came out of a published file, and why some of its rows gave none."""
        if self.dataset is None or taken is None:
            return
        yield from account_lines(self._published(), taken, self.limit)

    def _published(self) -> Dataset:
        """The dataset of --as. Raises UsageError."""
        given = [argument for name, argument in _OF_COLUMNS.items() if getattr(self, name) not in (None, ())]
        return published_alone(self.dataset or "", given)

    def _columns(self, task: Task) -> Columns:
        return Columns(
            fields=listed_pairs(self.field, (*task.fields, *task.optional), "--field", task.name),
            id=names(self.id),
            group=self.group,
            system=self.system,
            human=listed_pairs(self.human, [aspect.name for aspect in task.aspects], "--human", task.name),
            human_scales=self._human_scales(task),
            more=free_pairs(self.also, "--also"),
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
