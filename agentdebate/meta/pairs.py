"""Pairwise accuracy with tie calibration (Deutsch, Foster and Freitag 2023, "Ties Matter", arXiv 2305.14324).

Of each pair of texts people prefer one or hold them equal, and so does the judge, who is taken to hold two texts equal where its
scores differ by no more than epsilon. Accuracy is the share of pairs on which both say the same (acc_eq, section 5); epsilon is
the difference of scores that makes it largest over all the data, the smallest where several do (section 6).
"""

from collections.abc import Callable, Sequence

from agentdebate.meta.arrays import Array, np

MOST = 4_000_000
"""Pairs beyond which as many are drawn at random, and these stand for all."""
RESAMPLED = 200_000
"""The same where the pairs of many resamples are looked at."""
SAME = 1e-9
"""Differences of scores are the same where they differ by less than this share of them: that is rounding."""
_SEED = 0


def pairs_of(count: int, most: int) -> tuple[Array, Array]:
    """The numbers of the two rows of every pair of different rows; of `most` that are drawn, where there are more."""
    if count * (count - 1) // 2 <= most:
        return np.triu_indices(count, 1)  # type: ignore[no-any-return]  # two arrays
    generator = np.random.default_rng(_SEED)
    first = generator.integers(0, count, most)
    return first, (first + generator.integers(1, count, most)) % count


def pairs_in(sizes: Sequence[int]) -> int:
    """How many pairs there are within groups of these sizes."""
    return sum(size * (size - 1) // 2 for size in sizes)


def accuracy(human: Array, score: Array, epsilon: float) -> float:
    """The share of pairs on which both say the same; NaN where there are none."""
    alike = _alike(human, score, epsilon, pairs_of(len(human), MOST))
    return float(alike.mean()) if len(alike) else float("nan")


def drawn_accuracy(human: Array, score: Array, epsilon: float) -> Callable[[Array], float]:
    """Accuracy over rows that were drawn, by their numbers. What was drawn twice makes no pair with itself."""
    first, second = pairs_of(len(human), RESAMPLED)
    alike = _alike(human, score, epsilon, (first, second))

    def value(rows: Array) -> float:
        times = np.bincount(rows, minlength=len(human))
        weight = times[first] * times[second]
        total = weight.sum()
        return float((weight * alike).sum() / total) if total else float("nan")

    return value


def calibrated(groups: Sequence[tuple[Array, Array]]) -> float:
    """The epsilon that makes the mean accuracy over groups largest: (people's scores, the judge's), n numbers each."""
    parts = [part for part in groups if len(part[0]) > 1]
    total = pairs_in([len(human) for human, _ in parts])
    gaps, gains = [np.zeros(1)], [np.zeros(1)]
    for human, score in parts:
        share = min(1.0, MOST / total)
        first, second = pairs_of(len(human), max(1, int(share * pairs_in([len(human)]))))
        people, apart = np.sign(human[first] - human[second]), score[first] - score[second]
        # A pair that people hold equal is right from the epsilon on that its scores differ by; any other pair on which both
        # agree is right below it. So one pass over the differences in order gives the accuracy at every epsilon.
        gaps.append(np.abs(apart))
        gains.append(np.where(people == 0, 1.0, -1.0 * (people == np.sign(apart))) / len(first))
    gap, gain = np.concatenate(gaps), np.concatenate(gains)
    order = np.argsort(gap, kind="stable")
    gap, right = gap[order], np.cumsum(gain[order])
    last = np.append(gap[1:] > gap[:-1] * (1 + SAME), True)  # the last of those that are the same
    best = np.flatnonzero(last)[np.argmax(np.round(right[last], 12))]
    return float(gap[best])


def _alike(human: Array, score: Array, epsilon: float, pairs: tuple[Array, Array]) -> Array:
    """Whether people and judge say the same of each pair."""
    first, second = pairs
    people, apart = np.sign(human[first] - human[second]), score[first] - score[second]
    return people == np.where(np.abs(apart) <= epsilon * (1 + SAME), 0, np.sign(apart))
