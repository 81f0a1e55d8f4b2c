"""From the options of a command to what is needed to hold debates."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentdebate.cli.casting import CastOptions
from agentdebate.cli.options import DebateOptions, ModelOptions, chosen_aspects, project_at
from agentdebate.errors import UsageError
from agentdebate.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.strategies.swapped_positions import SwappedPositions
from agentdebate.strategies.wrapper import Wrapper
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
    casting: CastOptions,
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
    _check_addresses(models, casting)
    made = casting.strategy(strategy, found)
    check_texts(made, chosen)
    return Prepared(chosen, chosen_aspects(chosen, aspects), made, how)


def check_texts(strategy: Strategy, task: Task) -> None:
    """Raise UsageError for a strategy that swaps the positions of texts on a task that has only one."""
    if task.candidates:
        return
    around: Strategy | None = strategy
    while around is not None:
        if isinstance(around, SwappedPositions):
            raise UsageError(
                f"the strategy {strategy.title!r} compares texts, and the task {task.name!r} judges a single one; take a "
                "strategy without swapped positions, or a task with candidates, such as comparison"
            )
        around = around.around if isinstance(around, Wrapper) else None


def _check_addresses(models: ModelOptions, casting: CastOptions) -> None:
    """Raise UsageError where a model of --agent-model would not go to the address that was given for the other."""
    given = [name for name in ("base_url", "api_key_env") if getattr(models, name) is not None]
    if given and any("=openai/" in pair for pair in casting.agent_model):
        option, variable = {
            "base_url": ("--base-url", "OPENAI_BASE_URL"),
            "api_key_env": ("--api-key-env", "OPENAI_API_KEY"),
        }[given[0]]
        raise UsageError(
            f"{option} is for --model alone; with --agent-model, set {variable} in the environment for all of them"
        )
