"""Options that say how fast a run may go, what it may spend, and what it need not pay for again."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.agents.purse import DebateLimits
from agentdebate.cli.options.common import LIMITS
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Limits
from agentdebate.models.prices import PriceTable, prices
from agentdebate.project.project import Project
from agentdebate.runs.settings import CacheMode


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True)
class SpendingOptions:
    """Limits of speed and cost."""

    limits: Annotated[Limits, Parameter(name="*")] = Limits()
    budget_tokens: int | None = None
    """Tokens that may be spent; then the run stops."""
    budget_money: float | None = None
    """Money that may be spent; then the run stops."""
    debate_tokens: int | None = None
    """Tokens that each debate may take; it becomes shorter rather than take more."""
    debate_money: float | None = None
    """Money that each debate may take."""
    debate_seconds: float | None = None
    """Seconds that each debate may take."""
    prices: Path | None = None
    """A file of prices, which goes before the built-in table."""

    def over(self, before: "SpendingOptions") -> "SpendingOptions":
        """Lay these options over earlier ones: what is not said here stays."""
        given = {name: value for name, value in vars(self).items() if value is not None}
        limits = {name: value for name, value in asdict(self.limits).items() if value is not None}
        return replace(before, **{**given, "limits": replace(before.limits, **limits)})

    def table(self, project: Project) -> PriceTable:
        """Read the prices: the file's, then the project's, then ours. Raises UserError."""
        return prices(self.prices, project=project)

    def budget(self, project: Project) -> Budget | None:
        """Make the run's budget. Raises UserError."""
        if self.budget_tokens is None and self.budget_money is None:
            return None
        return Budget(tokens=self.budget_tokens, money=self.budget_money, prices=self.table(project))

    def debate_limits(self, project: Project) -> DebateLimits:
        """Make the limits of each debate. Raises UserError."""
        priced = self.debate_money is not None or self.prices is not None
        table = self.table(project) if priced else None
        return DebateLimits(self.debate_tokens, self.debate_money, self.debate_seconds, table)

    def larger_words(self) -> tuple[str, ...]:
        """Write the options that give a run whose budget is spent a larger one; how much, the user has to say."""
        given = {"--budget-tokens": self.budget_tokens, "--budget-money": self.budget_money}
        return tuple(f"{option}=MORE" for option, most in given.items() if most is not None)


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True)
class CacheOptions:
    """Completions of earlier runs. They are the user's, and no store says where they are."""

    cache: CacheMode = "off"
    """Use completions of earlier runs: read, write, or on for both."""
    cache_file: Path = Path("agentdebate-cache.db")
    """The file that keeps them."""

    def words(self) -> tuple[str, ...]:
        """Write the command line that says the same."""
        return () if self.cache == "off" else (f"--cache={self.cache}", f"--cache-file={self.cache_file}")
