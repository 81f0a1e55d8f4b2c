"""How a run was held, in a few lines: what its configuration says, and what it cost."""

from collections.abc import Iterator, Mapping
from typing import Any

from agentdebate.models.base import Sampling
from agentdebate.models.families import families_of, families_told
from agentdebate.report.run_tables.outcome_words import usage_line
from agentdebate.visible import one_line

_NO_OPTIONS = frozenset({"name", "cast", "sampling", "models", "around"})
"""Fields of a strategy that are told elsewhere."""


def heading(configuration: Mapping[str, Any], cost: Mapping[str, int]) -> Iterator[str]:
    """A line each for what is known of a run: options, cast, sampling, aspects, data, sweep, and calls and tokens (`cost`)."""
    strategy = _mapping(configuration.get("strategy"))
    mark = _mapping(configuration.get("sweep"))
    told = {
        "options": _options(strategy),
        "cast": _cast(strategy),
        "families": _families(configuration),
        "sampling": _sampling(strategy, _mapping(configuration.get("sampling"))),
        "aspects": _aspects(configuration),
        "data": _data(configuration.get("data")),
        "sweep": ", ".join(str(mark[name]) for name in ("name", "cell") if name in mark),
        "cost": usage_line(cost),
    }
    for name, text in told.items():
        if text:
            yield one_line(f"{name}: {text}")


def families(configuration: Mapping[str, Any]) -> tuple[str, ...]:
    """The makers of the models that a run was begun with."""
    listed = configuration.get("models")
    return families_of(str(_mapping(one).get("name")) for one in listed) if isinstance(listed, list) else ()


def _families(configuration: Mapping[str, Any]) -> str:
    cast = _mapping(_mapping(configuration.get("strategy")).get("cast"))
    agents = sum(len(cards) for cards in cast.values() if isinstance(cards, list))
    return families_told(families(configuration), agents)


def _options(strategy: Mapping[str, Any]) -> str:
    """The strategy's options, and those of the strategy inside it."""
    own = _pairs({name: value for name, value in strategy.items() if name not in _NO_OPTIONS})
    inside = _mapping(strategy.get("around"))
    if not inside:
        return own
    options = _options(inside)
    around = f"around {inside.get('name') or 'a strategy'}{f' ({options})' if options else ''}"
    return ", ".join(filter(None, [own, around]))


def _cast(strategy: Mapping[str, Any]) -> str:
    """Who plays which role, in the strategy inside it too."""
    cast = {
        role: ",".join(card if isinstance(card, str) else str(_mapping(card).get("name")) for card in cards)
        for role, cards in _mapping(strategy.get("cast")).items()
    }
    inside = _mapping(strategy.get("around"))
    return ", ".join(filter(None, [_pairs(cast), _cast(inside) if inside else ""]))


def _sampling(strategy: Mapping[str, Any], given: Mapping[str, Any]) -> str:
    """The sampling parameters that were set, by the strategy or for the run, the run's going before."""
    usual = Sampling().model_dump(mode="json")
    found: dict[str, Any] = {}
    around: Mapping[str, Any] = strategy
    while around:
        set_here = {k: v for k, v in _mapping(around.get("sampling")).items() if usual.get(k) != v}
        found, around = {**set_here, **found}, _mapping(around.get("around"))
    return _pairs({**found, **given})


def _aspects(configuration: Mapping[str, Any]) -> str:
    aspects = configuration.get("aspects") or []
    named = aspects if isinstance(aspects, str) else ", ".join(map(str, aspects))
    return f"{named}, judged together" if named and configuration.get("together") else named


def _data(data: object) -> str:
    """The file, and how it was read."""
    if not isinstance(data, Mapping):
        return str(data or "")
    how = _pairs({name: value for name, value in data.items() if name != "path"})
    return ", ".join(filter(None, [str(data.get("path", "")), how]))


def _pairs(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{name}={_word(value)}" for name, value in values.items() if value not in (None, [], {})
    )


def _word(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(_word, value))
    return f"{value:g}" if isinstance(value, float) else str(value)


def _mapping(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
