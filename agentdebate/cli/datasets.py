"""agentdebate datasets: the published datasets that can be read, and how they are had."""

from pathlib import Path
from typing import Literal

from agentdebate.cli.console.output import out, out_json, say, show
from agentdebate.cli.options.common import Json
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
    action: Action = "list", name: str | None = None, /, *, to: Path | None = None, as_json: Json = False
) -> int:
    """List the published datasets that --as reads, show one, or fetch one from its authors' address.

    Example: agentdebate datasets get faireval

    Parameters
    ----------
    action
        list; show, for licence, citation, forms and addresses; get, which fetches the files and prints their folder.
    name
        The dataset, for show and get.
    to
        The folder into which the files go [the cache; show says where].

    """
    if to is not None and action != "get":
        raise UsageError("--to goes with get")
    if action == "list":
        if name is not None:
            raise UsageError(f"list takes no name; say: agentdebate datasets show {name}")
        if as_json:
            for dataset in known_datasets():
                out_json(dataset_record(dataset))
        else:
            show([dataset_table(known_datasets())])
    elif name is None:
        raise UsageError(f"{action} which dataset? {', '.join(PUBLISHED)}")
    elif action == "get":
        _get(name, to, as_json=as_json)
    elif as_json:
        out_json(dataset_record(published(name)))
    else:
        show(dataset_blocks(published(name)))
    return 0


def _get(name: str, to: Path | None, *, as_json: bool) -> None:
    dataset = published(name)
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
