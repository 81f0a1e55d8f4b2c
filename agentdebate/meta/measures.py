"""The statistics of two columns of numbers by name, each as its library computes it.

Pairwise accuracy is with tie calibration (Deutsch, Foster and Freitag 2023, "Ties Matter", arXiv 2305.14324). Of each pair of texts
people prefer one or hold them equal, and so does the judge, who is taken to hold two texts equal where its scores differ by no more
than epsilon. Accuracy is the share of pairs on which both say the same (acc_eq, section 5); epsilon is the difference of scores that
makes it largest over all the data, the smallest where several do (section 6).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import isfinite, nan
from typing import Any, Literal

from agentdebate.meta.arrays import Array, inter_rater, np, stats

Distance = Literal["interval", "ordinal", "nominal"]
"""Distance of two ratings: by their values, by their ranks, or by whether they differ."""

ALL_PAIRS = 4_000_000
"""Pairs beyond which as many are drawn at random, and these stand for all."""
RESAMPLED_PAIRS = 200_000
"""Pairs beyond which as many are drawn, where those of many resamples are looked at."""
_SAME = 1e-9
"""Differences of scores are the same where they differ by less than this share of them: that is rounding."""


def alpha(ratings: Array, distance: Distance) -> float:
    """Krippendorff's alpha (Content Analysis, 2004, chapter 11); NaN where all ratings are the same.

    `ratings` has a row a unit and a column a rater, NaN where there is none. Units with fewer than two ratings have no say.
    The library of that name needs a matrix of all different values, which are thousands where a judge scores in fractions.
    """
    ratings = ratings[(~np.isnan(ratings)).sum(axis=1) > 1]
    there = ~np.isnan(ratings)
    size, known = there.sum(axis=1), ratings[there]
    if not known.size or np.ptp(known) == 0:
        return nan
    if distance == "nominal":
        same = (ratings[:, :, None] == ratings[:, None]).sum(axis=(1, 2))
        within = size - same / size
        among = known.size - (np.unique(known, return_counts=True)[1] ** 2).sum() / known.size
    else:
        # Ordinal distances are the differences of mean ranks, as Krippendorff defines them.
        if distance == "ordinal":
            known = stats.rankdata(known)
        points = np.zeros(ratings.shape)
        points[there] = known - known.mean()
        within, among = (points**2).sum(axis=1) - points.sum(axis=1) ** 2 / size, (points**2).sum()
    observed = (within * size / (size - 1)).sum() / known.size
    return float(1 - observed * (known.size - 1) / among)


def crossed(human: Array, choice: Array) -> Array:
    """Count how often each two labels met: people's by rows, the judge's by columns, all labels between the least and greatest."""
    low = min(human.min(), choice.min())
    rows, columns = (human - low).astype(int), (choice - low).astype(int)
    size = int(max(rows.max(), columns.max())) + 1
    return np.bincount(rows * size + columns, minlength=size**2).reshape(size, size)


def _kappa(human: Array, choice: Array, weights: str | None) -> Any:
    return inter_rater.cohens_kappa(crossed(human, choice), wt=weights, return_results=False)


def _alpha(human: Array, score: Array, distance: Distance) -> float:
    return alpha(np.stack([human, score], axis=-1), distance)


def _pearson(human: Array, score: Array) -> float:
    # As scipy's, without its p, which takes five times as long as the ranks of a source.
    with np.errstate(all="ignore"):  # scores may be nearly constant
        return float(np.corrcoef(human, score)[0, 1])


_Of = Callable[[Array, Array], Any]
"""Computes a statistic of people's numbers and the judge's, n each."""

CORRELATIONS: Mapping[str, _Of] = {
    "pearson": _pearson,
    "spearman": lambda human, score: _pearson(stats.rankdata(human), stats.rankdata(score)),
    "kendall-b": lambda human, score: stats.kendalltau(human, score).statistic,
    "kendall-c": lambda human, score: stats.kendalltau(human, score, variant="c").statistic,
}
"""Statistics that are not defined where one side is constant."""
_OF_RANKS = CORRELATIONS.keys() - {"pearson"}
PAIRWISE = "pairwise-accuracy"
ALPHAS: Mapping[str, Distance] = {"alpha": "interval", "alpha-ordinal": "ordinal", "alpha-nominal": "nominal"}
"""Krippendorff's, with their distances; of choices the first two take the labels in their order."""
_ERRORS: Mapping[str, _Of] = {
    "bias": lambda human, score: (score - human).mean(),
    "mean-absolute-error": lambda human, score: np.abs(score - human).mean(),
    "root-mean-square-error": lambda human, score: np.sqrt(((score - human) ** 2).mean()),
}
"""Bias is the mean of the judge's score less people's."""
KAPPAS: Mapping[str, str | None] = {"kappa": None, "kappa-linear": "linear", "kappa-quadratic": "quadratic"}
"""Cohen's kappas, with their weights: how many labels apart two choices are, in the order of the labels."""
_VALUES: Mapping[str, _Of] = {
    **CORRELATIONS,
    **{name: partial(_alpha, distance=distance) for name, distance in ALPHAS.items()},
    **_ERRORS,
    **{name: partial(_kappa, weights=weights) for name, weights in KAPPAS.items()},
    "accuracy": lambda human, score: (human == score).mean(),
}

