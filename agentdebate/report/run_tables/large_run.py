"""The tables of a run that is too large to be read debate by debate: the database adds up its scores."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from agentdebate.debates.outcome import FAILURE
from agentdebate.meta.coverage import Coverage, People
from agentdebate.meta.prose import number_of
from agentdebate.meta.run_rows import aspect_order
from agentdebate.report.run_tables.comparisons import comparison_blocks
from agentdebate.report.run_tables.results import item_blocks
from agentdebate.report.run_tables.rows import MOST
from agentdebate.report.run_tables.tally import Tally
from agentdebate.report.text_table import Block, TextTable
from agentdebate.store.debate_list import DebateFilter, DebateList, ScoreMeans
from agentdebate.store.reader import Reader, RunHead

WHOLE = 10_000
"""Debates up to which each debate of a run is read."""
_FAILURES = 1_000
"""Failures that are counted by kind."""


@dataclass(frozen=True)
class LargeRun:
    """A run of which the first items and failures are read, and all else is added up."""

    debates: int
    items: int
    settled: int
    scores: Sequence[ScoreMeans]
    first: Tally
    """The debates about the first items."""
    failed: Tally
    """The first failures."""
    failures: int

    @classmethod
    def read(cls, reader: Reader, head: RunHead) -> "LargeRun":
        """The figures of a run. Raises StoreError."""
        debates = DebateList(reader, head.id)
        first, failed = Tally(aspects=aspect_order(head)), Tally()
        for row in debates.of_items(debates.items(most=MOST)):
            first.add(row)
        for row in debates.part(DebateFilter(outcome=FAILURE.name), most=_FAILURES):
            failed.add(row)
        settled = debates.count(DebateFilter(settled=True))
        items, failures = debates.count_items(), head.failures
        return cls(head.ended_debates, items, settled, debates.means(), first, failed, failures)

    @property
    def coverages(self) -> Sequence[Coverage]:
        """How much has been judged, score by score, of the texts that the judge or people have scored."""
        return [
            Coverage("", one.name, max(one.scores, one.people), max(one.people - one.scores, 0), _people(one))
            for one in self.scores
        ]

    def blocks(self, *, see: str, worded: Callable[[str], str]) -> Iterator[Block]:
        """The first items, all scores, and the failures by kind. `see` is the command that prints all rows."""
        table = comparison_blocks if self.first.outcomes.candidates else item_blocks
        yield from table(self.first, see="")
        yield f"... and {number_of(self.items - self.first.items, 'more item')}; {see} prints all of them"
        people = any(one.people for one in self.scores)
        head = ["score", "verdicts", "mean", "lowest", "highest", *(["people", "n"] if people else [])]
        yield ""
        yield TextTable("Scores", head, [_line(one)[: len(head)] for one in self.scores], numeric=head[1:])
        yield f"{self.settled:,} of {number_of(self.debates, 'debate')} were settled"
        yield from self.failed.failures.blocks(worded)
        if self.failures > self.failed.rows:
            yield f"these are the first {self.failed.rows:,} of {number_of(self.failures, 'failure')}"
        yield f"of a run of more than {WHOLE:,} debates only scores and costs are added up; {see} prints what was read how"


def _people(means: ScoreMeans) -> People:
    return People(means.people, means.people_mean)


def _line(one: ScoreMeans) -> list[object]:
    mean, people = ("" if value is None else f"{value:.3f}" for value in (one.mean, one.people_mean))
    return [one.name, one.scores, mean, one.lowest, one.highest, people, one.people]
