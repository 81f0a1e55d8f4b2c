"""Strategies around each other as plain data, the outermost first."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from agentdebate.agents.card import Card
from agentdebate.errors import UsageError, nearest
from agentdebate.project.trust import Trust
from agentdebate.strategies.layer import Layer, Said

Stack = tuple[Layer, ...]
"""A strategy and those inside it."""


def placed(stack: Stack, role: str, said: Said) -> Stack | None:
    """The layers with a role cast in the first of them that has it; None where none has."""
    for number, layer in enumerate(stack):
        if role in layer.usual:
            return (*stack[:number], _seated(layer, role, said), *stack[number + 1 :])
    return None


def _seated(layer: Layer, role: str, said: Said) -> Layer:
    """The layer with a role cast; a file's number of cards in the panel was of the cards that sat there before."""
    kind, options = layer.kind, dict(layer.options)
    if role == kind.panel and kind.counts in options and options[kind.counts].path not in {None, said.path}:
        del options[kind.counts]
    return replace(layer, cast={**layer.cast, role: said}, options=options)


def roles(stack: Stack) -> list[str]:
    """Every role of these strategies."""
    return [role for layer in stack for role in layer.usual]


def allowed(who: Any, trust: Trust) -> Any:
    """Return the player of a role. Raises UserError for a card with a model at an address that `trust` may not name."""
    for card in several(who):
        if isinstance(card, Card):
            trust.check_model(card.model, f"the agent {card.name!r}")
    return who


def no_option(option: str, name: str, stack: Sequence[Layer]) -> UsageError:
    """The error for an option that none of these strategies has, the outermost of which is called `name`."""
    known = frozenset[str]().union(*(layer.known for layer in stack))
    return UsageError(f"strategy {name!r} has no option {option!r}. {nearest(option, known)}", option=option)


def card_names(stack: Stack) -> frozenset[str]:
    """The names of all cards that sit in these strategies."""
    cards = (card for layer in stack for who in layer.players.values() for card in several(who))
    return frozenset(card.name if isinstance(card, Card) else str(card) for card in cards)


def several(players: Any) -> tuple[Any, ...]:
    """Return the players named for a role as a tuple. A value that names no player is left to later checks."""
    return tuple(players) if isinstance(players, list | tuple) else (players,)
