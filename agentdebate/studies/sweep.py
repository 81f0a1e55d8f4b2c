"""A sweep over items that are at hand: a run for every combination of what varies, each with its controls."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

from agentdebate.debates.record import OFFLINE
from agentdebate.errors import UsageError, UserError
from agentdebate.models.base import Effort
from agentdebate.models.prices import PriceTable
from agentdebate.models.secrets import plain_address, without_secrets
from agentdebate.project.project import Project
from agentdebate.runs.agenda import Data, at_hand, check_item, check_items, check_suits
from agentdebate.runs.evaluation import Evaluation, evaluate
from agentdebate.runs.run import Run
from agentdebate.runs.settings import Settings
from agentdebate.store.run_head import SWEEP, RunHead
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.load import strategy as load_strategy
from agentdebate.strategies.strategy_words import StrategyWords
from agentdebate.studies.cells import PREFIX, SAMPLED, Cell, Kind
from agentdebate.studies.controls import control_label, samples_by_calls, samples_by_tokens
from agentdebate.studies.held_cells import check_people, control_cell, earlier_run, run_cells, stored_run
from agentdebate.studies.sweep_cell import Base, SweepCell, cell, every_combination
from agentdebate.tasks import Item, Task

CONTROL = "solo-repeated"
"""The strategy of the control: its samples are the calls of the debate that it is compared with."""

_HEARING, _NOBODY = "hearing", "none"
"""Option of a talk that says who hears whom, and its value where no agent hears another."""
_OF_THE_WAY = frozenset({"timeout", "client", "connections", "api_key_env", "tier"})
"""Options of a model that decide nothing of what it says."""


class SweepListener:
    """Listener that is told how far a sweep has come; this one says nothing."""

    def begins(self, name: str, cells: int, items: int) -> None:
        """All cells are made and checked, and the first is about to be held."""

    def has_ended(self, cell: SweepCell, head: RunHead) -> None:
        """A cell was held before and is not held again."""

    async def holds(self, cell: SweepCell, run: Evaluation, *, again: bool) -> None:  # noqa: ARG002 - for those who listen
        """A cell is being held, or taken up `again`: the listener takes its records."""
        async for _ in run:
            pass


SILENT = SweepListener()


@dataclass(frozen=True)
class SweepSetting:
    """Settings that all runs of a sweep share."""

    items: Sequence[Item] = field(repr=False)
    strategy: str
    store: str | Path
    settings: Settings
    words: StrategyWords = field(default_factory=StrategyWords)
    control: str = "solo"
    control_temperature: float = 1.0
    by_tokens: bool = False
    controls: bool = False
    """True if the further controls are held too."""
    control_effort: Effort | None = None
    """Effort with which the single judge thinks longer."""
    progress: SweepListener = SILENT

    @property
    def model(self) -> str:
        """The model of cells in which it does not vary, which goes by its name."""
        assert isinstance(self.settings.model, str), "it was checked"
        return self.settings.model

    @cached_property
    def project(self) -> Project:
        """Project with the content files."""
        return self.settings.project or Project.here()

    @cached_property
    def prices(self) -> PriceTable:
        """Prices of the models. Raises ContentError."""
        return self.settings.price_table

    @cached_property
    def name(self) -> str:
        """Name of the sweep in the store: the same again where more is varied."""
        given = [self.strategy, self.model, vars(self.words), self._common]
        return f"{PREFIX}{_digest(given)[:8]}"

    def mark(self, cell: SweepCell) -> dict[str, Any]:
        """Return the sweep's entry for a run's configuration."""
        held = [
            cell.strategy.model_dump(mode="json", fallback=str),
            cell.model,
            cell.temperature,
            at_once(cell),
            self._common,
            *([cell.effort] if cell.effort else []),
        ]
        return {
            "name": self.name,
            "cell": cell.run_label or cell.label,
            "kind": cell.kind,
            "key": _digest(held),
        }

    @cached_property
    def tasks(self) -> Mapping[str, Task]:
        """The tasks of the items, as they are judged. Raises UserError."""
        names = dict.fromkeys(item.task for item in self.items)
        return {name: self.settings.task(name) for name in names}

    def sets(self, cell: SweepCell) -> Iterator[tuple[Task, list[tuple[str, ...]]]]:
        """List the aspects of each debate of a cell, task by task."""
        for task in self.tasks.values():
            names = tuple(aspect.name for aspect in task.choose(self.settings.aspects))
            yield task, [names] if at_once(cell) else [(one,) for one in names]

    @cached_property
    def _common(self) -> list[Any]:
        """Settings that decide the result of every cell: the same from Python and from the command line."""
        aspects = {
            name: [one.name for one in task.choose(self.settings.aspects)]
            for name, task in self.tasks.items()
        }
        settings = self.settings.but(tasks=self.tasks).row()
        items = [item.model_dump(mode="json") for item in self.items]
        return [items, aspects, settings, self.project.digests(), self._model_options()]

    def _model_options(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.settings.model_options.items() if name not in _OF_THE_WAY}
        if kept.get("base_url"):
            kept["base_url"] = plain_address(kept["base_url"])
        return dict(without_secrets(kept))


def planned(
    common: SweepSetting, vary: Mapping[str, Sequence[Any]], more: Sequence[Mapping[str, Any]] = ()
) -> list[SweepCell]:
    """Every combination of the values, the last name changing fastest, and `more` cells; all are built before the first is held.

    Raises UserError for what cannot be varied, and for a cell that is there twice.
    """
    values = every_combination(
        {**({"strategy": [common.strategy]} if more else {}), **every_combination(vary)}
    )
    combined = [dict(zip(values, one, strict=True)) for one in product(*values.values())]
    base = Base(common.strategy, common.model, common.words, common.settings.together)
    told = [*((one, "vary") for one in combined), *((one, "cells") for one in more)]
    cells = [cell(one, base, common.project, said=said) for one, said in told]
    labels = [one.label for one in cells]
    if twice := [label for at, label in enumerate(labels) if label in labels[:at]]:
        raise UsageError(f"the cell {twice[0]!r} is there twice: leave one of them out")
    if any(one.model == OFFLINE and (one.effort or common.control_effort) for one in cells):
        raise UsageError("the offline judge has no effort: vary none, and name no control_effort")
    for one in (*cells, _first_control(common, cells[0]), *further_controls(common, cells[0])):
        for task, sets in common.sets(one):
            check_suits(one.strategy, task, sets)
        check_items(one.strategy, ((common.tasks[item.task], item) for item in common.items))
    if any(one.run_label for one in cells):
        check_people(common.items)
    return cells


def _first_control(common: SweepSetting, cell: SweepCell) -> SweepCell:
    """The single judge, sampled once. Raises UsageError for what cannot be one."""
    if not isinstance(common.control, str):
        raise UsageError(
            f"control=... is a strategy by its name, such as 'solo', and not {common.control!r:.80}"
        )
    heat = common.control_temperature
    if isinstance(heat, bool) or not isinstance(heat, int | float) or not 0 <= heat < inf:
        raise UsageError(f"control_temperature=... is a number of at least 0, not {heat!r:.80}")
    try:
        control = control_of(common, cell, 1)
    except UserError as error:
        raise UsageError(f"control=...: {error}") from error
    _check_single(common.control, control)
    return control


def _check_single(name: str, control: SweepCell) -> None:
    """Raise UsageError for a control in which several agents judge: a debate beside a debate compares nothing."""
    seats = control.strategy.seats()
    judges = [role for role in seats for seat in seats[role] if seat.briefed and not seat.relay]
    if len(judges) > 1:
        raise UsageError(
            f"control=... is a single judge, with which debates are compared, and in {name!r} several agents judge "
            f"({', '.join(judges)}): take one such as 'solo'"
        )


async def items_of(items: Data, settings: Settings) -> tuple[Sequence[Item], Settings]:
    """The items of a sweep, and its settings with where they came from. Raises UsageError for what is none."""
    found, settings = await at_hand(items, settings)
    for place, item in enumerate(found, 1):
        check_item(place, item)
    return found, settings


async def held(common: SweepSetting, cells: Sequence[SweepCell]) -> list[Cell]:
    """Hold all cells and their controls, or what is left of them; each comes back with its controls behind it.

    Raises AgentDebateError.
    """
    for one in cells:
        for each in (one, *further_controls(common, one)):
            await _try_out(common, each)
    common.progress.begins(common.name, len(cells), len(common.items))
    found: list[Cell] = []
    for one in cells:
        head = await _hold(common, one)
        own = run_cells(common.store, head, common.prices, one.label, one.varied, alone=bool(one.run_label))
        samples = samples_by_calls(common.store, own[0])
        by_calls = await _beside(common, control_of(common, one, samples), own[0])
        found += [*own, by_calls]
        if common.by_tokens or common.controls:
            as_many = samples_by_tokens(own[0], by_calls, samples)
            found.append(await _beside(common, control_of(common, one, as_many, "same tokens"), own[0]))
        found += [await _beside(common, control, own[0]) for control in further_controls(common, one)]
    return found


def control_of(common: SweepSetting, cell: SweepCell, samples: int, kind: Kind = "same calls") -> SweepCell:
    """The single judge, sampled at the cost of a debate of the cell, over the same items. Raises UserError."""
    given = {"around": common.control, "samples": samples}
    made = load_strategy(CONTROL, project=common.project, **given)
    label = control_label(common.control, samples, common.control_temperature, cell.model, kind)
    return SweepCell(
        label,
        kind,
        cell.varied,
        CONTROL,
        given,
        made,
        cell.model,
        common.control_temperature,
        at_once(cell),
        effort=cell.effort,
    )


def further_controls(common: SweepSetting, cell: SweepCell) -> list[SweepCell]:
    """The single judge asked once, and told to think longer, and the cell's rounds in which no agent hears another. Raises UserError."""
    if not common.controls:
        return []
    alone = load_strategy(common.control, project=common.project)
    one = SweepCell(
        f"{common.control}, {cell.model}",
        "one judge",
        cell.varied,
        common.control,
        {},
        alone,
        cell.model,
        None,
        at_once(cell),
        effort=cell.effort,
    )
    found = [one]
    if effort := common.control_effort:
        found.append(replace(one, label=f"{one.label}, effort {effort}", kind="thinks longer", effort=effort))
    if deaf := hearing_nobody(cell.strategy):
        found.append(
            replace(cell, label=f"{cell.label}, hearing nobody", kind="hearing nobody", strategy=deaf)
        )
    return found


