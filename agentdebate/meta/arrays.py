"""NumPy, which is an optional dependency: imported when the first of its functions is used."""

from typing import Any

from agentdebate.extras import optional

EXTRA = "agree"
"""The extra that brings what statistics of agreement are computed with."""

Array = Any
"""A NumPy array. Docstrings say its shape: b resamples, n rows, u units."""


class _NumPy:
    """Raises MissingExtra where NumPy is not installed."""

    def __getattr__(self, name: str) -> Any:
        return getattr(optional("numpy", EXTRA), name)


np: Any = _NumPy()
