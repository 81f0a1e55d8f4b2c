"""agentdebate datasets: the published datasets that can be read, and how they are had."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from agentdebate.cli.console.output import out, out_json, say, table
from agentdebate.cli.options.common import Json
from agentdebate.datasets.dataset import Dataset
from agentdebate.datasets.download import Got, Missed, cache_folder, get_dataset
from agentdebate.datasets.published import PUBLISHED, known_datasets, published
from agentdebate.errors import UsageError
from agentdebate.report.text_table import TextTable
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
    rows = [_described(dataset) for dataset in known_datasets()]
    if as_json:
        for row in rows:
            out_json(row)
        return 0
    head = ("name", "task", "size", "licence")
    cells = [[row[column] for column in head] for row in rows]
    table(TextTable("Datasets", head, cells, whole=("name", "task")))
    return 0


def _described(dataset: Dataset) -> dict[str, Any]:
    origin = dataset.origin
    return {
        "name": dataset.name,
        "about": dataset.about,
        "task": dataset.task,
        "size": dataset.size,
        "source": dataset.source,
        "licence": origin.licence,
        "citation": origin.citation,
        "home": origin.home,
        "forms": [form.name for form in dataset.forms],
        "files": [{"url": one.url, "file": one.file, "sha256": one.sha256} for one in origin.files],
        "cache": str(cache_folder() / dataset.name),
    }


def _show(dataset: Dataset, *, as_json: bool) -> int:
    row = _described(dataset)
    if as_json:
        out_json(row)
        return 0
    for key, value in row.items():
        for place, line in enumerate(_lines(value)):
            out(f"{'' if place else key:<9} {line}")
    return 0


def _lines(value: str | list[str] | list[Mapping[str, str]]) -> list[str]:
    """A value in lines: an address goes with its checksum, where one is known."""
    if isinstance(value, str):
        return [value]
    return [
        one if isinstance(one, str) else f"{one['url']} (SHA-256 {one['sha256'] or 'not published'})"
        for one in value
    ]


def _get(dataset: Dataset, to: Path | None, *, as_json: bool) -> int:
    say(f"{dataset.name}: {dataset.size}")
    say(f"Licence: {dataset.origin.licence}")
    say(f"Please cite: {dataset.origin.citation}")
    came: list[Got | Missed] = []

    def told(one: Got | Missed) -> None:
        came.append(one)
        say(_told(one))

    folder = get_dataset(dataset.name, to, told=told)
    if as_json:
        out_json({"name": dataset.name, "folder": str(folder), "files": [_row(one) for one in came]})
    else:
        out(visible(str(folder)))
    return 0


def _told(one: Got | Missed) -> str:
    if isinstance(one, Missed):
        return (
            f"{one.remote.url} cannot be had: {one.reason}. Without it there is all but {one.remote.gives}."
        )
    did = "fetched" if one.fetched else "there already"
    known = "as is known" if one.remote.sha256 else "none is published to compare it with"
    return f"{one.path}: {did}, {one.size} bytes, SHA-256 {one.sha256} ({known})"


def _row(one: Got | Missed) -> dict[str, Any]:
    if isinstance(one, Missed):
        return {"url": one.remote.url, "missing": one.reason}
    return {
        "url": one.remote.url,
        "path": str(one.path),
        "bytes": one.size,
        "sha256": one.sha256,
        "fetched": one.fetched,
    }