OF_SCORES = (*CORRELATIONS, PAIRWISE, *ALPHAS, *_ERRORS)
"""Statistics of scores."""
OF_CHOICES = ("accuracy", *KAPPAS, *ALPHAS)
"""Statistics of choices, and of scores that are whole numbers."""
STATISTICS = tuple(dict.fromkeys((*OF_SCORES, *OF_CHOICES)))
"""Every statistic that can be asked for."""
ON_ONE_SCALE = frozenset({"alpha", *_ERRORS})
"""The statistics that take judge and people to score on one scale."""
ORDERED = frozenset({"alpha", "alpha-ordinal", "kappa-linear", "kappa-quadratic"})
"""Statistics of choices that ask how far apart two labels are."""


@dataclass(frozen=True)
class Measure:
    """One statistic of people's scores and the judge's; `epsilon` is that of pairwise accuracy."""

    name: str
    epsilon: float = 0.0

    def undefined(self, human: Array, score: Array) -> str | None:
        """Reason why the statistic has no value; None where it has one."""
        if len(human) < (2 if self.name in CORRELATIONS or self.name == PAIRWISE else 1):
            return "fewer than two rows"
        if self.name in CORRELATIONS:
            sides = {"human": human, "predicted": score}
            constant = [name for name, side in sides.items() if np.ptp(side) == 0]
            return f"constant {' and '.join(constant)} scores" if constant else None
        by_chance = self.name in KAPPAS or self.name in ALPHAS
        return "all scores equal" if by_chance and np.ptp([human, score]) == 0 else None

    def of(self, human: Array, score: Array) -> float:
        """The value of n scores each; NaN where it is not defined."""
        if self.undefined(human, score):
            return nan
        if self.name == PAIRWISE:
            return float(_alike(human, score, self.epsilon, _pairs(len(human), ALL_PAIRS)).mean())
        value = float(_VALUES[self.name](human, score))
        return value if isfinite(value) else nan

    def drawn(self, human: Array, score: Array) -> Callable[[Array], float]:
        """The value over rows that were drawn, by their numbers. A row that was drawn twice makes no pair with itself."""
        if self.name in _OF_RANKS:  # whole numbers of two bytes are sorted three times as fast
            human, score = (
                np.unique(one, return_inverse=True)[1].astype(np.min_scalar_type(len(one)))
                for one in (human, score)
            )
        if self.name != PAIRWISE:
            return lambda rows: self.of(human[rows], score[rows])
        first, second = _pairs(len(human), RESAMPLED_PAIRS)
        alike = _alike(human, score, self.epsilon, (first, second))

        def value(rows: Array) -> float:
            times = np.bincount(rows, minlength=len(human))
            weight = times[first] * times[second]
            return float((weight * alike).sum() / weight.sum()) if weight.any() else nan

        return value


def calibrated(groups: Sequence[tuple[Array, Array]]) -> float:
    """The epsilon that makes the mean accuracy over groups largest: (people's scores, the judge's), n numbers each."""
    parts = [part for part in groups if len(part[0]) > 1]
    share = ALL_PAIRS / max(pairs_in(*(len(human) for human, _ in parts)), ALL_PAIRS)
    gaps, gains = [np.zeros(1)], [np.zeros(1)]
    for human, score in parts:
        first, second = _pairs(len(human), max(1, int(share * pairs_in(len(human)))))
        people, apart = np.sign(human[first] - human[second]), score[first] - score[second]
        # A pair that people hold equal is right from the epsilon on that its scores differ by; any other pair on which both
        # agree is right below it. So one pass over the differences in order gives the accuracy at every epsilon.
        gaps.append(np.abs(apart))
        gains.append(np.where(people == 0, 1.0, -1.0 * (people == np.sign(apart))) / len(first))
    gap, gain = np.concatenate(gaps), np.concatenate(gains)
    order = np.argsort(gap, kind="stable")
    gap, right = gap[order], np.cumsum(gain[order])
    last = np.append(gap[1:] > gap[:-1] * (1 + _SAME), True)  # the last of those that are the same
    best = np.flatnonzero(last)[np.argmax(np.round(right[last], 12))]
    return float(gap[best])


def pairs_in(*sizes: int) -> int:
    """Count the pairs within groups of these sizes."""
    return sum(size * (size - 1) // 2 for size in sizes)


def sampled_pairs(*sizes: int) -> int:
    """Number of pairs that are drawn from all within groups of these sizes; 0 where all count."""
    return ALL_PAIRS if pairs_in(*sizes) > ALL_PAIRS else 0


def _pairs(count: int, most: int) -> tuple[Array, Array]:
    """The numbers of the two rows of every pair of different rows; of `most` that are drawn, where there are more."""
    if pairs_in(count) <= most:
        return np.triu_indices(count, 1)  # type: ignore[no-any-return]  # two arrays
    generator = np.random.default_rng(0)
    first = generator.integers(0, count, most)
    return first, (first + generator.integers(1, count, most)) % count


def _alike(human: Array, score: Array, epsilon: float, pairs: tuple[Array, Array]) -> Array:
    """Tell whether people and judge say the same of each pair."""
    first, second = pairs
    people, apart = np.sign(human[first] - human[second]), score[first] - score[second]
    return people == np.where(np.abs(apart) <= epsilon * (1 + _SAME), 0, np.sign(apart))
