"""Calibration of a judge's scores: people's mean score of the texts that it scores alike."""

from collections.abc import Iterator
from dataclasses import dataclass

from agentdebate.errors import UsageError
from agentdebate.meta.arrays import np, stats
from agentdebate.meta.columns import Columns, columns
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judgements import Judgements


@dataclass(frozen=True, slots=True)
class Bin:
    """The texts whose scores lie between two bounds; the upper one belongs to the last bin only."""

    low: float
    high: float
    n: int
    score: float
    """Mean predicted score."""
    human: float
    """Mean human score."""


@dataclass(frozen=True)
class Calibration:
    """A reliability table. Bins without texts are not in it."""

    judge: str
    aspect: str
    bins: tuple[Bin, ...]
    error: float | None
    """The expected calibration error: the mean over texts of how far their bin's two means are apart; None without texts."""
    n: int
    missing: int
    """Rows that are in no bin."""


def calibration(judgements: Judgements, bins: int = 10, *, missing: Missing = LEFT_OUT) -> Calibration:
    """The reliability table over equally wide bins, from the least of the judge's scores to the greatest.

    Judge and people are taken to score on the same scale. A score that is missing counts as `missing` says. Raises
    UsageError for a number of bins that means nothing, and MissingExtra.
    """
    if bins < 1:
        raise UsageError(f"a reliability table has at least one bin, not {bins}")
    table = columns(imputed(judgements, missing)[0])
    found = tuple(_bins(table, bins)) if len(table) else ()
    error = sum(one.n * abs(one.score - one.human) for one in found) / len(table) if found else None
    missed = sum(table.missing.values())
    return Calibration(judgements.judge, judgements.aspect, found, error, len(table), missed)


def _bins(table: Columns, bins: int) -> Iterator[Bin]:
    sides = [table.score, table.human]
    means, edges, place = stats.binned_statistic(table.score, sides, "mean", bins)
    for one, n in enumerate(np.bincount(place, minlength=bins + 1)[1:]):
        if n:
            yield Bin(float(edges[one]), float(edges[one + 1]), int(n), *means[:, one].tolist())
