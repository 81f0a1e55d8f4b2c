"""The paired permutation test: what if, for all texts of a source, each judge's scores were the other's? (Deutsch, Dror
and Roth 2021, "A Statistical Analysis of Summarization Evaluation Metrics Using Resampling Methods", PERM-INPUTS.)
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agentdebate.extras import optional
from agentdebate.meta.arrays import EXTRA, Array, np
from agentdebate.meta.cells import Cells
from agentdebate.meta.columns import Columns
from agentdebate.meta.levels import Level, Members, groups
from agentdebate.meta.measures import CORRELATIONS, RANKED, Statistic, measure
from agentdebate.meta.places import Places
from agentdebate.meta.tie_calibration import calibrated
from agentdebate.meta.within import of_sources

Swapped = Literal["scores", "ranks"]
"""What judges swap: their scores as they are, or the ranks of those among all texts."""

_ROUNDING = 1e-12
"""Differences less than this apart are the same difference, summed in another order."""

_OVERLAP = 0.5
"""The share that two judges' ranges have to have in common, to be taken for the same scale."""

_CELLS = 1 << 19
"""About how many swapped scores are held at once."""


def swapped_as(first: Columns, second: Columns, statistic: Statistic, level: Level) -> Swapped:
    """What is swapped: scores, and ranks where the judges do not score on the same scale.

    Alpha and errors are about the scale itself, and within a source all scores are swapped at once, so that nothing of one
    scale comes among the other: both take scores as they are.
    """
    if not asks_for_a_scale(statistic, level) or on_one_scale(first, second):
        return "scores"
    return "ranks"


def asks_for_a_scale(statistic: Statistic, level: Level) -> bool:
    """Whether what is swapped goes by the judges' scales."""
    return level != "group" and (statistic in RANKED or statistic in CORRELATIONS)


def declared(first: Columns, second: Columns) -> bool:
    """Whether a scale is declared for both judges on which their scores are; else it goes by how far their scores reach."""
    return _ends(first) is not None and _ends(second) is not None


def on_one_scale(first: Columns, second: Columns) -> bool:
    """Whether two judges score on the same scale: as it is declared for both, or as their scores look."""
    if declared(first, second):
        return _ends(first) == _ends(second)
    return share_scale(first.score, second.score)


def _ends(table: Columns) -> tuple[float, float] | None:
    """The ends of the declared scale; None where none is, or scores lie beyond it, so that it cannot be theirs."""
    scale, score = table.scale, table.score
    if scale is None or (len(score) and (score.min() < scale.low or score.max() > scale.high)):
        return None
    return scale.low, scale.high


def share_scale(first: Array, second: Array) -> bool:
    """Whether two judges' scores look like those of one scale: their ranges have half of what they span together in common."""
    low, high = (np.array([end(one) for one in (first, second)]) for end in (np.min, np.max))
    whole, common = (
        high.max() / 2 - low.min() / 2,
        high.min() / 2 - low.max() / 2,
    )  # halves: the whole can be too large
    return bool(common >= _OVERLAP * whole)


def permuted(
    first: Columns, second: Columns, statistic: Statistic, level: Level, *, permutations: int, seed: int
) -> float | None:
    """The two-sided p of two judges of the same rows: the share of swaps with a difference at least as large.

    The difference as it is counts as one of the swaps, so p is never 0. None where there are no permutations, where
    there is but one source, and for pooled pairwise accuracy, whose epsilon would have to be found anew each time.
    """
    pooled_pairs = statistic == "pairwise-accuracy" and level == "pooled"
    if not permutations or pooled_pairs or first.places.sources < 2:  # noqa: PLR2004 - two can be swapped apart
        return None
    swaps = _Swaps(permutations, seed, first.places.sources)
    if level == "group":
        return _within_sources(first, second, statistic, swaps)
    return _across_sources(first, second, statistic, level, swaps)


