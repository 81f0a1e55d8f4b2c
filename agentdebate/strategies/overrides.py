"""Settings of a strategy by the caller, laid over those of its files."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agentdebate.agents.card import VACANT
from agentdebate.errors import UsageError, nearest
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.strategies.file_options import checked
from agentdebate.strategies.layer import AROUND, Layer, Said, Table, values
from agentdebate.strategies.recruited import RECRUITER, Recruited
from agentdebate.strategies.stack import Stack, allowed, card_names, no_option, placed, roles, several


@dataclass(frozen=True, slots=True)
class Overrides:
    """Settings by the caller, which go before those of files: options, cast, models, and who the caller is."""

    options: Mapping[str, Any] = field(default_factory=dict)
    cast: Mapping[str, Any] = field(default_factory=dict)
    models: Mapping[str, Any] = field(default_factory=dict)
    trust: Trust = USER

    @classmethod
    def of(cls, name: str, said: Mapping[str, Any], trust: Trust) -> "Overrides":
        """Return the settings for the strategy of that name. Raises UserError for what `trust` may not say."""
        cast = _table(name, "cast", said.get("cast", {}), "says who plays which role")
        models = _table(name, "models", said.get("models", {}), "gives models to cards or roles")
        rest = checked({key: value for key, value in said.items() if key != "cast"}, trust, Path.cwd())
        options = {key: value for key, value in rest.items() if key not in ("models", AROUND)}
        return cls(options, cast, models, trust)

    def over(self, stack: Stack, project: Project) -> Stack:
        """The strategies with all this laid over what their files say.

        Raises UsageError for what none of them has, and UserError for what a file may not say.
        """
        seats = {role: Said(allowed(who, self.trust)) for role, who in self.cast.items()}
        found = _recruiting(stack, seats)
        found = _with_options(found, self.options, stack[0].name)
        found = tuple(_trusted(layer, project) for layer in found)
        found = _with_cast(found, seats, stack[0].name)
        found = _without_the_replaced(found)
        return _with_models(found, self.models, recruiting=len(found) > len(stack))


def _table(name: str, option: str, said: object, does: str) -> Mapping[str, Any]:
    if not isinstance(said, Mapping):
        raise UsageError(f"strategy {name!r}, option {option!r}: {does}, and is not {said!r}", option=option)
    return said


def _recruiting(stack: Stack, seats: Table) -> Stack:
    """The layers with recruiting around them all, where a role waits for recruits and no layer finds any."""
    players = {role: who for layer in stack for role, who in layer.players.items()}
    players |= {role: said.value for role, said in seats.items() if role in players}
    waiting = any(VACANT in several(who) for who in players.values())
    if not waiting or any(layer.recruits for layer in stack):
        return stack
    return (Layer(stack[0].name, stack[0].path, Recruited), *stack)


def _with_options(stack: Stack, options: Mapping[str, Any], name: str) -> Stack:
    """The layers with each option in the first of them that takes it. Raises UsageError."""
    found = list(stack)
    for option, value in options.items():
        home = next((number for number, layer in enumerate(found) if option in layer.known), None)
        if home is None:
            raise no_option(option, name, stack)
        found[home] = replace(found[home], options={**found[home].options, option: Said(value)})
    return tuple(found)


def _trusted(layer: Layer, project: Project) -> Layer:
    """The layer, where its file may say all that it says; what the caller put in its place does not count.

    Files that it names begin at the project. Raises UserError.
    """
    trust, root = project.trust(layer.path), layer.path.parent.parent
    said = {name: one.value for name, one in layer.options.items() if one.path is not None}
    _ = checked({"models": values(layer.models)}, trust, root)
    kept = {name: Said(value, layer.path) for name, value in checked(said, trust, root).items()}
    return replace(layer, options={**layer.options, **kept})


def _with_cast(stack: Stack, seats: Table, name: str) -> Stack:
    """The layers with what the caller says of who plays which role. Raises UsageError."""
    for role, said in seats.items():
        found = placed(stack, role, said)
        if found is None:
            raise UsageError(
                f"strategy {name!r} has no role {role!r}. {nearest(role, roles(stack))}", option="cast"
            )
        stack = found
    return stack


def _without_the_replaced(stack: Stack) -> Stack:
    """The layers without models for cards that sat there and do not any more: who was replaced needs none."""
    kept: list[Layer] = []
    for number, layer in enumerate(stack):
        gone = layer.foreseen - card_names(stack[number:]) - {*roles(stack[number:])}
        models = {name: said for name, said in layer.models.items() if name not in gone}
        kept.append(replace(layer, models=models))
    return tuple(kept)


def _with_models(stack: Stack, models: Mapping[str, Any], *, recruiting: bool) -> Stack:
    """The layers with the caller's models on the strategy that was asked for, where they go before all others.

    The recruiter's is that of the recruiting around it, where there is some.
    """
    mine = {name: Said(model) for name, model in models.items()}
    if not recruiting:
        return (_speaking(stack[0], mine), *stack[1:])
    own = {name: mine.pop(name) for name in (RECRUITER,) if name in mine}
    return (_speaking(stack[0], own), _speaking(stack[1], mine), *stack[2:])


def _speaking(layer: Layer, models: Table) -> Layer:
    return replace(layer, models={**layer.models, **models})
