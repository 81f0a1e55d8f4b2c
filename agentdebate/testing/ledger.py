"""What a fault server saw and gave."""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any


class Ledger:
    """Counts of requests and answers. Requests are known by their digest (agentdebate.testing.chance.digest)."""

    def __init__(self) -> None:
        self.requests = 0
        """Chat completions that were asked for."""
        self.answered: Counter[str] = Counter()
        """How many whole completions each request was given, by digest: what a provider would bill."""
        self.faults: Counter[str] = Counter()
        """How many tries met each fault; "limited" are those beyond the rate limit."""
        self.in_flight = 0
        """Requests that are being answered."""
        self.most_in_flight = 0
        """The most of them that there were at once."""
        self.prompt_tokens = 0
        """Of all answered calls."""
        self.completion_tokens = 0
        """Of all answered calls."""
        self.cached_tokens = 0
        """Prompt tokens that were read from the cache."""
        self.cache_write_tokens = 0
        """Prompt tokens that were written into the cache and are billed as such."""
        self._tries: Counter[str] = Counter()

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Count a request for as long as it is being answered."""
        self.requests += 1
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        try:
            yield
        finally:
            self.in_flight -= 1

    def attempt(self, digest: str) -> int:
        """How often this request was tried before, and count the try."""
        before = self._tries[digest]
        self._tries[digest] += 1
        return before

    def answer(self, digest: str, usage: Mapping[str, Any]) -> None:
        """Count a whole completion."""
        self.answered[digest] += 1
        self.prompt_tokens += usage.get("prompt_tokens", 0)
        self.completion_tokens += usage.get("completion_tokens", 0)
        details = usage.get("prompt_tokens_details") or {}
        self.cached_tokens += details.get("cached_tokens", 0)
        self.cache_write_tokens += details.get("cache_write_tokens", 0)

    def as_dict(self) -> dict[str, Any]:
        """All of it as JSON."""
        return {name: value for name, value in vars(self).items() if not name.startswith("_")}
