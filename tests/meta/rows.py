"""Rows of a data file, made of what they hold."""

from collections.abc import Mapping
from typing import Any

from agentdebate.datasets.row import Row


def rows_of(*records: Mapping[str, Any], path: str = "data.jsonl") -> list[Row]:
    """The records as the lines of a file."""
    return [Row(path, line, record) for line, record in enumerate(records, 1)]
