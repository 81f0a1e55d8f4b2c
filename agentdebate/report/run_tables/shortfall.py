"""What the verdicts of a run do without: ballots, samples, agents, the rest of their debates, or critiques of their item."""

from collections import Counter

from agentdebate.debates.outcome import CURTAILED, outcome_of
from agentdebate.meta.prose import number_of
from agentdebate.report.run_tables.places import Names, Place
from agentdebate.report.run_tables.rows import Row
from agentdebate.visible import one_line

_NAMED = 5
"""Lost agents that are named before it is said how many more there are."""


class Shortfall:
    """Counts verdicts that do without something."""

    def __init__(self) -> None:
        self.short = 0
        """Verdicts without some of their ballots, samples or agents."""
        self.curtailed = 0
        """Verdicts of debates that their own limits made shorter."""
        self._lost: Counter[str] = Counter()
        self._agents = Names()

    def __repr__(self) -> str:
        return f"<Shortfall {self.short} short, {self.curtailed} curtailed>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        self.curtailed += outcome_of(row) is CURTAILED
        if not (row["missing"] or row["lost"]):
            return
        self.short += 1
        lost = list(dict.fromkeys(one["agent"] for one in row["lost"]))
        self._lost.update(lost)
        self._agents.note(lost, place)

    def lines(self) -> list[str]:
        """In words: how many verdicts do without what, and which agents were lost in how many."""
        lines = []
        if self.short:
            what = f"{number_of(self.short, 'verdict')} without some of the ballots or samples"
            lines.append(one_line(f"{what}{self._named()}"))
        if self.curtailed:
            lines.append(f"{number_of(self.curtailed, 'verdict')} by debates that their limits made shorter")
        return lines

    def _named(self) -> str:
        if not self._lost:
            return ""
        often = sorted(self._agents, key=lambda name: -self._lost[name])
        agents = ", ".join(f"{name} in {self._lost[name]}" for name in often[:_NAMED])
        more = f", and {number_of(len(often) - _NAMED, 'more agent')}" if len(often) > _NAMED else ""
        return f" (lost: {agents}{more})"
