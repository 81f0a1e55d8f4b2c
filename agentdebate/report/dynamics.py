"""`dynamics`: what talk did in the debates of a run, in one call with the words of the command."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from agentdebate.datasets.files import read_rows
from agentdebate.debates.outcome import OutcomeCounts
from agentdebate.debates.record import offline_note
from agentdebate.errors import UsageError
from agentdebate.meta.coverage import Coverage, coverage
from agentdebate.meta.dynamics import WITHIN, Dynamics, Line
from agentdebate.meta.dynamics import dynamics as count
from agentdebate.meta.run_rows import StoredRun, judged, opened
from agentdebate.meta.talks import HEARD, RoundFields, Talks, talks_in, talks_of
from agentdebate.report.coverage import coverage_record, coverage_told
from agentdebate.report.grid import NONE, Block, Grid
from agentdebate.report.inference_tables import panel_grids
from agentdebate.report.prose import counted
from agentdebate.report.result import Result
from agentdebate.store.place import USUAL_STORE
from agentdebate.store.reader import LAST
from agentdebate.studies.panel_worth import PanelWorth, panels_of_agents
from agentdebate.visible import one_line


@dataclass(frozen=True, repr=False)
class RunDynamics(Result):
    """Effects of the talk in a run's debates: print it, or take its `rows`."""

    name: str
    """The run, or the file."""
    strategy: str
    counted: Dynamics
    """The figures."""
    talks: Talks
    """The debates that were counted, and how many were not."""
    coverages: tuple[Coverage, ...] = ()
    """Coverage of the run's debates, aspect by aspect."""
    note: str | None = None
    """Note beside the figures."""
    panels: tuple[PanelWorth, ...] = ()
    """The worth of the agents as a panel; none where the extra `agree` is not installed."""

    @property
    def title(self) -> str:
        """Name of the counts, with the run."""
        return f"dynamics of {self.name}"

    def rows(self) -> list[dict[str, Any]]:
        """A record for each line of each table; `table` says which: movement, influence, flips, convergence, pull."""
        return [{"table": name, **line} for name in TABLES for line in getattr(self.counted, name)]

    def to_dict(self) -> dict[str, Any]:
        """The tables as JSON has them."""
        return {
            "run": self.name,
            "strategy": self.strategy,
            **{f"debates_{what.replace(' ', '_')}": number for what, number in self.left_out.items()},
            "coverage": list(map(coverage_record, self.coverages)),
            **vars(self.counted),
            "panels": list(map(asdict, self.panels)),
            "note": self.note,
        }

    @property
    def left_out(self) -> dict[str, int]:
        """Numbers of debates that are in no figure, by the reason."""
        ended = {one.cell: number for one, number in self.talks.ended.without}
        return {**ended, "not ended": self.talks.not_ended}

    @property
    def opening(self) -> str:
        """Say what was counted."""
        found = self.counted
        return one_line(
            f"run {self.name}, strategy {self.strategy}: {counted(found.debates, 'debate')} with a verdict; in "
            f"{found.with_moves} an agent cast more than one ballot, of {found.with_people} people's word is known"
        )

    @property
    def uncounted(self) -> list[str]:
        """Say how many debates are in no figure, and why."""
        return [
            f"{counted(debates, 'debate')} {what}, and in no figure"
            for what, debates in self.left_out.items()
            if debates
        ]

    def blocks(self) -> Iterator[Block]:
        """Return the printed blocks: what was counted and what was not, the tables, the coverage, and the note."""
        yield self.opening
        yield from self.uncounted
        for one in (*self.tables, *panel_grids(self.panels)):
            yield from ("", one)
        yield coverage_told(self.coverages)
        if self.note:
            yield from ("", self.note)

    @property
    def tables(self) -> list[Grid]:
        """A table for each thing that is counted; where there is nothing, a line that says so."""
        return [_table(self.counted, name) for name in TABLES]


def _table(counted: Dynamics, name: str) -> Grid:
    title, shares, note = TABLES[name]
    records: list[Line] = getattr(counted, name)
    fields = list(records[0]) if records else []
    columns = {
        field.replace("_", " "): partial(_cell, field=field, whole=shares.get(field)) for field in fields
    }
    return Grid.of(
        title,
        records,
        columns,
        numeric=[one for one in columns if one not in _TEXTS],
        notes=[note.format(within=counted.within)],
    )


def dynamics(
    run: str | StoredRun = LAST,
    *,
    within: float = WITHIN,
    store: str | Path = USUAL_STORE,
    data: str | Path | None = None,
    rounds: RoundFields = RoundFields(),
) -> RunDynamics:
    """Count what happened in the debates of a run: who moved, which way, after hearing whom, and where it led.

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
        talks = talks_in(list(read_rows(data)), rounds)
        found = Talks(talks, OutcomeCounts(), 0), (), HEARD, panels_of_agents(talks)
        return RunDynamics(Path(data).name, "recorded rounds", count(talks, within=within), *found)
    with opened(run, store) as (reader, head):
        read = talks_of(reader, head)
        rows = list(reader.rows(head.id))
    return RunDynamics(
        head.id,
        head.strategy,
        count(read.talks, within=within),
        read,
        tuple(map(coverage, judged(rows, head.strategy))),
        offline_note(name for row in rows for name in row["models"]),
        panels_of_agents(read.talks),
    )


TABLES: Mapping[str, tuple[str, Mapping[str, str], str]] = {
    "movement": (
        "Moves",
        {"moved": "n"},
        "n: from a ballot of an agent to its next one; mean change over all n, mean step over those that moved",
    ),
    "influence": (
        "Who moves whom",
        {"moved": "n", "toward": "apart", "reached": "apart", "away": "apart"},
        "n: two ballots of the listener, the speaker heard in between; apart: where the speaker had said something else",
    ),
    "flips": (
        "Right and wrong",
        {},
        "right: a choice that is people's, a score at most {within:g} points from people's",
    ),
    "convergence": (
        "Convergence",
        {"agreed": "n"},
        "n: casts with at least two ballots in the round; spread: highest less lowest; deviation: population standard deviation",
    ),
    "pull": (
        "Pull",
        {"toward": "n", "equal": "verdicts"},
        "n: agents that began elsewhere and heard the one at this place; closed: the mean share of the distance",
    ),
}
"""The tables by the field of `Dynamics` that each shows: title, which counts are a share of which, and what the columns mean."""

_TEXTS = ("about", "agent", "speaker", "listener", "unit")


def _cell(line: Mapping[str, Any], field: str, whole: str | None) -> object:
    value = line[field]
    if whole and line[whole]:
        return f"{value} ({value / line[whole]:.0%})"
    return NONE if whole or value is None else value
