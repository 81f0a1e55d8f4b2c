"""The rows of a run, as Record.row() gives them: what they are called, and what they are about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

MOST = 20
"""Items that a table shows before it says how many more there are."""

Row = Mapping[str, Any]
"""A record as Record.row() gives it."""

Rows = Sequence[Row]


def name_of(row: Row) -> str:
    """What a row's debate is called within its run."""
    return f"{row['id']}/{'+'.join(row['aspects'])}"


def aspect_names(rows: Iterable[Row]) -> list[str]:
    """Every aspect that the rows are about, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row["aspects"]))


def candidate_names(rows: Iterable[Row]) -> list[str]:
    """Every candidate that the rows compare, in the order in which they come; none where nothing is compared."""
    return list(dict.fromkeys(name for row in rows for name in row.get("candidates", ())))
