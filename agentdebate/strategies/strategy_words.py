"""Settings that a caller gives beside a strategy's name: options, cast, panel, models."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentdebate.agents.seat import Card
from agentdebate.errors import UsageError
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.layer import AROUND
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.panel import Agents, counted


@dataclass(frozen=True)
class StrategyWords:
    """Settings of a strategy beside its name."""

    options: Mapping[str, Any] = field(default_factory=dict)
    """OPTION=VALUE of the strategy, such as rounds=2."""
    cast: Mapping[str, str | Card | Sequence[str | Card]] = field(default_factory=dict)
    """ROLE=CARD, such as critic=critic-weak."""
    agents: Agents | None = None
    """The panel, where the strategy has one: cards with commas between them, or how many."""
    models: Mapping[str, Any] = field(default_factory=dict)
    """CARD=MODEL or ROLE=MODEL: a model for some of the agents, with an endpoint of its own:
    critic=openai/gpt-6.1-sol:base_url=https://...,api_key_env=OTHER_KEY."""

    def __post_init__(self) -> None:
        for name in ("options", "cast", "models"):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise UsageError(
                    f"{name}=... has names with a value each, and is not {given!r:.80}", option=name
                )
        cast = {role: _cards(f"cast=...: {role!r} is", who) for role, who in self.cast.items()}
        object.__setattr__(self, "cast", cast)

    def strategy(self, name: str, project: Project, trust: Trust = USER) -> Strategy:
        """The strategy of that name with all of it, of which `trust` says whose words they are. Raises UserError."""
        layers = Layers.read(name, project, around=self.options.get(AROUND))
        options = {option: value for option, value in self.options.items() if option != AROUND}
        return layers.build(options, self._cast(layers), self.models, trust)

    def _cast(self, layers: Layers) -> Mapping[str, Any]:
        """Return the cast with the panel. Raises UsageError where the strategy has none, or both say who sits there."""
        if self.agents is None:
            return self.cast
        role = layers.panel
        if role is None:
            raise UsageError(
                f"agents=...: the strategy {layers.outermost.file.name!r} has no panel; its roles are {', '.join(layers.roles)}, and "
                "cast=... fills them"
            )
        if role in self.cast:
            raise UsageError(f"agents=... and cast=... both say who plays {role!r}; give one of them")
        agents = self.agents
        named = counted(agents, role, layers) if isinstance(agents, int) else _cards("agents=... are", agents)
        return {**self.cast, role: named}


def _cards(of: str, who: object) -> tuple[str | Card, ...]:
    """The cards that are named. Raises UsageError."""
    cards = (who,) if isinstance(who, str | Card) else tuple(who) if isinstance(who, Iterable) else ()
    if not cards or not all(isinstance(one, str | Card) for one in cards):
        raise UsageError(f"{of} played by cards, and not by {who!r:.80}")
    return cards
