"""What a provider's rate-limit headers say is left of the account's requests and tokens."""

import math
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

_UNIT = {"d": 86400.0, "h": 3600.0, "m": 60.0, "s": 1.0, "ms": 1e-3, "us": 1e-6, "µs": 1e-6, "ns": 1e-9}
_PART = r"(\d+(?:\.\d+)?)(ms|us|µs|ns|d|h|m|s)"
_ONE = re.compile(_PART)
_DURATION = re.compile(rf"(?:{_PART})+")
_MOST = 10**12
"""More than this is no count of requests or tokens but a way to say that there is no limit."""
_LONGEST = 31 * 86400.0
"""A reset farther off than this, in seconds, is nonsense."""
_EPOCH, _EPOCH_MS = 1e9, 1e12
"""Plain numbers from here on are moments (seconds or milliseconds since 1970), not durations."""

# Where each figure stands, the most telling header first: OpenAI and those like it; Anthropic; gateways that
# count requests only and do not say so.
_NAMES = {
    "requests": ("x-ratelimit-{}-requests", "anthropic-ratelimit-requests-{}", "x-ratelimit-{}"),
    "tokens": (
        "x-ratelimit-{}-tokens",
        "anthropic-ratelimit-tokens-{}",
        "anthropic-ratelimit-input-tokens-{}",
    ),
    "output": ("anthropic-ratelimit-output-tokens-{}",),
}


@dataclass(frozen=True, slots=True)
class Quota:
    """What is left of an account's requests and tokens, in how many seconds it is whole again, and its whole.

    The seconds count from the answer that said so. None is what the provider does not say.
    """

    requests_left: int | None = None
    tokens_left: int | None = None
    requests_reset_s: float | None = None
    tokens_reset_s: float | None = None
    requests_limit: int | None = None
    tokens_limit: int | None = None


def read_quota(
    headers: Mapping[str, str], *, retry_after: float | None = None, now: float | None = None
) -> Quota | None:
    """The quota that an answer's headers tell, or None where they tell nothing. Header names in any case.

    `retry_after`, in seconds, is the provider's word on an answer that it refused: it is the reset of what has
    nothing left, and says nothing of calls that were not refused. `now` is in
    seconds since 1970. What makes no sense is as if it were not there.
    """
    if "ratelimit" not in " ".join(headers).lower():
        return None
    found = {name.lower(): value for name, value in headers.items() if "ratelimit" in name.lower()}
    moment = time.time() if now is None else now
    requests, tokens = _Figures.of("requests", found, moment), _tokens(found, moment)
    if retry_after is not None:
        requests, tokens = requests.until(retry_after), tokens.until(retry_after)
    if requests.left is None and tokens.left is None:
        return None
    return Quota(
        requests.left, tokens.left, requests.reset, tokens.reset, requests_limit=requests.limit, tokens_limit=tokens.limit
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Figures:
    left: int | None
    reset: float | None
    limit: int | None

    @classmethod
    def of(cls, what: str, headers: Mapping[str, str], now: float) -> "_Figures":
        """The figures under the first naming that tells what is left."""
        for name in _NAMES[what]:
            left = _count(headers.get(name.format("remaining")))
            limit = _count(headers.get(name.format("limit")))
            # A whole of 0 is how gateways say that nothing is counted, for the answer itself cost a request.
            if left is not None and limit != 0:
                return cls(left, seconds(headers.get(name.format("reset")), now), limit)
        return cls(None, None, None)

    def until(self, wait: float) -> "_Figures":
        """With this wait as the reset, where nothing is left and no reset is known."""
        return _Figures(self.left, wait, self.limit) if self.left == 0 and self.reset is None else self


def _tokens(headers: Mapping[str, str], now: float) -> _Figures:
    """The figures of tokens; where those of the prompt and of the completion are told apart alone, the lower ones."""
    found = _Figures.of("tokens", headers, now)
    if any(_count(headers.get(name.format("remaining"))) is not None for name in _NAMES["tokens"][:2]):
        return found
    output = _Figures.of("output", headers, now)
    lower = output.left is not None and (found.left is None or output.left < found.left)
    return output if lower else found


def seconds(text: str | None, now: float) -> float | None:
    """Seconds from `now` (since 1970): of "6m0s", "20ms", "1.5", an RFC 3339 moment, or a number since 1970.

    None where it is none of them. A moment that has passed is 0.
    """
    said = (text or "").strip()
    if _DURATION.fullmatch(said):
        return _sane(sum(float(number) * _UNIT[unit] for number, unit in _ONE.findall(said)))
    try:
        value = float(said)
    except ValueError:
        return _until(said, now)
    if not math.isfinite(value) or value < 0:
        return None
    if value >= _EPOCH:
        value = max(0.0, (value / 1000 if value >= _EPOCH_MS else value) - now)
    return _sane(value)


def _until(text: str, now: float) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
        return _sane(max(0.0, moment.timestamp() - now)) if moment.tzinfo else None
    except (ValueError, OverflowError):
        return None


def _sane(value: float) -> float | None:
    return value if value <= _LONGEST else None


def _count(text: str | None) -> int | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return int(value) if 0 <= value <= _MOST else None
