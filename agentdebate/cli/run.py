"""agentdebate run: an evaluation over a file, into the store."""

import asyncio
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.cli.casting import CastOptions
from agentdebate.cli.console import number, one_line, out_json, say
from agentdebate.cli.logs import to_stderr
from agentdebate.cli.options import (
    STORE,
    DebateOptions,
    Json,
    ModelOptions,
    ProjectPath,
    StorePath,
    free_pairs,
    listed_pairs,
    names,
)
from agentdebate.cli.preparing import prepare
from agentdebate.cli.progress import showing
from agentdebate.cli.rows import failures_by_kind, name_of, short_rows
from agentdebate.cli.tables import Tally, print_results, see_run
from agentdebate.datasets.dataset import Dataset, Taken, take
from agentdebate.datasets.files import STDIN, read_rows
from agentdebate.datasets.items import Columns, items
from agentdebate.datasets.joining import join
from agentdebate.datasets.published import published
from agentdebate.datasets.row import Row
from agentdebate.errors import UsageError
from agentdebate.evaluation import Evaluation, evaluate
from agentdebate.results import Record
from agentdebate.store.reader import read_store
from agentdebate.tasks import Task

_OF_COLUMNS = ("field", "also", "id", "group", "system", "human", "evidence")
"""The options that say which columns hold what: a published dataset knows that by itself."""

_NAMED = 20
"""Rows left out for the same reason that are named before it is said how many more there are."""


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
            help="ASPECT=COLUMN of people's scores; several as with --field.", negative="", show_default=False
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
        Parameter(name="--as", help="Read the file as this dataset publishes it: goyal2022."),
    ] = None
    join: Annotated[Path | None, Parameter(help="A file with more columns.", allow_leading_hyphen=True)] = (
        None
    )
    on: Annotated[str | None, Parameter(help="The columns by which --join matches, with commas.")] = None
    limit: Annotated[int | None, Parameter(help="Judge the first N items only.")] = None
    format: Annotated[str | None, Parameter(help="jsonl, json, csv or tsv [by the file's ending].")] = None

    def task(self, named: str | None) -> str:
        """The task that was named, or else the dataset's own. Raises UsageError."""
        if named is not None:
            return named
        if self.dataset is None:
            raise UsageError(
                'Command "run" parameter --task requires an argument; only --as has a task of its own. (see --help)'
            )
        return self._published().task

    def load(self, path: str, task: Task) -> Taken:
        """The items of a file. Raises DataError and UsageError."""
        if self.limit is not None and self.limit < 1:
            raise UsageError("--limit is at least 1")
        if self.dataset is not None:
            return take(self._published(), self._rows(path), task=task, limit=self.limit)
        loaded = tuple(islice(items(self._rows(path), task, self._columns(task)), self.limit))
        return Taken(loaded, len(loaded), {})

    def described(self, path: str, taken: Taken) -> dict[str, Any]:
        """Where the items come from, as the run keeps it: whole paths, the options that were given, what was left out."""
        given = {name: value for name, value in vars(self).items() if value}
        joined = {"join": str(self.join.absolute())} if self.join else {}
        counted = {"rows": taken.rows, "left_out": dict(taken.left_out)} if self.dataset else {}
        return {
            "path": path if path == STDIN else str(Path(path).absolute()),
            **given,
            **joined,
            **counted,
        }

    def account(self, taken: Taken) -> Iterator[str]:
        """Lines that say how many items came out of a published file, and why some of its rows gave none."""
        if self.dataset is None:
            return
        dataset = self._published()
        first = "the first " if self.limit == len(taken.items) else ""
        rows = f"{first}{number(taken.rows, dataset.row)}"
        yield f"{dataset.name}: {number(len(taken.items), dataset.item)} from {rows}"
        if taken.left_out:
            yield f"{sum(map(len, taken.left_out.values()))} of {rows} give no {dataset.item}:"
        for reason, left_out in taken.left_out.items():
            more = f", and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
            yield one_line(f"{reason} ({len(left_out)}): {', '.join(left_out[:_NAMED])}{more}")

    def _published(self) -> Dataset:
        """The dataset of --as. Raises UsageError."""
        found = published(self.dataset or "")
        given = [f"--{name}" for name in _OF_COLUMNS if getattr(self, name) not in (None, ())]
        if given:
            raise UsageError(f"--as {found.name} knows what is in which column; leave out {', '.join(given)}")
        return found

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
            more=self._more(task),
            evidence=free_pairs(self.evidence, "--evidence"),
        )

    def _more(self, task: Task) -> dict[str, str]:
        more = free_pairs(self.also, "--also")
        for name, column in more.items():
            if name in (*task.fields, *task.optional):
                raise UsageError(
                    f"--also: {name!r} is a field of the task {task.name!r}; say --field {name}={column}"
                )
        return more


