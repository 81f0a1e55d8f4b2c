"""Published datasets as they are listed and fetched, and what came out of their files."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from agentdebate.datasets.dataset import Dataset, Taken
from agentdebate.datasets.download import Got, Missed, cache_folder
from agentdebate.meta.prose import number_of
from agentdebate.report.grid import Block, Grid
from agentdebate.visible import one_line

_NAMED = 20
"""Rows left out for the same reason that are named before it is said how many more there are."""


def dataset_table(datasets: Sequence[Dataset]) -> Grid:
    """A line a dataset."""
    columns = {name: name for name in ("name", "task", "size", "licence")}
    rows = list(map(dataset_record, datasets))
    return Grid.of("Datasets", rows, columns, numeric=(), whole=("name", "task"))


def dataset_blocks(dataset: Dataset) -> Iterator[Block]:
    """All that is known of a dataset, a line each; an address goes with its checksum, where one is known."""
    for key, value in dataset_record(dataset).items():
        for line in value if isinstance(value, list) else [value]:
            yield f"{key:<9} {line if isinstance(line, str) else _file(line)}"


def _file(one: Mapping[str, str]) -> str:
    return f"{one['url']} (SHA-256 {one['sha256'] or 'not published'})"


def dataset_record(dataset: Dataset) -> dict[str, Any]:
    """A dataset as JSON has it."""
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


def file_line(one: Got | Missed) -> str:
    """Say what came of fetching a file."""
    if isinstance(one, Missed):
        return (
            f"{one.remote.url} cannot be had: {one.reason}. Without it there is all but {one.remote.gives}."
        )
    did = "fetched" if one.fetched else "there already"
    return f"{one.path}: {did}, {one.size} bytes, SHA-256 {one.sha256} ({'as is known' if one.remote.sha256 else 'none is published'})"


def file_record(one: Got | Missed) -> dict[str, Any]:
    """The same as JSON has it."""
    if isinstance(one, Missed):
        return {"url": one.remote.url, "missing": one.reason}
    names = ("size", "sha256", "fetched")
    return {"url": one.remote.url, "path": str(one.path), **{name: getattr(one, name) for name in names}}


def account_lines(dataset: Dataset, taken: Taken, limit: int | None) -> Iterator[str]:
    """How many items came out of the files of a dataset, and why some of its rows gave none."""
    first = "the first " if limit == len(taken.items) else ""
    rows = f"{first}{number_of(taken.rows, dataset.row)}"
    yield f"{dataset.name}: {number_of(len(taken.items), dataset.item)} from {rows}"
    for reason, left_out in taken.left_out.items():
        more = f", and {len(left_out) - _NAMED} more" if len(left_out) > _NAMED else ""
        yield one_line(f"no {dataset.item}: {reason} ({len(left_out)}): {', '.join(left_out[:_NAMED])}{more}")
