"""`dynamics`: what talk did in the debates of a run, in one call with the words of the command."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.debates.record import OFFLINE, OFFLINE_NOTE
from agentdebate.errors import UsageError
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.dynamics import WITHIN, Dynamics
from agentdebate.meta.dynamics import dynamics as count
from agentdebate.meta.prose import number_of
from agentdebate.meta.recorded_rounds import HEARD, RoundFields, check_rounds, talks_in
from agentdebate.meta.run_rows import StoredRun, judged, opened
from agentdebate.meta.talks import Talks, talks_of
from agentdebate.report.coverage import coverage_blocks, coverage_record
from agentdebate.report.figures import NONE
from agentdebate.report.grid import Block, Grid, Share
from agentdebate.report.terminal import printed
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, RunHead
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.visible import one_line


@dataclass(frozen=True, repr=False)
class RunDynamics(Tabular):
    """What talk did in the debates of a run: print it, or take its `rows`."""

    head: RunHead
    """The run."""
    counted: Dynamics
    """The figures."""
    talks: Talks
    """The debates that were counted, and how many were not."""
    coverages: tuple[Coverage, ...] = ()
    """How much of the run came to a judgement, aspect by aspect."""
    note: str | None = None
    """What has to be said beside the figures."""

    def __repr__(self) -> str:
        return f"<RunDynamics of {self.head.id}: {number_of(self.counted.debates, 'debate')}>"

    def __str__(self) -> str:
        return printed(self.blocks()) + "\n"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each line of each table; `table` says which: movement, influence, flips, convergence, pull."""
        return [{"table": name, **asdict(one)} for name in TABLES for one in getattr(self.counted, name)]

    def to_table(self) -> Table[dict[str, Any]]:
        """The rows of all tables in one; a column that a table does not have is empty there."""
        return inferred(f"dynamics of {self.head.id}", self.rows())

    def to_dict(self) -> dict[str, Any]:
        """All of it as JSON has it."""
        ended = {f"debates_{one.cell}": count for one, count in self.talks.ended.without}
        return {
            "run": self.head.id,
            "strategy": self.head.strategy,
            **ended,
            "debates_not_ended": self.talks.not_ended,
            "coverage": [coverage_record(one) for one in self.coverages],
            **self.counted.row(),
            "note": self.note,
        }

    @property
    def opening(self) -> list[str]:
        """What was counted and what was not, in lines."""
        counted = self.counted
        said = [
            (
                f"run {self.head.id}, strategy {self.head.strategy}: {number_of(counted.debates, 'debate')} with a verdict; in "
                f"{counted.with_moves} an agent cast more than one ballot, of {counted.with_people} people's word is known"
            )
        ]
        without = [(count_, one.cell) for one, count_ in self.talks.ended.without]
        said += [
            f"{number_of(count_, 'debate')} {what}, and in no figure"
            for count_, what in (*without, (self.talks.not_ended, "not ended"))
            if count_
        ]
        return said

    def blocks(self) -> Iterator[Block]:
        """What is printed: the opening, the tables with what their columns mean, how much was judged, and the note."""
        yield from map(one_line, self.opening)
        for one in self.tables:
            yield from ("", one)
        yield from coverage_blocks(self.coverages)
        if self.note:
            yield from ("", self.note)

    @property
    def tables(self) -> list[Grid]:
        """A table for each thing that is counted."""
        return [_grid(name, getattr(self.counted, name), self.counted.within) for name in TABLES]


def dynamics(
    run: str | StoredRun = LAST,
    *,
    within: float = WITHIN,
    store: str | Path = USUAL_STORE,
    data: str | Path | None = None,
    rounds: RoundFields = RoundFields(),
) -> RunDynamics:
    """What happened in the debates of a run: who moved, which way, after hearing whom, and where it led.

    `run` is its name in `store`, the beginning of one, "last", or a run that `open_store` gave. A score is right where it is at most `within` points from
    people's:

        found = ad.dynamics("last", store="runs.db", within=0.5)
        print(found)
        found.counted.flips

    With `data`, a file with a row for every ballot, it reads that instead of a run; `rounds` says which of its fields hold item,
    round, agent and value, and people's. Raises UserError and StoreError.
    """
    if not within >= 0:
        raise UsageError(f"within=... is 0 or more points of the scale, not {within:g}")
    if data is not None:
        return _of_rounds(data, rounds, within)
    with opened(run, store) as (reader, head):
        found = talks_of(reader, head)
        rows = list(reader.rows(head.id))
    offline = any(name == OFFLINE for row in rows for name in row["models"])
    return RunDynamics(
        head,
        count(found.talks, within=within),
        found,
        tuple(coverage(one) for one in judged(rows, head.strategy)),
        OFFLINE_NOTE if offline else None,
    )