async def run(
    strategy: str,
    data: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    task: str | None = None,
    aspects: Annotated[
        str | None, Parameter(help="Aspects with commas between them [the usual ones].")
    ] = None,
    concurrency: Annotated[int, Parameter(name=["--concurrency", "-c"], help="Debates held at once.")] = 64,
    store: StorePath = STORE,
    as_json: Json = False,
    project: ProjectPath = None,
    source: DataOptions = DataOptions(),
    models: ModelOptions = ModelOptions(),
    casting: CastOptions = CastOptions(),
    debates: DebateOptions = DebateOptions(),
) -> int:
    """Judge every item of a file, each aspect in a debate of its own.

    Parameters
    ----------
    strategy
        A strategy by name; "agentdebate list strategies" shows them.
    data
        A JSONL, JSON, CSV or TSV file; - is standard input.
    task
        The kind of item; "agentdebate list tasks" shows them. Not needed with --as.

    """
    if concurrency < 1:
        raise UsageError("--concurrency is at least 1")
    to_stderr()
    chosen = source.task(task)
    prepared = prepare(
        strategy, chosen, aspects, project=project, models=models, casting=casting, debates=debates
    )
    taken = source.load(data, prepared.task)
    for line in source.account(taken):
        say(line)
    tally = Tally([item.id for item in taken.items], prepared.aspects)
    model, begun = models.open(concurrency), ""
    try:
        async with evaluate(
            taken.items,
            prepared.strategy,
            model=model,
            aspects=prepared.aspects,
            together=debates.together,
            concurrency=concurrency,
            store=store,
            configuration={"data": source.described(data, taken)},
            **prepared.how,
        ) as evaluation:
            begun = evaluation.id or ""
            say(
                f"run {evaluation.id} in {store}: {number(len(taken.items), 'item')}, {', '.join(prepared.aspects)}"
            )
            await _follow(evaluation, tally, as_json=as_json)
    except asyncio.CancelledError:
        _say_stopped(begun, store)
        raise
    finally:
        await model.aclose()
    _close(evaluation, tally, store, as_json=as_json)
    return 1 if tally.failed else 0


async def _follow(evaluation: Evaluation, tally: Tally, *, as_json: bool) -> None:
    """Take the records as they come, under the eyes of the progress line."""
    kinds: set[str] = set()
    with showing(evaluation.progress) as line:
        async for record in evaluation:
            tally.add(record)
            if as_json:
                out_json(record.row())
            if record.failure and record.failure.error not in kinds:
                kinds.add(record.failure.error)
                say(one_line(f"first failure of its kind: {record.id}: {_reason(record)}"))
            line.update()


def _say_stopped(run: str, store: str) -> None:
    """What a run that was stopped leaves in the store, counted there: debates end while others are called off."""
    if run:
        with read_store(store) as reader:
            head = reader.run(run)
        ended = number(head.verdicts + head.failures, "debate")
        say(f"stopped after {ended}; what has ended is kept; see it: {see_run(run, store)}")


def _close(evaluation: Evaluation, tally: Tally, store: str, *, as_json: bool) -> None:
    """The results, and what there is to say when a run has ended."""
    rows, progress = tally.rows, evaluation.progress
    if not as_json:
        print_results(rows, see=see_run(evaluation.id, store))
        sys.stdout.flush()
    elif tally.note:
        say(tally.note)
    for kind, count, row in failures_by_kind(rows):
        if count > 1:  # a single one has been shown when it came
            say(one_line(f"{count} x {kind}, for example {name_of(row)}: {row['failure']['reason']}"))
    short = len(short_rows(rows))
    without = f" ({short} of them without some of the ballots or samples)" if short else ""
    say(
        f"{number(progress.done, 'verdict')}{without}, {number(progress.failed, 'failure')}, "
        f"{number(progress.calls, 'call')}, {number(progress.tokens, 'token')}; "
        f"see more: {see_run(evaluation.id, store)}"
    )


def _reason(record: Record) -> str:
    return f"{record.failure.error}: {record.failure.reason}" if record.failure else ""
