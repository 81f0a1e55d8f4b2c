"""Members of a panel: the cards that are named, or as many as a number counts off."""

from collections.abc import Sequence

from agentdebate.agents.seat import VACANT, Card
from agentdebate.errors import UsageError
from agentdebate.strategies.base import card_name
from agentdebate.strategies.layers import Layers

MOST = 100
"""Agents that a number may stand for where all of them have one card."""

Agents = int | Sequence[str | Card]


def counted(number: int, role: str, layers: Layers) -> tuple[str | Card, ...]:
    """The first cards of a panel's pool, as many as a number says. Raises UsageError.

    The pool is the one of the strategy's class where its cast is from there, and else its own cast, so that no number seats another
    method's agents. One card for all is there MOST times, and recruits stay beside a cast.
    """
    layer = layers.home(role)
    assert layer is not None, "a panel is a role"
    own = tuple(card for card in layer.players[role] if card != VACANT)
    beside = tuple(card for card in layer.players[role] if card == VACANT)
    pool: tuple[str | Card, ...] = layer.kind.pool
    if layer.kind.counts in layer.options:
        raise UsageError(
            f"agents=...: the panel of {layer.file.name!r} has agents who always sit, and {layer.kind.counts!r} says how many sit "
            f"beside them: write options='{layer.kind.counts}=2' for two of these, or name all agents"
        )
    if all(card in pool for card in own):
        beside = ()
    else:
        pool = own[:1] * MOST if len(own) > 1 and len(set(map(card_name, own))) == 1 else own
    if not 1 <= number <= len(pool):
        raise UsageError(
            f"agents=... counts 1 to {len(pool)} agents ({', '.join(dict.fromkeys(map(card_name, pool)))}), not {number}; name others, or one "
            "twice"
        )
    return (*pool[:number], *beside)
