"""Items from a file of one's own, in one call with the words of the command."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from agentdebate.datasets.data_source import DataSource
from agentdebate.project.project import Project
from agentdebate.runs.settings import USUAL
from agentdebate.tasks import Item, Scale, Task


def load_items(
    path: str | Path,
    task: str | Task,
    *,
    fields: Mapping[str, str] | None = None,
    ids: Sequence[str] | str | None = None,
    group: str | None = None,
    system: str | None = None,
    human: Mapping[str, str] | None = None,
    human_scale: Mapping[str, str | Scale] | str | Scale | None = None,
    also: Mapping[str, str] | None = None,
    evidence: Mapping[str, str] | None = None,
    join: str | Path | None = None,
    on: Sequence[str] | str | None = None,
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
    source = DataSource(
        path,
        fields=fields or {},
        ids=ids,
        group=group,
        system=system,
        human=human or {},
        human_scale=human_scale or {},
        also=also or {},
        evidence=evidence or {},
        join=join,
        on=on,
        limit=limit,
        sample=sample,
        seed=seed,
        format=format,
    )
    return list(source.load(USUAL.but(project=project).task(task)).items)
