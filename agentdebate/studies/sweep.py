"""A sweep over items that are at hand: a run for every combination of what varies, each with its controls."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any

from agentdebate.agents.debate_settings import USUAL, DebateSettings
from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.prices import PriceTable
from agentdebate.project.project import Project
from agentdebate.prompts.prompts import load_task
from agentdebate.runs.evaluation import evaluate
from agentdebate.store.reader import RunHead
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.layers import Layers
from agentdebate.strategies.load import strategy as named
from agentdebate.studies.cells import SWEEP, Cell, Kind
from agentdebate.studies.controls import control_label, samples_by_tokens
from agentdebate.studies.held_cells import (
    AVG,
    check_people,
    control_cell,
    earlier_run,
    is_corrw,
    run_cells,
    stored_run,
)
from agentdebate.studies.sweeps import PREFIX
from agentdebate.tasks import Item

CONTROL = "solo-repeated"
"""The strategy of the control: its samples are the calls of the debate that it is compared with."""

CAST = "cast."
"""How what varies begins that says who plays a role: "cast.critic"."""

MOST = 20
"""Agents that a number can stand for."""


@dataclass(frozen=True)
class SweepSetting:
    """What all runs of a sweep have in common."""

    items: tuple[Item, ...] = field(repr=False)
    strategy: str
    model: str
    store: str | Path
    project: Project
    prices: PriceTable = field(repr=False)
    control: str = "solo"
    control_temperature: float = 1.0
    by_tokens: bool = False
    aspects: Sequence[str] | str | None = None
    together: bool | None = None
    concurrency: int = 64
    settings: DebateSettings = USUAL

    @property
    def name(self) -> str:
        """What the sweep is called in the store: the same again where more is varied."""
        return f"{PREFIX}{_digest([self.strategy, self.model, self._common()])[:8]}"

    def mark(self, cell: "SweepCell") -> dict[str, Any]:
        """What a run's configuration says of its sweep."""
        held = [
            cell.strategy.model_dump(mode="json", fallback=str),
            cell.model,
            cell.temperature,
            cell.together,
            self._common(),
        ]
        return {
            "name": self.name,
            "cell": cell.run_label or cell.label,
            "kind": cell.kind,
            "key": _digest(held),
        }

    def _common(self) -> list[Any]:
        items = [item.model_dump(mode="json") for item in self.items]
        aspects = [self.aspects] if isinstance(self.aspects, str) else list(self.aspects or ())
        return [items, aspects, self.project.digests(), str(self.settings)]


@dataclass(frozen=True)
class SweepCell:
    """A run of a sweep: what it is held with."""

    label: str
    kind: str
    varied: Mapping[str, str]
    strategy: Strategy
    model: str
    temperature: float | None
    together: bool | None
    run_label: str = ""
    """What its run is called where it is not the run itself that the cell shows: CorrW is read off a run of AVG."""


def planned(common: SweepSetting, vary: Mapping[str, Sequence[Any]]) -> list[SweepCell]:
    """Every combination of the values, the last name changing fastest; all are built before the first is held.

    Raises UserError for what cannot be varied.
    """
    if not vary or not all(vary.values()):
        raise UsageError("a sweep varies something: vary={'rounds': [1, 2, 3]}")
    cells = [_cell(common, dict(zip(vary, values, strict=True))) for values in product(*vary.values())]
    for cell in (*cells, _control(common, cells[0], 1)):
        _check_suits(common, cell)
    if any(cell.run_label for cell in cells):
        check_people(common.items)
    return cells


def _check_suits(common: SweepSetting, cell: SweepCell) -> None:
    """Raise UsageError for a cell whose strategy cannot judge a task of the items."""
    strategy = cell.strategy
    at_once = strategy.judges_together() if cell.together is None else cell.together
    for name in dict.fromkeys(item.task for item in common.items):
        task = common.settings.tasks.get(name) or load_task(common.project, name)
        chosen = task.choose(common.aspects)
        for asked in [chosen] if at_once else [(one,) for one in chosen]:
            try:
                strategy.check(task, strategy.asked(asked))
            except StrategyError as error:
                raise UsageError(
                    f"{cell.label}: the strategy {strategy.title!r} cannot judge {name!r}: {error}"
                ) from error


