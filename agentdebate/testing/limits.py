"""Rate limits as endpoints have them: buckets that fill up again, and the headers that tell of them."""

import math
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from agentdebate.errors import UsageError

MINUTE = 60.0


class Bucket:
    """Holds at most what a minute allows, is full at first, and fills up evenly.

    `left` is what is in it. Raises UsageError for a limit that lets nothing through.
    """

    def __init__(self, per_minute: float, clock: Callable[[], float] = time.monotonic) -> None:
        if not (math.isfinite(per_minute) and per_minute > 0):
            raise UsageError("a rate limit is a number above 0")
        self.per_minute, self.left = per_minute, per_minute
        self._clock, self._filled = clock, clock()

    def wait(self, amount: float) -> float:
        """Seconds until so much can be taken; infinite where the bucket is too small for it."""
        self._fill()
        if amount > self.per_minute:
            return math.inf
        return max(amount - self.left, 0.0) * MINUTE / self.per_minute

    def take(self, amount: float) -> None:
        """Take so much out."""
        self._fill()
        self.left -= amount

    @property
    def reset(self) -> float:
        """Seconds until it is full."""
        self._fill()
        return (self.per_minute - self.left) * MINUTE / self.per_minute

    def _fill(self) -> None:
        now = self._clock()
        self.left = min(self.left + (now - self._filled) * self.per_minute / MINUTE, self.per_minute)
        self._filled = now


class Limits:
    """Requests and tokens a minute, each with or without a limit."""

    def __init__(
        self,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        given = {"requests": requests_per_minute, "tokens": tokens_per_minute}
        self._buckets = {name: Bucket(rate, clock) for name, rate in given.items() if rate is not None}

    def admit(self, tokens: int) -> tuple[str, float] | None:
        """Let a call of so many tokens through and return None; or say which limit it exceeds, and the seconds to wait."""
        costs = {"requests": 1, "tokens": tokens}
        waits = {name: bucket.wait(costs[name]) for name, bucket in self._buckets.items()}
        worst = max(waits, key=waits.__getitem__, default=None)
        if worst is not None and waits[worst] > 0:
            return worst, waits[worst]
        for name, bucket in self._buckets.items():
            bucket.take(costs[name])
        return None

    def headers(self) -> dict[str, str]:
        """The x-ratelimit headers of an answer, durations as OpenAI writes them: 20ms, 1.5s, 1m0s."""
        told = {}
        for name, bucket in self._buckets.items():
            told[f"x-ratelimit-limit-{name}"] = f"{bucket.per_minute:.0f}"
            told[f"x-ratelimit-reset-{name}"] = duration(bucket.reset)
            told[f"x-ratelimit-remaining-{name}"] = str(max(math.floor(bucket.left), 0))
        return told

    def moments(self, naming: str) -> dict[str, str]:
        """The same with moments as resets (RFC 3339), under such names as "anthropic-ratelimit-{}-{}"."""
        told = {}
        for name, bucket in self._buckets.items():
            reset = datetime.now(UTC) + timedelta(seconds=bucket.reset)
            told[naming.format(name, "limit")] = f"{bucket.per_minute:.0f}"
            told[naming.format(name, "reset")] = f"{reset:%Y-%m-%dT%H:%M:%SZ}"
            told[naming.format(name, "remaining")] = str(max(math.floor(bucket.left), 0))
        return told


def duration(seconds: float) -> str:
    """Seconds as OpenAI's headers write them."""
    whole = math.ceil(seconds * 1000)
    if whole < 1000:  # noqa: PLR2004 - milliseconds of a second
        return f"{whole}ms"
    minutes, rest = divmod(whole, 60_000)
    return f"{minutes}m{rest / 1000:g}s" if minutes else f"{rest / 1000:g}s"
