"""What the models of a debate cannot do, said before anything is paid for."""

from collections.abc import Iterator, Sequence

from agentdebate.agents.chair import Chair
from agentdebate.agents.seating import Seating
from agentdebate.errors import UsageError
from agentdebate.models.abilities import abilities_of, in_words, never_cast_by, unsent, way_out_of
from agentdebate.models.base import Model
from agentdebate.strategies.base import Strategy

_GIVEN = frozenset({"logprobs", "n"})
"""The parameters that ask a model for more than its reply; the others say how it replies."""


def check_abilities(strategy: Strategy, seating: Seating) -> None:
    """Raise UsageError where a model is known to refuse what the strategy asks of it; warn of what will be left out."""
    for chair in _asked(seating):
        abilities = abilities_of(chair.model)
        if abilities is None:
            continue
        sampling = strategy.asks_beside().overlaid(chair.sampling)
        for name in abilities.refuses(sampling):
            raise UsageError(_refused(name, chair, strategy))
        abilities.warn_of(sampling)
    _check_ballot(strategy, [chair.model for chair in _asked(seating)])


def _check_ballot(strategy: Strategy, models: Sequence[Model]) -> None:
    """Raise UsageError where no model could cast the ballot that the strategy asks for: every debate would fail."""
    kind = strategy.ballot_kind()
    if kind and models and all(kind in never_cast_by(one) for one in models):
        raise UsageError(
            f"{models[0].name} casts no ballot of the kind {kind!r}, which {strategy.title!r} as it is set asks for: "
            'ballot = "ratings", or a language model'
        )


def unsent_by_model(seating: Seating) -> dict[str, list[str]]:
    """The parameters that were asked for and that requests go out without, by model."""
    found: dict[str, list[str]] = {}
    for chair in _asked(seating):
        for one in unsent(chair.model, chair.sampling):
            known = found.setdefault(chair.model.name, [])
            known.extend([one] if one not in known else [])
    return found


def _asked(seating: Seating) -> Iterator[Chair]:
    """Whoever is asked for replies of a model."""
    return (chair for chair in seating.chairs if not chair.relay)


def _refused(name: str, chair: Chair, strategy: Strategy) -> str:
    other = strategy.otherwise(name)
    ways = [other] if other else []
    role = chair.speaker.role
    ways.append(f"another model for {role!r} (models='{role}=PROVIDER/NAME')")
    verb = "gives" if name in _GIVEN else "takes"
    return (
        f"{chair.model.name} {verb} no {in_words(name).removeprefix('a ')}{way_out_of(chair.model)}, which {strategy.title!r} as it is set asks {role!r} "
        f"for: {', or '.join(ways)}"
    )
