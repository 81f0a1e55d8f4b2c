"""The debates of a run, in their order: one for every item, or for every aspect of it."""

from collections import Counter
from collections.abc import AsyncGenerator, AsyncIterable, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

from agentdebate.datasets.human import check_on_scale
from agentdebate.debates.ready import ReadyStrategy
from agentdebate.errors import DataError, StrategyError, UsageError
from agentdebate.project.project import Project
from agentdebate.runs.configuration import configuration_of, replaced_files
from agentdebate.runs.settings import Settings
from agentdebate.strategies.base import Strategy
from agentdebate.tasks import Item, Task

Items = Iterable[Item] | AsyncIterable[Item]
"""Items at hand, or as they come."""


@dataclass(frozen=True, slots=True)
class Job:
    """One debate to be held."""

    id: str
    item: Item
    aspects: tuple[str, ...]
    item_number: int
    """Of the item within the run, from 1."""
    number: int = 0
    """Of the debate among those that are held, from 0."""
    opens: bool = True
    """Whether it is the first about its item."""
    again: bool = False
    """Whether another process may have begun it."""
    ended: bool = False
    """Whether it was held before the run was taken up again."""


class Agenda:
    """What is to be debated. Items that come as a stream are looked at one by one, and none is kept."""

    def __init__(self, items: Items, debate: ReadyStrategy, settings: Settings) -> None:
        check_kind(items)
        self._items, self._debate, self._settings = items, debate, settings
        self._together = settings.at_once(debate.strategy)
        self.check: Callable[[Item], None] | None = None
        """What is asked about every item of a stream, with its id, before its debates begin."""
        self._sets: dict[str, list[tuple[str, ...]]] = {}
        """What the debates about items of a task are about, by the task's name."""

    def configuration(self) -> dict[str, Any]:
        """How its debates are held, as a store keeps it, and how many there are where that is known."""
        total = self.total
        how = configuration_of(self._debate, self._settings, self.tasks, together=self._together)
        return how if total is None else {**how, "debates": total}

    @property
    def tasks(self) -> dict[str, Task]:
        """The tasks of the items, where they are all at hand; else those that the debate brings along."""
        if not isinstance(self._items, Sequence):
            return dict(self._debate.settings.tasks)
        return {item.task: self._debate.task(item) for item in self._items}

    @cached_property
    def total(self) -> int | None:
        """How many debates there will be, where the items are all at hand; what is wrong with them is raised at once."""
        if not isinstance(self._items, Sequence):
            return None
        for place, item in enumerate(self._items, 1):
            check_item(place, item)
        twins = [
            name for name, count in Counter(item.id for item in self._items if item.id).items() if count > 1
        ]
        if twins:
            raise _twins(twins[0])
        for item in self.at_hand:
            self._check_people(item)
        return sum(len(self.aspect_sets(item)) for item in self._items)

    @property
    def at_hand(self) -> list[Item]:
        """The items where they are all at hand, each with its id; one without has its number for it."""
        return (
            [_with_id(place, item) for place, item in enumerate(self._items, 1)]
            if isinstance(self._items, Sequence)
            else []
        )

    def check_setup(self) -> None:
        """Raise UserError where the strategy, as it is set, cannot judge the items at hand; nothing is entered or paid for yet."""
        if not isinstance(self._items, Sequence):
            return
        strategy, tasks = self._debate.strategy, self.tasks
        for item in {item.task: item for item in self._items}.values():
            check_suits(strategy, tasks[item.task], self.aspect_sets(item))
        check_items(strategy, ((tasks[item.task], item) for item in self.at_hand))

    def aspect_sets(self, item: Item) -> list[tuple[str, ...]]:
        """What each debate about an item is about."""
        known = self._sets.get(item.task)
        if known is None:
            names = tuple(aspect.name for aspect in self._debate.task(item).choose(self._settings.aspects))
            known = self._sets[item.task] = [names] if self._together else [(name,) for name in names]
        return known

    def _check_people(self, item: Item) -> None:
        """Raise DataError for a person's score that is not on the scale of its aspect, where that is judged."""
        if item.human:
            task = self._debate.task(item)
            check_on_scale(item, task, task.choose(self._settings.aspects))

    async def jobs(self, ended: frozenset[str] = frozenset(), *, again: bool = False) -> AsyncGenerator[Job]:
        """The debates that are still to be held, and with `again` those that have ended too.

        Raises DataError for two items of the same id.
        """
        number = 0
        async with aclosing(self._named()) as named:
            async for place, item in named:
                for first, aspects in enumerate(self.aspect_sets(item)):
                    name = f"{item.id}/{'+'.join(aspects)}"
                    if again or name not in ended:
                        yield Job(name, item, aspects, place, number, opens=not first, ended=name in ended)
                        number += 1

    async def _named(self) -> AsyncGenerator[tuple[int, Item]]:
        """Every item with its number; one without an id has the number for it."""
        seen: set[str] = set()
        place = 0
        async with aclosing(_one_by_one(self._items)) as given:
            async for item in given:
                place += 1
                check_item(place, item)
                named = _with_id(place, item)
                if named.id in seen:
                    raise _twins(named.id)
                seen.add(named.id)
                self._check_people(named)
                if self.check is not None:
                    self.check(named)
                yield place, named


def check_kind(items: object) -> None:
    """Raise UsageError for what gives no items."""
    alone = isinstance(items, str | bytes | PathLike | Mapping | Item)
    if alone or not isinstance(items, Iterable | AsyncIterable):
        raise UsageError(
            f"items are a list of Item, or a stream of them, not {_kind(items)}: [Item(task=..., fields={{...}}), ...]; "
            "those of a file: load_items(PATH, TASK), or load_dataset(NAME, PATH)"
        )


def check_item(place: int, item: object) -> None:
    """Raise UsageError for what is not an Item."""
    if not isinstance(item, Item):
        raise UsageError(f"item {place} is {_kind(item)}, and not an Item: Item(task=..., fields={{...}})")


def _kind(given: object) -> str:
    return f"one {type(given).__name__}" if isinstance(given, Item) else f"a {type(given).__name__}"


def _with_id(place: int, item: Item) -> Item:
    return item if item.id else item.model_copy(update={"id": str(place)})


async def _one_by_one(items: Items) -> AsyncGenerator[Item]:
    if isinstance(items, AsyncGenerator):
        async with aclosing(items):
            async for item in items:
                yield item
    elif isinstance(items, AsyncIterable):
        async for item in items:
            yield item
    else:
        for item in items:
            yield item


def _twins(name: str) -> DataError:
    return DataError(f"two items have the id {name!r}; the id is what tells their debates apart", field="id")


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
