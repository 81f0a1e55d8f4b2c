"""What is found out of a large file while its items are being judged already."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from agentdebate.datasets.supply import look_through
from agentdebate.runs.run import Run


@dataclass(frozen=True)
class LookAhead:
    """A file to be looked through: how many items it has, where a line is an item, and what tells it from another."""

    path: str
    data: Mapping[str, Any]
    """What the run's configuration says of it so far."""
    debates_an_item: int
    limit: int | None
    """How many of its items are judged; None for all."""
    lines: bool
    """Whether each line is an item."""

    async def tell(self, run: Run) -> None:
        """Look through the file, and tell the run. Raises OSError."""
        found = await look_through(self.path)
        run.describe(data={**self.data, "sha256": found.sha256})
        if self.lines:
            items = found.lines if self.limit is None else min(found.lines, self.limit)
            run.expect(items * self.debates_an_item)
