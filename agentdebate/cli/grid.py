"""The cells of a sweep: every combination of what --vary names, each as an order of its own."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from agentdebate.cli.options import project_at
from agentdebate.cli.order import Order
from agentdebate.datasets.named_values import names
from agentdebate.errors import UsageError
from agentdebate.project.project import Project
from agentdebate.strategies.layers import Layers
from agentdebate.studies.held_cells import AVG, is_corrw

CAST = "cast."
"""How a key begins that says who plays a role: cast.critic."""

TOGETHER = "+"
"""Stands between cards that sit in one cell together: a comma stands between cells."""

CRITIC = "critic"


@dataclass(frozen=True)
class Variant:
    """One cell: what it is held with, and the order that says so."""

    varied: Mapping[str, str]
    order: Order

    @property
    def label(self) -> str:
        """What tables call it."""
        return ", ".join(f"{key}={value}" for key, value in self.varied.items()) or self.order.strategy

    @property
    def corrw(self) -> bool:
        """Whether it is CorrW, which is read off a run of AVG."""
        return is_corrw(self.varied.get("strategy", ""), _project(self.order))

    @property
    def run_label(self) -> str:
        """What its run is called in the store."""
        return replace(self, varied={**self.varied, "strategy": AVG}).label if self.corrw else self.label


def grid(order: Order, vary: Sequence[str]) -> list[Variant]:
    """Every combination of the values that KEY=VALUE,VALUE,... texts name, the last key changing fastest.

    Raises UsageError for what cannot be varied.
    """
    keys = _parsed(vary)
    cells = []
    for values in product(*keys.values()):
        varied = dict(zip(keys, values, strict=True))
        ordered = sorted(varied.items(), key=lambda pair: pair[0] != "strategy")  # who plays depends on it
        made = order
        for key, value in ordered:
            named = key == "strategy" and is_corrw(value, _project(order))
            made = _changed(made, key, AVG if named else value)
        cells.append(Variant(varied, made))
    return cells


def _project(order: Order) -> Project:
    return project_at(order.project, order.trust)


def _parsed(vary: Sequence[str]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for text in vary:
        key, equals, listed = text.partition("=")
        values = names(listed)
        if not (key and equals and values):
            raise UsageError(f"--vary takes NAME=VALUE,VALUE,..., such as rounds=1,2,3, not {text!r}")
        if key in found:
            raise UsageError(f"--vary names {key!r} twice")
        twice = [value for number, value in enumerate(values) if value in values[:number]]
        if twice:
            raise UsageError(f"--vary {key}: {twice[0]!r} is there twice")
        found[key] = values
    if not found:
        raise UsageError("a sweep varies something: --vary rounds=1,2,3")
    return found


def _changed(order: Order, key: str, value: str) -> Order:
    """The order with one thing changed. What is no key of its own is an option of the strategy."""
    if key in _KEYS:
        return _KEYS[key](order, value)
    if key.startswith(CAST):
        return _with_cast(order, key.removeprefix(CAST), value)
    given = [text for text in order.casting.option if text.partition("=")[0] == key]
    if given:
        raise UsageError(f"--set {given[0]} and --vary {key} both say it; leave one of them out")
    return replace(order, casting=replace(order.casting, option=(*order.casting.option, f"{key}={value}")))


def _with_strategy(order: Order, value: str) -> Order:
    return replace(order, strategy=value)


def _with_model(order: Order, value: str) -> Order:
    return replace(order, models=replace(order.models, model=value))


def _with_temperature(order: Order, value: str) -> Order:
    try:
        return replace(order, models=replace(order.models, temperature=float(value)))
    except ValueError as error:
        raise UsageError(f"--vary temperature: {value!r} is no number") from error


def _with_agents(order: Order, value: str) -> Order:
    if order.casting.agents is not None:
        raise UsageError("--agents and --vary agents both say who sits in the panel; leave one of them out")
    return replace(order, casting=replace(order.casting, agents=value.replace(TOGETHER, ",")))


def _with_persona(order: Order, value: str) -> Order:
    """The panel's cards where the strategy has a panel, and else the critic's."""
    found = Layers.read(order.strategy, _project(order))
    if found.panel is not None:
        return _with_agents(order, value)
    if CRITIC in found.roles:
        return _with_cast(order, CRITIC, value)
    roles = ", ".join(f"{CAST}{role}" for role in found.roles)
    raise UsageError(
        f"--vary persona: the strategy {order.strategy!r} has neither a panel nor a critic; vary one of {roles}"
    )


def _with_cast(order: Order, role: str, value: str) -> Order:
    cast = f"{role}={value.replace(TOGETHER, ',')}"
    given = [text for text in order.casting.cast if text.partition("=")[0] == role]
    if given:
        raise UsageError(f"--cast {given[0]} and --vary both say who plays {role!r}; leave one of them out")
    return replace(order, casting=replace(order.casting, cast=(*order.casting.cast, cast)))


_KEYS: Mapping[str, Callable[[Order, str], Order]] = {
    "strategy": _with_strategy,
    "model": _with_model,
    "temperature": _with_temperature,
    "agents": _with_agents,
    "persona": _with_persona,
}
