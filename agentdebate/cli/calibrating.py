"""Calibration: whether it is asked for, and the reliability tables of each judge and aspect."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.gathering import Gathered
from agentdebate.errors import UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.calibration import calibration
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judged import Judgements
from agentdebate.report.calibrated import Calibrated


@Parameter(name="*")
@dataclass(frozen=True)
class CalibrationOptions:
    """Whether it is said what the judges' scores stand for."""

    calibration: Annotated[
        bool,
        Parameter(
            help="For each judge and aspect, print bias, mean absolute error, and what people say of texts that the judge "
            "scores alike.",
            negative="",
            show_default=False,
        ),
    ] = False
    bins: Annotated[int, Parameter(help="For --calibration: the bins of the judge's scores.")] = 10

    def tables(
        self, gathered: Sequence[Gathered], bootstrap: Bootstrap | None, missing: Missing = LEFT_OUT
    ) -> tuple[Calibrated, ...]:
        """The reliability tables, where they are asked for. Raises UsageError."""
        if not self.calibration:
            return ()
        if any(one.choices or one.alone for one in gathered):
            raise UsageError("--calibration is for scores; a choice has no bias and no bins")
        if not gathered:
            raise UsageError("--calibration is for a judge: name a run, --scores or --replies")
        return tuple(self._of(one, bootstrap, missing) for each in gathered for one in each.judgements)

    def _of(self, judgements: Judgements, bootstrap: Bootstrap | None, missing: Missing) -> Calibrated:
        return Calibrated(
            calibration(judgements, self.bins, missing=missing),
            agree(judgements, "bias", "pooled", bootstrap=bootstrap, missing=missing),
            agree(judgements, "mean-absolute-error", "pooled", bootstrap=bootstrap, missing=missing),
        )
