"""Options that say which agreement is asked for."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.options.agree import EVERY_LEVEL, EVERY_STATISTIC, WRONG, ResamplingOptions
from agentdebate.meta.levels import Level
from agentdebate.report.question import USUAL, USUAL_OF_CHOICES


@Parameter(name="*")
@dataclass(frozen=True)
class QuestionOptions:
    """Which agreement is asked for, and its interval."""

    statistic: Annotated[
        str | None,
        Parameter(help=f"{EVERY_STATISTIC} [of scores {USUAL}; of choices {USUAL_OF_CHOICES}]."),
    ] = None
    level: Annotated[Level, Parameter(help=f"{EVERY_LEVEL}.", show_choices=False)] = "pooled"
    resampling: ResamplingOptions = ResamplingOptions()
    missing: Annotated[
        str,
        Parameter(
            help=f"What a missing judgement counts as, that of a debate that failed: left-out, {WRONG}, tie (choices only) or "
            "a number."
        ),
    ] = "left-out"
