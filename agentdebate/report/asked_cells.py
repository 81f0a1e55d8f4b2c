"""The agreement of cells with people, aspect by aspect."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from agentdebate.meta.agreement import Agreement
from agentdebate.meta.imputation import LEFT_OUT
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
        one = self.of(aspect)
        return self.mean if aspect == MEAN else one.value if one else None

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


def aspects_of(asked: Sequence[Asked]) -> list[str]:
    """The aspects that any of them is about; with several of them, their mean is one more."""
    names = list(dict.fromkeys(one.aspect for one in found_in(asked)))
    return [*names, MEAN] if len(names) > 1 else names


def found_in(asked: Sequence[Asked]) -> list[Agreement]:
    """All agreement of the cells."""
    return [found for one in asked for found in one.found]
