"""Choice of an agreement statistic for runs, and its values for cells, aspect by aspect."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TypedDict

from agentdebate.meta.agreement import Agreement, agree
from agentdebate.meta.comparison import Comparison, compare
from agentdebate.meta.figure import NO_RESAMPLES, Bootstrap, Level
from agentdebate.meta.imputation import LEFT_OUT, Missing
from agentdebate.meta.judgements import Judgements
from agentdebate.meta.run_rows import people_judged
from agentdebate.report.agreement_caption import intervals_told, missing_told, question_told
from agentdebate.studies.cells import Cell, Kind

MEAN = "mean of all"
KINDS: Mapping[Kind, str] = {
    "run": "debate",
    "same calls": "single judge",
    "same tokens": "single judge, same tokens",
    "one judge": "one judge",
    "thinks longer": "one judge, thinks longer",
    "hearing nobody": "same rounds, hearing nobody",
    "openings": "openings' vote",
    "corrw": "CorrW of evaluators",
    "cut": "cut after the round",
}
"""Names of the kinds of cells."""


class QuestionOptions(TypedDict, total=False):
    """Words in which a question is put."""

    statistic: str | None
    """Statistic of agreement [Spearman's rho, and accuracy where texts are compared]."""
    level: Level
    """Level of scores ["pooled"]."""
    bootstrap: Bootstrap
    """Resamples of intervals, their confidence and seed."""
    missing: Missing
    """Value that a missing judgement counts as [left out]."""


@dataclass(frozen=True)
class Question:
    """A statistic at a level, with an interval."""

    statistic: str | None = None
    """Statistic; None: Spearman's rho, and accuracy where texts are compared."""
    level: Level = "pooled"
    bootstrap: Bootstrap = Bootstrap()
    missing: Missing = LEFT_OUT
    """Value that a missing judgement counts as."""

    def ask(self, entry: Judgements) -> Agreement:
        """The agreement of a judge with people. Raises UserError."""
        of_choices = entry.labels is not None
        name = self.statistic or ("accuracy" if of_choices else "spearman")
        level: Level = "pooled" if of_choices else self.level
        return agree(entry, name, level, bootstrap=self.bootstrap, missing=self.missing)

    def compare(self, first: Judgements, second: Judgements) -> Comparison:
        """The difference of two judges' agreement with people over the texts that both judged. Raises UserError."""
        asked = replace(self, bootstrap=NO_RESAMPLES).ask(first)
        level: Level = asked.level  # type: ignore[assignment]  # as it was asked for
        return compare(
            first,
            second,
            asked.statistic,
            level,
            bootstrap=self.bootstrap,
            permutations=0,
            missing=self.missing,
        )

    def told(self, found: Sequence[Agreement]) -> str:
        """Statistic, level, n, intervals and missing judgements of figures, as a caption says them."""
        counts = [one.n for one in found]
        n = " to ".join(dict.fromkeys((f"{min(counts)}", f"{max(counts)}")))
        intervals = intervals_told(self.bootstrap, found)
        return f"{question_told(found)}; n = {n}. {intervals} {missing_told(self.missing)}"


@dataclass(frozen=True)
class Asked:
    """A cell with its agreement on every aspect that people have judged."""

    cell: Cell
    found: tuple[Agreement, ...]

    @property
    def mean(self) -> float | None:
        """The mean over the aspects; None where it is not defined for one of them, or there is none."""
        known = [one.value for one in self.found if one.value is not None]
        return fmean(known) if 0 < len(known) == len(self.found) else None

    def value(self, aspect: str) -> float | None:
        """The agreement on an aspect, or the mean of all."""
        one = self.of(aspect)
        return self.mean if aspect == MEAN else one.value if one else None

    def of(self, aspect: str) -> Agreement | None:
        """Agreement on an aspect."""
        return {one.aspect: one for one in self.found}.get(aspect)


def ask_all(cells: Sequence[Cell], question: Question) -> list[Asked]:
    """Ask for the agreement of every cell. Raises UserError."""
    return [Asked(cell, tuple(map(question.ask, people_judged(cell.judged)))) for cell in cells]


def aspects_of(asked: Sequence[Asked]) -> list[str]:
    """The aspects that any of them is about; with several of them, their mean is one more."""
    names = list(dict.fromkeys(one.aspect for one in found_in(asked)))
    return [*names, MEAN] if len(names) > 1 else names


def found_in(asked: Sequence[Asked]) -> list[Agreement]:
    """All agreement of the cells."""
    return [found for one in asked for found in one.found]
