"""Options that say which agreement is asked for."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from agentdebate.errors import UsageError
from agentdebate.meta.bootstrap import Bootstrap, Units
from agentdebate.meta.levels import Level
from agentdebate.report.question import Question


@Parameter(name="*")
@dataclass(frozen=True)
class QuestionOptions:
    """Which agreement is asked for, and its interval."""

    statistic: Annotated[
        str | None,
        Parameter(
            help="pearson, spearman, kendall-b, ...; accuracy or kappa of choices [spearman, accuracy]."
        ),
    ] = None
    level: Annotated[
        Level, Parameter(help="Over all rows, for each source and then the mean, or over the systems' means.")
    ] = "pooled"
    resamples: Annotated[int, Parameter(help="Bootstrap resamples behind an interval; 0: no interval.")] = (
        1000
    )
    resample: Annotated[Units, Parameter(help="What is resampled.")] = "sources"
    confidence: float = 0.95
    seed_of_resamples: Annotated[
        int, Parameter(name="--bootstrap-seed", help="The seed of the resamples.")
    ] = 0

    @property
    def question(self) -> Question:
        """The question. Raises UsageError."""
        if self.resamples < 0:
            raise UsageError(f"--resamples is 0 or more, not {self.resamples}")
        bootstrap = (
            Bootstrap(self.resamples, self.resample, self.confidence, self.seed_of_resamples)
            if self.resamples
            else None
        )
        return Question(self.statistic, self.level, bootstrap)
