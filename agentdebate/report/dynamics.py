"""`dynamics`: what talk did in the debates of a run, in one call with the words of the command."""

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from agentdebate.report.coverage_table import coverage_record
from agentdebate.report.run_tables.coverage import coverage_blocks
from agentdebate.report.text_table import Block, Caption, TextTable, filled, printed
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST, RunHead
from agentdebate.tables.inferred import inferred
from agentdebate.tables.table import Table
from agentdebate.tables.tabular import Tabular
from agentdebate.visible import one_line

NONE = "-"
"""What stands in the place of a figure that there is not."""

Line = Mapping[str, Any]


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
        parts = [printed(self.opening), *map(str, self.tables), filled(self.note or "")]
        return "\n\n".join(filter(None, parts)) + "\n"

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
            yield ""
            if one.rows:
                yield one
            yield Caption(one.legend if one.rows else one.nothing)
        yield from coverage_blocks(self.coverages)
        if self.note:
            yield from ("", self.note)

    @property
    def tables(self) -> list[TextTable]:
        """A table for each thing that is counted."""
        return [show(self.counted) for show in TABLES.values()]


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


def _movement(counted: Dynamics) -> TextTable:
    return _table(
        "Moves",
        counted.movement,
        {
            "about": "about",
            "agent": "agent",
            "n": "n",
            "moved": lambda one: _share(one["moved"], one["n"]),
            "up": lambda one: _count(one["up"]),
            "down": lambda one: _count(one["down"]),
            "mean change": lambda one: _points(one["mean_change"], sign=True),
            "mean step": lambda one: _points(one["mean_step"]),
        },
        "n: from a ballot of an agent to its next one; mean change over all n, mean step over those that moved, in points",
        "No agent cast two ballots in a debate, so none can be seen to move.",
    )


def _influence(counted: Dynamics) -> TextTable:
    return _table(
        "Who moves whom",
        counted.influence,
        {
            "about": "about",
            "speaker": "speaker",
            "listener": "listener",
            "n": "n",
            "moved": lambda one: _share(one["moved"], one["n"]),
            "apart": "apart",
            "toward": lambda one: _share(one["toward"], one["apart"]),
            "reached": lambda one: _share(one["reached"], one["apart"]),
            "away": lambda one: _share(one["away"], one["apart"]),
        },
        "n: two ballots of the listener, with the speaker heard in between; apart: those in which the speaker had cast a "
        "ballot that said something else; toward it, reached it, away from it: of those",
    )


def _flips(counted: Dynamics) -> TextTable:
    return _table(
        "Right and wrong",
        counted.flips,
        {
            "about": "about",
            "of": "unit",
            "n": "n",
            "changed": "changed",
            "to right": "wrong_to_right",
            "to wrong": "right_to_wrong",
            "stayed right": "stayed_right",
            "stayed wrong": "stayed_wrong",
            "nearer": lambda one: _count(one["nearer"]),
            "farther": lambda one: _count(one["farther"]),
        },
        f"right: a choice that is people's, a score at most {counted.within:g} points from people's; nearer to it or farther; "
        "ballots: from one to the agent's next; debates: from the vote of the ballots before any talk to the verdict",
    )


def _convergence(counted: Dynamics) -> TextTable:
    return _table(
        "Convergence",
        counted.convergence,
        {
            "about": "about",
            "round": "round",
            "n": "n",
            "ballots": "ballots",
            "spread": lambda one: _points(one["spread"]),
            "deviation": lambda one: _points(one["deviation"]),
            "agreed": lambda one: _share(one["agreed"], one["n"]),
        },
        "n: casts with at least two ballots in the round; spread: highest less lowest, in points; deviation: population "
        "standard deviation; means over n; agreed: all the same",
    )


def _pull(counted: Dynamics) -> TextTable:
    return _table(
        "Pull by place in the speaking order",
        counted.pull,
        {
            "about": "about",
            "place": "place",
            "n": "n",
            "toward": lambda one: _share(one["toward"], one["n"]),
            "closed": lambda one: _points(one["closed"], sign=True),
            "verdicts": "verdicts",
            "equal": lambda one: _share(one["equal"], one["verdicts"]),
            "distance": lambda one: _points(one["distance"]),
        },
        "n: other agents that began elsewhere than the one at this place, heard it, and cast a ballot after that; toward: "
        "ended nearer to where it began; closed: the mean share of the distance, from -1 to 1; equal, distance: the verdict "
        "and that first ballot",
    )


def _table(
    title: str,
    found: Sequence[Any],
    columns: Mapping[str, str | Callable[[Line], object]],
    legend: str,
    without: str = "",
) -> TextTable:
    """A table with what its columns mean beneath it; where there is nothing, a line that says why, if there is one.

    A column is one figure of a line, by its name, or made of several.
    """
    figures = [asdict(one) for one in found]
    lines = [
        [one[show] if isinstance(show, str) else show(one) for show in columns.values()] for one in figures
    ]
    texts = ("about", "agent", "speaker", "listener", "of")
    numeric = [name for name in columns if name not in texts]
    return TextTable(title, list(columns), lines, numeric, legend, without or f"{title}: nothing to count")


def _share(part: int, whole: int) -> str:
    return f"{part} ({part / whole:.0%})" if whole else NONE


def _count(value: int | None) -> object:
    return NONE if value is None else value


def _points(value: float | None, *, sign: bool = False) -> str:
    return NONE if value is None else f"{value:{'+' if sign else ''}.3f}"


TABLES: Mapping[str, Callable[[Dynamics], TextTable]] = {
    "movement": _movement,
    "influence": _influence,
    "flips": _flips,
    "convergence": _convergence,
    "pull": _pull,
}
"""The tables, by the field of `Dynamics` that each shows."""
