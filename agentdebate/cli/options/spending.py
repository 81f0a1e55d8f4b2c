"""Options that say how fast a run may go, what it may spend, and what it need not pay for again."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Annotated, Literal, get_args

from cyclopts import Parameter

from agentdebate.agents.purse import DebateLimits
from agentdebate.cli.options.common import project_at
from agentdebate.errors import UsageError
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Around
from agentdebate.models.limits.shared import SharedLimits
from agentdebate.models.prices import PriceTable, prices

CacheMode = Literal["off", "read", "write", "on"]
CACHE = "agentdebate-cache.db"
"""The cache in the current folder."""


@Parameter(name="*")
@dataclass(frozen=True)
class SpendingOptions:
    """How fast a run may go, what it may spend, and what it need not pay for again."""

    requests_per_minute: Annotated[
        int | None, Parameter(help="Calls that may start in a minute, for each model.")
    ] = None
    tokens_per_minute: Annotated[
        int | None, Parameter(help="Tokens that may be spent in a minute, for each model.")
    ] = None
    in_flight: Annotated[
        int | None, Parameter(help="Calls at once, for each model and in each process [as many as debates].")
    ] = None
    budget_tokens: Annotated[int | None, Parameter(help="Tokens that may be spent; then the run stops.")] = (
        None
    )
    budget_money: Annotated[
        float | None, Parameter(help="Money that may be spent, in the currency of the prices.")
    ] = None
    debate_tokens: Annotated[
        int | None,
        Parameter(help="Tokens that each debate may take; it becomes a shorter one rather than take more."),
    ] = None
    debate_money: Annotated[float | None, Parameter(help="Money that each debate may take.")] = None
    debate_seconds: Annotated[float | None, Parameter(help="Seconds that each debate may take.")] = None
    prices: Annotated[
        Path | None, Parameter(help="A file of prices, which goes before the built-in table.")
    ] = None
    cache: Annotated[
        str, Parameter(help="Completions of earlier runs: off, read, write, or on for both.")
    ] = "off"
    cache_file: Annotated[Path, Parameter(help="The file that keeps them.")] = Path(CACHE)

    def over(self, before: "SpendingOptions") -> "SpendingOptions":
        """These options, and those of `before` where these leave something open."""
        usual = SpendingOptions()
        given = {name: value for name, value in vars(self).items() if value != getattr(usual, name)}
        return replace(before, **given)

    @asynccontextmanager
    async def opened(
        self, concurrency: int, project: Path | None, *, shared: bool = False
    ) -> AsyncIterator[Around]:
        """What models share in a run, and where it is `shared` with those of other processes. Raises UsageError."""
        self.check()
        mode = self.checked_cache
        around = Around(
            in_flight=self.in_flight or concurrency,
            requests_per_minute=self.requests_per_minute,
            tokens_per_minute=self.tokens_per_minute,
            budget=self._budget(project),
            shared=self._shared_limits() if shared else None,
        )
        if mode == "off":
            yield around
            return
        from agentdebate.store.cache import CompletionCache  # brings SQLAlchemy along

        if mode == "read" and not self.cache_file.is_file():
            raise UsageError(f"--cache read: there is no file {self.cache_file}; --cache on begins one")
        async with CompletionCache(self.cache_file) as cache:
            yield replace(around, cache=cache, mode=mode)

    def _shared_limits(self) -> SharedLimits:
        return SharedLimits(
            requests_per_minute=self.requests_per_minute, tokens_per_minute=self.tokens_per_minute
        )

    def check(self) -> None:
        """Raise UsageError for what means nothing, whatever the model is."""
        for name in ("requests_per_minute", "tokens_per_minute", "in_flight"):
            given = getattr(self, name)
            if given is not None and given < 1:
                raise UsageError(f"--{name.replace('_', '-')} is at least 1, not {given}")
        _ = self.checked_cache
        if self.prices is not None:
            _ = self.table(None)

    @property
    def checked_cache(self) -> CacheMode:
        """What the cache is for. Raises UsageError."""
        if self.cache not in get_args(CacheMode):
            raise UsageError(f"--cache is off, read, write or on, not {self.cache!r}")
        return self.cache  # type: ignore[return-value]  # checked against the type's own arguments

    def table(self, project: Path | None) -> PriceTable:
        """The prices: the file's, then the project's, then ours."""
        return prices(self.prices, project=project_at(project))

    def limits(self, project: Path | None) -> DebateLimits:
        """What each debate may take. Raises UsageError."""
        for name in ("tokens", "money", "seconds"):
            given = getattr(self, f"debate_{name}")
            if given is not None and not 0 < given < inf:
                raise UsageError(f"--debate-{name} is more than 0, not {given}")
        prices = None if self.debate_money is None else self.table(project)
        return DebateLimits(self.debate_tokens, self.debate_money, self.debate_seconds, prices)

    def more_words(self) -> str:
        """The options that give a run whose budget is spent a larger one; how much, the user has to say."""
        given = {"--budget-tokens": self.budget_tokens, "--budget-money": self.budget_money}
        return "".join(f" {option} MORE" for option, most in given.items() if most is not None)

    def _budget(self, project: Path | None) -> Budget | None:
        if self.budget_tokens is None and self.budget_money is None:
            return None
        return Budget(tokens=self.budget_tokens, money=self.budget_money, prices=self.table(project))