@dataclass(frozen=True)
class _Swaps:
    """For which sources the judges are swapped, drawn some permutations at a time: the same ones in however many parts."""

    permutations: int
    seed: int
    sources: int

    def values(self, size: int, many: Callable[[Array], Array]) -> Array:
        """What `many` makes of every permutation, b x sources; `size` is about how many numbers it takes for one."""
        generator, found = np.random.default_rng(self.seed), [np.zeros(0)]
        step = max(1, _CELLS // max(size, self.sources))
        for start in range(0, self.permutations, step):
            count = min(step, self.permutations - start)
            found.append(many(generator.integers(0, 2, size=(count, self.sources)).astype(bool)))
        return np.concatenate(found)


def _within_sources(first: Columns, second: Columns, statistic: Statistic, swaps: _Swaps) -> float:
    """A mean over sources: to swap a source's scores is to turn its difference around."""
    apart = _values(first, statistic) - _values(second, statistic)
    found = swaps.values(len(apart), lambda turned: np.where(turned, -apart, apart).mean(axis=1))
    return share(found, float(apart.mean()))


def _values(table: Columns, statistic: Statistic) -> Array:
    epsilon = calibrated(groups(table, "group")) if statistic == "pairwise-accuracy" else 0.0
    return of_sources(table, measure(statistic, epsilon)).values


def _across_sources(
    first: Columns, second: Columns, statistic: Statistic, level: Level, swaps: _Swaps
) -> float:
    how = swapped_as(first, second, statistic, level)
    scores = tuple(table.score if how == "scores" else _ranks(table.score) for table in (first, second))
    both = _BothJudges(first, scores)
    value = both.of_systems(statistic) if level == "system" else both.pooled(statistic)

    def apart(turned: Array) -> Array:
        w = both.weights(turned)
        return value(w) - value(1 - w)

    seen = apart(np.zeros((1, first.places.sources), dtype=bool))
    return share(swaps.values(2 * len(first.rows), apart), float(seen[0]))


class _BothJudges:
    """The rows of two judges one below the other, of which weights take one judge's or the other's: sorted once for all swaps."""

    def __init__(self, table: Columns, scores: tuple[Array, Array]) -> None:
        self._source = table.places.source
        self._human, self._score = np.tile(table.human, 2), np.concatenate(scores)
        self._system, self._systems = np.tile(table.places.system, 2), table.places.systems

    def weights(self, turned: Array) -> Array:
        """Which rows are in the place of the first judge's, b x 2n: its own, and the other's where they are turned."""
        other = turned.take(self._source, axis=1)
        return np.concatenate([~other, other], axis=1).astype(float)

    def pooled(self, statistic: Statistic) -> Callable[[Array], Array]:
        """The statistic over the rows that weights take, b values."""
        nowhere = np.zeros(len(self._human), dtype=int)
        cells = Cells.of(self._human, self._score, Places(nowhere, nowhere))
        value = measure(statistic).of_weights(cells.first, cells.second)
        return lambda w: value(cells.sums(w))

    def of_systems(self, statistic: Statistic) -> Callable[[Array], Array]:
        """The statistic over the means of the systems' rows that weights take, b values."""
        members = Members(self._system)

        def value(w: Array) -> Array:
            human, score = (members.means(column, w) for column in (self._human, self._score))
            if statistic == "pairwise-accuracy":
                return np.array([_calibrated(*each) for each in zip(human, score, strict=True)])
            return measure(statistic).many(human, score, np.ones(human.shape))

        return value


def _calibrated(human: Array, score: Array) -> float:
    """Pairwise accuracy with its own epsilon."""
    return measure("pairwise-accuracy", calibrated([(human, score)])).of(human, score)


def _ranks(scores: Array) -> Array:
    """The rank of each score among all texts, n or b x n each by itself; equal ones share their mean rank."""
    return optional("scipy.stats", EXTRA).rankdata(scores, axis=-1)


def share(found: Array, observed: float) -> float:
    """The two-sided p: the share of swaps with a difference at least as large as the observed one, which is one of them."""
    # What is not defined after a swap counts against a difference.
    extreme = np.isnan(found) | (np.abs(found) >= abs(observed) - _ROUNDING)
    return float((1 + extreme.sum()) / (1 + len(found)))
