"""Progress of a run: its state, speed and remaining time."""

import time
from dataclasses import dataclass, field

from agentdebate.debates.outcome import FAILURE, OutcomeCounts
from agentdebate.debates.record import Record
from agentdebate.usage import Usage

NOTHING = Usage()


@dataclass
class Progress:
    """Progress of a run. `total` counts debates and is None where the items come from a stream."""

    total: int | None = None
    outcomes: OutcomeCounts = field(default_factory=OutcomeCounts)
    """Numbers of the ended debates by their ending."""
    calls: int = 0
    tokens: int = 0
    saved: int = 0
    """Calls whose completions came out of a cache, and are not among the others."""
    started: float = field(default_factory=time.monotonic)

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
        return self.ended / elapsed if elapsed > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go at this rate; None where that cannot be known."""
        rate = self.rate
        return max(self.total - self.ended, 0) / rate if self.total is not None and rate else None

    def count(self, record: Record, *, replayed: Usage = NOTHING) -> None:
        """Count a debate that has ended, without what was `replayed` from the disk."""
        usage = record.usage
        self.calls += usage.calls - replayed.calls
        self.tokens += usage.tokens - replayed.tokens
        self.saved += record.saved.calls
        self.outcomes.add(record.outcome)
