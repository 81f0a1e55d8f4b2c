"""The datasets that can be read as they are published, by name."""

from collections.abc import Mapping

from agentdebate.datasets.dataset import Dataset
from agentdebate.datasets.goyal2022 import GOYAL2022
from agentdebate.errors import UsageError, nearest

PUBLISHED: Mapping[str, Dataset] = {dataset.name: dataset for dataset in (GOYAL2022,)}
"""Every dataset by its name."""


def published(name: str) -> Dataset:
    """The dataset of that name. Raises UsageError with the nearest known one."""
    if name not in PUBLISHED:
        raise UsageError(f"there is no dataset {name!r}. {nearest(name, PUBLISHED)}")
    return PUBLISHED[name]
