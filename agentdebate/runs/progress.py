"""How far a run has come, how fast it goes, and how long it will take."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from agentdebate.debates.outcome import FAILURE, OutcomeCounts, outcome_of
from agentdebate.debates.record import Record


@dataclass
class Progress:
    """How far a run has come. `total` counts debates and is None where the items come from a stream."""

    total: int | None = None
    outcomes: OutcomeCounts = field(default_factory=OutcomeCounts)
    """How the debates ended that have."""
    calls: int = 0
    tokens: int = 0
    saved: int = 0
    """Calls whose completions came out of a cache, and are not among the others."""
    started: float = field(default_factory=time.monotonic)
    before: int = 0
    """Debates that had ended at the start."""

    @property
    def done(self) -> int:
        """Debates that ended with a verdict."""
        return self.outcomes.verdicts

    @property
    def failed(self) -> int:
        """Debates that ended with a failure."""
        return self.outcomes[FAILURE]

    @property
    def ended(self) -> int:
        """Debates that have ended."""
        return self.outcomes.total

    @property
    def rate(self) -> float:
        """Debates a second since the start."""
        elapsed = time.monotonic() - self.started
        return (self.ended - self.before) / elapsed if elapsed > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go at this rate; None where that cannot be known."""
        rate = self.rate
        return max(self.total - self.ended, 0) / rate if self.total is not None and rate else None

    def begin(self) -> None:
        """Take what has been counted so far as there before: the rate is that of the time from now on."""
        self.before, self.started = self.ended, time.monotonic()

    def count(self, record: Record) -> None:
        """Count a debate that has ended."""
        usage = record.usage
        self.calls += usage.calls
        self.tokens += usage.tokens
        self.saved += record.saved.calls
        self.outcomes.add(record.outcome)

    def take(self, row: Mapping[str, Any]) -> None:
        """Count a debate that has ended in another process, by its row."""
        self.calls += row["calls"]
        self.tokens += row["prompt_tokens"] + row["completion_tokens"]
        self.saved += row["cached_calls"]
        self.outcomes.add(outcome_of(row))
