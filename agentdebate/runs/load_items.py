"""Items from a file of one's own, in one call with the words of the command."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.items import Columns
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.tasks import Item, Scale, Task


def load_items(
    path: str | Path,
    task: str | Task,
    *,
    fields: Mapping[str, str] | None = None,
    ids: Sequence[str] | str = (),
    group: str | None = None,
    system: str | None = None,
    human: Mapping[str, str] | None = None,
    human_scale: Mapping[str, str | Scale] | str | Scale | None = None,
    also: Mapping[str, str] | None = None,
    evidence: Mapping[str, str] | None = None,
    join: str | Path | None = None,
    on: Sequence[str] | str = (),
    limit: int | None = None,
    sample: int | None = None,
    seed: int = 0,
    format: str | None = None,
    project: Project | None = None,
) -> list[Item]:
    """The items of a JSONL, JSON, CSV, TSV or Parquet file.

        items = ad.load_items("people.csv", "summarization", fields={"source": "article"}, human={"fluency": "fluency_mean"})

    `fields` names the column of a field of the task where it has another name, `ids` the columns that make up an item's id, `group`
    that of the source that items share, `system` that of what made the text, `human` those of people's scores by aspect, on the
    `human_scale` ("0-100", for all or by aspect) where that is not the aspect's own, `also` those of texts that go with an item and are
    shown to no agent, `evidence` those of evaluators' scores that were computed elsewhere. `join` is a file with more columns, which match
    by the columns `on`; `limit` is how many items are read, `sample` how many are drawn at random, by the `seed`; `format` is jsonl, json, csv, tsv or parquet where the file's ending does not
    say it. Published datasets are read by `load_dataset`. Raises DataError, with file, line and field, and UserError.
    """
    columns = Columns(
        fields=fields or {},
        id=_columns(ids),
        group=group,
        system=system,
        human=human or {},
        human_scales=_scales(human_scale),
        more=also or {},
        evidence=evidence or {},
    )
    source = DataSource(
        str(path),
        task if isinstance(task, Task) else load_task(task, project=project),
        columns,
        joined=None if join is None else Path(join),
        on=_columns(on),
        limit=limit,
        sample=sample,
        seed=seed,
        form=format,
    )
    return list(source.load().items)


def _columns(given: Sequence[str] | str) -> tuple[str, ...]:
    """One column or several."""
    return (given,) if isinstance(given, str) else tuple(given)


def _scales(given: Mapping[str, str | Scale] | str | Scale | None) -> dict[str, Scale]:
    """The scales on which people scored, by aspect; "" stands for every aspect. Raises UsageError."""
    by_aspect = given if isinstance(given, Mapping) else {} if given is None else {"": given}
    return {name: one if isinstance(one, Scale) else Scale.parse(one) for name, one in by_aspect.items()}
