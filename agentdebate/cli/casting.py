"""Options that make a strategy and say who plays in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from cyclopts import Parameter

from agentdebate.agents.card import VACANT
from agentdebate.cli.options import json_pairs, names, pairs
from agentdebate.errors import ContentError, UsageError, nearest
from agentdebate.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import load, read_file
from agentdebate.trust import USER, Trust

PANEL = ("general-public", "critic", "news-author", "psychologist", "scientist")
"""The agents that a number stands for, in this order (ChatEval, Appendix A)."""


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
            help="The panel, where the strategy has one: cards with commas between them, or how many of "
            f"{', '.join(PANEL)}."
        ),
    ] = None
    plan: Annotated[
        str | None,
        Parameter(
            help="A file that holds the plan of a strategy that has one; the planner writes it where it is not there yet."
        ),
    ] = None
    agent_model: Annotated[
        tuple[str, ...],
        Parameter(
            help="CARD=MODEL or ROLE=MODEL: a model of its own for some of the agents.",
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
        cast = {role: names(cards) for role, cards in pairs(self.cast, "--cast").items()}
        if self.agents is not None:
            # Not all the options: some of them, such as weights, may only fit the panel that is about to be seated.
            inside = {"around": options["around"]} if "around" in options else {}
            cast[_panel(load(name, project, inside, trust), cast)] = panel(self.agents)
        elif cast:
            _check_roles(load(name, project, {}, trust), cast)
        given = _given(cast=cast, models=pairs(self.agent_model, "--agent-model"))
        try:
            made = load(name, project, {**options, **given}, trust)
        except UsageError as error:
            raise UsageError(f"{error}{_list_hint(str(error), options)}") from error
        _check_cards(name, project, recast=cast)
        return made


def panel(text: str) -> tuple[str, ...]:
    """The cards that --agents names, or counts. Raises UsageError."""
    if not text.strip().lstrip("-").isdigit():
        cards = names(text)
        if not cards:
            raise UsageError("--agents takes agents with commas between them, or a number")
        return cards
    count = int(text)
    if not 1 <= count <= len(PANEL):
        raise UsageError(
            f"--agents counts 1 to {len(PANEL)} agents ({', '.join(PANEL)}), not {count}; name others, or one twice, "
            "with commas between them"
        )
    return PANEL[:count]


def _panel(strategy: Strategy, cast: Mapping[str, Any]) -> str:
    """The role that --agents fills. Raises UsageError."""
    role = strategy.panel_role()
    if role is None:
        raise UsageError(
            f"--agents: the strategy {strategy.title!r} has no panel; its roles are {', '.join(strategy.seats())}, and "
            "--cast ROLE=CARD fills them"
        )
    if role in cast:
        raise UsageError(f"--agents and --cast both say who plays {role!r}; give one of them")
    return role


def _roles(strategy: Strategy) -> list[str]:
    """Every role that can be cast, those of the strategy inside it too."""
    around = getattr(strategy, "around", None)
    return [*strategy.cast, *(_roles(around) if isinstance(around, Strategy) else ())]


def _check_roles(strategy: Strategy, cast: Mapping[str, Any]) -> None:
    """Raise UsageError for a role that nobody has."""
    known = _roles(strategy)
    for role in cast:
        if role not in known:
            raise UsageError(
                f"--cast: the strategy {strategy.title!r} has no role {role!r}. {nearest(role, known)}"
            )


def _list_hint(problem: str, options: Mapping[str, Any]) -> str:
    """How a list is written, where an option that is no good looks as if it were meant for one."""
    for name, value in options.items():
        if isinstance(value, str) and "," in value and f"option {name!r}" in problem:
            listed = ",".join(
                one if one.strip().isdecimal() else f'"{one.strip()}"' for one in value.split(",")
            )
            return f" (a list is --set '{name}=[{listed}]')"
    return ""


def _check_cards(name: str, project: Project, *, recast: Mapping[str, Any]) -> None:
    """Raise ContentError where a strategy's file, or that of the one inside it, seats an agent that there is not.

    The roles in `recast` are played by others.
    """
    path, known = project.find("strategies", name), project.names("agents")
    file = read_file(path)
    for role, cards in file.cast.items():
        for card in cards:
            named = isinstance(card, str) and card != VACANT and ":" not in card
            if named and card not in known and role not in recast:
                raise ContentError(
                    f"there is no agent {card!r}. {nearest(str(card), known)}", path=path, key=f"cast.{role}"
                )
    inside = file.options.get("around")
    if isinstance(inside, str):
        _check_cards(inside, project, recast=recast)


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
