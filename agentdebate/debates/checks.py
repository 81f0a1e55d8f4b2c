"""Checks of a strategy's models, before anything is paid for."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from agentdebate.agents.card import VACANT, Card, load_card
from agentdebate.agents.seat import Cast, Seat, SeatPlan
from agentdebate.embedders.registry import asks_an_endpoint as embedder_asks
from agentdebate.errors import UsageError
from agentdebate.evaluators.registry import addresses
from agentdebate.models.abilities import abilities_of, in_words, never_cast_by, unsent, way_out_of
from agentdebate.models.base import Sampling
from agentdebate.models.families import OFFLINE
from agentdebate.models.own_model import shown
from agentdebate.models.provider_keys import usual_address
from agentdebate.models.registry import usual_address_of
from agentdebate.project.model_spec import ModelSpec
from agentdebate.project.my_folders import how_to_own
from agentdebate.project.project import Project
from agentdebate.project.trust import Place
from agentdebate.strategies.ballot_strategy import BallotStrategy
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.wrapper import inside

_GIVEN = frozenset({"logprobs", "n"})
"""The parameters that ask a model for more than its reply; the others say how it replies."""


def check_abilities(strategy: Strategy, cast: Cast) -> None:
    """Raise UsageError where a model is known to refuse what the strategy asks of it, or where none could cast its ballot; warn of
    what will be left out.
    """
    seats = [seat for seat in cast.seats if not seat.plan.relay]
    casting = [one for one in inside(strategy) if isinstance(one, BallotStrategy)]
    surely = any(one.confidence == "log-probabilities" for one in casting)
    beside = Sampling(logprobs=0) if surely else Sampling()
    for seat in seats:
        abilities = abilities_of(seat.model)
        if abilities is None:
            continue
        sampling = beside.overlaid(seat.sampling)
        for name in abilities.refuses(sampling):
            raise UsageError(_refused(name, seat, strategy))
        abilities.warn_of(sampling)
    kind = next((one.ballot for one in casting if one.kind), "")
    if kind and seats and all(kind in never_cast_by(seat.model) for seat in seats):
        raise UsageError(
            f"{seats[0].model.name} casts no ballot of the kind {kind!r}, which {strategy.title!r} as it is set asks for: "
            'ballot = "ratings", or a language model'
        )


def unsent_by_model(cast: Cast) -> dict[str, list[str]]:
    """The parameters that were asked for and that requests go out without, by model."""
    found: dict[str, dict[str, None]] = {}
    for seat in cast.seats:
        for one in () if seat.plan.relay else unsent(seat.model, seat.sampling):
            found.setdefault(seat.model.name, {})[one] = None
    return {model: list(names) for model, names in found.items()}


def _refused(name: str, seat: Seat, strategy: Strategy) -> str:
    ways = [one.no_logprobs for one in inside(strategy) if name == "logprobs" and one.no_logprobs]
    ways.append(f"another model for {seat.role!r} (models='{seat.role}=PROVIDER/NAME')")
    verb = "gives" if name in _GIVEN else "takes"
    return (
        f"{seat.model.name} {verb} no {in_words(name).removeprefix('a ')}{way_out_of(seat.model)}, which {strategy.title!r} as it is "
        f"set asks {seat.role!r} for: {', or '.join(ways)}"
    )


@dataclass(frozen=True, slots=True)
class _FileModel:
    """A model that a file names."""

    who: str
    """The seat that it speaks for, or what else uses it."""
    model: str
    address: str
    path: Path


def check_unasked(strategy: Strategy, project: Project) -> None:
    """Raise UsageError, which names the seats, where files name models behind endpoints that the user has not allowed.

    A debate that was given no model asks no endpoint because a file names one: the user alone sends texts and keys away.
    """
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


def _named(strategy: Strategy, project: Project) -> Iterator[_FileModel]:
    """Every model behind an endpoint that a file names for these debates."""
    for role, plans in strategy.seats().items():
        for plan in plans:
            model, path = _model_of(strategy, role, plan, project)
            if path and isinstance(model, str) and ModelSpec.parse(model).name != OFFLINE:
                spec = ModelSpec.parse(model)
                address = spec.options.get("base_url") or usual_address_of(spec.name)
                yield _FileModel(role, shown(model), str(address), path)
    for one in inside(strategy):
        if path := one.said_by_file("evaluators"):
            for name, address in addresses(getattr(one, "evaluators", ())):
                yield _FileModel("an evaluator", name, address, path)
        path, embedder = one.said_by_file("embedder"), str(getattr(one, "embedder", ""))
        if path and embedder_asks(embedder):
            yield _FileModel("the embedder", embedder, usual_address(), path)


def _model_of(strategy: Strategy, role: str, plan: SeatPlan, project: Project) -> tuple[object, Path | None]:
    """The model of a seat, and the file that names it, where one does."""
    card, model = plan.card, plan.model
    if model is not None:
        names = {role, card if isinstance(card, str) else card.name}
        saying = [
            (one, f"models.{name}")
            for one in inside(strategy)
            for name in names
            if one.models.get(name) == model
        ]
    elif isinstance(card, Card):
        saying, model = [(one, f"cast.{role}") for one in inside(strategy)], card.model
    elif card == VACANT:
        return None, None
    else:
        return load_card(project, card).model, project.find("agents", card)
    return model, next(filter(None, (one.said_by_file(key) for one, key in saying)), None)
