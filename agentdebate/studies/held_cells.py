"""The cells of a sweep in a store: found again where it was stopped, and read with their controls."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from agentdebate.errors import UsageError
from agentdebate.models.prices import PriceTable
from agentdebate.project.project import Project
from agentdebate.store.reader import read_store
from agentdebate.store.run_head import RunHead
from agentdebate.studies.cells import Cell, Kind, cell_of
from agentdebate.studies.controls import openings_cell
from agentdebate.studies.weighted_evaluators import corrw_cell
from agentdebate.tasks import Item

CORRW, AVG = "corrw", "avg"
"""A cell that is named like a strategy, and the strategy whose run it is read off: the evaluators alone."""


def is_corrw(name: str, project: Project) -> bool:
    """Tell whether a strategy's name stands for CorrW; a strategy of that name in a project goes before."""
    return name == CORRW and CORRW not in project.names("strategies")


def check_people(items: Iterable[Item]) -> None:
    """Raise UsageError where there is nothing that CorrW could learn from."""
    if not any(item.human for item in items):
        raise UsageError(f"{CORRW} learns from people's scores, and the items have none")


def earlier_run(store: str | Path, key: str) -> RunHead | None:
    """The newest run of the store that was held in the same way as a cell of a sweep; one that has ended goes first."""
    try:
        with read_store(store) as reader:
            same = [head for head in reader.runs() if head.sweep.get("key") == key]
    except UsageError:  # there is no store yet; what is wrong with one that there is shows when it is written
        return None
    ended = [head for head in same if head.ended is not None]
    found = ended or same
    return found[-1] if found else None


def stored_run(store: str | Path, run: str) -> RunHead:
    """The run as it is in the store. Raises UsageError and StoreError."""
    with read_store(store) as reader:
        return reader.run(run)


def run_cells(
    store: str | Path,
    head: RunHead,
    prices: PriceTable,
    label: str,
    varied: Mapping[str, str],
    *,
    alone: bool = False,
) -> list[Cell]:
    """A run, the vote of its openings, and CorrW of its evaluators where it has evaluators and people's scores.

    It is a cell, though it may have been held before as a control of another.
    `alone`: CorrW is the cell; where every debate failed there is none, and the failed run itself is shown.
    """
    with read_store(store) as reader:
        cell = replace(cell_of(reader, head, prices, label=label), kind="run", varied=varied)
        weighted = corrw_cell(reader, head, cell)
        if alone:
            return [replace(weighted, beside="") if weighted else cell]
        return [cell, openings_cell(reader, head, prices, cell), *([weighted] if weighted else [])]


def control_cell(
    store: str | Path,
    head: RunHead,
    prices: PriceTable,
    label: str,
    beside: Cell,
    *,
    kind: Kind,
) -> Cell:
    """The run of a control of the cell beside it."""
    with read_store(store) as reader:
        cell = cell_of(reader, head, prices, label=label)
    return replace(cell, kind=kind, varied=beside.varied, beside=beside.label)
