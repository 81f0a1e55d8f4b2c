"""How long answers take: distributions that can be repeated, for they are functions of a share from 0 to 1."""

import math
from collections.abc import Callable, Mapping
from functools import partial
from statistics import NormalDist

from agentdebate.errors import UsageError

Latency = Callable[[float], float]
"""From a share, which is evenly spread over 0 to 1, to seconds."""

_LEAST = 1e-9
"""The normal distribution has no value at 0 and 1."""


def constant(seconds: float) -> Latency:
    """Always the same. Raises UsageError for less than nothing."""
    _check(seconds >= 0, "a latency is 0 seconds or more")
    return partial(_constant, seconds)


def uniform(low: float, high: float) -> Latency:
    """Anything between two ends, in seconds. Raises UsageError."""
    _check(0 <= low <= high, "the ends of a uniform latency are 0 or more, the lower one first")
    return partial(_uniform, low, high)


def lognormal(median: float, sigma: float = 0.5) -> Latency:
    """Mostly near the median, in seconds, and at times far above it, as with real endpoints.

    `sigma` is the standard deviation of its logarithm. Raises UsageError.
    """
    _check(median > 0 and sigma >= 0, "a lognormal latency has a median above 0 and a sigma of 0 or more")
    return partial(_lognormal, median, sigma)


def latency(written: float | str) -> Latency:
    """What is written as seconds, "0.2", or as a name with numbers: "uniform:0.1,0.3", "lognormal:0.2,0.5".

    Raises UsageError.
    """
    name, _, given = str(written).rpartition(":")
    try:
        numbers = [float(number) for number in given.split(",")]
        return _NAMED[name](*numbers)
    except (ValueError, KeyError, TypeError) as error:
        raise UsageError(
            f"{written!r} is not a latency; write seconds, or uniform:LOW,HIGH, or lognormal:MEDIAN,SIGMA"
        ) from error


def _constant(seconds: float, _: float) -> float:
    return seconds


def _uniform(low: float, high: float, share: float) -> float:
    return low + (high - low) * share


def _lognormal(median: float, sigma: float, share: float) -> float:
    return median * math.exp(sigma * NormalDist().inv_cdf(min(max(share, _LEAST), 1 - _LEAST)))


_NAMED: Mapping[str, Callable[..., Latency]] = {
    "": constant,
    "constant": constant,
    "uniform": uniform,
    "lognormal": lognormal,
}


def _check(holds: bool, rule: str) -> None:
    if not holds:
        raise UsageError(rule)
