"""How intervals of agreement come about."""

from dataclasses import dataclass

from agentdebate.errors import UsageError
from agentdebate.meta.bootstrap import Bootstrap, Units


@dataclass(frozen=True)
class Resampling:
    """How intervals come about."""

    resamples: int = 1000
    resample: Units = "sources"
    confidence: float = 0.95
    seed: int = 0

    @property
    def bootstrap(self) -> Bootstrap | None:
        """How intervals come about; None where none are wanted. Raises UsageError."""
        if not isinstance(self.resamples, int) or self.resamples < 0:
            raise UsageError(f"resamples=... is 0 or more, not {self.resamples!r:.80}")
        return self._of(self.resamples) if self.resamples else None

    @property
    def of_differences(self) -> Bootstrap:
        """A difference that could be detected takes resamples, whether or not intervals are wanted."""
        return self.bootstrap or self._of(Bootstrap().resamples)

    def _of(self, resamples: int) -> Bootstrap:
        return Bootstrap(resamples, self.resample, self.confidence, self.seed)
