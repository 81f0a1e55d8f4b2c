"""Options that say how intervals of agreement come about, and the words for what is asked, the same in every command."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from agentdebate.errors import UsageError
from agentdebate.meta.bootstrap import Bootstrap, Units
from agentdebate.report.question import STATISTICS

EVERY_STATISTIC = f"{', '.join(STATISTICS[:-1])} or {STATISTICS[-1]}"
EVERY_LEVEL = "pooled (over all texts), group (the mean over sources) or system (over the means of systems)"

WRONG = "wrong (choices: never right; scores: the end of the scale that is farthest from people's score)"
"""What --missing wrong is."""


@Parameter(name="*")
@dataclass(frozen=True)
class ResamplingOptions:
    """How intervals come about."""

    resamples: Annotated[int, Parameter(help="Bootstrap resamples of an interval; 0 for none.")] = 1000
    resample: Annotated[Units, Parameter(help="What is resampled.")] = "sources"
    confidence: Annotated[float, Parameter(help="How much of the resamples an interval holds.")] = 0.95
    seed: Annotated[
        int, Parameter(name="--bootstrap-seed", help="The seed of resamples, and of permutations.")
    ] = 0

    @property
    def bootstrap(self) -> Bootstrap | None:
        """How intervals come about; None where none are wanted. Raises UsageError."""
        if self.resamples < 0:
            raise UsageError(f"--resamples is 0 or more, not {self.resamples}")
        return self._of(self.resamples) if self.resamples else None

    @property
    def of_differences(self) -> Bootstrap:
        """A difference that could be detected takes resamples, whether or not intervals are wanted."""
        return self.bootstrap or self._of(Bootstrap().resamples)

    def _of(self, resamples: int) -> Bootstrap:
        return Bootstrap(resamples, self.resample, self.confidence, self.seed)
