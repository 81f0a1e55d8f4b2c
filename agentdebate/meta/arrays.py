"""NumPy, which is an optional dependency: imported when the first of its functions is used."""

from typing import Any

from agentdebate.extras import optional

EXTRA = "agree"
"""The extra that brings what statistics of agreement are computed with."""

Array = Any
"""A NumPy array. Docstrings say its shape: n rows, u units, r raters."""


class _Library:
    """A module that is imported at the first use. Raises MissingExtra where it is not installed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(optional(self._name, EXTRA), name)


np: Any = _Library("numpy")
stats: Any = _Library("scipy.stats")
inter_rater: Any = _Library("statsmodels.stats.inter_rater")
proportion: Any = _Library("statsmodels.stats.proportion")
multitest: Any = _Library("statsmodels.stats.multitest")
