"""How far what debates cost is from what was foretold: the mean, and how wide it spreads, in a few numbers for any number of debates."""

from math import sqrt

_MARGIN = 1.05
"""How far above the mean a debate is taken to be, at least."""
_BESIDE = 2.0
"""How many deviations above it a debate beside others is taken to be."""
_DOUBT, _OF = 0.5, 2
"""Before there are many, they are taken to spread as if there were so many more, by this part of the mean: debates end a round earlier or later."""


class Factors:
    """What debates did cost, each as a multiple of what was foretold of it."""

    def __init__(self) -> None:
        self.count = 0
        self._mean = self._squares = 0.0

    def __repr__(self) -> str:
        return f"<Factors of {self.count}: {self._mean:.2f}>"

    def add(self, factor: float) -> None:
        """Take in one more (Welford's update)."""
        self.count += 1
        before = factor - self._mean
        self._mean += before / self.count
        self._squares += before * (factor - self._mean)

    @property
    def likely(self) -> float:
        """What the next is likely to be below: the mean and one deviation."""
        return _MARGIN * self._mean + sqrt(self._squares / self.count)

    @property
    def most(self) -> float:
        """What the next is hardly above, though the first to end may have been small ones."""
        doubt = _OF * (_DOUBT * self._mean) ** 2
        return _MARGIN * self._mean + _BESIDE * sqrt((self._squares + doubt) / (self.count + _OF))
