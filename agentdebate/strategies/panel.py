"""Members of a panel: the cards that are named, or as many as a number counts off."""

from collections.abc import Iterable, Sequence

from agentdebate.agents.card import Card
from agentdebate.errors import UsageError
from agentdebate.strategies.layers import Layers

MOST = 100
"""Agents that a number may stand for where all of them have one card."""

Agents = int | Sequence[str | Card]


def panel_role(layers: Layers) -> str:
    """The role that any number of agents can play. Raises UsageError where the strategy has none."""
    if layers.panel is None:
        raise UsageError(
            f"agents=...: the strategy {layers.outermost.name!r} has no panel; its roles are {', '.join(layers.roles)}, and "
            "cast=... fills them"
        )
    return layers.panel


def panel(agents: Agents, layers: Layers) -> tuple[str | Card, ...]:
    """The cards of a panel: those that are named, or as many as a number says; recruits stay beside those. Raises UsageError."""
    if not isinstance(agents, int):
        cards = (
            (agents,)
            if isinstance(agents, str | Card)
            else tuple(agents)
            if isinstance(agents, Iterable)
            else ()
        )
        if not cards or not all(isinstance(one, str | Card) for one in cards):
            raise UsageError("agents=... takes agents with commas between them, or a number")
        return cards
    pool = layers.counted(panel_role(layers), MOST)
    if not 1 <= agents <= len(pool.cards):
        known = ", ".join(dict.fromkeys(card if isinstance(card, str) else card.name for card in pool.cards))
        raise UsageError(
            f"agents=... counts 1 to {len(pool.cards)} agents ({known}), not {agents}; name others, or one twice, with commas "
            "between them"
        )
    return (*pool.cards[:agents], *pool.beside)
