"""The cells of a sweep: every combination of what varies, each with the strategy that it is held by."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Any, get_args

from agentdebate.errors import UsageError, UserError, nearest
from agentdebate.models.base import Effort
from agentdebate.models.registry import check_provider
from agentdebate.project.project import Project
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.studies.held_cells import AVG, is_corrw

CAST = "cast."
"""Prefix of a varied key that says who plays a role: "cast.critic"."""

CRITIC = "critic"
"""The role that `persona` is about where the strategy has no panel."""

AGENTS, PERSONA = "agents", "persona"

_SEATS = ("agents=...", "cast=...")
"""Beginnings of errors about who takes part."""

_NAMED = {
    "strategy": "a strategy goes by its name, such as debate",
    "model": "a model goes by its name, such as openai/gpt-6-luna",
}
"""Keys whose values must be names, so that a sweep can be resumed."""

_OWN = (*_NAMED, "temperature", "effort", AGENTS, PERSONA)
"""Keys besides options of the strategy and roles."""


@dataclass(frozen=True)
class SweepCell:
    """A run of a sweep: what it is held with."""

    label: str
    kind: str
    """Kind: "run", or the kind of a control."""
    varied: Mapping[str, str]
    """Varied values, as tables show them."""
    name: str
    """The strategy's name."""
    given: Mapping[str, Any]
    """Varied options of the strategy, by key, as given; for a control its options."""
    strategy: Strategy
    model: str
    temperature: float | None
    together: bool | None
    effort: Effort | None = None
    """Varied effort."""
    run_label: str = ""
    """Label of its run, if the cell does not show the run itself: CorrW is read off a run of AVG."""


def every_combination(vary: Mapping[str, Iterable[Any]]) -> Mapping[str, Sequence[Any]]:
    """Check the varied values. Raises UsageError for what cannot be varied."""
    if not isinstance(vary, Mapping):
        raise UsageError(
            f"vary=... has names with a list of values each: {{'rounds': [1, 2]}}, not {vary!r:.80}"
        )
    return {key: _values(key, values) for key, values in vary.items()}


def _values(key: str, given: Iterable[Any]) -> Sequence[Any]:
    """The values that one name takes. Raises UsageError."""
    values = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str | Mapping) else ()
    if not isinstance(key, str) or not values:
        raise UsageError(f"vary=... takes a list of values for {key!r:.80}, not {given!r:.80}")
    for value in values if key in _NAMED else ():
        if not isinstance(value, str):
            raise UsageError(f"vary=... {key}: {_NAMED[key]}, not {value!r:.80}")
    seen = [shown(value) for value in values]
    twice = [text for number, text in enumerate(seen) if text in seen[:number]]
    if twice:
        raise UsageError(f"vary=... has {twice[0]!r} twice for {key!r}")
    return values


@dataclass(frozen=True)
class Base:
    """Settings of a cell that do not vary."""

    strategy: str
    model: str
    words: StrategyWords
    together: bool | None


def cell(varied: Mapping[str, Any], base: Base, project: Project, *, said: str) -> SweepCell:
    """The cell of one combination, which the argument `said` gave. Raises UserError for what cannot be varied."""
    with _naming(varied, said):
        return _built(varied, base, project)


def _built(varied: Mapping[str, Any], base: Base, project: Project) -> SweepCell:
    given = dict(varied)
    name, chosen = str(given.pop("strategy", base.strategy)), str(given.pop("model", base.model))
    if "model" in varied:
        check_provider(chosen)
    weighted = is_corrw(name, project)
    name = AVG if weighted else name
    temperature = _temperature(given.pop("temperature", None))
    effort = given.pop("effort", None)
    if effort not in (None, *get_args(Effort)):
        raise UsageError(f"vary=... effort: {effort!r:.80} is none of {', '.join(get_args(Effort))}")
    if PERSONA in given:
        given = {persona_key(name, project) if key == PERSONA else key: value for key, value in given.items()}
    made = _with(base.words, given).strategy(name, project)
    told = {key: shown(value) for key, value in varied.items()}
    run_label = _label({**told, "strategy": AVG}) if weighted else ""
    label = _label(told) or name
    return SweepCell(
        label,
        "run",
        told,
        name,
        given,
        made,
        chosen,
        temperature,
        base.together,
        effort=effort,
        run_label=run_label,
    )


@contextmanager
def _naming(varied: Mapping[str, Any], said: str) -> Iterator[None]:
    """Have errors say for which value of what varies they are; an error of a strategy's name says so itself."""
    try:
        yield
    except UserError as error:
        option = error.option if isinstance(error, UsageError) else None
        own = varied if option is None else {key: value for key, value in varied.items() if key == option}
        if str(error).startswith(_SEATS) and not any(
            key in (AGENTS, PERSONA) or CAST in key for key in varied
        ):
            own = {}
        if own.keys() <= {"strategy"} or "vary=..." in str(error):
            raise
        told = _label({key: shown(value) for key, value in own.items()})
        hint = nearest(option, _OWN) if option and "has no option" in str(error) else ""
        more = f" {hint}" if hint.startswith("Did") else ""
        raise UsageError(f"{said}=... {told}: {error}{more}") from error


def persona_key(name: str, project: Project) -> str:
    """Return the key that `persona` stands for: the panel's cards where the strategy has a panel, and else the critic's. Raises UserError."""
    layers = Layers.read(name, project)
    if layers.panel is not None:
        return AGENTS
    if CRITIC in layers.roles:
        return f"{CAST}{CRITIC}"
    roles = ", ".join(f"{CAST}{role}" for role in layers.roles)
    raise UsageError(
        f"vary=... persona: the strategy {name!r} has neither a panel nor a critic; vary one of {roles}"
    )


def shown(value: Any) -> str:
    """A value as tables and names of cells have it, the same from Python and from the command line."""
    if isinstance(value, list | tuple):
        return "+".join(map(shown, value))
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:g}" if isinstance(value, float) else str(value)


def _label(told: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in told.items())


def _with(words: StrategyWords, given: Mapping[str, Any]) -> StrategyWords:
    """The words with what varies among them. Raises UsageError where both say the same."""
    options, cast, agents = dict(words.options), dict(words.cast), words.agents
    for key, value in given.items():
        role = key.removeprefix(CAST)
        if key == AGENTS:
            _check_once(agents is None, f"agents=... and vary=... {AGENTS} both say who sits in the panel")
            agents = value
        elif role != key:
            _check_once(role not in cast, f"cast=... and vary=... both say who plays {role!r}")
            cast[role] = value
        else:
            _check_once(key not in options, f"options=... and vary=... {key} both say it")
            options[key] = value
    return StrategyWords(options, cast, agents, words.models)


def _check_once(once: bool, otherwise: str) -> None:
    if not once:
        raise UsageError(f"{otherwise}; leave one of them out")


def _temperature(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < inf:
        return float(value)
    raise UsageError(f"vary=... temperature: {value!r:.80} is not a number of at least 0")
