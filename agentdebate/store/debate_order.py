"""In which order the debates of a run are listed."""

from dataclasses import dataclass

import sqlalchemy as sa

from agentdebate.errors import UsageError, nearest
from agentdebate.store.schema import DEBATES, SCORES, SORTED

OF_SCORES = ("score", "human", "apart")
"""What needs the name of a score as well: the verdict's, people's, how far they are apart."""


@dataclass(frozen=True)
class DebateOrder:
    """By what debates are sorted; `name` is that of a score where `by` is score, human or apart."""

    by: str = "id"
    name: str | None = None
    descending: bool = False

    def __post_init__(self) -> None:
        known = ["id", *SORTED, *OF_SCORES]
        if self.by not in known:
            raise UsageError(f"debates are not sorted by {self.by!r}. {nearest(self.by, known)}")
        if self.of_scores and not self.name:
            raise UsageError(f"to sort by {self.by!r}, name the aspect")

    @property
    def of_scores(self) -> bool:
        """Whether it is by something of a score."""
        return self.by in OF_SCORES

    @property
    def value(self) -> "sa.ColumnElement[object]":
        """What is sorted by."""
        if self.by == "apart":
            return sa.func.abs(SCORES.c.score - SCORES.c.human)
        return SCORES.c[self.by] if self.of_scores else DEBATES.c[self.by]

    def directed(self, value: "sa.ColumnElement[object]") -> "sa.ColumnElement[object]":
        """A value, in the direction of the order."""
        return value.desc() if self.descending else value.asc()
