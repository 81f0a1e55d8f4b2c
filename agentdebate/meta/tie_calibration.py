"""Tie calibration (Deutsch, Foster and Freitag 2023, "Ties Matter", arXiv 2305.14324, section 6).

Epsilon is the difference of scores up to which a judge is taken to hold two texts equal: the one that makes pairwise accuracy
largest over all the data, the smallest where several do. Up to some million pairs every difference is tried. Beyond, scores
are sorted into 100,000 steps, and pairs are counted by how many steps they are apart, in n log n time.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.cells import Cells
from agentdebate.meta.pair_accuracy import SAME
from agentdebate.meta.places import Places

_MOST = 4_000_000
"""Pairs up to which every difference is tried as epsilon."""

_MANY = 500
"""Texts from which on those that are scored alike are put together."""

_STEPS = 100_000
"""The steps from the least score to the greatest, where pairs are too many."""

_BLOCK = 512
"""Texts whose pairs are counted one by one; pairs of more are counted by Fourier transforms."""

_PART = 1 << 20
"""About how many pairs are held at once."""


@dataclass(frozen=True)
class _Scores:
    """The scores of one group, each pair of scores once, in the order of people's."""

    human: Array
    score: Array
    times: Array
    """How many texts have them."""

    @classmethod
    def of(cls, human: Array, score: Array) -> "_Scores":
        if len(human) < _MANY:
            order = np.argsort(human, kind="stable")
            return cls(human[order], score[order], np.ones(len(human)))
        cells = Cells.of(human, score, Places(*(np.zeros(len(human), dtype=int) for _ in range(2))))
        return cls(cells.first, cells.second, np.diff(cells.starts, append=len(human)).astype(float))

    @property
    def pairs(self) -> float:
        """How many pairs of texts there are."""
        total = self.times.sum()
        return float(total * (total - 1) / 2)


def calibrated(groups: Iterable[tuple[Array, Array]]) -> float:
    """The epsilon that makes the mean accuracy over groups largest: (people's scores, the judge's), n numbers each.

    One group is the pooled variant, which compares every text with every other; a group a source compares texts of the
    same source only. Beyond 4 million pairs epsilon is the best one to within two hundred-thousandths of the range of scores.
    """
    parts = [_Scores.of(human, score) for human, score in groups if len(human) > 1]
    if sum(len(one.score) * (len(one.score) - 1) / 2 for one in parts) <= _MOST:
        return _best_difference(parts)
    step = max(float(np.ptp(one.score)) for one in parts) / _STEPS
    return _largest_difference(parts, _best_step(parts, step) * step) if step else 0.0


def _best_difference(parts: Sequence[_Scores]) -> float:
    """The best of all differences."""
    # A pair that people hold equal is right from the epsilon on that its scores differ by; any other pair on which both
    # agree is right below it. So one pass over the differences in order gives the accuracy at every epsilon.
    gaps, gains = [np.zeros(1)], [np.zeros(1)]
    for part in parts:
        for gap, gain in _changes(part):
            values, place = np.unique(gap, return_inverse=True)
            gaps.append(values)
            gains.append(np.bincount(place, weights=gain, minlength=len(values)))
    gap, gain = np.concatenate(gaps), np.concatenate(gains)
    order = np.argsort(gap, kind="stable")
    gap, total = gap[order], np.cumsum(gain[order])
    last = np.append(gap[1:] > gap[:-1] * (1 + SAME), True)  # the last of those that are the same
    best = np.flatnonzero(last)[np.argmax(np.round(total[last], 12))]
    return float(gap[best])