async def held(common: SweepSetting, cells: Sequence[SweepCell]) -> list[Cell]:
    """Hold all cells and their controls, or what is left of them; each comes back with its controls behind it.

    Raises AgentDebateError.
    """
    found: list[Cell] = []
    for cell in cells:
        head = await _hold(common, cell)
        own = run_cells(
            common.store, head, common.prices, cell.label, cell.varied, alone=bool(cell.run_label)
        )
        samples = max(1, round(own[0].calls_each))
        by_calls = await _beside(common, cell, samples, own[0])
        found += [*own, by_calls]
        if common.by_tokens:
            as_many = samples_by_tokens(own[0], by_calls, samples)
            found.append(await _beside(common, cell, as_many, own[0], "same tokens"))
    return found


async def _beside(
    common: SweepSetting, cell: SweepCell, samples: int, own: Cell, kind: Kind = "same calls"
) -> Cell:
    """The single judge beside a cell."""
    beside = _control(common, cell, samples, kind)
    head = await _hold(common, beside)
    return control_cell(common.store, head, common.prices, beside.label, own, kind=kind)


async def _hold(common: SweepSetting, cell: SweepCell) -> RunHead:
    """Hold a run, or what is left of it; one that has ended is not held again."""
    mark = common.mark(cell)
    before = earlier_run(common.store, mark["key"])
    if before is not None and before.ended is not None:
        return before
    sampling = common.settings.sampling
    if cell.temperature is not None:
        sampling = sampling.model_copy(update={"temperature": cell.temperature})
    async with evaluate(
        common.items,
        cell.strategy,
        model=cell.model,
        aspects=common.aspects,
        together=cell.together,
        concurrency=common.concurrency,
        store=common.store,
        project=common.project,
        configuration={SWEEP: mark},
        resume=before.id if before else None,
        earlier=False,
        settings=replace(common.settings, sampling=sampling),
    ) as run:
        async for _ in run:
            pass
    return stored_run(common.store, run.id or "")


def _cell(common: SweepSetting, varied: Mapping[str, Any]) -> SweepCell:
    given = dict(varied)
    name, model = str(given.pop("strategy", common.strategy)), str(given.pop("model", common.model))
    weighted = is_corrw(name, common.project)
    name = AVG if weighted else name
    temperature = given.pop("temperature", None)
    made = named(name, project=common.project, **_options(name, common.project, given))
    shown = {key: _shown(value) for key, value in varied.items()}
    run_label = _label({**shown, "strategy": AVG}) if weighted else ""
    return SweepCell(_label(shown), "run", shown, made, model, temperature, common.together, run_label)


def _label(shown: Mapping[str, str]) -> str:
    return ", ".join(f"{key}={value}" for key, value in shown.items())


def _options(name: str, project: Project, given: Mapping[str, Any]) -> dict[str, Any]:
    """What varies as options of the strategy: agents and roles are its cast. Raises UsageError."""
    options = {key: value for key, value in given.items() if key != "agents" and not key.startswith(CAST)}
    cast = {key.removeprefix(CAST): _cards(value) for key, value in given.items() if key.startswith(CAST)}
    if "agents" in given:
        layers = Layers.read(name, project)
        if layers.panel is None:
            raise UsageError(
                f"vary agents: the strategy {name!r} has no panel; its roles are {', '.join(layers.roles)}"
            )
        cast[layers.panel] = _panel(layers, layers.panel, given["agents"])
    return {**options, "cast": cast} if cast else options


def _panel(layers: Layers, role: str, agents: Any) -> tuple[Any, ...]:
    """The cards that are named, or as many as a number says. Raises UsageError."""
    if not isinstance(agents, int):
        return _cards(agents)
    pool = layers.counted(role, MOST)
    if not 1 <= agents <= len(pool.cards):
        raise UsageError(f"vary agents: 1 to {len(pool.cards)} agents, not {agents}; name others")
    return (*pool.cards[:agents], *pool.beside)


def _cards(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _control(common: SweepSetting, cell: SweepCell, samples: int, kind: Kind = "same calls") -> SweepCell:
    """The single judge, sampled at the cost of a debate of the cell, over the same items. Raises UserError."""
    made = named(CONTROL, project=common.project, around=common.control, samples=samples)
    label = control_label(common.control, samples, common.control_temperature, cell.model, kind)
    together = cell.strategy.judges_together() if cell.together is None else cell.together
    return SweepCell(label, kind, cell.varied, made, cell.model, common.control_temperature, together)


def _shown(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _digest(value: object) -> str:
    text = json.dumps(value, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:24]
