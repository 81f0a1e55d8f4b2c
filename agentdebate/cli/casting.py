"""Options that make a strategy and say who plays in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.agents.card import VACANT, Card
from agentdebate.cli.options import json_pairs
from agentdebate.datasets.named_values import names, pairs
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.call import Call
from agentdebate.strategies.group_talk import REFEREES
from agentdebate.strategies.layer import AROUND
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.recruited import RECRUITER

_MOST = 100
"""Agents that a number may stand for where all of them have one card."""


@Parameter(name="*")
@dataclass(frozen=True)
class CastOptions:
    """The strategy's options, and who plays which role."""

    option: Annotated[
        tuple[str, ...],
        Parameter(
            name=["--set"],
            help="OPTION=VALUE of the strategy, such as rounds=2.",
            negative="",
            show_default=False,
        ),
    ] = ()
    cast: Annotated[
        tuple[str, ...],
        Parameter(help="ROLE=CARD, such as critic=critic-weak.", negative="", show_default=False),
    ] = ()
    agents: Annotated[
        str | None,
        Parameter(
            help="The panel, where the strategy has one: cards with commas between them, or how many: of ChatEval's "
            f"{', '.join(REFEREES)}, and of a crowd's own readers."
        ),
    ] = None
    plan: Annotated[
        str | None,
        Parameter(
            help="A file that holds the plan of a strategy that has one; the planner writes it where it is not there yet."
        ),
    ] = None
    steps: Annotated[
        str | None,
        Parameter(
            help="A file that holds the evaluation steps of a strategy that has some written, by aspect; the writer adds those that are "
            "not there yet."
        ),
    ] = None
    agent_model: Annotated[
        tuple[str, ...],
        Parameter(
            help="CARD=MODEL or ROLE=MODEL: a model of its own for some of the agents, with an endpoint of its own: "
            "critic=openai/gpt-4o:base_url=https://...,api_key_env=OTHER_KEY.",
            negative="",
            show_default=False,
        ),
    ] = ()

    def strategy(self, name: str, project: Project, trust: Trust = USER) -> Strategy:
        """The strategy of that name with these options, of which `trust` says whose they are. Raises UserError."""
        options = json_pairs(self.option, "--set")
        _check_options(options)
        if self.plan is not None:
            options["plan"] = self.plan
        if self.steps is not None:
            options["steps"] = self.steps
        layers = Layers.read(name, project, around=options.get(AROUND))
        given = _given(cast=self._cast(layers), models=pairs(self.agent_model, "--agent-model"))
        try:
            laid = layers.laid(Call.of(name, {**options, **given}, trust))
            made = laid.build()
        except UsageError as error:
            raise UsageError(f"{error}{_list_hint(error.option, options)}", option=error.option) from error
        _check_cards(laid)
        return made

    def _cast(self, layers: Layers) -> dict[str, tuple[str | Card, ...]]:
        """Who is said to play which role. Raises UsageError for a role that nobody has."""
        cast: dict[str, tuple[str | Card, ...]] = {
            role: names(cards) for role, cards in pairs(self.cast, "--cast").items()
        }
        for role in cast:
            if role not in layers.roles and role != RECRUITER:
                hint = nearest(role, layers.roles)
                raise UsageError(
                    f"--cast: the strategy {layers.outermost.name!r} has no role {role!r}. {hint}"
                )
        if self.agents is None:
            return cast
        role = _panel(layers, cast)
        return {**cast, role: panel(self.agents, layers, role)}


def panel(text: str, layers: Layers, role: str) -> tuple[str | Card, ...]:
    """The cards that --agents names, or counts; recruits stay beside those. Raises UsageError."""
    if not text.strip().lstrip("-").isdigit():
        cards = names(text)
        if not cards:
            raise UsageError("--agents takes agents with commas between them, or a number")
        return cards
    count, pool = int(text), layers.counted(role, _MOST)
    if not 1 <= count <= len(pool.cards):
        known = ", ".join(dict.fromkeys(card if isinstance(card, str) else card.name for card in pool.cards))
        raise UsageError(
            f"--agents counts 1 to {len(pool.cards)} agents ({known}), not {count}; name others, or one twice, "
            "with commas between them"
        )
    return (*pool.cards[:count], *pool.beside)


def _panel(layers: Layers, cast: Mapping[str, Any]) -> str:
    """The role that --agents fills. Raises UsageError."""
    role = layers.panel
    if role is None:
        raise UsageError(
            f"--agents: the strategy {layers.outermost.name!r} has no panel; its roles are {', '.join(layers.roles)}, "
            "and --cast ROLE=CARD fills them"
        )
    if role in cast:
        raise UsageError(f"--agents and --cast both say who plays {role!r}; give one of them")
    return role


def _list_hint(option: str | None, options: Mapping[str, Any]) -> str:
    """How a list is written, where the option that is no good looks as if it were meant for one."""
    value = options.get(option or "")
    if not (isinstance(value, str) and "," in value):
        return ""
    listed = ",".join(one if one.strip().isdecimal() else f'"{one.strip()}"' for one in value.split(","))
    return f" (a list is --set '{option}=[{listed}]')"


def _check_cards(layers: Layers) -> None:
    """Raise ContentError where a file seats an agent that there is not."""
    known = layers.project.names("agents")
    for role, cards, path in layers.seated_by_files():
        for card in cards:
            if isinstance(card, str) and card != VACANT and card not in known:
                raise ContentError(
                    f"there is no agent {card!r}. {nearest(card, known)}", path=path, key=f"cast.{role}"
                )


def _check_options(options: Mapping[str, Any]) -> None:
    """Raise UsageError for what is set in another way than by --set."""
    elsewhere = {
        "cast": "--cast",
        "models": "--agent-model",
        "project": "--project",
        "name": "the strategy's file",
    }
    for name in options:
        if name in elsewhere:
            raise UsageError(f"--set: {name!r} is no option of a strategy; {elsewhere[name]} says it")


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value}
