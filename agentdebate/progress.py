"""How far a run has come, how fast it goes, and how long it will take."""

import time
from dataclasses import dataclass, field

from agentdebate.results import Record


@dataclass
class Progress:
    """How far a run has come. `total` counts debates and is None where the items come from a stream."""

    total: int | None = None
    done: int = 0
    """Debates that ended with a verdict."""
    failed: int = 0
    """Debates that ended with a failure."""
    calls: int = 0
    tokens: int = 0
    saved: int = 0
    """Calls whose completions came out of a cache, and are not among the others."""
    started: float = field(default_factory=time.monotonic)

    @property
    def ended(self) -> int:
        """Debates that have ended."""
        return self.done + self.failed

    @property
    def rate(self) -> float:
        """Debates a second since the start."""
        elapsed = time.monotonic() - self.started
        return self.ended / elapsed if elapsed > 0 else 0.0

    @property
    def left(self) -> float | None:
        """Seconds to go at this rate; None where that cannot be known."""
        if self.total is None or not self.ended:
            return None
        return (self.total - self.ended) / self.rate

    def count(self, record: Record) -> None:
        """Count a debate that has ended."""
        usage = record.usage
        self.calls += usage.calls
        self.tokens += usage.tokens
        self.saved += record.saved.calls
        if record.verdict is not None:
            self.done += 1
        else:
            self.failed += 1
