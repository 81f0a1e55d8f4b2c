"""The settings of a run as options: the part of the help that each stands in, and how those that are pairs are typed."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter, Token

from agentdebate.agents.debate_settings import DebateLimits, Form
from agentdebate.cli.options.common import DATA, LIMITS, MODEL, STRATEGY, json_pairs
from agentdebate.datasets.named_values import pairs
from agentdebate.models.base import Sampling
from agentdebate.models.budget import Budget
from agentdebate.models.composition import Limits
from agentdebate.models.prices import PriceTable, read_prices
from agentdebate.runs.settings import CacheMode, Settings


def _texts(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, str]:
    """Read NAME=VALUE. Raises UsageError."""
    return pairs(tuple(one.value for one in tokens), tokens[0].keyword or "")


def _data(_kind: Any, tokens: Sequence[Token]) -> Mapping[str, Any]:
    """Read NAME=JSON. Raises UsageError."""
    return json_pairs([one.value for one in tokens], tokens[0].keyword or "")


def _table(_kind: Any, tokens: Sequence[Token]) -> PriceTable:
    """Read a file of prices. Raises ContentError."""
    return read_prices(Path(tokens[0].value))


_PAIRS = {"accepts_keys": False, "metavar": "STR..."}
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
    sampling.seed
        The seed that the model gets, and that of --sample.
    budget.tokens
        Tokens that may be spent; then the run stops.
    budget.money
        Money that may be spent; then the run stops.

    """

    model: Annotated[str, Parameter(name=["--model", "-m"])]
    sampling: Annotated[Sampling, Parameter(name="*", parse="^(sampling|temperature|top_p|max_tokens|seed)$")]
    extra: Annotated[tuple[str, ...] | Mapping[str, Any], Parameter(converter=_data, **_PAIRS)]  # type: ignore[assignment]  # as it is typed
    aspects: Annotated[str | None, Parameter(group=DATA)]
    scales: Annotated[  # type: ignore[assignment]  # as it is typed
        tuple[str, ...] | Mapping[str, str],
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
