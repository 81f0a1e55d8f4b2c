"""What the debates of a run are held with: a task and the aspects that are judged, a strategy, and the settings."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from agentdebate.errors import StrategyError, UsageError
from agentdebate.project.project import Project
from agentdebate.runs.configuration import replaced_files
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item, Task


@dataclass(frozen=True)
class DebateSetup:
    """What debates on one task are held with. Raises UsageError where the strategy cannot judge these aspects of the task."""

    task: Task
    strategy: Strategy
    settings: Settings

    def __post_init__(self) -> None:
        check_suits(self.strategy, self.task, self.sets)

    @property
    def aspects(self) -> tuple[str, ...]:
        """The aspects that are judged. Raises UsageError."""
        named = self.settings.aspects
        return chosen_aspects(self.task, (named,) if isinstance(named, str) else named)

    @property
    def sets(self) -> list[tuple[str, ...]]:
        """What each debate about an item is about."""
        at_once = self.settings.at_once(self.strategy)
        return [self.aspects] if at_once else [(name,) for name in self.aspects]

    @property
    def replaced(self) -> list[str]:
        """The files of the project that stand in the place of built-in ones."""
        return replaced_files(self.strategy, self.settings.project or Project.here(), [self.task.name])

    @property
    def agents(self) -> int:
        """How many agents the strategy seats."""
        return sum(map(len, self.strategy.cast.values()))


def check_suits(strategy: Strategy, task: Task, sets: Sequence[Sequence[str] | None] = (None,)) -> None:
    """Raise UsageError for a strategy that cannot judge these sets of aspects of the task, each in a debate, and ContentError for
    a file of a plan, say, that is not for them.
    """
    for names in sets:
        chosen = task.choose(names)
        try:
            aspects = strategy.asked(chosen)
            strategy.check_files(aspects)
            strategy.check(task, aspects)
        except StrategyError as error:
            raise UsageError(
                f"the strategy {strategy.title!r} cannot judge this task: {error}; take another strategy, or another task"
            ) from error


def chosen_aspects(task: Task, named: Sequence[str] | None) -> tuple[str, ...]:
    """The aspects that were named; all of the task's usual ones where that is None. Raises UsageError."""
    if named is not None and not named:
        raise UsageError(
            f"aspects=... takes aspects with commas between them: {', '.join(aspect.name for aspect in task.aspects)}"
        )
    for name in named or ():
        if (named or ()).count(name) > 1:
            raise UsageError(f"aspects=... names {name!r} twice")
    return tuple(aspect.name for aspect in task.choose(named))


def check_items(strategy: Strategy, items: Iterable[tuple[Task, Item]]) -> None:
    """Raise UsageError or DataError for a strategy that, as it is set, cannot judge these items."""
    try:
        strategy.check_items(items)
    except StrategyError as error:
        raise UsageError(
            f"the strategy {strategy.title!r} cannot judge these items as it is set: {error}"
        ) from error
