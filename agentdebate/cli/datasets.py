"""agentdebate datasets: the published datasets that can be read."""

from typing import Literal

from agentdebate.cli.console.output import out_json, show
from agentdebate.cli.options.common import Json
from agentdebate.datasets.published import PUBLISHED, known_datasets, published
from agentdebate.errors import UsageError
from agentdebate.report.dataset_table import dataset_blocks, dataset_record, dataset_table

Action = Literal["list", "show"]


def datasets(action: Action = "list", name: str | None = None, /, *, as_json: Json = False) -> int:
    """List the published datasets that --as reads, or show one.

    Example: agentdebate datasets show faireval

    Parameters
    ----------
    action
        list; show, for licence, paper, forms and the addresses of the files.
    name
        The dataset, for show.

    """
    if action == "list" and name is not None:
        raise UsageError(f"list takes no name; say: agentdebate datasets show {name}")
    if action == "show" and name is None:
        raise UsageError(f"show which dataset? {', '.join(PUBLISHED)}")
    if as_json:
        for dataset in known_datasets() if name is None else [published(name)]:
            out_json(dataset_record(dataset))
    else:
        show([dataset_table(known_datasets())] if name is None else dataset_blocks(published(name)))
    return 0
