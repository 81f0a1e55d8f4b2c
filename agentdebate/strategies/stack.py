"""Strategies around each other as plain data, the outermost first."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from agentdebate.agents.card import Card
from agentdebate.agents.card_set import card_set
from agentdebate.errors import UsageError, nearest
from agentdebate.project.project import Project
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


def opened(who: Any, project: Project, base: Path, trust: Trust) -> Any:
    """Who plays a role, with sets of cards opened up. What names nobody is left for the strategy's class to refuse."""
    named = isinstance(who, str | Card | list | tuple)
    return card_set(who, project, base, trust) if named else who


def no_option(option: str, name: str, stack: Sequence[Layer]) -> UsageError:
    """The error for an option that none of these strategies has, the outermost of which is called `name`."""
    said = f"strategy {name!r} has no option {option!r}"
    if any(layer.made for layer in stack):
        said += ", and the strategy that it goes around was made in code: give it its options there"
        return UsageError(said, option=option)
    known = frozenset[str]().union(*(layer.known for layer in stack))
    return UsageError(f"{said}. {nearest(option, known)}", option=option)


def card_names(stack: Stack) -> frozenset[str]:
    """The names of all cards that sit in these strategies."""
    cards = (card for layer in stack for who in layer.players.values() for card in several(who))
    return frozenset(card.name if isinstance(card, Card) else str(card) for card in cards)


def several(players: Any) -> tuple[Any, ...]:
    """Who is named for a role, one or several. What names nobody is left to whoever checks it."""
    return tuple(players) if isinstance(players, list | tuple) else (players,)
