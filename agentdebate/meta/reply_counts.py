"""How many replies each score or choice of a row is from, and how many of them could not be read."""

from collections.abc import Iterable, Mapping

from agentdebate.datasets.row import Row

COUNTS = "replies that were read"
"""The field in which it stands, beside what was read, how many replies there were, and how many could not be read."""


def counted_in(row: Row, fields: Iterable[str]) -> tuple[int, int]:
    """The replies that fields of a row are from and those without a judgement; none where they are not from replies.

    A field is named as a whole, or by what it is called within the field of all that was read.
    """
    counts: Mapping[str, tuple[int, int]] = row.data.get(COUNTS, {})
    found = [counts.get(field) or counts.get(field.partition(".")[2], (0, 0)) for field in fields]
    return sum(replies for replies, _ in found), sum(unread for _, unread in found)
