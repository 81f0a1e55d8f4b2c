"""The failures of a run, by kind."""

from dataclasses import dataclass

from agentdebate.cli.console import one_line, out, table
from agentdebate.cli.option_names import in_options
from agentdebate.cli.places import Place
from agentdebate.cli.rows import Row, name_of
from agentdebate.debates.outcome import FAILURE, outcome_of


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
        return in_options(str(self.row["failure"]["reason"]))


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

    def print(self) -> None:
        """Print a line a kind of failure, with an example."""
        if not self._kinds:
            return
        head = ["count", "failure", "for example", "reason"]
        lines = [(kind.count, kind.error, name_of(kind.row), kind.reason) for kind in self.kinds]
        out()
        table("Failures", head, lines, numeric=["count"])


def first_of_its_kind(debate: str, row: Row) -> str:
    """What is said of the first failure of a kind when it comes."""
    failure = row["failure"]
    reason = in_options(failure["reason"])
    return one_line(f"first failure of its kind: {debate}: {failure['error']}: {reason}")
