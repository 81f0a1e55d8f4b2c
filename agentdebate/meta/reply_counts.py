"""How many replies each score or choice of a row is from, and how many of them could not be read."""

from collections.abc import Mapping

from agentdebate.datasets.row import Row

COUNTS = "replies that were read"
"""The field in which it stands, beside what was read, how many replies there were, and how many could not be read."""


def counted_in(row: Row, field: str) -> tuple[int, int]:
    """The replies that a field of a row is from and those without a judgement; none where it is not from replies."""
    counts: Mapping[str, tuple[int, int]] = row.data.get(COUNTS, {})
    return counts.get(field.partition(".")[2], (0, 0))
