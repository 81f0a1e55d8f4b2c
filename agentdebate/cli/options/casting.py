"""Options of the strategy, and of who plays which role in it."""

from dataclasses import dataclass
from typing import Annotated

from cyclopts import Parameter

from agentdebate.cli.options.common import STRATEGY, json_pairs
from agentdebate.datasets.named_values import names, pairs
from agentdebate.strategies.strategy_words import StrategyWords


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


def agents_of(text: str) -> int | tuple[str, ...]:
    """Read the cards that --agents names, or how many it counts."""
    return int(text) if text.strip().lstrip("-").isdigit() else names(text)
