"""What a judge's scores stand for: its reliability table beside its bias and its error."""

from dataclasses import dataclass

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.calibration import Calibration


@dataclass(frozen=True)
class Calibrated:
    """A reliability table, with the judge's bias and mean absolute error over all texts."""

    table: Calibration
    bias: Agreement
    error: Agreement
    """The mean absolute error."""