def _changes(part: _Scores) -> Iterator[tuple[Array, Array]]:
    """For each pair that epsilon decides about: where accuracy changes, and by how much. In parts, as pairs are many."""
    human, score, times, count = part.human, part.score, part.times, len(part.human)
    yield (
        np.zeros(1),
        np.array([(times * (times - 1) / 2).sum() / part.pairs]),
    )  # texts that are the same to both
    rows = max(1, _PART // count)
    for start in range(0, count, rows):
        first, second = np.nonzero(np.arange(start, min(start + rows, count))[:, None] < np.arange(count))
        first = first + start
        preferred = np.sign(human[first] - human[second])
        difference = score[first] - score[second]
        gain = np.where(preferred == 0, 1.0, -1.0 * (preferred == np.sign(difference)))
        counts = gain != 0
        yield np.abs(difference)[counts], (gain * times[first] * times[second])[counts] / part.pairs


def _best_step(parts: Sequence[_Scores], step: float) -> int:
    """How many steps epsilon has, counting no pair as right that might be wrong."""
    # Scores that lie d steps apart differ by more than d - 1 steps and less than d + 1.
    right = np.zeros(_STEPS + 2)
    for part in parts:
        equal, preferred = (np.cumsum(counted) for counted in _steps_apart(part, step))
        right[1:] += equal[:-2] / part.pairs
        right += (preferred[-1] - preferred[1:]) / part.pairs
    return int(np.argmax(np.round(right, 12)))


def _steps_apart(part: _Scores, step: float) -> tuple[Array, Array]:
    """How many pairs lie so many steps apart: those that people hold equal, and those that both order alike."""
    place = np.minimum(((part.score - part.score.min()) / step).astype(int), _STEPS)
    blocks = [(part.human[run], place[run], part.times[run]) for run in _blocks(part.human)]
    equal, preferred = np.zeros(_STEPS + 3), _across(blocks)
    for human, own, times in blocks:
        if len(own) > _BLOCK:
            equal += _among_equals(own, times)
        else:
            _count_pairs(human, own, times, (equal, preferred))
    return equal, preferred


def _blocks(human: Array) -> list[slice]:
    """Runs of rows in the order of people's scores: all that have the same one, or few that have several."""
    edges = np.flatnonzero(np.diff(human)) + 1
    found, begin = [], 0
    for start, stop in pairwise([0, *edges.tolist(), len(human)]):
        if begin < start and stop - begin > _BLOCK:
            found.append(slice(begin, start))
            begin = start
    return [*found, slice(begin, len(human))]


def _across(blocks: Sequence[tuple[Array, Array, Array]]) -> Array:
    """Pairs of texts of two blocks, of which the one that people put higher has the score that many steps higher."""
    if len(blocks) == 1:
        return np.zeros(_STEPS + 3)
    below, found = 0, 0
    for _, place, times in blocks:
        own = _spectrum(place, times)
        found = found + np.conj(below) * own
        below = below + own
    return _lags(found)


def _among_equals(place: Array, times: Array) -> Array:
    """Pairs of texts that people hold equal, by how many steps their scores lie apart."""
    found = _lags(np.abs(_spectrum(place, times)) ** 2)
    found[0] = (found[0] - times.sum()) / 2  # each pair twice, and each text with itself
    return found


def _count_pairs(human: Array, place: Array, times: Array, counts: tuple[Array, Array]) -> None:
    """Count the pairs of a few texts, one by one: those that people hold equal, and those that both order alike."""
    equal, preferred = counts
    equal[0] += (times * (times - 1) / 2).sum()  # texts that are the same to both
    first, second = np.triu_indices(len(place), 1)
    apart, weight = place[second] - place[first], times[first] * times[second]
    same = human[first] == human[second]
    for found, which in ((equal, same), (preferred, ~same & (apart >= 0))):
        np.add(found, np.bincount(np.abs(apart[which]), weight[which], minlength=len(found)), out=found)


def _spectrum(place: Array, times: Array) -> Array:
    """The Fourier transform of how many texts have each place."""
    length = 1 << (2 * _STEPS + 3).bit_length()  # long enough that no pair is counted around the end
    return np.fft.rfft(np.bincount(place, times, minlength=_STEPS + 1), length)


def _lags(spectrum: Array) -> Array:
    """How many pairs lie 0, 1, 2 steps apart and so on, from the transform of that."""
    return np.rint(np.fft.irfft(spectrum)[: _STEPS + 3])


def _largest_difference(parts: Sequence[_Scores], most: float) -> float:
    """The largest difference of two scores that is no more than this one."""
    found = 0.0
    for part in parts:
        known = np.unique(part.score)
        last = np.searchsorted(known, known + most * (1 + SAME), side="right") - 1
        found = max(found, float((known[last] - known).max()))
    return found
