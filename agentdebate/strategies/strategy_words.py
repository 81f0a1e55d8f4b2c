"""Settings that a caller gives beside a strategy's name: options, cast, panel, models."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from agentdebate.agents.card import VACANT, Card
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.layer import AROUND
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.overrides import Overrides
from agentdebate.strategies.panel import Agents, panel, panel_role
from agentdebate.strategies.recruited import RECRUITER

_ELSEWHERE = {
    "cast": "cast=... says it",
    "models": "models=... says it",
    "project": "project=... says it",
    "name": "the strategy's file says it",
}
"""Settings that are not options, each with the way to set it."""


@dataclass(frozen=True)
class StrategyWords:
    """Settings of a strategy beside its name."""

    options: Mapping[str, Any] = field(default_factory=dict)
    cast: Mapping[str, str | Card | Sequence[str | Card]] = field(default_factory=dict)
    agents: Agents | None = None
    models: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in ("options", "cast", "models"):
            given = getattr(self, name)
            if not isinstance(given, Mapping):
                raise UsageError(f"{name}=... has names with a value each, and is not {given!r:.80}")
        object.__setattr__(self, "cast", {role: _cards(role, who) for role, who in self.cast.items()})

    def strategy(self, name: str, project: Project, trust: Trust = USER) -> Strategy:
        """The strategy of that name with all of it, of which `trust` says whose words they are. Raises UserError."""
        options = dict(self.options)
        for one in options.keys() & _ELSEWHERE.keys():
            raise UsageError(f"options=...: {one!r} is not an option of a strategy; {_ELSEWHERE[one]}")
        layers = Layers.read(name, project, around=options.get(AROUND))
        beside = {"cast": self._cast(layers), "models": dict(self.models)}
        said = {**options, **{key: value for key, value in beside.items() if value}}
        laid = layers.laid(Overrides.of(name, said, trust))
        made = laid.build()
        _check_cards(laid)
        return made

    def _cast(self, layers: Layers) -> dict[str, Any]:
        """Return the cast that the caller named. Raises UsageError for a role that the strategy does not have."""
        for role in self.cast:
            if role not in layers.roles and role != RECRUITER:
                hint = nearest(role, layers.roles)
                raise UsageError(
                    f"cast=...: the strategy {layers.outermost.name!r} has no role {role!r}. {hint}"
                )
        if self.agents is None:
            return dict(self.cast)
        role = panel_role(layers)
        if role in self.cast:
            raise UsageError(f"agents=... and cast=... both say who plays {role!r}; give one of them")
        return {**self.cast, role: panel(self.agents, layers)}


def _cards(role: str, who: object) -> tuple[str | Card, ...]:
    """The cards of a role. Raises UsageError."""
    cards = (who,) if isinstance(who, str | Card) else tuple(who) if isinstance(who, Iterable) else ()
    if not cards or not all(isinstance(one, str | Card) for one in cards):
        raise UsageError(f"cast=...: {role!r} is played by cards, and not by {who!r:.80}")
    return cards


def _check_cards(layers: Layers) -> None:
    """Raise ContentError where a file seats an unknown agent."""
    known = layers.project.names("agents")
    for role, cards, path in layers.seated_by_files():
        for card in cards:
            if isinstance(card, str) and card != VACANT and card not in known:
                raise ContentError(
                    f"there is no agent {card!r}. {nearest(card, known)}", path=path, key=f"cast.{role}"
                )
