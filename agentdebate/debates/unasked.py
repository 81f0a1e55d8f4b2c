"""A debate that was given no model asks no endpoint because a file names one: the user alone sends texts and keys away."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from agentdebate.agents.card import VACANT, Card, Seat, load_card
from agentdebate.embedders.registry import asks_an_endpoint as embedder_asks
from agentdebate.errors import UsageError
from agentdebate.evaluators.registry import addresses
from agentdebate.models.families import OFFLINE
from agentdebate.models.own_model import shown
from agentdebate.models.provider_keys import usual_address
from agentdebate.models.registry import usual_address_of
from agentdebate.project.model_spec import ModelSpec
from agentdebate.project.my_folders import how_to_own
from agentdebate.project.project import Project
from agentdebate.project.trust import Place
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.wrapper import inside


class Named(NamedTuple):
    """A model that a file names."""

    who: str
    """The seat that it speaks for, or what else uses it."""
    model: str
    address: str
    path: Path


def check_unasked(strategy: Strategy, project: Project) -> None:
    """Raise UsageError, which names the seats, where files name models behind endpoints that the user has not allowed."""
    named = [one for one in _named(strategy, project) if not project.trust(one.path).allows(one.address)]
    if not named:
        return
    told = "; ".join(dict.fromkeys(f"{one.who} by {one.model} ({project.shown(one.path)})" for one in named))
    hosts = dict.fromkeys(str(place) for one in named if (place := Place.read(one.address)))
    allow = "".join(f", or allow_endpoints='{host}'" for host in hosts)
    raise UsageError(
        f"no model was given, and so no endpoint is asked; but files name models: {told}. To have models asked, say which with "
        f"model=...{allow}{how_to_own(project.root)}"
    )


def _named(strategy: Strategy, project: Project) -> Iterator[Named]:
    """Every model behind an endpoint that a file names for these debates."""
    for role, seats in strategy.seats().items():
        for seat in seats:
            found = _model_of(strategy, role, seat, project)
            if found is not None and ModelSpec.parse(found[0]).name != OFFLINE:
                spec = ModelSpec.parse(found[0])
                address = spec.options.get("base_url") or usual_address_of(spec.name)
                yield Named(role, shown(found[0]), str(address), found[1])
    for one in inside(strategy):
        if path := one.said_by_file("evaluators"):
            for name, address in addresses(getattr(one, "evaluators", ())):
                yield Named("an evaluator", name, address, path)
        path, embedder = one.said_by_file("embedder"), str(getattr(one, "embedder", ""))
        if path and embedder_asks(embedder):
            yield Named("the embedder", embedder, usual_address(), path)


def _model_of(strategy: Strategy, role: str, seat: Seat, project: Project) -> tuple[str, Path] | None:
    """The model of a seat, and the file that names it; None where none does."""
    if seat.model is not None:
        name = seat.card if isinstance(seat.card, str) else seat.card.name
        keys = [(one, key) for one in inside(strategy) for key in (name, role)]
        files = (one.said_by_file(f"models.{key}") for one, key in keys if one.models.get(key) == seat.model)
        path = next(filter(None, files), None)
        return (seat.model, path) if path and isinstance(seat.model, str) else None
    if isinstance(seat.card, Card):
        card, path = (
            seat.card,
            next(filter(None, (one.said_by_file(f"cast.{role}") for one in inside(strategy))), None),
        )
    elif seat.card == VACANT:
        return None
    else:
        card, path = load_card(project, seat.card), project.find("agents", seat.card)
    return (card.model, path) if path and isinstance(card.model, str) else None
