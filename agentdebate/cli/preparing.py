"""From the options of a command to what is needed to hold debates."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from agentdebate.agents.debate_settings import DebateSettings
from agentdebate.agents.purse import NO_LIMITS, DebateLimits
from agentdebate.cli.casting import CastOptions
from agentdebate.cli.options import DebateOptions, ModelOptions, chosen_aspects, project_at
from agentdebate.errors import StrategyError, UsageError
from agentdebate.models.registry import provider_of
from agentdebate.project.model_spec import ModelSpec
from agentdebate.project.project import Project
from agentdebate.project.trust import USER, Trust
from agentdebate.prompts.prompts import Prompts
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Task


@dataclass(frozen=True)
class Prepared:
    """What debates are held with: a task, the aspects that are judged, a strategy of a project, and the settings."""

    task: Task
    aspects: tuple[str, ...]
    strategy: Strategy
    project: Project
    settings: DebateSettings
    together: bool | None

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """What each debate about an item is about."""
        at_once = self.strategy.judges_together() if self.together is None else self.together
        return [self.aspects] if at_once else [(name,) for name in self.aspects]


def prepare(
    strategy: str,
    task: str,
    aspects: str | None,
    *,
    project: Path | None,
    models: ModelOptions,
    casting: CastOptions,
    debates: DebateOptions,
    limits: DebateLimits = NO_LIMITS,
    trust: Trust = USER,
) -> Prepared:
    """What the options name, looked up and checked. `trust` says whose options they are. Raises UserError."""
    found = project_at(project, trust)
    chosen = debates.rescaled(Prompts(found).task(task))
    settings = debates.settings(chosen, models.sampling, limits)
    _check_addresses(models, casting)
    made = casting.strategy(strategy, found, trust)
    prepared = Prepared(chosen, chosen_aspects(chosen, aspects), made, found, settings, debates.together)
    check_suits(made, chosen, prepared.sets)
    return prepared


def check_suits(strategy: Strategy, task: Task, sets: Sequence[Sequence[str] | None] = (None,)) -> None:
    """Raise UsageError for a strategy that cannot judge these sets of aspects of the task, each in a debate."""
    for names in sets:
        try:
            strategy.check(task, strategy.asked(task.choose(names)))
        except StrategyError as error:
            raise UsageError(
                f"the strategy {strategy.title!r} cannot judge this task: {error}; take another strategy, or another task"
            ) from error


def _check_addresses(models: ModelOptions, casting: CastOptions) -> None:
    """Raise UsageError where a model of --agent-model would not go to the address that was given for the other."""
    given = [name for name in ("base_url", "api_key_env") if getattr(models, name) is not None]
    provider = models.model.partition("/")[0]
    if given and any(_shares(pair.partition("=")[2], provider) for pair in casting.agent_model):
        theirs = provider_of(models.model)
        option, variable = {
            "base_url": ("--base-url", theirs and theirs.moved),
            "api_key_env": ("--api-key-env", theirs and theirs.key),
        }[given[0]]
        raise UsageError(
            f"{option} is for --model alone: give the others theirs, as in --agent-model critic={provider}/NAME:base_url=..., or set "
            f"{variable or 'the address'} in the environment for all of them"
        )


def _shares(model: str, provider: str) -> bool:
    """Whether a model goes where the provider's others go: it has no address of its own."""
    spec = ModelSpec.parse(model)
    return spec.name.startswith(f"{provider}/") and "base_url" not in spec.options
