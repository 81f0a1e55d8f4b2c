"""Which rows are looked at, in a sentence for the caption of a table."""

from collections.abc import Sequence

from agentdebate.meta.prose import listed
from agentdebate.meta.where import Condition


def holding(whose: str, conditions: Sequence[Condition], kept: int, rows: int) -> str:
    """The conditions on the rows of the data or of a judge, and how many rows of how many they leave."""
    return (
        f"Of {whose} only rows count where {listed([str(one) for one in conditions])}: {kept:,} of {rows:,}."
    )
