"""The head of a run: how it was begun, and how far it came."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from agentdebate.store.damage import reading
from agentdebate.tasks import Scale, Task

SWEEP = "sweep"
"""Name under which a run's configuration says to which sweep it belongs, and which cell it is."""
_NAMED = 5
"""Files that are named before it is said how many more there are."""


@dataclass(frozen=True)
class RunHead:
    """A run and how far it came. `ended` is None while it runs and where it was stopped."""

    id: str
    created: float
    ended: float | None
    strategy: str
    task: str
    """The tasks of the items that have been begun, with commas between them."""
    model: str
    configuration: Mapping[str, Any]
    verdicts: int
    failures: int
    outcomes: Mapping[str, int] = field(default_factory=dict)
    """Counts of debates by the name of their outcome; a verdict that was curtailed is one of the verdicts."""

    @property
    def ended_debates(self) -> int:
        """Number of debates that have ended, in any way."""
        return sum(self.outcomes.values())

    @property
    def sweep(self) -> Mapping[str, Any]:
        """The sweep's entry of a run that belongs to one: its name, the cell and its kind."""
        mark = self.configuration.get(SWEEP)
        return mark if isinstance(mark, Mapping) else {}

    @property
    def title(self) -> str:
        """The strategy, and of a control of a sweep its kind."""
        kind = self.sweep.get("kind", "run")
        return self.strategy if kind == "run" else f"{self.strategy} (control: {kind})"

    @property
    def models(self) -> tuple[str, ...]:
        """Every model that may be asked in it, that of most agents first."""
        names = dict.fromkeys(one["name"] for one in self.configuration.get("models", ())) or (self.model,)
        return tuple(sorted(names, key=lambda name: name != self.model))

    @property
    def replaced(self) -> tuple[str, ...]:
        """The files that stood in the place of built-in ones when it was begun, by their paths in the project."""
        return tuple(self.configuration.get("replaced") or ())

    @property
    def replaced_told(self) -> str:
        """Format these files in a sentence; empty where there were none."""
        return replaced_told(self.replaced)

    def tasks(self) -> dict[str, Task]:
        """The run's tasks by name, as they were when it began. Raises StoreError where they are damaged."""
        found = dict[str, Task]()
        for name, task in self.configuration.get("tasks", {}).items():
            with reading(self.id, f"the task {name!r} in its configuration"):
                found[name] = Task.model_validate(task)
        return found

    def ranges(self) -> dict[str, tuple[float, float]]:
        """The ranges of evaluators' scores that the run's strategy was told. Raises StoreError where they are damaged."""
        with reading(self.id, "the ranges of the strategy in its configuration"):
            told = TypeAdapter(dict[str, dict[str, float]]).validate_python(self._of_strategy("ranges") or {})
            ranges = {name: (one["low"], one["high"]) for name, one in told.items()}
            for name, (low, high) in ranges.items():
                if not -inf < low < high < inf:
                    raise ValueError(f"{name}: low is not below high")
        return ranges

    def overall_scale(self) -> Scale | None:
        """The scale of the score for the text as a whole that the run's strategy adds. Raises StoreError where it is damaged."""
        with reading(self.id, "the overall scale of the strategy in its configuration"):
            told = self._of_strategy("overall_scale")
            return Scale.model_validate(told) if told else None

    def _of_strategy(self, name: str) -> Any:
        """A setting of the run's strategy, or else of the one inside it."""
        strategy = self.configuration.get("strategy")
        while strategy and not strategy.get(name):
            strategy = strategy.get("around")
        return strategy and strategy[name]

    def asked_as(self, agent: str) -> str:
        """The name under which an agent's model was asked for."""
        models = (self.configuration.get("strategy") or {}).get("models") or {}
        return str(models.get(agent, self.model))


def replaced_told(files: Sequence[str]) -> str:
    """The files that stand in the place of built-in ones, in a sentence; empty where there are none."""
    if not files:
        return ""
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return f"files of the project in the place of built-in ones: {', '.join(files[:_NAMED])}{more}: this is not the published method"


def data_files(heads: Iterable[RunHead]) -> list[Path]:
    """The files that the items of runs came from, as far as the runs were begun with files."""
    found = (head.configuration.get("data") for head in heads)
    named = (data.get("path") for data in found if isinstance(data, Mapping))
    return [Path(path) for path in named if isinstance(path, str)]
