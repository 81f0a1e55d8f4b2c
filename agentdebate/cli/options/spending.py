"""Options that say how fast a run may go, what it may spend, and what it need not pay for again."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from agentdebate.agents.purse import DebateLimits
from agentdebate.cli.options.common import project_at
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Limits
from agentdebate.models.prices import PriceTable, prices
from agentdebate.runs.settings import CacheMode

CACHE = "agentdebate-cache.db"
"""The cache in the current folder."""


@Parameter(name="*")
@dataclass(frozen=True)
class SpendingOptions:
    """How fast a run may go, what it may spend, and what it need not pay for again."""

    limits: Annotated[Limits, Parameter(name="*")] = Limits()
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
        CacheMode,
        Parameter(help="Completions of earlier runs: off, read, write, or on for both.", show_choices=False),
    ] = "off"
    cache_file: Annotated[Path, Parameter(help="The file that keeps them.")] = Path(CACHE)

    def over(self, before: "SpendingOptions") -> "SpendingOptions":
        """These options, and those of `before` where these leave something open."""
        usual = SpendingOptions()
        given = {name: value for name, value in vars(self).items() if value != getattr(usual, name)}
        limits = {name: value for name, value in asdict(self.limits).items() if value is not None}
        return replace(before, **{**given, "limits": replace(before.limits, **limits)})

    def table(self, project: Path | None) -> PriceTable:
        """The prices: the file's, then the project's, then ours."""
        return prices(self.prices, project=project_at(project))

    def budget(self, project: Path | None) -> Budget | None:
        """What the run may spend. Raises UsageError."""
        if self.budget_tokens is None and self.budget_money is None:
            return None
        return Budget(tokens=self.budget_tokens, money=self.budget_money, prices=self.table(project))

    def debate_limits(self, project: Path | None) -> DebateLimits:
        """What each debate may take. Raises UsageError."""
        named = self.debate_money is not None or self.prices is not None
        prices = self.table(project) if named else None
        return DebateLimits(self.debate_tokens, self.debate_money, self.debate_seconds, prices)

    def more_words(self) -> str:
        """The options that give a run whose budget is spent a larger one; how much, the user has to say."""
        given = {"--budget-tokens": self.budget_tokens, "--budget-money": self.budget_money}
        return "".join(f" {option} MORE" for option, most in given.items() if most is not None)
