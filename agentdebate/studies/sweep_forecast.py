"""Forecast of a sweep's cost, cell by cell, with its controls. No model is called."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, fsum
from typing import Any

from agentdebate.runs.forecast import Forecast, forecast
from agentdebate.strategies.base import MOST_SAMPLES
from agentdebate.studies.sweep import SweepSetting, control_of, further_controls, settings_of
from agentdebate.studies.sweep_cell import SweepCell


@dataclass(frozen=True)
class CellForecast:
    """Highest cost of a cell or a control."""

    cell: str
    kind: str
    """Kind: "debate" or "control"."""
    forecast: Forecast

    def row(self) -> dict[str, Any]:
        """Record for JSON."""
        return {"cell": self.cell, "kind": self.kind, **self.forecast.row()}


@dataclass(frozen=True)
class SweepForecast:
    """Highest cost of a sweep: without what a cache answers, and without runs that have ended already."""

    cells: tuple[CellForecast, ...]

    def __str__(self) -> str:
        lines = [f"{one.cell} ({one.kind}): {one.forecast.usage.calls} calls" for one in self.cells]
        return "\n".join([*lines, f"in all: {self.calls} calls, {self.tokens} tokens", *self.assumptions])

    def __iter__(self) -> Iterator[CellForecast]:
        return iter(self.cells)

    @property
    def calls(self) -> int:
        """Calls of all cells and controls."""
        return sum(one.forecast.usage.calls for one in self.cells)

    @property
    def tokens(self) -> int:
        """Tokens of all cells and controls."""
        return sum(one.forecast.usage.tokens for one in self.cells)

    @property
    def currencies(self) -> set[str]:
        """Currencies of the money."""
        return {one.forecast.currency for one in self.cells if one.forecast.currency}

    @property
    def money(self) -> float | None:
        """Cost of the whole sweep; None if a price is unknown, or in another currency than the others."""
        amounts = [one.forecast.money for one in self.cells]
        known = [amount for amount in amounts if amount is not None]
        one_currency = len(self.currencies) <= 1
        return fsum(known) if one_currency and len(known) == len(amounts) else None

    @property
    def assumptions(self) -> list[str]:
        """Assumptions, each once."""
        return list(dict.fromkeys(line for one in self.cells for line in one.forecast.assumptions))

    def rows(self) -> list[dict[str, Any]]:
        """A record for each cell and control."""
        return [one.row() for one in self.cells]

    def to_dict(self) -> dict[str, Any]:
        """The forecast as JSON has it."""
        return {
            "rows": self.rows(),
            "calls": self.calls,
            "money": self.money,
            "assumptions": self.assumptions,
        }


async def foretold(common: SweepSetting, cells: Sequence[SweepCell]) -> SweepForecast:
    """Forecast the highest cost of cells and controls. Raises UserError."""
    found: dict[str, CellForecast] = {}
    for cell in cells:
        told = await _of(common, cell)
        found[cell.label] = CellForecast(cell.label, "debate", told)
        calls = max(1, ceil(told.usage.calls / max(told.debates, 1)))
        beside = control_of(common, cell, calls)
        sampled = await _of(common, beside)
        found.setdefault(beside.label, CellForecast(beside.label, "control", sampled))
        for one in further_controls(common, cell):
            found.setdefault(one.label, CellForecast(one.label, "control", await _of(common, one)))
        if (common.by_tokens or common.controls) and sampled.usage.tokens:
            as_many = ceil(calls * told.usage.tokens / sampled.usage.tokens)
            more = control_of(common, cell, min(as_many, MOST_SAMPLES), "same tokens")
            found[more.label] = CellForecast(more.label, "control", await _of(common, more))
    return SweepForecast(tuple(found.values()))


async def _of(common: SweepSetting, cell: SweepCell) -> Forecast:
    return await forecast(common.items, cell.strategy, settings=settings_of(common, cell))
