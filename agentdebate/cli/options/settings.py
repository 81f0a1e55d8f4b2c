"""The library's settings, strategy words and data sources as options: the part of the help that each stands in, and how it is typed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token

from agentdebate.agents.debate_settings import DebateLimits, Form
from agentdebate.cli.options.common import DATA, LIMITS, MODEL, STRATEGY, json_pairs
from agentdebate.datasets.data_source import DataSource
from agentdebate.datasets.named_values import free_pairs, names, pairs
from agentdebate.models.base import Sampling
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Limits
from agentdebate.models.prices import PriceTable, read_prices
from agentdebate.runs.settings import CacheMode, Settings
from agentdebate.strategies.panel import Agents
from agentdebate.strategies.strategy_words import StrategyWords


def _option(tokens: Sequence[Token]) -> tuple[tuple[str, ...], str]:
    """Return the values of an option, and its name as it was typed."""
    return tuple(one.value for one in tokens), tokens[0].keyword or ""


def _texts(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, str]:
    """Read NAME=VALUE. Raises UsageError."""
    return pairs(*_option(tokens))


def _columns(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, str]:
    """Read NAME=COLUMN, several with commas. Raises UsageError."""
    return free_pairs(*_option(tokens))


def _data(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, Any]:
    """Read NAME=JSON. Raises UsageError."""
    return json_pairs(*_option(tokens))


def _cast(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, Any]:
    """Read ROLE=CARD,CARD. Raises UsageError."""
    return {role: names(cards) for role, cards in _texts(_kind, tokens).items()}


def _agents(_kind: Any, tokens: Sequence[Token]) -> Agents:
    """Read the cards that --agents names, or how many it counts."""
    text = tokens[-1].value
    return int(text) if text.strip().lstrip("-").isdigit() else names(text)


def _scales(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, str]:
    """Read ASPECT=SCALE; without an aspect it is for all of them."""
    found = (text.rpartition("=") for one in tokens for text in names(one.value))
    return {aspect: scale for aspect, _, scale in found}


def _table(_kind: Any, tokens: Sequence[Token]) -> PriceTable:
    """Read a file of prices. Raises ContentError."""
    return read_prices(Path(tokens[0].value))


_Pairs = tuple[str, ...] | Mapping[str, Any]
"""Texts that are typed one by one, and the mapping that they become."""
_PAIRS: dict[str, Any] = {"accepts_keys": False, "metavar": "STR..."}
_OF_STRATEGY, _OF_LIMITS = Parameter(group=STRATEGY), Parameter(group=LIMITS)


class SettingOptions(Settings):
    """Settings of a run, as they are typed. What they are, mean and may be is said by `Settings` alone.

    Parameters
    ----------
    sampling.temperature
        The sampling temperature.
    sampling.top_p
        Nucleus sampling: the share of probability that is drawn from.
    sampling.max_tokens
        Tokens a reply may have.
    sampling.effort
        Effort that goes into thinking, as far as the model has it.
    sampling.seed
        The seed that the model gets, and that of --sample.
    budget.tokens
        Tokens that may be spent; then the run stops.
    budget.money
        Money that may be spent; then the run stops.

    """

    model: Annotated[str, Parameter(name=["--model", "-m"])]
    sampling: Annotated[
        Sampling, Parameter(name="*", parse="^(sampling|temperature|top_p|max_tokens|effort|seed)$")
    ]
    extra: Annotated[_Pairs, Parameter(converter=_data, **_PAIRS)]  # type: ignore[assignment]  # as it is typed
    aspects: Annotated[str | None, Parameter(group=DATA)]
    scales: Annotated[  # type: ignore[assignment]  # as it is typed
        _Pairs,
        Parameter(name="--scale", converter=_texts, group=STRATEGY, **_PAIRS),
    ]
    together: Annotated[bool | None, Parameter(negative="--apart", group=STRATEGY)]
    form: Annotated[Form, _OF_STRATEGY]
    patience: Annotated[int, _OF_STRATEGY]
    deadline: Annotated[float, _OF_STRATEGY]
    concurrency: Annotated[int, Parameter(name=["--concurrency", "-c"], group=LIMITS)]
    limits: Annotated[Limits, Parameter(name="*", group=LIMITS)]
    budget: Annotated[Budget | None, Parameter(name="*", name_transform="budget-{}".format, group=LIMITS)]
    debate_limits: Annotated[
        DebateLimits, Parameter(name="*", name_transform="debate-{}".format, group=LIMITS)
    ]
    prices: Annotated[
        PriceTable | None,
        Parameter(converter=_table, accepts_keys=False, n_tokens=1, metavar="PATH", group=LIMITS),
    ]
    cache: Annotated[CacheMode, _OF_LIMITS]
    cache_file: Annotated[Path, _OF_LIMITS]


_TYPED = "^(?!(tasks|rehearsal|project|listeners|configuration)$)"
"""All settings but those that only Python has, and the project, of which the user says more."""
SettingGroup = Annotated[SettingOptions, Parameter(name="*", group=MODEL, parse=_TYPED)]
"""All settings of a run, as the options of a command that holds debates."""


class CastOptions(StrategyWords):
    """Settings of a strategy, as they are typed."""

    options: Annotated[_Pairs, Parameter(name="--set", converter=_data, **_PAIRS)]  # type: ignore[assignment]  # as it is typed
    cast: Annotated[_Pairs, Parameter(converter=_cast, **_PAIRS)]  # type: ignore[assignment]  # as it is typed
    agents: Annotated[
        Agents | None, Parameter(converter=_agents, accepts_keys=False, n_tokens=1, metavar="STR")
    ]
    models: Annotated[_Pairs, Parameter(name="--agent-model", converter=_texts, **_PAIRS)]  # type: ignore[assignment]  # as it is typed


CastGroup = Annotated[CastOptions, Parameter(name="*", group=STRATEGY)]
"""The strategy's options, and who plays which role."""

_OF_COLUMNS = Parameter(converter=_columns, **_PAIRS)


class DataOptions(DataSource):
    """The data of a run, as it is typed: its files and their columns.

    Parameters
    ----------
    evidence
        NAME=COLUMN of an evaluator's scores that were computed elsewhere; evaluators to run are options of the strategy:
        --set evaluators=...
    subset
        The file is a part of the dataset of --as, so nothing is counted.
    on
        The columns by which --join matches, with commas.
    sample
        Judge N items drawn at random: the same ones for the same --seed.

    """

    fields: Annotated[_Pairs, Parameter(name=["--field", "-f"]), _OF_COLUMNS]  # type: ignore[assignment]  # as it is typed
    ids: Annotated[str | None, Parameter(name="--id")]
    human: Annotated[_Pairs, _OF_COLUMNS]  # type: ignore[assignment]  # as it is typed
    human_scale: Annotated[_Pairs, Parameter(converter=_scales, **_PAIRS)]  # type: ignore[assignment]  # as it is typed
    also: Annotated[_Pairs, _OF_COLUMNS]  # type: ignore[assignment]  # as it is typed
    evidence: Annotated[_Pairs, _OF_COLUMNS]  # type: ignore[assignment]  # as it is typed
    dataset: Annotated[str | None, Parameter(name="--as")]
    join: Annotated[Path | None, Parameter(allow_leading_hyphen=True)]
    on: str | None


DataGroup = Annotated[DataOptions, Parameter(name="*", group=DATA, parse="^(?!(path|task|seed)$)")]
"""All options about data, but those that a command has of its own."""