def hearing_nobody(strategy: Strategy) -> Strategy | None:
    """Make the same talk in which no agent hears another; None where a talk has no such setting, or is that already."""
    around = getattr(strategy, "around", None)
    if isinstance(around, Strategy):
        inner = hearing_nobody(around)
        return inner and strategy.model_copy(update={"around": inner})
    if getattr(strategy, _HEARING, _NOBODY) == _NOBODY:
        return None
    try:
        type(strategy).model_validate({**dict(strategy), _HEARING: _NOBODY})
    except ValueError:  # a talk in which somebody sums up is none without hearing
        return None
    return strategy.model_copy(update={_HEARING: _NOBODY})


def at_once(cell: SweepCell) -> bool:
    """Tell whether all aspects are judged in one debate."""
    return cell.strategy.judges_together() if cell.together is None else cell.together


def settings_of(common: SweepSetting, cell: SweepCell) -> Settings:
    """Return the settings of a cell's debates."""
    sampling = common.settings.sampling
    if cell.temperature is not None:
        sampling = sampling.model_copy(update={"temperature": cell.temperature})
    if cell.effort is not None:
        sampling = sampling.model_copy(update={"effort": cell.effort})
    return replace(
        common.settings,
        model=cell.model,
        together=cell.together,
        sampling=sampling,
        configuration={**common.settings.configuration, SWEEP: common.mark(cell)},
    )


async def _beside(common: SweepSetting, control: SweepCell, own: Cell) -> Cell:
    """A control beside a cell."""
    head = await _hold(common, control)
    return control_cell(common.store, head, common.prices, control.label, own, kind=SAMPLED[control.kind])


async def _try_out(common: SweepSetting, cell: SweepCell) -> None:
    """Make a run ready and leave it: a card, a key or a price that is missing shows while nothing is paid for yet.

    Nothing is asked of any model. Raises UserError.
    """
    async with Run.prepared(cell.strategy, settings_of(common, cell)):
        pass


async def _hold(common: SweepSetting, cell: SweepCell) -> RunHead:
    """Hold a run, or what is left of it; one that has ended is not held again."""
    before = earlier_run(common.store, common.mark(cell)["key"])
    if before is not None and before.ended is not None:
        common.progress.has_ended(cell, before)
        return before
    async with evaluate(
        common.items,
        cell.strategy,
        store=common.store,
        resume=before.id if before else None,
        earlier=False,
        settings=settings_of(common, cell),
    ) as run:
        await common.progress.holds(cell, run, again=before is not None)
    return stored_run(common.store, run.id or "")


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
