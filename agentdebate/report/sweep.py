"""`sweep`: an ablation with controls at the same cost, in one call with the words of the command."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError, nearest
from agentdebate.extras import require
from agentdebate.meta.bootstrap import Resampling
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.levels import Level
from agentdebate.models.prices import PriceTable, built_in
from agentdebate.report.question import Question
from agentdebate.report.sweep_table import SweepTable
from agentdebate.runs.settings import USUAL, Settings, SettingsChanges
from agentdebate.store.place import USUAL_STORE
from agentdebate.strategies.panel import Agents
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.studies.people import people_alone
from agentdebate.studies.sweep import SweepListener, SweepSetting, held, items_of, planned
from agentdebate.studies.sweep_cell import Configured, SweepCell
from agentdebate.studies.sweep_forecast import SweepForecast, foretold
from agentdebate.tasks import Item


class SweepOptions(SettingsChanges, total=False):
    """What is said of a sweep beside its items, its strategy and what varies: the settings of its runs, and these.

    A model goes by its name.
    """

    settings: Settings | None
    """How the runs are held, where keywords do not say otherwise."""
    options: Mapping[str, Any]
    """Options of the strategy that all cells have, such as {"ballots": "every"}."""
    cast: Mapping[str, Any]
    """Roles and who plays them in all cells."""
    agents: Agents | None
    """The panel of all cells: how many, or cards."""
    models: Mapping[str, str]
    """Models of their own, by card or role."""
    control: str
    """The single judge that is sampled as often as a debate calls ["solo"]."""
    control_temperature: float
    """The temperature of its samples [1.0]."""
    by_tokens: bool
    """Whether the single judge is sampled until it took as many tokens, too [False]."""
    store: str | Path
    """A path or database URL."""
    prices: PriceTable | None
    """What models cost [the built-in table]."""
    configured: Configured | None
    """Gives what is stored of a cell beside how it is held."""
    listener: SweepListener
    """Is told how far the sweep has come."""


async def sweep(
    items: Iterable[Item],
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]],
    statistic: str | None = None,
    level: Level = "pooled",
    resampling: Resampling | None = None,
    resamples: int = 1000,
    missing: Missing = LEFT_OUT,
    **options: Unpack[SweepOptions],
) -> SweepTable:
    """Judge the same items in several ways, a run for each, and compare them with people and with two controls.

    `vary` has a list of values for each name: "strategy", "model", "temperature", "agents" (a number, or a list of cards),
    "persona" (the panel's cards, or the critic's), "cast.ROLE", or any option of the strategy. The controls are the judge
    `control`, sampled as often as a debate called, and the vote of the debate's openings without talk; `by_tokens` adds the judge
    sampled until it took as many tokens. A run whose evaluators and people have scores has CorrW beside it. Runs that have ended
    are not held again when the call is made again, here or as the command `sweep` over the same items:

        table = await ad.sweep(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-6-luna", store="runs.db")
        print(table)

    The question of agreement is put by `statistic`, `level`, `resamples` (or all of `resampling`) and `missing`; everything else is as
    in `evaluate`. Raises UserError before the first call for what is wrong with any cell, StoreError and what ends a run.
    """
    question = Question(statistic, level, (resampling or Resampling(resamples)).bootstrap, missing)
    common = _setting(items_of(items, strategy), strategy, options)
    cells = planned(common, vary)
    _check_question(question, common, cells[0])
    found = await held(common, cells)
    note = offline_note([common.model, *(cell.model for cell in cells)])
    return SweepTable(common.name, tuple(found), question, note)


async def sweep_forecast(
    items: Iterable[Item],
    strategy: str,
    *,
    vary: Mapping[str, Sequence[Any]],
    **options: Unpack[SweepOptions],
) -> SweepForecast:
    """What a sweep will cost at the most, cell by cell, its controls among them; nothing is asked of any model.

        told = await ad.sweep_forecast(items, "debate", vary={"rounds": [1, 2, 4]}, model="openai/gpt-6-luna")
        print(told)

    Its words are those of `sweep`. Raises UserError for what is wrong with any cell.
    """
    common = _setting(items_of(items, strategy), strategy, options)
    return await foretold(common, planned(common, vary))


_OF_STRATEGY = ("options", "cast", "agents", "models")
_OF_SETTINGS = frozenset(SettingsChanges.__annotations__)
_OF_SWEEP = frozenset(SweepOptions.__annotations__) - _OF_SETTINGS - {"settings", *_OF_STRATEGY}


def _setting(items: tuple[Item, ...], strategy: str, options: SweepOptions) -> SweepSetting:
    """What all cells have in common. Raises UsageError for an argument that there is not."""
    given: dict[str, Any] = dict(options)
    words = StrategyWords(**{name: given.pop(name) for name in _OF_STRATEGY if name in given})
    own = {name: given.pop(name) for name in _OF_SWEEP if name in given}
    settings = given.pop("settings", None) or USUAL
    for name in given:
        if name not in _OF_SETTINGS:
            raise UsageError(f"sweep has no argument {name!r}. {nearest(name, SweepOptions.__annotations__)}")
    settings = settings.but(**given)
    for name, value in (("strategy", strategy), ("model", settings.model)):
        if not isinstance(value, str):
            raise UsageError(f"{name}: a sweep takes it by its name, and not {value!r:.80}")
    prices = own.pop("prices", None)
    return SweepSetting(
        items,
        strategy,
        own.pop("store", USUAL_STORE),
        settings,
        built_in() if prices is None else prices,
        words,
        **own,
    )


def _check_question(question: Question, common: SweepSetting, cell: SweepCell) -> None:
    """Raise UsageError for a question that cannot be put, before anything is paid for and not at the end."""
    if any(item.human for item in common.items):
        require("scipy", "agree")
        for entry in people_alone(common, cell):
            replace(question, bootstrap=None).ask(entry)
