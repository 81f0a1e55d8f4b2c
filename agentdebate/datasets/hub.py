"""Rows of datasets on the Hugging Face hub, or in a folder in its forms. Takes the extra "huggingface"."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.datasets.parquet import plain
from agentdebate.datasets.row import Row
from agentdebate.errors import DataError, UsageError
from agentdebate.extras import optional

EXTRA = "huggingface"
PREFIX = "hf:"
_FORM = re.compile(r"hf:(?P<name>[^:@]+)(?:@(?P<config>[^:@]+))?(?::(?P<split>[^:@]+))?")


@dataclass(frozen=True, slots=True)
class HubName:
    """What "hf:NAME@CONFIG:SPLIT" names; configuration and split may be left out where there is only one."""

    name: str
    config: str | None = None
    split: str | None = None

    @classmethod
    def parse(cls, text: str) -> "HubName":
        """Read "hf:NAME", "hf:NAME:SPLIT" or "hf:NAME@CONFIG:SPLIT". Raises UsageError."""
        found = _FORM.fullmatch(text)
        if found is None:
            raise UsageError(
                f"{text!r} names no dataset of the hub; write hf:NAME:SPLIT, or hf:NAME@CONFIG:SPLIT"
            )
        return cls(found["name"], found["config"], found["split"])


def is_hub(path: object) -> bool:
    """Whether a path is that of a dataset of the hub."""
    return str(path).startswith(PREFIX)


def is_fetched(path: object) -> bool:
    """Whether a path names a dataset that is fetched from the hub, and not a folder in its forms."""
    name = str(path).removeprefix(PREFIX)
    return is_hub(path) and not name.startswith((".", "/", "~"))


def hub_rows(path: str) -> Iterator[Row]:
    """The records of a split, fetched as they are asked for; `line` counts them from 1.

    Raises DataError, UsageError for a name, configuration or split that is not there, and MissingExtra where the library
    `datasets` is not installed.
    """
    named = HubName.parse(path)
    datasets = optional("datasets", EXTRA)
    try:
        loaded = datasets.load_dataset(named.name, named.config, streaming=True)
        split = _split(path, named, loaded)
        for number, record in enumerate(split, 1):
            yield Row(path, number, {name: plain(value) for name, value in record.items()})
    except (UsageError, DataError):
        raise
    except Exception as error:  # the library raises whatever its many parts raise
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        raise DataError(
            f"cannot be read: {reason}. Without a network, name a folder that holds its files: {PREFIX}./FOLDER",
            path=path,
        ) from error


def _split(path: str, named: HubName, loaded: Mapping[str, Any]) -> Any:
    splits = list(loaded)
    if named.split is None and len(splits) > 1:
        raise UsageError(f"{path} has the splits {', '.join(splits)}; say which: {path}:{splits[-1]}")
    chosen = named.split or splits[0]
    if chosen not in loaded:
        raise UsageError(f"{path} has no split {chosen!r}; it has {', '.join(splits)}")
    return loaded[chosen]
