"""How much of a run has come to a judgement, as every summary of runs says it."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentdebate.meta.coverage import Coverage, People
from agentdebate.meta.run_rows import about_of, choice_of, choice_of_people
from agentdebate.report.coverage_table import coverage_grids, coverage_sentences
from agentdebate.report.run_tables.places import Names, Place
from agentdebate.report.run_tables.rows import Row
from agentdebate.report.run_tables.spread import Spread
from agentdebate.report.text_table import Block, TextTable
from agentdebate.visible import one_line


@dataclass
class _Part:
    """Debates that came to a judgement, or that did not."""

    rows: int = 0
    scores: Spread = field(default_factory=Spread)
    labels: Counter[str] = field(default_factory=Counter)

    @property
    def people(self) -> People:
        """What people say of them."""
        if self.labels:
            total = self.labels.total()
            return People(total, labels={label: count / total for label, count in self.labels.items()})
        return People(self.scores.count, self.scores.mean if self.scores.count else None)


class RunCoverage:
    """Counts the debates of a run with and without a judgement, as their rows come, and what people say of both."""

    def __init__(self) -> None:
        self._abouts = Names()
        self._parts = defaultdict[str, tuple[_Part, _Part]](lambda: (_Part(), _Part()))

    def __repr__(self) -> str:
        return f"<RunCoverage of {list(self._abouts)}>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        self._abouts.note([about_of(row)] if row["candidates"] else row["aspects"], place)
        if row["candidates"]:
            about = about_of(row)
            part = self._part(about, there=choice_of(row) is not None)
            best = choice_of_people(row)
            if best:
                part.labels[best] += 1
            return
        for about in row["aspects"]:
            part = self._part(about, there=about in row["scores"])
            human = row["human"].get(about)
            if human is not None:
                part.scores.add(human)

    @property
    def coverages(self) -> list[Coverage]:
        """How much has been judged, aspect by aspect."""
        return [_covered(about, *self._parts[about]) for about in self._abouts]

    def _part(self, about: str, *, there: bool) -> _Part:
        part = self._parts[about][0 if there else 1]
        part.rows += 1
        return part


def _covered(about: str, there: _Part, lacking: _Part) -> Coverage:
    return Coverage(
        judge="",
        aspect=about,
        rows=there.rows + lacking.rows,
        missing=lacking.rows,
        of_judged=there.people,
        of_missing=lacking.people,
    )


def coverage_blocks(coverages: Sequence[Coverage]) -> Iterator[Block]:
    """A table of what is missing, where something is, and a word below it where that is much, unless it is all: the table says so."""
    for grid in coverage_grids(coverages):
        yield ""
        yield TextTable(grid.title, grid.head, grid.rows, numeric=grid.head[1:])
    for line in coverage_sentences(one for one in coverages if not one.empty or one.of_missing.n):
        yield one_line(line)


def nothing_judged(coverages: Sequence[Coverage]) -> bool:
    """Whether there is a judge and an aspect without any judgement."""
    return any(one.empty for one in coverages)
