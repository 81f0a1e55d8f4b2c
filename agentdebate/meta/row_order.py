"""The order of a run's rows: that of its items, and then of their aspects."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from agentdebate.store.reader import RunHead

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
