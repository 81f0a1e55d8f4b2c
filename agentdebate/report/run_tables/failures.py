"""The failures of a run, by kind."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from agentdebate.debates.outcome import FAILURE, outcome_of
from agentdebate.report.run_tables.places import Place
from agentdebate.report.run_tables.rows import Row, name_of
from agentdebate.report.text_table import Block, TextTable


@dataclass
class Kind:
    """A kind of failure: its error, how often it came, and the first row of it."""

    error: str
    count: int
    place: Place
    row: Row

    @property
    def reason(self) -> str:
        """Why the first one failed."""
        return str(self.row["failure"]["reason"])


class Failures:
    """Counts failures, with an example of each kind."""

    def __init__(self) -> None:
        self._kinds: dict[str, Kind] = {}

    def __repr__(self) -> str:
        return f"<Failures {[(kind.error, kind.count) for kind in self.kinds]}>"

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def take(self, row: Row, place: Place) -> None:
        """Take in a row, which may be none of a failure."""
        if outcome_of(row) is not FAILURE:
            return
        error = row["failure"]["error"]
        kind = self._kinds.setdefault(error, Kind(error, 0, place, row))
        kind.count += 1
        if place < kind.place:
            kind.place, kind.row = place, row

    @property
    def kinds(self) -> list[Kind]:
        """The kinds, the most frequent first."""
        return sorted(self._kinds.values(), key=lambda kind: (-kind.count, kind.place))

    def blocks(self, worded: Callable[[str], str] = str) -> Iterator[Block]:
        """A line a kind of failure, with an example; `worded` puts its reason into the reader's words."""
        if not self._kinds:
            return
        head = ["count", "failure", "for example", "reason"]
        lines = [(kind.count, kind.error, name_of(kind.row), worded(kind.reason)) for kind in self.kinds]
        yield ""
        yield TextTable("Failures", head, lines, numeric=["count"])
