"""What each stage of a run's debates took, where evaluators took part."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from agentdebate.report.run_tables.places import Names, Place
from agentdebate.report.run_tables.rows import Row
from agentdebate.report.run_tables.spread import Spread
from agentdebate.report.text_table import Block, TextTable

_WHAT = "seconds: what evaluators computed for, and models took to answer, in all; each: the mean of a debate"


@dataclass
class _Stage:
    calls: int = 0
    tokens: int = 0
    seconds: Spread = field(default_factory=Spread)


class StageTable:
    """Adds up calls, tokens and seconds of stages."""

    def __init__(self) -> None:
        self._stages = defaultdict[str, _Stage](_Stage)
        self._names = Names()

    def __repr__(self) -> str:
        return f"<StageTable of {list(self._names)}>"

    def take(self, row: Row, place: Place) -> None:
        """Take in a row."""
        stages = row.get("stages", {})
        self._names.note(stages, place)
        for name, took in stages.items():
            stage = self._stages[name]
            stage.calls += took["calls"]
            stage.tokens += took["tokens"]
            stage.seconds.add(took["seconds"])

    def blocks(self) -> Iterator[Block]:
        """A line a stage: how long it took and what it cost, in all and for a debate."""
        if not self._stages:
            return
        head = ["stage", "calls", "tokens", "seconds", "each"]
        lines = [self._line(name, self._stages[name]) for name in self._names]
        yield ""
        yield TextTable("Stages", head, lines, numeric=head[1:])
        yield _WHAT

    def _line(self, name: str, stage: _Stage) -> list[object]:
        seconds = stage.seconds
        return [name, stage.calls, stage.tokens, f"{seconds.total:.3f}", f"{seconds.mean:.4f}"]
