"""Calibration of a judge's scores: people's mean score of the texts that it scores alike."""

from collections.abc import Iterable
from dataclasses import dataclass

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.arrays import Array, np
from agentdebate.meta.bootstrap import Bootstrap
from agentdebate.meta.columns import columns
from agentdebate.meta.imputation import LEFT_OUT, Missing, imputed
from agentdebate.meta.judgements import Judgements, is_score


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
    """A reliability table. Bins without texts are not in it."""

    judge: str
    aspect: str
    bins: tuple[Bin, ...]
    error: float | None
    """The expected calibration error: the mean over texts of how far their bin's two means are apart; None without texts."""
    n: int
    missing: int
    """Rows that are in no bin."""
    texts: int = 0
    """Texts that people scored."""
    unjudged: int = 0
    """Number of these without a score of the judge, whatever a missing score counts as."""

    @property
    def share(self) -> float:
        """The share of people's texts without a score of the judge's, from 0 to 1."""
        return self.unjudged / self.texts if self.texts else 0.0


@dataclass(frozen=True)
class Calibrated:
    """A reliability table, with the judge's bias and mean absolute error over all texts."""

    table: Calibration
    bias: Agreement
    error: Agreement
    """The mean absolute error."""


@dataclass(frozen=True)
class CalibrationSettings:
    """Options for the calibration of the judges' scores."""

    calibration: bool = False
    bins: int = 10

    def tables(
        self, judgements: Iterable[Judgements], bootstrap: Bootstrap | None, missing: Missing = LEFT_OUT
    ) -> tuple[Calibrated, ...]:
        """The reliability table of each. Raises UsageError."""
        return tuple(
            Calibrated(
                calibration(one, self.bins, missing=missing),
                agree(one, "bias", bootstrap=bootstrap, missing=missing),
                agree(one, "mean-absolute-error", bootstrap=bootstrap, missing=missing),
            )
            for one in judgements
        )


def calibration(
    judgements: Judgements,
    bins: int = 10,
    *,
    missing: Missing = LEFT_OUT,
) -> Calibration:
    """The reliability table over equally wide bins, from the least of the judge's scores to the greatest.

    Judge and people are taken to score on the same scale. A score that is missing counts as `missing` says. Raises
    UsageError for a number of bins that means nothing, and MissingExtra.
    """
    table = columns(imputed(judgements, missing)[0])
    lacking = sum(table.missing.values())
    scored = [row for row in judgements.rows if is_score(row.human)]
    counts = len(scored), sum(not is_score(row.score) for row in scored)
    if bins < 1:
        raise UsageError(f"a reliability table has at least one bin, not {bins}")
    if not len(table.score):
        return Calibration(judgements.judge, judgements.aspect, (), None, 0, lacking, *counts)
    edges = np.linspace(table.score.min(), table.score.max(), bins + 1)
    place = np.clip(np.searchsorted(edges, table.score, side="right") - 1, 0, bins - 1)
    found = tuple(
        _bin(edges, number, table.score, table.human, place == number) for number in np.unique(place)
    )
    error = sum(one.n * abs(one.score - one.human) for one in found) / len(table.score)
    return Calibration(judgements.judge, judgements.aspect, found, error, len(table.score), lacking, *counts)


def _bin(edges: Array, number: int, score: Array, human: Array, within: Array) -> Bin:
    return Bin(
        float(edges[number]),
        float(edges[number + 1]),
        int(within.sum()),
        float(score[within].mean()),
        float(human[within].mean()),
    )
