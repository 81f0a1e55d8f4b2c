"""Calibration: whether it is asked for, and the reliability tables of each judge and aspect."""

from collections.abc import Sequence
from dataclasses import dataclass

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import agree
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.calibrated import Calibrated
from agentdebate.meta.calibration import calibration
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judged import Judgements
from agentdebate.meta.sources.gathered import Gathered


@dataclass(frozen=True)
class CalibrationSettings:
    """Whether it is said what the judges' scores stand for."""

    calibration: bool = False
    bins: int = 10

    def tables(
        self, gathered: Sequence[Gathered], bootstrap: Bootstrap | None, missing: Missing = LEFT_OUT
    ) -> tuple[Calibrated, ...]:
        """The reliability tables, where they are asked for. Raises UsageError."""
        if not self.calibration:
            return ()
        if any(one.choices or one.alone for one in gathered):
            raise UsageError("calibration=... is for scores; a choice has no bias and no bins")
        if not gathered:
            raise UsageError("calibration=... is for a judge: name a run, scores=... or replies=...")
        return tuple(self._of(one, bootstrap, missing) for each in gathered for one in each.judgements)

    def _of(self, judgements: Judgements, bootstrap: Bootstrap | None, missing: Missing) -> Calibrated:
        return Calibrated(
            calibration(judgements, self.bins, missing=missing),
            agree(judgements, "bias", "pooled", bootstrap=bootstrap, missing=missing),
            agree(judgements, "mean-absolute-error", "pooled", bootstrap=bootstrap, missing=missing),
        )
