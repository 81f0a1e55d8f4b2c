"""What a run's tables are made of, gathered from one row after the other."""

from collections.abc import Sequence

from agentdebate.debates.outcome import OutcomeCounts, outcome_of
from agentdebate.debates.record import OFFLINE, offline_note
from agentdebate.models.families import families_of
from agentdebate.report.run_tables.aspects import AspectTable
from agentdebate.report.run_tables.coverage import RunCoverage
from agentdebate.report.run_tables.failures import Failures
from agentdebate.report.run_tables.first_items import FirstItems
from agentdebate.report.run_tables.outcomes import Outcomes
from agentdebate.report.run_tables.places import Places
from agentdebate.report.run_tables.prompts import PromptTable
from agentdebate.report.run_tables.rows import Row
from agentdebate.report.run_tables.shortfall import Shortfall
from agentdebate.report.run_tables.stages import StageTable


class Tally:
    """Takes rows in and keeps none but those of the first items and an example of each kind of failure.

    `items` and `aspects` are the order of the tables, by id and name; what they do not name comes after, as it came.
    Without `items`, which has to be so where there may be any number of them, rows have to come item by item.
    """

    def __init__(self, items: Sequence[str] | None = None, aspects: Sequence[str] = ()) -> None:
        self._places = Places(items, aspects)
        self._models: dict[str, None] = {}
        self.first = FirstItems()
        self.aspects = AspectTable()
        self.outcomes = Outcomes()
        self.stages = StageTable()
        self.shortfall = Shortfall()
        self.prompts = PromptTable()
        self.failures = Failures()
        self.coverage = RunCoverage()
        self.ended = OutcomeCounts()
        self.cost = dict.fromkeys(("calls", "prompt_tokens", "completion_tokens"), 0)
        """Calls and tokens of all debates."""

    def __repr__(self) -> str:
        return f"<Tally of {self.rows} rows>"

    def add(self, row: Row) -> None:
        """Take in a row."""
        place = self._places.of(row)
        for part in (
            self.first,
            self.aspects,
            self.outcomes,
            self.stages,
            self.shortfall,
            self.prompts,
            self.failures,
            self.coverage,
        ):
            part.take(row, place)
        self.ended.add(outcome_of(row))
        for name in self.cost:
            self.cost[name] += row[name] or 0
        for model in row["models"]:
            self._models[model] = None

    @property
    def rows(self) -> int:
        """How many rows there were."""
        return self._places.rows

    @property
    def items(self) -> int:
        """How many items they are about."""
        return self._places.items

    @property
    def note(self) -> str | None:
        """What has to be said beside the verdicts."""
        return offline_note([OFFLINE] if OFFLINE in self._models else [])

    @property
    def families(self) -> tuple[str, ...]:
        """The makers of the models that spoke."""
        return families_of(self._models)
