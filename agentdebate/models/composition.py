"""Wrappers around every endpoint of a run, in one visible place: cache, then budget, then the order over a brief, then
the tier, then retries, then limits.
"""

from dataclasses import dataclass, field, fields

from agentdebate.errors import UsageError
from agentdebate.models.base import Model
from agentdebate.models.budget import Budget, Budgeted
from agentdebate.models.cache import Cached, CompletionStore, Mode
from agentdebate.models.flex import FlexFirst
from agentdebate.models.limits.limit import Limited
from agentdebate.models.prompt_cache import BriefFirst, prompt_caching_of
from agentdebate.models.retry import Retrying
from agentdebate.models.wrapper import layers, tier_of

_AT_ONCE = 64
"""Default number of calls at once."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Rate limits of each model; None means no limit. Raises UsageError for a number below 1."""

    in_flight: int | None = None
    """Calls at once, for each model and in each process [as many as debates]."""
    requests_per_minute: int | None = None
    """Calls that may start in a minute, for each model."""
    tokens_per_minute: int | None = None
    """Tokens that may be spent in a minute, for each model."""

    def __post_init__(self) -> None:
        for one in fields(self):
            given = getattr(self, one.name)
            if given is not None and (not isinstance(given, int) or given < 1):
                raise UsageError(f"{one.name}=... is at least 1, not {given!r:.80}")


@dataclass(frozen=True)
class Around:
    """Resources that all models of a run share. Waiting to try again never holds a slot of the limits."""

    limits: Limits = Limits()
    budget: Budget | None = None
    cache: CompletionStore | None = None
    mode: Mode = "on"
    """Use of the cache: to be read, to be written, or both."""
    known: dict[str, Model] = field(default_factory=dict, repr=False, compare=False)
    """Models that were opened, by name: who asks for one again shares its limits."""

    def compose(self, provider: Model) -> Model:
        """A provider with all of it around; the embedded judge needs none."""
        if provider.name == "offline":
            return provider
        in_flight = self.limits.in_flight or _AT_ONCE
        limited = Limited(
            provider,
            in_flight=in_flight,
            requests_per_minute=self.limits.requests_per_minute,
            tokens_per_minute=self.limits.tokens_per_minute,
        )
        model: Model = Retrying(limited)
        if tier_of(provider) == "flex":
            model = FlexFirst(model)
        caching = prompt_caching_of(provider)
        if caching is not None:
            model = BriefFirst(model, caching)
        if self.budget is not None:
            model = Budgeted(model, self.budget)
        return model if self.cache is None else Cached(model, self.cache, self.mode)

    def lend(self, model: Model) -> Model:
        """A model that was given rather than named, with the budget and the cache around it; it has limits and retries of its own.

        What is around it already, as around those that were opened by name, is not put there once more. Raises UsageError
        where the budget limits money and the model has no price.
        """
        if model.name == "offline":
            return model
        held = layers(model)
        budgets = [one.budget for one in held if isinstance(one, Budgeted)]
        if self.budget is not None and self.budget not in budgets:
            model = Budgeted(model, self.budget)
        if self.cache is None or any(isinstance(one, Cached) for one in held):
            return model
        return Cached(model, self.cache, self.mode)
