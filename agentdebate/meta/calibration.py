"""Calibration of a judge's scores: people's mean score of the texts that it scores alike, and how far off it is."""

from collections.abc import Iterable
from dataclasses import dataclass

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.arrays import np, stats
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.columns import columns
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judgements import Judgements


@dataclass(frozen=True, slots=True)
class Bin:
    """The texts whose scores lie between two bounds; the upper one belongs to the last bin only."""

    low: float
    high: float
    n: int
    score: float
    """Their mean predicted score."""
    human: float
    """Their mean human score."""


@dataclass(frozen=True)
class Calibration:
    """A reliability table, and the judge's errors over all texts. Bins without texts are not in it."""

    bins: tuple[Bin, ...]
    error: float | None
    """The expected calibration error: the mean over texts of how far their bin's two means are apart; None without texts."""
    bias: Agreement
    """The mean of the judge's score less people's; its counts are those of the table."""
    absolute: Agreement
    """The mean absolute error."""


@dataclass(frozen=True)
class CalibrationSettings:
    """Options for the calibration of the judges' scores."""

    calibration: bool = False
    bins: int = 10

    def tables(
        self, judgements: Iterable[Judgements], bootstrap: Bootstrap | None, missing: Missing = LEFT_OUT
    ) -> tuple[Calibration, ...]:
        """The reliability table of each. Raises UsageError."""
        return tuple(calibration(one, self.bins, bootstrap=bootstrap, missing=missing) for one in judgements)


def calibration(
    judgements: Judgements, bins: int = 10, *, bootstrap: Bootstrap | None = None, missing: Missing = LEFT_OUT
) -> Calibration:
    """The reliability table over equally wide bins, from the least of the judge's scores to the greatest.

    Judge and people are taken to score on the same scale. A score that is missing counts as `missing` says. Raises
    UsageError for a number of bins that means nothing, and MissingExtra.
    """
    if bins < 1:
        raise UsageError(f"a reliability table has at least one bin, not {bins}")
    found = tuple(_bins(judgements, bins, missing))
    total = sum(one.n for one in found)
    bias, absolute = (
        agree(judgements, name, bootstrap=bootstrap, missing=missing)
        for name in ("bias", "mean-absolute-error")
    )
    error = sum(one.n * abs(one.score - one.human) for one in found) / total if total else None
    return Calibration(found, error, bias, absolute)


def _bins(judgements: Judgements, bins: int, missing: Missing) -> list[Bin]:
    table = columns(imputed(judgements, missing)[0])
    if not len(table):
        return []
    sides = [table.score, table.human]
    means, edges, place = stats.binned_statistic(table.score, sides, "mean", bins)
    counts = np.bincount(place, minlength=bins + 1)[1:]
    return [
        Bin(float(edges[k]), float(edges[k + 1]), int(counts[k]), *map(float, means[:, k]))
        for k in np.flatnonzero(counts)
    ]
