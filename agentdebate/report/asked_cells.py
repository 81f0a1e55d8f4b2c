"""The agreement of cells with people, aspect by aspect."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from agentdebate.errors import UsageError
from agentdebate.meta.agreement import Agreement
from agentdebate.meta.imputation import LEFT_OUT
from agentdebate.meta.judgements import Choices
from agentdebate.meta.run_rows import people_judged
from agentdebate.report.question import Question
from agentdebate.studies.cells import Cell

MEAN = "mean of the aspects"


@dataclass(frozen=True)
class Asked:
    """A cell with its agreement on every aspect that people have judged."""

    cell: Cell
    found: tuple[Agreement, ...]

    @property
    def mean(self) -> float | None:
        """The mean over the aspects; None where it is not defined for one of them, or there is none."""
        values = [one.value for one in self.found]
        known = [value for value in values if value is not None]
        return fmean(known) if known and len(known) == len(values) else None

    def value(self, aspect: str) -> float | None:
        """The agreement on an aspect, or the mean of all."""
        if aspect == MEAN:
            return self.mean
        return next((one.value for one in self.found if one.aspect == aspect), None)

    def of(self, aspect: str) -> Agreement | None:
        """All that is known of the agreement on an aspect."""
        return next((one for one in self.found if one.aspect == aspect), None)


def ask_all(cells: Sequence[Cell], question: Question) -> list[Asked]:
    """Ask for the agreement of every cell. Raises UserError."""
    return [
        Asked(cell, tuple(map(_suiting(cell, question).ask, people_judged(cell.judged)))) for cell in cells
    ]


def _suiting(cell: Cell, question: Question) -> Question:
    """The question; where debates have no openings that could vote, or no weights, nothing is missing that could count as anything."""
    without = cell.read_off and all(one.empty for one in cell.coverages)
    return replace(question, missing=LEFT_OUT) if without else question


def with_people(cells: Sequence[Cell], question: Question) -> list[Asked]:
    """The same of the cells that people have judged too. Raises UsageError where there is none, and UserError."""
    asked = [one for one in ask_all(cells, question) if one.found]
    if not asked:
        raise UsageError("there is no agreement to plot: no run has people's scores (hold it with human=...)")
    return asked


def aspects_of(asked: Sequence[Asked]) -> list[str]:
    """The aspects that any of them is about; with several of them, their mean is one more."""
    names = list(dict.fromkeys(one.aspect for each in asked for one in each.found))
    return [*names, MEAN] if len(names) > 1 else names


def found_in(asked: Sequence[Asked]) -> list[Agreement]:
    """All agreement of the cells."""
    return [found for one in asked for found in one.found]


def n_told(asked: Sequence[Asked]) -> str:
    """Of how many texts agreement is computed, as a caption says it."""
    counts = sorted({found.n for found in found_in(asked)})
    return (
        f"n = {counts[0]}" if len(counts) == 1 else f"n = {counts[0]} to {counts[-1]} (each is in the table)"
    )


def mean_told(aspects: Sequence[str]) -> str:
    """What a caption says of the mean, where there is one."""
    return "The mean of the aspects is a plain mean, and has no interval. " if MEAN in aspects else ""


def missing_told(asked: Sequence[Asked], question: Question) -> str:
    """What a caption says of missing judgements, where there are any."""
    choices = any(isinstance(entry, Choices) for one in asked for entry in one.cell.judged)
    told = question.of_missing(found_in(asked), choices=choices)
    return f"{told.lstrip()} " if told else ""
