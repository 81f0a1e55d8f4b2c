"""The rows of a run, as Record.row() gives them: what they are called, and what they are about."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentdebate.cli.console import offline_note
from agentdebate.store.reader import RunHead

MOST = 20
"""Items that a table shows before it says how many more there are."""

Row = Mapping[str, Any]
"""A record as Record.row() gives it."""

Rows = Sequence[Row]


def ordered(rows: Rows, items: Iterable[str], aspects: Iterable[str]) -> Rows:
    """The rows by the place of their item and then of their aspects in these orders."""
    place = {name: number for number, name in enumerate(dict.fromkeys(items))}
    rank = {name: number for number, name in enumerate(aspects)}

    def key(row: Row) -> tuple[int, int]:
        first = row["aspects"][0] if row["aspects"] else ""
        return place.get(row["id"], len(place)), rank.get(first, len(rank))

    return sorted(rows, key=key)


def aspect_order(head: RunHead) -> list[str]:
    """The order of a run's aspects, as far as it is known."""
    aspects = head.configuration.get("aspects") or []
    return [aspects] if isinstance(aspects, str) else list(aspects)


def note_of(rows: Iterable[Row]) -> str | None:
    """What has to be said beside these verdicts."""
    return offline_note(model for row in rows for model in row["models"])


def name_of(row: Row) -> str:
    """What a row's debate is called within its run."""
    return f"{row['id']}/{'+'.join(row['aspects'])}"


def aspect_names(rows: Iterable[Row]) -> list[str]:
    """Every aspect that the rows are about, in the order in which they come."""
    return list(dict.fromkeys(name for row in rows for name in row["aspects"]))


def candidate_names(rows: Iterable[Row]) -> list[str]:
    """Every candidate that the rows compare, in the order in which they come; none where nothing is compared."""
    return list(dict.fromkeys(name for row in rows for name in row.get("candidates", ())))
