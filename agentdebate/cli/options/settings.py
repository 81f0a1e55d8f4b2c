"""Options that fill the settings of a run: the model, the strategy and how its debates are held, speed and cost."""

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from pydantic import ValidationError

from agentdebate.agents.debate_settings import Form
from agentdebate.agents.purse import DebateLimits
from agentdebate.cli.options.common import LIMITS, MODEL, STRATEGY, json_pairs
from agentdebate.datasets.named_values import names, pairs
from agentdebate.errors import UsageError
from agentdebate.models.base import Sampling
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Limits
from agentdebate.models.own_model import shown as shown_model
from agentdebate.models.prices import PriceTable, prices
from agentdebate.models.secrets import plain_address, without_secrets
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.runs.settings import USUAL, CacheMode
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.tasks import Scale, Task
from agentdebate.wrong_values import plain_problem

_SAMPLING = ("temperature", "top_p", "max_tokens", "seed")


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True)
class ModelOptions:
    """The model, its address and its sampling."""

    model: Annotated[str, Parameter(name=["--model", "-m"])] = "offline"
    """offline, openai/NAME for any chat-completions endpoint, anthropic/NAME, gemini/NAME, ...; options follow a colon:
    openai/NAME:timeout=30."""
    base_url: str | None = None
    """The endpoint's address up to /v1 [OPENAI_BASE_URL, or the provider's]."""
    api_key_env: str | None = None
    """The environment variable that holds the key [such as OPENAI_API_KEY]."""
    temperature: float | None = None
    """The sampling temperature."""
    top_p: float | None = None
    """Nucleus sampling: the share of probability that is drawn from."""
    max_tokens: int | None = None
    """Tokens a reply may have."""
    seed: int | None = None
    """The seed that the model gets, and that of --sample."""
    extra: tuple[str, ...] = ()
    """KEY=JSON: a further field of the request's body."""
    tokenizer: str | None = None
    """A tokenizer.json that counts the model's tokens [tiktoken]."""

    @property
    def options(self) -> dict[str, Any]:
        """The options of the model that were given, as `model` takes them. Raises UsageError."""
        given = {"base_url": self.base_url, "api_key_env": self.api_key_env}
        options: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        return options | ({"extra": json_pairs(self.extra, "--extra")} if self.extra else {})

    @property
    def sampling(self) -> Sampling:
        """The sampling parameters that were given. Raises UsageError."""
        given = {name: getattr(self, name) for name in _SAMPLING if getattr(self, name) is not None}
        try:
            return Sampling(**given)
        except ValidationError as error:
            first = error.errors()[0]
            name = str(first["loc"][0]).replace("_", "-")
            raise UsageError(f"--{name}: {plain_problem(first)}, not {first['input']!r}") from error

    def described(self) -> dict[str, Any]:
        """Describe the options as JSON for the record, without keys."""
        extra = without_secrets(json_pairs(self.extra, "--extra"))
        return {
            **asdict(self),
            "model": shown_model(self.model),
            "extra": [f"{name}={json.dumps(value)}" for name, value in extra.items()],
            "base_url": plain_address(self.base_url) if self.base_url else None,
        }


@Parameter(name="*", group=STRATEGY)
@dataclass(frozen=True)
class CastOptions:
    """The strategy's options, and who plays which role."""

    option: Annotated[tuple[str, ...], Parameter(name="--set")] = ()
    """OPTION=VALUE of the strategy, such as rounds=2."""
    cast: tuple[str, ...] = ()
    """ROLE=CARD, such as critic=critic-weak."""
    agents: str | None = None
    """The panel, where the strategy has one: cards with commas between them, or how many."""
    agent_model: tuple[str, ...] = ()
    """CARD=MODEL or ROLE=MODEL: a model for some of the agents, with an endpoint of its own:
    critic=openai/gpt-6.1-sol:base_url=https://...,api_key_env=OTHER_KEY."""

    @property
    def words(self) -> StrategyWords:
        """The same as the library takes it. Raises UsageError."""
        return StrategyWords(
            json_pairs(self.option, "--set"),
            {role: names(cards) for role, cards in pairs(self.cast, "--cast").items()},
            None if self.agents is None else agents_of(self.agents),
            pairs(self.agent_model, "--agent-model"),
        )

    def strategy(self, name: str, project: Project, trust: Trust = USER) -> Strategy:
        """Make the strategy of that name with these options, of which `trust` says whose they are. Raises UserError."""
        return self.words.strategy(name, project, trust)


@Parameter(name="*", group=STRATEGY)
@dataclass(frozen=True)
class DebateOptions:
    """The form of debates: scales, ballots, patience."""

    scale: tuple[str, ...] = ()
    """ASPECT=SCALE, such as fluency=1-3."""
    together: Annotated[bool | None, Parameter(negative="--apart")] = None
    """Judge all aspects in one debate, or each in its own [as the strategy does]."""
    form: Form = USUAL.form
    """Ask for ballots by a schema, in text, or as the endpoint allows (auto)."""
    patience: int = USUAL.patience
    """Replies an agent may give to one question before it fails."""
    deadline: float = USUAL.deadline
    """Seconds that a turn may take, retries included."""

    def rescaled(self, task: Task) -> Task:
        """Give the task the scales that were named. Raises UsageError."""
        scales = pairs(self.scale, "--scale").items()
        return task.rescaled({name: Scale.parse(scale) for name, scale in scales})


def agents_of(text: str) -> int | tuple[str, ...]:
    """Read the cards that --agents names, or how many it counts."""
    return int(text) if text.strip().lstrip("-").isdigit() else names(text)


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