def _of_rounds(data: str | Path, rounds: RoundFields, within: float) -> RunDynamics:
    """The same of a table of recorded rounds."""
    talks = talks_in(list(read_rows(data)), rounds)
    check_rounds(talks)
    head = RunHead(
        id=Path(data).name,
        created=0.0,
        ended=0.0,
        strategy="recorded rounds",
        task="",
        model="",
        configuration={},
        verdicts=len(talks),
        failures=0,
    )
    return RunDynamics(head, count(talks, within=within), Talks(talks, OutcomeCounts({}), 0), note=HEARD)


Columns = Mapping[str, str | tuple[str, str]]
"""The columns of a table, each a field of its lines, or a field as a share of another one."""

TABLES: Mapping[str, tuple[str, Columns, str]] = {
    "movement": (
        "Moves",
        {
            "about": "about", "agent": "agent", "n": "n", "moved": ("moved", "n"), "up": "up", "down": "down",
            "mean change": "mean_change", "mean step": "mean_step",
        },
        "n: from a ballot of an agent to its next one; mean change over all n, mean step over those that moved, in points",
    ),
    "influence": (
        "Who moves whom",
        {
            "about": "about", "speaker": "speaker", "listener": "listener", "n": "n", "moved": ("moved", "n"), "apart": "apart",
            "toward": ("toward", "apart"), "reached": ("reached", "apart"), "away": ("away", "apart"),
        },
        ("n: two ballots of the listener, with the speaker heard in between; apart: those in which the speaker had said something "
        "else; toward it, reached it, away from it: of those"),
    ),
    "flips": (
        "Right and wrong",
        {
            "about": "about", "of": "unit", "n": "n", "changed": "changed", "to right": "wrong_to_right",
            "to wrong": "right_to_wrong", "stayed right": "stayed_right", "stayed wrong": "stayed_wrong", "nearer": "nearer",
            "farther": "farther",
        },
        ("right: a choice that is people's, a score at most {within:g} points from people's; ballots: from one to the agent's next; "
        "debates: from the vote of the ballots before any talk to the verdict"),
    ),
    "convergence": (
        "Convergence",
        {
            "about": "about", "round": "round", "n": "n", "ballots": "ballots", "spread": "spread", "deviation": "deviation",
            "agreed": ("agreed", "n"),
        },
        ("n: casts with at least two ballots in the round; spread: highest less lowest; deviation: population standard deviation; "
        "means over n, in points; agreed: all the same"),
    ),
    "pull": (
        "Pull by place in the speaking order",
        {
            "about": "about", "place": "place", "n": "n", "toward": ("toward", "n"), "closed": "closed", "verdicts": "verdicts",
            "equal": ("equal", "verdicts"), "distance": "distance",
        },
        ("n: other agents that began elsewhere and heard the one at this place; toward: ended nearer to where it began; closed: the "
        "mean share of the distance, -1 to 1; equal, distance: the verdict and that first ballot"),
    ),
}  # fmt: skip
"""The tables by the field of `Dynamics` that each shows: title, columns, and what the columns mean."""

_TEXTS = ("about", "agent", "speaker", "listener", "of")


def _grid(name: str, found: Sequence[Any], within: float) -> Grid:
    """A table with what its columns mean beneath it; where there is nothing, a line that says so."""
    title, columns, note = TABLES[name]
    rows = [[_cell(asdict(one), field) for field in columns.values()] for one in found]
    numeric = [column for column in columns if column not in _TEXTS]
    return Grid(title, [*columns], rows, numeric, [note.format(within=within)], f"{title}: nothing to count")


def _cell(line: Mapping[str, Any], field: str | tuple[str, str]) -> object:
    if isinstance(field, tuple):
        return Share(line[field[0]], line[field[1]])
    value: object = line[field]
    return NONE if value is None else value
