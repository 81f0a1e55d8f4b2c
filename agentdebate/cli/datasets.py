"""agentdebate datasets: the published datasets that can be read, and how they are had."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from agentdebate.cli.console.output import out, out_json, say, show
from agentdebate.cli.options.common import Json
from agentdebate.datasets.dataset import Dataset
from agentdebate.datasets.download import Got, Missed, get_dataset
from agentdebate.datasets.published import PUBLISHED, known_datasets, published
from agentdebate.errors import UsageError
from agentdebate.report.dataset_table import (
    dataset_blocks,
    dataset_record,
    dataset_table,
    file_line,
    file_record,
)
from agentdebate.visible import visible

Action = Literal["list", "show", "get"]


def datasets(
    action: Action = "list",
    name: str | None = None,
    /,
    *,
    to: Annotated[
        Path | None, Parameter(help="The folder into which the files go [the cache; show says where].")
    ] = None,
    as_json: Json = False,
) -> int:
    """List the published datasets that --as reads, show one, or fetch one from its authors' address.

    Parameters
    ----------
    action
        list; show, for licence, citation, forms and addresses; get, which fetches the files and prints their folder.
    name
        The dataset, for show and get.

    """
    if to is not None and action != "get":
        raise UsageError("--to goes with get")
    if action == "list":
        if name is not None:
            raise UsageError(f"list takes no name; say: agentdebate datasets show {name}")
        return _list(as_json=as_json)
    if name is None:
        raise UsageError(f"{action} which dataset? {', '.join(PUBLISHED)}")
    dataset = published(name)
    return _show(dataset, as_json=as_json) if action == "show" else _get(dataset, to, as_json=as_json)


def _list(*, as_json: bool) -> int:
    rows = [dataset_record(dataset) for dataset in known_datasets()]
    if as_json:
        for row in rows:
            out_json(row)
        return 0
    show([dataset_table(known_datasets())])
    return 0


def _show(dataset: Dataset, *, as_json: bool) -> int:
    if as_json:
        out_json(dataset_record(dataset))
    else:
        show(dataset_blocks(dataset))
    return 0


def _get(dataset: Dataset, to: Path | None, *, as_json: bool) -> int:
    say(f"{dataset.name}: {dataset.size}")
    say(f"Licence: {dataset.origin.licence}")
    say(f"Please cite: {dataset.origin.citation}")
    came: list[Got | Missed] = []

    def told(one: Got | Missed) -> None:
        came.append(one)
        say(file_line(one))

    folder = get_dataset(dataset.name, to, told=told)
    if as_json:
        out_json({"name": dataset.name, "folder": str(folder), "files": [file_record(one) for one in came]})
    else:
        out(visible(str(folder)))
    return 0
