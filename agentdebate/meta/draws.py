"""Resamples of sources and systems: drawn a part at a time and computed on several threads, so that their number costs no memory."""

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

from agentdebate.meta.arrays import Array, np
from agentdebate.meta.places import Places

_CELLS = 1 << 17
"""About how many numbers a part of the resamples takes up: few enough for a processor's cache."""

_THREADS = 4
"""More wait for the memory."""


@dataclass(frozen=True)
class Draws:
    """Which units are drawn in each resample. The same seed and units are the same draws, in however many parts."""

    resamples: int
    seed: int
    drawn_sources: int
    """How many sources there are to draw; 0 where all are kept as they are."""
    drawn_systems: int

    def __len__(self) -> int:
        return self.resamples

    @property
    def sources(self) -> Array | None:
        """How often each source was drawn in each resample, b x sources; None where all are kept."""
        return next(self._parts(max(1, self.resamples))).sources_counted if self.drawn_sources else None

    @property
    def systems(self) -> Array | None:
        """How often each system was drawn in each resample, b x systems; None where all are kept."""
        return next(self._parts(max(1, self.resamples))).systems if self.drawn_systems else None

    def values(self, size: int, many: Callable[["Drawn"], Array]) -> Array:
        """What `many` makes of every resample, of some at a time; `size` is about how many numbers it takes for one."""
        step = max(1, _CELLS // max(size, self.drawn_sources, 1))
        if step >= self.resamples:
            return many(next(self._parts(step)))
        threads = max(1, min(_THREADS, os.cpu_count() or 1))
        found: list[Array] = []
        waiting: deque[Future[Array]] = deque()
        with ThreadPoolExecutor(threads, thread_name_prefix="agentdebate-resamples") as pool:
            for part in self._parts(step):
                waiting.append(pool.submit(many, part))
                if len(waiting) > threads:
                    found.append(waiting.popleft().result())
            found.extend(one.result() for one in waiting)
        return np.concatenate(found)

    def _parts(self, step: int) -> Iterator["Drawn"]:
        of_sources, of_systems = self._generators(step)
        for start in range(0, self.resamples, step):
            count = min(step, self.resamples - start)
            yield Drawn(
                count,
                _drawn(of_sources, count, self.drawn_sources),
                _counts(_drawn(of_systems, count, self.drawn_systems), self.drawn_systems),
            )

    def _generators(self, step: int) -> tuple[Array, Array]:
        """Where sources and systems are drawn from: systems come after the sources of all resamples."""
        of_sources, of_systems = (np.random.default_rng(self.seed) for _ in range(2))
        if self.drawn_systems:
            for start in range(0, self.resamples, step):
                _drawn(of_systems, min(step, self.resamples - start), self.drawn_sources)
        return of_sources, of_systems


@dataclass(frozen=True)
class Drawn:
    """Some of the resamples."""

    count: int
    sources: Array | None
    """The sources that were drawn, b x sources; None where all are kept as they are."""
    systems: Array | None
    """How often each system was drawn, b x systems; None where all are kept as they are."""

    def __len__(self) -> int:
        return self.count

    @property
    def sources_counted(self) -> Array | None:
        """How often each source was drawn, b x sources; None where all are kept."""
        return None if self.sources is None else _counts(self.sources, self.sources.shape[1])

    def of_rows(self, places: Places) -> Array:
        """How often each row was drawn, b x n."""
        if self.systems is None:
            return self.of_sources(places.source)
        return self.of_sources(places.source) * self.of_systems(places.system)

    def of_sources(self, which: Array) -> Array:
        """How often the source of each row was drawn, b x n."""
        return _taken(self.sources_counted, len(self), which)

    def of_systems(self, which: Array) -> Array:
        """How often the system of each row was drawn, b x n (or of whatever shape `which` is)."""
        return _taken(self.systems, len(self), which)

    def sorted_into(self, bins: Array, count: int) -> Array:
        """How many of the drawn sources are in each of `count` bins, b x count; `bins` says which each source is in."""
        drawn = self.sources if self.sources is not None else np.zeros((len(self), 0), dtype=int)
        # Few bins take a byte: then what is looked up for each source stays in the processor's cache.
        bins = bins.astype(np.min_scalar_type(max(count - 1, 0)))
        return np.stack([np.bincount(bins.take(one), minlength=count) for one in drawn]).astype(float)


def _drawn(generator: Array, count: int, units: int) -> Array | None:
    return generator.integers(0, units, size=(count, units)) if units else None


def _counts(drawn: Array | None, units: int) -> Array | None:
    if drawn is None:
        return None
    return np.stack([np.bincount(one, minlength=units) for one in drawn]).astype(float)


def _taken(counts: Array | None, count: int, which: Array) -> Array:
    return np.ones((count, *which.shape)) if counts is None else counts.take(which, axis=1)
