"""agentdebate run: an evaluation over a file, into the store."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.console import out_json, say
from agentdebate.cli.options import (
    STORE,
    DebateOptions,
    Json,
    ModelOptions,
    ProjectPath,
    StorePath,
    aspects_of,
    names,
    pairs,
    project_at,
)
from agentdebate.cli.progress import showing
from agentdebate.cli.score import form_of
from agentdebate.cli.tables import Tally, print_results
from agentdebate.datasets import Columns, items, join, read_rows
from agentdebate.errors import UsageError
from agentdebate.evaluation import Evaluation, evaluate
from agentdebate.prompts import Prompts
from agentdebate.results import Record
from agentdebate.tasks import Item, Task


@Parameter(name="*")
@dataclass(frozen=True)
class DataOptions:
    """Where the items come from, and which columns hold what."""

    field: Annotated[
        tuple[str, ...],
        Parameter(name=["--field", "-f"], help="FIELD=COLUMN, such as source=article.", negative=""),
    ] = ()
    id: Annotated[str | None, Parameter(help="The columns that make up an item's id, with commas.")] = None
    group: Annotated[str | None, Parameter(help="The column of the source that items share.")] = None
    system: Annotated[str | None, Parameter(help="The column of what made the text.")] = None
    human: Annotated[tuple[str, ...], Parameter(help="ASPECT=COLUMN of people's scores.", negative="")] = ()
    join: Annotated[Path | None, Parameter(help="A file with more columns.")] = None
    on: Annotated[str | None, Parameter(help="The columns by which --join matches, with commas.")] = None
    limit: Annotated[int | None, Parameter(help="Judge the first N items only.")] = None
    format: Annotated[str | None, Parameter(help="jsonl, json, csv or tsv [by the file's ending].")] = None

    def load(self, path: str, task: Task) -> list[Item]:
        """The items of a file. Raises DataError and UsageError."""
        columns = Columns(
            fields=_known(pairs(self.field, "--field"), (*task.fields, *task.optional), "--field"),
            id=names(self.id),
            group=self.group,
            system=self.system,
            human=_known(pairs(self.human, "--human"), [aspect.name for aspect in task.aspects], "--human"),
        )
        rows = read_rows(path, self.format)
        if (self.join is None) != (self.on is None):
            raise UsageError("--join FILE and --on COLUMN go together")
        if self.join is not None:
            rows = join(rows, read_rows(self.join), names(self.on))
        if self.limit is not None and self.limit < 1:
            raise UsageError("--limit is at least 1")
        return [
            item for _, item in zip(range(self.limit or 1 << 62), items(rows, task, columns), strict=False)
        ]


async def run(
    strategy: str,
    data: str,
    /,
    *,
    task: str,
    aspects: Annotated[str | None, Parameter(help="Aspects with commas between them [all].")] = None,
    concurrency: Annotated[int, Parameter(name=["--concurrency", "-c"], help="Debates held at once.")] = 64,
    store: StorePath = STORE,
    as_json: Json = False,
    project: ProjectPath = None,
    source: DataOptions = DataOptions(),
    models: ModelOptions = ModelOptions(),
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
        The kind of item; "agentdebate list tasks" shows them.

    """
    if concurrency < 1:
        raise UsageError("--concurrency is at least 1")
    found = project_at(project)
    chosen_task = debates.rescaled(Prompts(found).task(task))
    chosen_task.choose(aspects_of(aspects))
    chosen_strategy = debates.strategy(strategy, found)
    loaded = source.load(data, chosen_task)
    model = models.open(concurrency)
    tally = Tally()
    try:
        async with evaluate(
            loaded,
            chosen_strategy,
            model=model,
            aspects=aspects_of(aspects),
            together=debates.together,
            concurrency=concurrency,
            store=store,
            project=found,
            tasks={task: chosen_task},
            form=form_of(debates.form),
            patience=debates.patience,
            deadline=debates.deadline,
            sampling=models.sampling,
            configuration={"task": task, "data": data, "model": models.model},
        ) as evaluation:
            await _follow(evaluation, tally, store, as_json=as_json)
    finally:
        await model.aclose()
    if not as_json:
        print_results(tally)
    _close(evaluation, tally, store)
    return 1 if tally.failures else 0


async def _follow(evaluation: Evaluation, tally: Tally, store: str, *, as_json: bool) -> None:
    """Take the records as they come, under the eyes of the progress line."""
    try:
        with showing(evaluation.progress) as line:
            async for record in evaluation:
                tally.add(record)
                if as_json:
                    out_json(record.row())
                line.update()
    except asyncio.CancelledError:
        done = evaluation.progress.ended
        say(
            f"stopped: {done} debates have ended and are in {store}; agentdebate show {evaluation.id} --store {store}"
        )
        raise


def _close(evaluation: Evaluation, tally: Tally, store: str) -> None:
    """What there is to say when a run has ended."""
    progress = evaluation.progress
    say(
        f"{progress.done} verdicts, {progress.failed} failures, {progress.calls} calls, {progress.tokens} tokens; "
        f"run {evaluation.id} in {store}"
    )
    for line in failure_lines(tally.failures):
        say(line)
    if tally.note:
        say(tally.note)


def failure_lines(failures: Sequence[Record]) -> list[str]:
    """The failures by kind, each with an example."""
    kinds = Counter(record.failure.error for record in failures if record.failure)
    examples = {record.failure.error: record for record in reversed(failures) if record.failure}
    return [
        f"{count} x {kind}, for example {examples[kind].id}: {examples[kind].failure.reason}"  # type: ignore[union-attr]
        for kind, count in kinds.most_common()
    ]


def _known(given: dict[str, str], known: Sequence[str], option: str) -> dict[str, str]:
    for name in given:
        if name not in known:
            raise UsageError(f"{option}: the task has no {name!r}; it has {', '.join(known)}")
    return given
