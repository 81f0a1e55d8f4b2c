"""From the options of a command to what is needed to hold debates."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentdebate.cli.options import DebateOptions, ModelOptions, chosen_aspects, project_at
from agentdebate.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Task


@dataclass(frozen=True)
class Prepared:
    """A task, the aspects that are judged, and a strategy. `how` is what else debates are held by, as keywords."""

    task: Task
    aspects: tuple[str, ...]
    strategy: Strategy
    how: Mapping[str, Any]


def prepare(
    strategy: str,
    task: str,
    aspects: str | None,
    *,
    project: Path | None,
    models: ModelOptions,
    debates: DebateOptions,
) -> Prepared:
    """What the options name, looked up and checked. Raises UserError."""
    found = project_at(project)
    chosen = debates.rescaled(Prompts(found).task(task))
    how = {
        "project": found,
        "tasks": {task: chosen},
        "form": debates.ballot_form,
        "patience": debates.checked_patience,
        "deadline": debates.checked_deadline,
        "sampling": models.sampling,
    }
    return Prepared(chosen, chosen_aspects(chosen, aspects), debates.strategy(strategy, found), how)
