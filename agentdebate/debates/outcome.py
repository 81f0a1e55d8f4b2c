"""Outcomes of a debate. This is their only list: rows, the store, tables, exports and exit codes take it from here.

To add an outcome is to add an entry to the list. One that a store names and this version does not know is shown under its own
name, as one without scores.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """One way to end."""

    name: str
    """Name in rows, exports and the store."""
    judged: bool
    """True if it comes with scores, or with a winner where texts are compared."""
    noun: str = "verdict"
    """Noun of counts: "3 verdicts". Outcomes with one noun are counted together."""
    cell: str = ""
    """Text in a table's cell in place of the missing score."""
    listed: bool = False
    """True if tables have a column for it even where no debate ended so."""
    exit_code: int = 0
    """Exit code of a command where a debate ended so."""


VERDICT = Outcome("verdict", judged=True, listed=True)
"""The agents came to a judgement."""
CURTAILED = Outcome("curtailed", judged=True, listed=True)
"""They came to one, in a debate that its limits made a shorter one."""
FAILURE = Outcome("failure", judged=False, noun="failure", cell="failed", listed=True, exit_code=1)
"""An error ended the debate."""
ABSTAINED = Outcome("abstained", judged=False, noun="abstention", cell="abstained")
"""The strategy declined to judge, which is neither a score nor a failure."""

OUTCOMES: Mapping[str, Outcome] = MappingProxyType(
    {one.name: one for one in (VERDICT, CURTAILED, FAILURE, ABSTAINED)}
)
"""Every outcome by its name, in the order of tables."""


def outcome_named(name: str) -> Outcome:
    """The outcome of that name; for a name that is not in the list, one without scores that is called so."""
    return OUTCOMES.get(name) or Outcome(name, judged=False, noun=name, cell=name)


def outcome_of(row: Mapping[str, Any]) -> Outcome:
    """Return the outcome of a row's debate. Rows of earlier versions do not say it themselves, and had three ways to end."""
    if row.get("outcome"):
        return outcome_named(row["outcome"])
    if row["failure"]:
        return FAILURE
    return CURTAILED if row.get("curtailed") else VERDICT


class OutcomeCounts:
    """Counts of debates by outcome."""

    def __init__(self, counts: Mapping[str, int] | None = None) -> None:
        self._counts = Counter[str](counts or {})

    def __getitem__(self, outcome: Outcome) -> int:
        return self._counts[outcome.name]

    def add(self, outcome: Outcome) -> None:
        """Count one more."""
        self._counts[outcome.name] += 1

    @property
    def by_name(self) -> dict[str, int]:
        """The counts by the outcomes' names, in the order of the list; what the list does not have comes last."""
        return {one.name: self[one] for one in self._all() if self[one]}

    @property
    def total(self) -> int:
        """Number of debates that ended."""
        return self._counts.total()

    @property
    def verdicts(self) -> int:
        """Number that ended with a judgement."""
        return sum(self[one] for one in self._all() if one.judged)

    @property
    def without(self) -> list[tuple[Outcome, int]]:
        """Counts of the outcomes without a judgement: those that are always listed, and those that occurred."""
        return [(one, self[one]) for one in self._all() if not one.judged and (one.listed or self[one])]

    @property
    def nouns(self) -> list[tuple[int, str]]:
        """Counts with their nouns, for a summary: [(3, "verdict"), (0, "failure")]."""
        return [(self.verdicts, VERDICT.noun), *((count, one.noun) for one, count in self.without)]

    @property
    def exit_code(self) -> int:
        """Exit code of a command after these debates."""
        return max((one.exit_code for one in self._all() if self[one]), default=0)

    def _all(self) -> list[Outcome]:
        """The outcomes of the list, and others that occurred."""
        return [*OUTCOMES.values(), *map(outcome_named, sorted(self._counts.keys() - OUTCOMES.keys()))]
